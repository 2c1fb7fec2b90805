"""Growing waits after failed sign-ins (docs/decisions/0011-accounts.md).

A lane is what is counted together: the attempts at one account from everywhere, or those from one of its own browsers.
Lanes are in the database cache, which all processes share.
"""

from collections.abc import Collection, Iterable
from math import ceil
from time import time
from typing import NamedTuple

from django.core.cache import cache
from django.db import transaction

from league.site.cache_table import keys_from
from league.site.limits import wait_for_others

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


@transaction.atomic
def begin_attempt(lanes: Collection[str]) -> int:
    """Count an attempt in each lane as failed until it succeeds; if it is too early in one, return the seconds to wait.

    It is counted before the password is looked at, so that of many attempts made at once none goes uncounted.
    """
    states = _lock(lanes)
    seconds = max((ceil(state.until - time()) for state in states.values()), default=0)
    if seconds > 0:
        return seconds
    for lane, state in states.items():
        n_failures = state.n + 1
        _store(lane, Failures(n_failures, time() + wait_after(n_failures)))
    return 0


@transaction.atomic
def take_back(lanes: Iterable[str]) -> None:
    """Count an attempt no longer: it was meant for another account."""
    for lane, state in _lock(lanes).items():
        if state.n:
            _store(lane, state._replace(n=state.n - 1))


def forget_failures(lane: str) -> None:
    cache.delete(_key(lane))


class Standing(NamedTuple):
    """The failures of an account in all its lanes, and the seconds until the next attempt in the slowest one."""

    n: int
    seconds: int


def failures_of(user_id: int) -> Standing:
    states = [Failures(*cache.get(key, (0, 0.0))) for key in _keys_of(user_id)]
    seconds = max((ceil(state.until - time()) for state in states), default=0)
    return Standing(sum(state.n for state in states), max(seconds, 0))


def forget_account(user_id: int) -> None:
    """Forget the failures of an account, from everywhere and from its own browsers."""
    cache.delete_many(_keys_of(user_id))


def _keys_of(user_id: int) -> list[str]:
    return keys_from(_key(f"{user_id}:"))


def _lock(lanes: Iterable[str]) -> dict[str, Failures]:
    """Read the lanes and keep other processes away from them until the transaction ends."""
    states = {}
    for lane in sorted(set(lanes)):  # always in one order, so that two attempts never wait for each other
        wait_for_others(_key(lane))
        states[lane] = Failures(*cache.get(_key(lane), (0, 0.0)))
    return states


def _store(lane: str, state: Failures) -> None:
    cache.set(_key(lane), tuple(state), FORGOTTEN_SECONDS)


def _key(lane: str) -> str:
    return f"sign-in:{lane}"
