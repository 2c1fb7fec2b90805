"""The value of five to seven cards: the best five of them, as one number to compare.

A value is ``category << 26 | main << 13 | rest``: the category from high card (0) to straight flush (8), and two sets
of ranks (13 bits, the ace highest). `main` holds the ranks that make the category and `rest` the other ranks that
count. Sets of as many ranks compare as their highest ranks do, so equal values are equal hands and the larger one wins.

All tables have one row for each of the 8,192 sets of ranks, hence fit into the first cache of a processor.
`rank_sets` is the slow twin of the loop in `kernels`, and what pages use: it needs no compiler.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import CARD_BITS, N_RANKS, SUIT_BITS, Bits, Cards

Values = npt.NDArray[np.int32]

CATEGORIES: Final = (
    "high_card",
    "pair",
    "two_pairs",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
)
PAIR, TWO_PAIRS, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH = range(1, 9)
# Bits below the category, and below the set `main`.
CATEGORY_AT: Final = 26
MAIN_AT: Final = 13
N_SETS: Final = 1 << N_RANKS
# Ace to five: the ace counts as one.
WHEEL: Final = 0b1000000001111


def _sets() -> npt.NDArray[np.int32]:
    return np.arange(N_SETS, dtype=np.int32)


def _counts() -> npt.NDArray[np.int32]:
    return sum(((_sets() >> rank) & 1 for rank in range(N_RANKS)), start=np.zeros(N_SETS, dtype=np.int32))


def _highest_table() -> npt.NDArray[np.int32]:
    """Table of the highest k ranks of each set, shape (6, N_SETS)."""
    highest = np.zeros((6, N_SETS), dtype=np.int32)
    for rank in range(N_RANKS):
        bit = 1 << rank
        # Sets whose highest rank is this one are those below twice its bit.
        below = np.arange(bit)
        for k in range(1, 6):
            highest[k, bit : 2 * bit] = bit | highest[k - 1, below]
    return highest


def _straight_table() -> npt.NDArray[np.int32]:
    """Table of the highest rank of the best straight in each set, as a bit; 0 without one."""
    straights = np.where(_sets() & WHEEL == WHEEL, 1 << 3, 0).astype(np.int32)
    for low in range(N_RANKS - 4):
        five = 0b11111 << low
        straights[_sets() & five == five] = 1 << (low + 4)
    return straights


def _flush_table() -> npt.NDArray[np.int32]:
    """Table of the value of each set of ranks of one suit; 0 if these are fewer than five."""
    flushes = FLUSH << CATEGORY_AT | HIGHEST[5] << MAIN_AT
    straight_flushes = STRAIGHT_FLUSH << CATEGORY_AT | STRAIGHTS << MAIN_AT
    return np.where(_counts() < 5, 0, np.where(STRAIGHTS > 0, straight_flushes, flushes)).astype(np.int32)


HIGHEST: Final = _highest_table()
STRAIGHTS: Final = _straight_table()
FLUSHES: Final = _flush_table()
for _table in (HIGHEST, STRAIGHTS, FLUSHES):
    _table.setflags(write=False)


def rank_hands(cards: Cards) -> Values:
    """Value hands of five to seven cards; larger is better.

    Parameters
    ----------
    cards : uint8, shape (n, 5) to (n, 7)
        Different cards in each row.

    Returns
    -------
    int32, shape (n,)

    Examples
    --------
    >>> from lab.engine.holdem.cards import cards_of
    >>> quads, straight = rank_hands(np.array([cards_of("AsAdAhAc2d3h4c"), cards_of("AsKdQhJcTd3h4c")]))
    >>> category_of(int(quads)), category_of(int(straight)), bool(quads > straight)
    ('four_of_a_kind', 'straight', True)
    """
    return rank_sets(np.bitwise_or.reduce(CARD_BITS[np.asarray(cards)], axis=-1))


def rank_sets(sets: Bits) -> Values:
    """Value hands given as sets of bits; larger is better.

    Parameters
    ----------
    sets : uint64, any shape
        Five to seven cards each (`cards.bits_of`).

    Returns
    -------
    int32, the same shape
    """
    one, two, three, four = (
        (sets >> np.uint64(SUIT_BITS * suit)).astype(np.int32) & 0x1FFF for suit in range(4)
    )
    ranks = one | two | three | four
    odd = one ^ two ^ three ^ four
    quads = one & two & three & four
    twice = (one & two) | (three & four) | ((one | two) & (three | four))
    trips, pairs = odd & twice, ranks & ~odd & ~quads
    flush = np.maximum.reduce([FLUSHES[suit] for suit in (one, two, three, four)])
    top_trips, top_pairs = HIGHEST[1][trips], HIGHEST[2][pairs]
    value = np.select(
        [
            flush > 0,
            quads > 0,
            (trips > 0) & ((pairs > 0) | (trips != top_trips)),
            STRAIGHTS[ranks] > 0,
            trips > 0,
            pairs != HIGHEST[1][pairs],
            pairs > 0,
        ],
        [
            flush,
            _value(QUADS, quads, HIGHEST[1][ranks ^ quads]),
            _value(FULL_HOUSE, top_trips, HIGHEST[1][(trips | pairs) ^ top_trips]),
            _value(STRAIGHT, STRAIGHTS[ranks], 0),
            _value(TRIPS, trips, HIGHEST[2][ranks ^ trips]),
            _value(TWO_PAIRS, top_pairs, HIGHEST[1][ranks ^ top_pairs]),
            _value(PAIR, pairs, HIGHEST[3][ranks ^ pairs]),
        ],
        default=_value(0, HIGHEST[5][ranks], 0),
    )
    values: Values = value.astype(np.int32)
    return values


def _value(
    category: int, main: npt.NDArray[np.int32], rest: npt.NDArray[np.int32] | int
) -> npt.NDArray[np.int32]:
    return category << CATEGORY_AT | main << MAIN_AT | rest


def category_of(value: int) -> str:
    """Name the category of a value."""
    return CATEGORIES[value >> CATEGORY_AT]
