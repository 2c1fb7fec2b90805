"""The chance to win a hand: exact where there are few boards, drawn otherwise.

A pot that several players share counts as the share. The standard error of a chance p from m samples is at most
``sqrt(p * (1 - p) / m)``, hence 0.005 for 10,000.
"""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import CARD_BITS, N_CARDS, Bits, bits_of
from lab.engine.holdem.evaluator import Values, rank_sets

BOARD_SIZE: Final = 5
# Boards and hands that are enumerated for a chance against one random hand; beyond them it is drawn.
MOST_ENUMERATED: Final = 50_000


def equity(
    own: Sequence[int],
    others: Sequence[Sequence[int]],
    board: Sequence[int] = (),
    *,
    samples: int | None = None,
    rng: np.random.Generator | None = None,
    values: Callable[[Bits], Values] = rank_sets,
) -> float:
    """Chance of a hand against known hands.

    Parameters
    ----------
    own : sequence of int
        Two cards.
    others : sequence of sequences of int
        Two cards of each other player.
    board : sequence of int
        The cards of the board that are known.
    samples : int, optional
        Boards to draw with `rng`; all boards there are, if left out.
    rng : numpy.random.Generator, optional
        Needed if `samples` is given.
    values : callable, optional
        `kernels.set_values` does the same in a seventh of the time.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> from lab.engine.holdem.cards import cards_of
    >>> equity(cards_of("AsAh"), [cards_of("KsKh")], cards_of("Kd7c2s2d"))
    0.045454545454545456
    """
    known = [card for hand in (own, *others, board) for card in hand]
    missing = BOARD_SIZE - len(board)
    boards = np.uint64(bits_of(board)) | (
        subsets(_deck(known), missing) if samples is None else _drawn(known, missing, samples, rng)[:, 0]
    )
    mine = values(boards | np.uint64(bits_of(own)))
    theirs = np.stack([values(boards | np.uint64(bits_of(hand))) for hand in others])
    return _share(mine, theirs)


def chance_to_win(
    own: Sequence[int], n_others: int, board: Sequence[int], *, samples: int, rng: np.random.Generator
) -> float:
    """Chance of a hand against random hands.

    Against one hand on the turn or the river all of them are counted, otherwise they are drawn.

    Parameters
    ----------
    own : sequence of int
        Two cards.
    n_others : int
        Number of the other players.
    board : sequence of int
        The cards of the board that are known.
    samples : int
        Number of draws.
    rng : numpy.random.Generator

    Returns
    -------
    float
        From 0 to 1.
    """
    missing = BOARD_SIZE - len(board)
    if n_others == 1 and missing <= 1:
        return _exact_against_one(own, board)
    known = [*own, *board]
    drawn = _drawn(known, missing, samples, rng, n_others)
    boards = np.uint64(bits_of(board)) | drawn[:, 0]
    mine = rank_sets(boards | np.uint64(bits_of(own)))
    return _share(mine, rank_sets(boards[:, None] | drawn[:, 1:]).T)


def subsets(deck: Bits, size: int) -> Bits:
    """List the sets of `size` cards of a deck that is given as sets of one card each.

    Examples
    --------
    >>> len(subsets(CARD_BITS[:48], 5))
    1712304
    """
    sets = [np.zeros(1, dtype=np.uint64)] + [np.zeros(0, dtype=np.uint64)] * size
    for card in deck:
        for n in range(size, 0, -1):
            sets[n] = np.concatenate((sets[n], sets[n - 1] | card))
    return sets[size]


def _deck(known: Sequence[int]) -> Bits:
    return np.delete(CARD_BITS, list(known))


def _drawn(
    known: Sequence[int], missing: int, samples: int, rng: np.random.Generator | None, n_others: int = 0
) -> Bits:
    """Draw the rest of the board and hands of two, shape (samples, 1 + n_others)."""
    if rng is None:
        raise ValueError("samples need a random generator")
    # The order of random numbers is a random order of the cards.
    keys = rng.random((samples, N_CARDS - len(known)), dtype=np.float32)
    cards = _deck(known)[keys.argsort(axis=1)[:, : missing + 2 * n_others]]
    hands = cards[:, missing:].reshape(samples, n_others, 2)
    return np.column_stack(
        (np.bitwise_or.reduce(cards[:, :missing], axis=1), np.bitwise_or.reduce(hands, axis=2))
    )


def _exact_against_one(own: Sequence[int], board: Sequence[int]) -> float:
    deck = _deck([*own, *board])
    rest = subsets(deck, BOARD_SIZE - len(board))
    boards, theirs = (part.ravel() for part in np.meshgrid(rest, subsets(deck, 2)))
    is_possible = boards & theirs == 0
    boards, theirs = np.uint64(bits_of(board)) | boards[is_possible], theirs[is_possible]
    return _share(rank_sets(boards | np.uint64(bits_of(own))), rank_sets(boards | theirs)[None])


def _share(mine: Values, theirs: npt.NDArray[np.int32]) -> float:
    """Mean share of the pot, of values of shape (n,) against those of shape (others, n)."""
    is_won = (mine >= theirs).all(axis=0)
    return float(np.mean(is_won / (1 + (theirs == mine).sum(axis=0))))
