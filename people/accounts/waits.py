"""Growing waits after failed sign-ins (docs/decisions/0011-accounts.md).

Failed sign-ins are counted per account, or per account and known browser. The counters are in the database cache, which
all processes share.
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


def _within_reach(state: Failures) -> Failures:
    """Bring the end of a wait as near as its failures ask for: the clock may have been set back."""
    return state._replace(until=min(state.until, time() + wait_after(state.n)))


def _seconds_left(state: Failures) -> int:
    return max(ceil(_within_reach(state).until - time()), 0)


@transaction.atomic
def begin_attempt(counters: Collection[str]) -> int:
    """Increment the failure counters of an attempt, or return the seconds to wait if it comes too early.

    It is counted before the password is looked at, so that of many attempts made at once none goes uncounted.
    """
    states = {counter: _within_reach(state) for counter, state in _lock(counters).items()}
    for counter, state in states.items():
        _store(counter, state)
    seconds = max(map(_seconds_left, states.values()), default=0)
    if seconds > 0:
        return seconds
    for counter, state in states.items():
        n_failures = state.n + 1
        _store(counter, Failures(n_failures, time() + wait_after(n_failures)))
    return 0


@transaction.atomic
def take_back(counters: Iterable[str]) -> None:
    """Decrement the counters of an attempt that was meant for another account."""
    for counter, state in _lock(counters).items():
        if state.n:
            _store(counter, state._replace(n=state.n - 1))


def forget_failures(counter: str) -> None:
    cache.delete(_key(counter))


class Backoff(NamedTuple):
    """The failures of an account in all its counters, and the seconds until the next attempt in the slowest one."""

    n: int
    seconds: int


def failures_of(user_id: int) -> Backoff:
    states = [Failures(*cache.get(key, (0, 0.0))) for key in _keys_of(user_id)]
    return Backoff(sum(state.n for state in states), max(map(_seconds_left, states), default=0))


def forget_account(user_id: int) -> None:
    """Forget the failures of an account, from everywhere and from its own browsers."""
    cache.delete_many(_keys_of(user_id))


def _keys_of(user_id: int) -> list[str]:
    return keys_from(_key(f"{user_id}:"))


def _lock(counters: Iterable[str]) -> dict[str, Failures]:
    """Read the counters and keep other processes away from them until the transaction ends."""
    states = {}
    for counter in sorted(
        set(counters)
    ):  # always in one order, so that two attempts never wait for each other
        wait_for_others(_key(counter))
        states[counter] = Failures(*cache.get(_key(counter), (0, 0.0)))
    return states


def _store(counter: str, state: Failures) -> None:
    cache.set(_key(counter), tuple(state), FORGOTTEN_SECONDS)


def _key(counter: str) -> str:
    return f"sign-in:{counter}"
