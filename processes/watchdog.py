"""Detects a worker that is alive but makes no progress, for example after a restart of the broker."""

from datetime import datetime

from django.conf import settings

from standings.queries import stalled_pools
from standings.recomputation.locks import is_locked

LONGEST_WRITE_SECONDS = 600.0


def is_stuck(now: datetime | None = None) -> bool:
    """Whether results wait and nobody works on them.

    The rows of a large pool are written in one transaction, which shows no progress: a process that holds the
    pool's lock may take LONGEST_WRITE_SECONDS.
    """
    waiting = stalled_pools(settings.STUCK_SECONDS, now)
    if not waiting or stalled_pools(LONGEST_WRITE_SECONDS, now):
        return bool(waiting)
    return not any(is_locked(pool_id) for pool_id in waiting)
