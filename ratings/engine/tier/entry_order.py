"""Order in which the loops of the TIER pipeline visit an event's entries: by place, whatever the players' names.

Entries that share a place are sorted by bust, registration, evidence and number, the smallest first; they keep the
order of the history only if all of these are equal.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def order_entries(
    offset: Ints, place: Ints, busted_at: Floats, registered_at: Floats, evidence: Floats, number: Ints
) -> Ints:
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

    Returns
    -------
    int64, shape (n_entries,)
        Entries of each event, sorted, as positions in the history.

    References
    ----------
    Module docstring.

    Examples
    --------
    >>> zero = np.zeros(3)
    >>> order_entries(np.array([0, 3]), np.array([2, 1, 2]), np.array([9.0, 9.0, 5.0]), zero, zero, np.ones(3)).tolist()
    [1, 2, 0]
    """
    # Without ties the place of an entry is its position. Tied entries follow the one that stands at their place.
    position = np.repeat(offset[:-1], np.diff(offset)) + place - 1
    order = np.full(place.size, -1)
    order[position] = np.arange(place.size)
    if order.min(initial=0) < 0:
        tied = np.flatnonzero(np.bincount(position)[position] > 1)
        keys = number, evidence, registered_at, busted_at, position
        tied = tied[np.lexsort([key[tied] for key in keys])]
        first = position[tied]
        order[first + np.arange(tied.size) - np.searchsorted(first, first)] = tied
    return order
