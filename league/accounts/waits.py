"""Growing waits after failed sign-ins (docs/decisions/0011-accounts.md).

A lane is what is counted together: the attempts at one account from everywhere, or those from one of its own browsers.
Lanes are in the database cache, which all processes share.
"""

from collections.abc import Collection
from math import ceil
from time import time
from typing import NamedTuple

from django.core.cache import cache

N_FREE = 5  # failures without a wait
LONGEST_SECONDS = 60
FORGOTTEN_SECONDS = 15 * 60


class Failures(NamedTuple):
    n: int
    until: float  # seconds since 1970: no attempt before


def wait_after(n_failures: int) -> int:
    """Compute the seconds to wait after so many failures: 2, 4, 8, 16, 32, then 60."""
    n_doublings = n_failures - N_FREE + 1
    return 0 if n_doublings < 1 else int(min(2 ** min(n_doublings, 10), LONGEST_SECONDS))


def take_turn(lanes: Collection[str]) -> int:
    """Begin an attempt in each lane; return the seconds to wait instead if it is too early in one."""
    states = {lane: _failures_in(lane) for lane in lanes}
    seconds = max((ceil(state.until - time()) for state in states.values()), default=0)
    if seconds > 0:
        return seconds
    return 0 if all(_claim(lane, state) for lane, state in states.items()) else 1


def count_failure(lanes: Collection[str]) -> None:
    for lane in lanes:
        n_failures = _failures_in(lane).n + 1
        state = Failures(n_failures, time() + wait_after(n_failures))
        cache.set(_key(lane), tuple(state), FORGOTTEN_SECONDS)


def forget_failures(lane: str) -> None:
    cache.delete(_key(lane))


def _claim(lane: str, state: Failures) -> bool:
    """Take the one attempt that follows a wait: of those made at once, one goes on."""
    return state.n < N_FREE or cache.add(f"{_key(lane)}:{state.until}", 1, LONGEST_SECONDS)


def _failures_in(lane: str) -> Failures:
    return Failures(*cache.get(_key(lane), (0, 0.0)))


def _key(lane: str) -> str:
    return f"sign-in:{lane}"
