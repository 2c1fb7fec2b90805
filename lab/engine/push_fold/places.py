"""The worth of stacks by the chances of places (Malmuth-Harville), for up to ten players and many cases at once.

`ratings.engine.icm` computes the same for fields of hundreds, compiled; pages do not load a compiler.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

# Fewer chips, in big blinds, are what rounding leaves of none.
DUST: Final = 1e-9


def worth(stacks: Floats, payouts: Sequence[float], seat: int) -> Floats:
    """Compute what the stack of one seat is worth in payouts of places.

    Parameters
    ----------
    stacks : float64, shape (cases, n)
        Chips of each player, not negative, of each case. Without chips a player takes a place below all who have some.
    payouts : sequence of float
        Of places 1 to n; missing ones are 0.
    seat : int
        Not of a player without chips (`outcomes.worth_of` knows their places).

    Returns
    -------
    float64, shape (cases,)

    References
    ----------
    .. [1] Harville, see `ratings.engine.icm`. Those ahead of the player are a set A; the chance that A takes the first
       places is the sum over its last member j of the chance of A without j, times j's share of the chips left.

    Examples
    --------
    >>> worth(np.array([[3.0, 1.0]]), [100.0], 0).tolist()
    [75.0]
    """
    prizes = np.zeros(stacks.shape[1])
    prizes[: len(payouts)] = payouts[: stacks.shape[1]]
    mine, others = stacks[:, seat], np.delete(stacks, seat, axis=1).T
    sets = np.arange(1 << len(others))
    members = sets[:, None] >> np.arange(len(others)) & 1
    left = stacks.sum(axis=1) - members @ others
    ahead = np.zeros_like(left)
    ahead[0] = 1.0
    value = np.zeros(len(stacks))
    for n_ahead, prize in enumerate(prizes):
        these = sets[members.sum(axis=1) == n_ahead]
        share = np.divide(ahead[these], left[these], out=np.zeros_like(left[these]), where=left[these] > DUST)
        value += prize * mine * share.sum(axis=0)
        for j, chips in enumerate(others):
            without = members[these, j] == 0
            ahead[these[without] | 1 << j] += share[without] * chips
    return value
