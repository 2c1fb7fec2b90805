"""Partial fields: an entry that busts before registration closes is rated among the entries it has met.

The partial field of entry i, out at T, holds the entries registered at or before T. Those out by T keep their
order; those still in come before them, ordered by final place. Only i's posterior is taken from the partial field,
and only if i's change of rate is not lower than in the whole field.

If nobody registers between two early busts, both have the same partial field, which is rated once. (If an entry is
recorded out before one with a worse place, the order can differ between the two; then both are rated.)

References
----------
.. [1] TIER publication of November 2022, rating of entries that bust before registration closes.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def count_field(n: int, moment: float, registered_at: Floats, busted_at: Floats) -> tuple[int, bool]:
    """Count the partial field at a moment, and check whether its entries are in their final order.

    Parameters
    ----------
    n : int
        Number of entries; the arrays may be longer.
    moment : float
        Bust time, minutes.
    registered_at, busted_at : float64, shape (n,)
        Minutes, in the order of final places.

    Returns
    -------
    size : int
    in_order : bool
        No entry already out has a better final place than one still in.

    Examples
    --------
    >>> count_field(3, 10.0, np.array([0.0, 20.0, 0.0]), np.array([60.0, 60.0, 10.0]))
    (2, True)
    """
    size = 0
    in_order = True
    one_out = False
    for i in range(n):
        if registered_at[i] <= moment:
            size += 1
            if busted_at[i] <= moment:
                one_out = True
            elif one_out:
                in_order = False
    return size, in_order


@kernel
def make_field(
    n: int,
    moment: float,
    registered_at: Floats,
    busted_at: Floats,
    place: Ints,
    member: Ints,
    member_place: Ints,
) -> int:
    """Build the partial field at a moment.

    Parameters
    ----------
    n, moment, registered_at, busted_at
        As for `count_field`.
    place : int64, shape (n,)
        Final places, not falling.
    member, member_place : int64, shape (n,) or longer
        Overwritten with the index of each entry of the partial field, best first, and its place in that field.

    Returns
    -------
    int
        Size of the field.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> member, member_place = np.zeros(3, np.int64), np.zeros(3, np.int64)
    >>> times = np.array([0.0, 20.0, 0.0]), np.array([60.0, 60.0, 10.0])
    >>> make_field(3, 10.0, *times, np.array([1, 2, 3]), member, member_place)
    2
    >>> member[:2].tolist(), member_place[:2].tolist()
    ([0, 2], [1, 2])
    """
    size = 0
    for out in range(2):
        first = size
        for i in range(n):
            if registered_at[i] <= moment and (busted_at[i] <= moment) == (out == 1):
                member[size] = i
                tied = size > first and place[i] == place[member[size - 1]]
                member_place[size] = member_place[size - 1] if tied else size + 1
                size += 1
    return size
