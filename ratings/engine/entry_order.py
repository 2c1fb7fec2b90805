"""Order in which the loops of the TIER pipeline visit an event's entries: by place, whatever the players' names.

Entries that share a place are sorted by bust, registration, evidence and number, the smallest first; they keep the
order of the history only if all of these are equal.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@njit(cache=True, error_model="numpy")
def _comes_first(
    i: int, j: int, busted_at: Floats, registered_at: Floats, evidence: Floats, number: Ints
) -> bool:
    if busted_at[i] != busted_at[j]:
        return bool(busted_at[i] < busted_at[j])
    if registered_at[i] != registered_at[j]:
        return bool(registered_at[i] < registered_at[j])
    if evidence[i] != evidence[j]:
        return bool(evidence[i] < evidence[j])
    return bool(number[i] < number[j])


@njit(cache=True, error_model="numpy")
def _sort_tied(tied: Ints, busted_at: Floats, registered_at: Floats, evidence: Floats, number: Ints) -> None:
    """Sort by stable insertion: tied entries are few or mostly equal."""
    for at in range(1, tied.size):
        moving = tied[at]
        to = at
        while to > 0 and _comes_first(moving, tied[to - 1], busted_at, registered_at, evidence, number):
            tied[to] = tied[to - 1]
            to -= 1
        tied[to] = moving


@njit(cache=True, error_model="numpy")
def order_entries(
    offset: Ints,
    place: Ints,
    busted_at: Floats,
    registered_at: Floats,
    evidence: Floats,
    number: Ints,
    order: Ints,
) -> None:
    """Sort the entries of every event.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    place : int64, shape (n_entries,)
        Competition ranking of each event (ties 1-2-2-4).
    busted_at, registered_at, evidence : float64, shape (n_entries,)
        Minutes; H, no unit; none of them NaN.
    number : int64, shape (n_entries,)
    order : int64, shape (n_entries,)
        Overwritten with the sorted entries of each event, as positions counted from the event's first entry.

    References
    ----------
    Module docstring.

    Examples
    --------
    >>> order, zero = np.empty(3, np.int64), np.zeros(3)
    >>> order_entries(np.array([0, 3]), np.array([2, 1, 2]), np.array([9.0, 9.0, 5.0]), zero, zero, order * 0, order)
    >>> order.tolist()
    [1, 2, 0]
    """
    count = np.zeros(np.diff(offset).max() + 1 if offset.size > 1 else 1, dtype=np.int64)
    for e in range(offset.size - 1):
        a, b = offset[e], offset[e + 1]
        of_event = order[a:b]
        count[: b - a + 1] = 0
        for i in range(b - a):
            k = place[a + i]
            of_event[k - 1 + count[k]] = i
            count[k] += 1
        first = 0
        while first < b - a:
            size = count[first + 1]
            if size > 1:
                tied = of_event[first : first + size]
                _sort_tied(tied, busted_at[a:b], registered_at[a:b], evidence[a:b], number[a:b])
            first += size
