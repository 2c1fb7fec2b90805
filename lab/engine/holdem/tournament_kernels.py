"""Compiled: a tournament from the first hand to the last, and duels.

Arrays are filled by loops, because assigning to a slice takes seconds more to compile: it can raise errors with texts.
"""

from typing import Final

import numpy as np

from lab.engine.holdem.cards import N_CARDS, Bits
from lab.engine.holdem.decision_kernels import STYLE_SIZE, Floats
from lab.engine.holdem.hand import MOST_SEATS
from lab.engine.holdem.hand_kernels import GAME_SIZE, PAID, SEAT_ROWS, STACK, WON, start_hand
from lab.engine.holdem.kernels import Ints, Whole, next_below
from lab.engine.holdem.seating import (
    BROKEN,
    BUTTON_AT,
    EMPTY,
    TABLE_COLUMNS,
    balance,
    move_button,
    seat_players,
)
from lab.engine.holdem.table_kernels import BOARDS, play_hand
from ratings.engine.compiled import inner, kernel

# Columns of `levels`.
SMALL, BIG, ANTE = range(3)
# Rows of what a tournament writes for each player.
PLACE, BUSTED_AFTER = range(2)
# What it counts.
HANDS, DECISIONS, ROUNDS = range(3)
# Blinds stop doubling when they exceed all chips there can be.
MOST_DOUBLINGS: Final = 30
# Memory for one hand: seats, game, styles, deck, cards, cards to draw from, estimates, players.
Work = tuple[Ints, Ints, Floats, Ints, Bits, Ints, Floats, Ints]


@kernel
def play_tournaments(
    styles: Floats,
    stack: Whole,
    levels: Ints,
    hands_per_level: Whole,
    n_seats: Whole,
    preflop: Floats,
    n_samples: Whole,
    state: Bits,
    results: Ints,
) -> Ints:
    """Play tournaments one after the other.

    Parameters
    ----------
    styles : float64, shape (n_players, STYLE_SIZE)
    levels : int64, shape (n_levels, 3)
        Small blind, big blind and ante; after the last level they double.
    preflop : float64, shape (169, 9)
    state : uint64, shape (1,)
        The state of the random numbers; changed.
    results : int64, shape (n_tournaments, 2, n_players)
        Place of each player, and rounds until the end of the last hand; written.

    Returns
    -------
    int64, shape (3,)
        Hands, decisions and rounds of all tournaments together.
    """
    n_players = len(styles)
    counts = np.zeros(3, dtype=np.int64)
    chips = np.empty(n_players, dtype=np.int64)
    order = np.empty(n_players, dtype=np.int64)
    tables = np.empty(((n_players + n_seats - 1) // n_seats, TABLE_COLUMNS), dtype=np.int64)
    sizes = np.zeros(len(tables), dtype=np.int64)
    work = (
        np.zeros((SEAT_ROWS, MOST_SEATS), dtype=np.int64),
        np.zeros(GAME_SIZE, dtype=np.int64),
        np.empty((MOST_SEATS, STYLE_SIZE)),
        np.arange(N_CARDS),
        np.zeros(BOARDS + MOST_SEATS, dtype=np.uint64),
        np.empty(N_CARDS, dtype=np.int64),
        np.empty((2, MOST_SEATS)),
        np.empty(MOST_SEATS, dtype=np.int64),
    )
    for number in range(len(results)):
        for player in range(n_players):
            chips[player] = stack
        _draw_order(order, state)
        seat_players(tables, order)
        _play_one(
            styles,
            chips,
            levels,
            hands_per_level,
            n_seats,
            preflop,
            n_samples,
            state,
            results[number],
            counts,
            tables,
            sizes,
            order,
            work,
        )
    return counts


@inner
def _draw_order(order: Ints, state: Bits) -> None:
    for at in range(len(order)):
        order[at] = at
    for at in range(len(order) - 1):
        other = at + next_below(state, len(order) - at)
        order[at], order[other] = order[other], order[at]


@inner
def _play_one(
    styles: Floats,
    chips: Ints,
    levels: Ints,
    hands_per_level: Whole,
    n_seats: Whole,
    preflop: Floats,
    n_samples: Whole,
    state: Bits,
    result: Ints,
    counts: Ints,
    tables: Ints,
    sizes: Ints,
    before: Ints,
    work: Work,
) -> None:
    """Play rounds of one hand at each table until one player has all chips."""
    n_left: Whole = len(chips)
    n_rounds = 0
    balance(tables, sizes, n_seats)
    while n_left > 1:
        for player in range(len(chips)):
            before[player] = chips[player]
        small, big, ante = _blinds(levels, n_rounds // hands_per_level)
        for table in range(len(tables)):
            if tables[table, BUTTON_AT] != BROKEN and sizes[table] > 1:
                move_button(tables, table)
                counts[DECISIONS] += _play_table(
                    tables[table], chips, styles, small, big, ante, preflop, n_samples, state, work
                )
                counts[HANDS] += 1
        n_rounds += 1
        n_left = _record_busts(chips, before, n_rounds, result)
        _clear_seats(tables, chips)
        balance(tables, sizes, n_seats)
    counts[ROUNDS] += n_rounds


@inner
def _blinds(levels: Ints, level: Whole) -> tuple[Whole, Whole, Whole]:
    """Blinds and ante of a level; after the last one they double with each level."""
    last = len(levels) - 1
    n_doublings = min(max(level - last, 0), MOST_DOUBLINGS)
    row = levels[min(level, last)]
    return row[SMALL] << n_doublings, row[BIG] << n_doublings, row[ANTE] << n_doublings


@inner
def _play_table(
    table: Ints,
    chips: Ints,
    styles: Floats,
    small: Whole,
    big: Whole,
    ante: Whole,
    preflop: Floats,
    n_samples: Whole,
    state: Bits,
    work: Work,
) -> Whole:
    """Play a hand at a table, move the chips and return the number of decisions."""
    seats, game, own_styles, deck, cards, scratch, estimates, players = work
    n, button = 0, 0
    for seat in range(MOST_SEATS):
        player = table[seat]
        if player != EMPTY:
            if seat == table[BUTTON_AT]:
                button = n
            players[n] = player
            seats[STACK, n] = chips[player]
            for column in range(STYLE_SIZE):
                own_styles[n, column] = styles[player, column]
            n += 1
    start_hand(seats, game, n, button, small, big, ante)
    n_decisions = play_hand(
        seats, game, own_styles, deck, cards, preflop, n_samples, state, scratch, estimates
    )
    for seat in range(n):
        chips[players[seat]] += seats[WON, seat] - seats[PAID, seat]
    return n_decisions


@inner
def _record_busts(chips: Ints, before: Ints, n_rounds: Whole, result: Ints) -> Whole:
    """Place those who have lost their last chips in a round by what they had before it; return how many are left."""
    still = 0
    for player in range(len(chips)):
        still += chips[player] > 0
        if before[player] > 0:
            result[BUSTED_AFTER, player] = n_rounds
            result[PLACE, player] = 1
    for player in range(len(chips)):
        if before[player] > 0 and chips[player] == 0:
            result[PLACE, player] += still
            for other in range(len(chips)):
                result[PLACE, player] += chips[other] == 0 and before[other] > before[player]
    return still


@inner
def _clear_seats(tables: Ints, chips: Ints) -> None:
    for table in range(len(tables)):
        for seat in range(MOST_SEATS):
            if tables[table, seat] != EMPTY and chips[tables[table, seat]] == 0:
                tables[table, seat] = EMPTY
