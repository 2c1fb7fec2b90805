"""Numba loops of the simulated seasons: places by chance, seats without doubles, registrations before busts.

References
----------
.. [1] TIER publication of November 2022, simulation; see scenario.py.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def draw_places(
    chance_first: Floats, order: Ints, uniform: Floats, taken: npt.NDArray[np.bool_], place: Ints
) -> None:
    """Draw the places of one event: each player in turn draws one of the places still free.

    Parameters
    ----------
    chance_first : float64, shape (n,)
        Chance of the first place of each entry, relative to the mean; for the last place it is 2 minus that.
    order : int64, shape (n,)
        Permutation: the entries in the order in which they draw.
    uniform : float64, shape (n,)
        From [0, 1), one for each draw.
    taken : bool, shape (n,)
        Overwritten.
    place : int64, shape (n,)
        Overwritten with 1..n.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> place = np.empty(2, dtype=np.int64)
    >>> draw_places(np.array([1.75, 1.0]), np.array([0, 1]), np.array([0.8, 0.5]), np.empty(2, np.bool_), place)
    >>> place.tolist()
    [1, 2]
    """
    n = place.size
    taken[:] = False
    step = 2.0 / (n - 1.0) if n > 1 else 0.0
    for draw in range(n):
        first = chance_first[order[draw]]
        fall = (first - 1.0) * step
        total = 0.0
        for r in range(n):
            total += 0.0 if taken[r] else first - fall * r
        left = uniform[draw] * total
        chosen = -1
        for r in range(n):
            if not taken[r]:
                chosen = r
                left -= first - fall * r
                if left < 0.0:
                    break
        taken[chosen] = True
        place[order[draw]] = chosen + 1


@inner
def _is_seated(player: Ints, who: int) -> bool:
    count = 0
    for other in player:
        count += 1 if other == who else 0
    return count > 0


@kernel
def separate_doubles(offset: Ints, player: Ints, rng: np.random.Generator) -> None:
    """Swap seats of different events, in place, until nobody is twice in one.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
    player : int64, shape (n_entries,)
        Changed.
    rng : numpy.random.Generator

    Examples
    --------
    >>> player = np.array([0, 0, 1, 1])
    >>> separate_doubles(np.array([0, 2, 4]), player, np.random.default_rng(1))
    >>> sorted(player[:2].tolist()), sorted(player[2:].tolist())
    ([0, 1], [0, 1])
    """
    for event in range(offset.size - 1):
        here = player[offset[event] : offset[event + 1]]
        for i in range(1, here.size):
            while _is_seated(here[:i], here[i]):
                at = rng.integers(0, player.size)
                there = np.searchsorted(offset, at, side="right") - 1
                field = player[offset[there] : offset[there + 1]]
                if there != event and not (_is_seated(here, player[at]) or _is_seated(field, here[i])):
                    here[i], player[at] = player[at], here[i]


@kernel
def draw_registrations(busted_at: Floats, slot: Floats, uniform: Floats, registered_at: Floats) -> None:
    """Give each entry a registration before its bust; all assignments are equally likely.

    The first to bust draws one of the slots before that bust, the second one of those left, and so on; how many
    slots are left does not depend on which were drawn.

    Parameters
    ----------
    busted_at : float64, shape (n,)
        Rising, minutes.
    slot : float64, shape (n,)
        Rising, minutes; at least k + 1 of them before busted_at[k].
    uniform : float64, shape (n,)
        From [0, 1).
    registered_at : float64, shape (n,)
        Overwritten.

    Examples
    --------
    >>> registered_at = np.empty(3)
    >>> draw_registrations(np.array([10.0, 20.0, 20.0]), np.array([0.0, 0.0, 15.0]), np.zeros(3), registered_at)
    >>> registered_at.tolist()
    [0.0, 0.0, 15.0]
    """
    free = np.empty(slot.size)
    n_free, n_open = 0, 0
    for k in range(busted_at.size):
        while n_open < slot.size and slot[n_open] < busted_at[k]:
            free[n_free] = slot[n_open]
            n_free += 1
            n_open += 1
        chosen = int(uniform[k] * n_free)
        registered_at[k] = free[chosen]
        n_free -= 1
        free[chosen] = free[n_free]
