"""When beat last sent its heartbeat, and when a worker ran it; kept in the cache that all processes share."""

import time
from typing import NamedTuple

from django.core.cache import cache

KEY = "heartbeat"
KEPT_SECONDS = 30 * 86_400


class Heartbeat(NamedTuple):
    """Moments in seconds since 1970."""

    sent_at: float
    ran_at: float


def note_heartbeat(sent_at: float) -> None:
    cache.set(KEY, (sent_at, time.time()), KEPT_SECONDS)


def last_heartbeat() -> Heartbeat | None:
    stored = cache.get(KEY)
    return Heartbeat(*stored) if stored else None
