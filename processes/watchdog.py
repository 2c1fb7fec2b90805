"""Whether the worker makes progress. A worker can be alive and do nothing, after a broker restart for one."""

from datetime import datetime

from django.conf import settings

from standings.queries import stalled_pools
from standings.recomputation.locks import is_locked

LONGEST_WRITE_SECONDS = 600.0


def is_stuck(now: datetime | None = None) -> bool:
    """Whether results wait and nobody works on them: the watchdog's question.

    Rows of a large league are written in one transaction that shows no progress: whoever holds the league's lock
    is alive, and has longer.
    """
    waiting = stalled_pools(settings.STUCK_SECONDS, now)
    if not waiting or stalled_pools(LONGEST_WRITE_SECONDS, now):
        return bool(waiting)
    return not any(is_locked(pool_id) for pool_id in waiting)
