"""Compiled: the value of a set of cards, random numbers and the chance to win.

Each loop repeats a slow twin: `set_value` the one in `evaluator`, `win_chance` the one in `equity`.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.cards import CARD_BITS, N_CARDS, Bits
from lab.engine.holdem.evaluator import (
    CATEGORY_AT,
    FLUSHES,
    FULL_HOUSE,
    HIGHEST,
    MAIN_AT,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHTS,
    TRIPS,
    TWO_PAIRS,
    Values,
)
from ratings.engine.compiled import inner, kernel

Ints = npt.NDArray[np.int64]
# Compiled code makes no difference between the two; the type checker does.
Whole = int | np.int64

ONE_TO_FIVE: Final = tuple(np.ascontiguousarray(row) for row in HIGHEST)
TOP1, TOP2, TOP3, TOP5 = ONE_TO_FIVE[1], ONE_TO_FIVE[2], ONE_TO_FIVE[3], ONE_TO_FIVE[5]
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
MIX_1: Final = np.uint64(0xBF58476D1CE4E5B9)
MIX_2: Final = np.uint64(0x94D049BB133111EB)


@inner
def set_value(cards: np.uint64) -> Whole:
    """Value a set of five to seven cards (`evaluator.rank_sets`)."""
    one = np.int64(cards & np.uint64(0x1FFF))
    two = np.int64((cards >> np.uint64(16)) & np.uint64(0x1FFF))
    three = np.int64((cards >> np.uint64(32)) & np.uint64(0x1FFF))
    four = np.int64((cards >> np.uint64(48)) & np.uint64(0x1FFF))
    flush = FLUSHES[one] | FLUSHES[two] | FLUSHES[three] | FLUSHES[four]
    if flush:
        return np.int64(flush)
    ranks = one | two | three | four
    odd = one ^ two ^ three ^ four
    twice = (one & two) | (three & four) | ((one | two) & (three | four))
    if not twice:
        if STRAIGHTS[ranks]:
            return STRAIGHT << CATEGORY_AT | np.int64(STRAIGHTS[ranks]) << MAIN_AT
        return np.int64(TOP5[ranks]) << MAIN_AT
    return _value_of_pairs(ranks, odd & twice, one & two & three & four, twice & ~odd)


@inner
def _value_of_pairs(ranks: Whole, trips: Whole, quads: Whole, even: Whole) -> Whole:
    """Value a hand without a flush, in which a rank comes twice; `even` are the ranks that come twice or four times."""
    if quads:
        return QUADS << CATEGORY_AT | quads << MAIN_AT | np.int64(TOP1[ranks ^ quads])
    if trips:
        main = np.int64(TOP1[trips])
        if even or trips != main:
            return FULL_HOUSE << CATEGORY_AT | main << MAIN_AT | np.int64(TOP1[(trips | even) ^ main])
    if STRAIGHTS[ranks]:
        return STRAIGHT << CATEGORY_AT | np.int64(STRAIGHTS[ranks]) << MAIN_AT
    if trips:
        return TRIPS << CATEGORY_AT | trips << MAIN_AT | np.int64(TOP2[ranks ^ trips])
    main = np.int64(TOP2[even])
    if main & (main - 1):
        return TWO_PAIRS << CATEGORY_AT | main << MAIN_AT | np.int64(TOP1[ranks ^ main])
    return PAIR << CATEGORY_AT | main << MAIN_AT | np.int64(TOP3[ranks ^ main])


@kernel
def set_values(sets: Bits) -> Values:
    """Value sets of five to seven cards, shape (n,)."""
    values = np.empty(len(sets), dtype=np.int32)
    for i in range(len(sets)):
        values[i] = set_value(sets[i])
    return values


@inner
def next_bits(state: Bits) -> np.uint64:
    """Draw 64 random bits (SplitMix64, Steele, Lea and Flood 2014); `state` has one number."""
    state[0] += GOLDEN
    z: np.uint64 = state[0]
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@inner
def next_below(state: Bits, n: Whole) -> Whole:
    """Draw a whole number below `n` < 2**31; no number is more likely than another by more than n / 2**32."""
    return np.int64(((next_bits(state) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@inner
def next_uniform(state: Bits) -> float:
    """Draw a number from 0 to 1, without 1."""
    return np.int64(next_bits(state) >> np.uint64(11)) * (1.0 / (1 << 53))


@inner
def draw_set(state: Bits, deck: Ints, n_left: Whole, n: Whole) -> np.uint64:
    """Draw `n` cards from the first `n_left` of `deck`, move them to its end and return their set."""
    drawn = np.uint64(0)
    for i in range(n):
        end = n_left - 1 - i
        at = next_below(state, end + 1)
        card = deck[at]
        deck[at] = deck[end]
        deck[end] = card
        drawn |= CARD_BITS[card]
    return drawn


@inner
def fill_deck(deck: Ints, gone: np.uint64) -> int:
    """Write the cards that are not in the set `gone` to `deck`, in order, and return how many they are."""
    n = 0
    for card in range(N_CARDS):
        if not CARD_BITS[card] & gone:
            deck[n] = card
            n += 1
    return n


@inner
def win_chance(
    state: Bits,
    own: np.uint64,
    board: np.uint64,
    n_board: Whole,
    n_others: Whole,
    n_samples: Whole,
    deck: Ints,
) -> float:
    """Chance to win against random hands of `n_others` players by drawing; a shared pot counts as the share."""
    n_left = fill_deck(deck, own | board)
    missing = 5 - n_board
    won = 0.0
    for _sample in range(n_samples):
        full = board | draw_set(state, deck, n_left, missing)
        value = set_value(own | full)
        n_equal = 1
        for other in range(n_others):
            theirs = set_value(full | draw_set(state, deck, n_left - missing - 2 * other, 2))
            if theirs > value:
                n_equal = 0
                break
            n_equal += theirs == value
        if n_equal:
            won += 1.0 / n_equal
    return won / n_samples


@kernel
def win_chances(
    own: Bits, board: np.uint64, n_board: int, n_others: int, n_samples: int, state: Bits
) -> npt.NDArray[np.float64]:
    """Chances of several hands, shape (n,), each against random hands (`win_chance`)."""
    deck = np.empty(N_CARDS, dtype=np.int64)
    chances = np.empty(len(own))
    for i in range(len(own)):
        chances[i] = win_chance(state, own[i], board, n_board, n_others, n_samples, deck)
    return chances
