"""Win chances of all kinds of hands against each other, by all boards: made once, for `equities.npz`.

Of the 2,598,960 boards those that differ only in the names of the suits are counted together: 134,459 are left. On each
board all 1,081 holdings are valued and compared with each other, so each board is valued once for all pairs of kinds.
"""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import N_CARDS, SUIT_BITS, Bits, bits_of
from lab.engine.holdem.evaluator import Values
from lab.engine.holdem.kernels import set_values
from lab.engine.push_fold.hands import HOLDING_KINDS, HOLDINGS, N_KINDS, PAIRINGS
from ratings.engine.compiled import kernel

Ints = npt.NDArray[np.int64]

N_BOARD: Final = 5
# Boards that hold neither hand, of the 48 cards left: C(48, 5).
BOARDS_OF_A_PAIRING: Final = 1_712_304


def boards_by_suits(cards: Sequence[int] = range(N_CARDS)) -> tuple[Bits, Ints]:
    """List one board of each kind as a set of bits, with the number of boards that differ only in suits' names.

    The cards are all four of each of some ranks.
    """
    boards = np.fromiter(combinations(cards, N_BOARD), dtype=(np.int64, N_BOARD))
    ranks, suits = boards // 4, boards % 4
    renamed = [
        np.bitwise_or.reduce(1 << (SUIT_BITS * np.array(names)[suits] + ranks), axis=1)
        for names in permutations(range(4))
    ]
    least, counts = np.unique(np.minimum.reduce(renamed), return_counts=True)
    return least.astype(np.uint64), counts


def margins(boards: Bits, weights: Ints) -> Ints:
    """Count boards won less boards lost for each two kinds, over all their holdings, shape (169, 169)."""
    sets = np.array([bits_of(map(int, holding)) for holding in HOLDINGS], dtype=np.uint64)
    total = np.zeros((N_KINDS, N_KINDS), dtype=np.int64)
    for board, weight in zip(boards, weights, strict=True):
        free = np.flatnonzero(sets & board == 0)
        add_margins(sets[free], set_values(sets[free] | board), HOLDING_KINDS[free], int(weight), total)
    return total - total.T


@kernel
def add_margins(sets: Bits, values: Values, kinds: Ints, weight: int, total: Ints) -> None:
    """Add the comparison of all holdings on one board; each pair of holdings once."""
    for i in range(sets.size):
        mine, value, row = sets[i], values[i], total[kinds[i]]
        for j in range(i):
            apart = (mine & sets[j]) == 0
            row[kinds[j]] += apart * weight * ((value > values[j]) - (value < values[j]))


def equities_of(total: Ints) -> npt.NDArray[np.float64]:
    """Turn margins into equities: the share of the pot that each kind wins from each other on average."""
    return np.asarray(0.5 + total / (2.0 * BOARDS_OF_A_PAIRING * PAIRINGS))
