"""The 169 kinds of starting hands: pairs, suited and offsuit hands, in the order of the usual 13 by 13 grid.

Kind 13 * row + column has the ranks of its row and column, aces first: pairs are on the diagonal, suited hands above it
and offsuit hands below it.
"""

from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import N_CARDS, N_RANKS, RANKS

N_KINDS: Final = N_RANKS * N_RANKS
ACES_FIRST: Final = RANKS[::-1]


def kind_of(first: int, second: int) -> int:
    """Find the kind of two different cards.

    Examples
    --------
    >>> from lab.engine.holdem.cards import cards_of
    >>> [kind_name(kind_of(*cards_of(text))) for text in ("8sTs", "AdAh", "2cAh")]
    ['T8s', 'AA', 'A2o']
    """
    low, high = sorted((first // 4, second // 4))
    row, column = N_RANKS - 1 - high, N_RANKS - 1 - low
    return N_RANKS * row + column if first % 4 == second % 4 else N_RANKS * column + row


def kind_name(kind: int) -> str:
    """Write a kind as its ranks, with s for suited and o for offsuit."""
    row, column = divmod(kind, N_RANKS)
    if row == column:
        return ACES_FIRST[row] * 2
    high, low = sorted((row, column))
    return ACES_FIRST[high] + ACES_FIRST[low] + ("s" if row < column else "o")


NAMES: Final = tuple(kind_name(kind) for kind in range(N_KINDS))
KINDS: Final = {name: kind for kind, name in enumerate(NAMES)}


# All 1,326 pairs of cards, and the kind of each.
HOLDINGS: Final = np.array([*combinations(range(N_CARDS), 2)])
HOLDING_KINDS: Final = np.array([kind_of(*cards) for cards in combinations(range(N_CARDS), 2)])
# Holdings of each kind: 6 of a pair, 4 suited, 12 offsuit.
COMBINATIONS: Final = np.bincount(HOLDING_KINDS, minlength=N_KINDS).astype(np.float64)


def _pairings() -> npt.NDArray[np.float64]:
    """Count for each two kinds the pairs of holdings that share no card, shape (169, 169).

    Going through the cards counts a pair of holdings once for each card that they share. Two different holdings share
    one at most; each holding shares both cards with itself, so one of these is subtracted.
    """
    with_card = np.zeros((N_KINDS, N_CARDS))
    np.add.at(with_card, (HOLDING_KINDS[:, None], HOLDINGS), 1)
    sharing = with_card @ with_card.T - np.diag(COMBINATIONS)
    return np.outer(COMBINATIONS, COMBINATIONS) - sharing


# PAIRINGS[i, j]: pairs of holdings of kinds i and j that share no card.
PAIRINGS: Final = _pairings()
for _table in (HOLDINGS, HOLDING_KINDS, COMBINATIONS, PAIRINGS):
    _table.setflags(write=False)
