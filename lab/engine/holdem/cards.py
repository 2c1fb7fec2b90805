"""Cards as whole numbers from 0 to 51, as text, and as sets of bits.

A card is 4 * rank + suit: rank 0 is the deuce and 12 the ace; suit 0 is clubs, then diamonds, hearts and spades.
A set of cards is one number of 64 bits, 16 for each suit with one bit for each rank, so that adding cards is an "or".
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
Cards = npt.NDArray[np.uint8]

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
N_CARDS: Final = 52
N_RANKS: Final = 13
# Bits of a set that each suit takes.
SUIT_BITS: Final = 16
# The set that each card makes alone.
CARD_BITS: Final[Bits] = np.array(
    [1 << (SUIT_BITS * (card % 4) + card // 4) for card in range(N_CARDS)], dtype=np.uint64
)
CARD_BITS.setflags(write=False)
# Cards of the board by street: preflop, flop, turn, river.
BOARD_SIZES: Final = (0, 3, 4, 5)


def card_text(card: int) -> str:
    """Write a card as rank and suit.

    Examples
    --------
    >>> card_text(51), card_text(0)
    ('As', '2c')
    """
    return RANKS[card // 4] + SUITS[card % 4]


def card_of(text: str) -> int:
    """Read a card from rank and suit; a ValueError if it is none.

    Examples
    --------
    >>> card_of("As"), card_of("2c")
    (51, 0)
    """
    rank, suit = tuple(text)
    return 4 * RANKS.index(rank) + SUITS.index(suit)


def cards_of(text: str) -> tuple[int, ...]:
    """Read cards written one after the other; a ValueError if one is none.

    Examples
    --------
    >>> cards_of("AsKd")
    (51, 45)
    """
    return tuple(card_of(text[at : at + 2]) for at in range(0, len(text), 2))


def bits_of(cards: Iterable[int]) -> int:
    """Join cards to one set of bits.

    Examples
    --------
    >>> bits_of((0, 51)) == 1 | 1 << (3 * 16 + 12)
    True
    """
    joined = 0
    for card in cards:
        joined |= int(CARD_BITS[card])
    return joined


def shuffled(rng: np.random.Generator, n: int = N_CARDS) -> list[int]:
    """Draw the first `n` cards of a shuffled deck."""
    return [int(card) for card in rng.permutation(N_CARDS)[:n]]
