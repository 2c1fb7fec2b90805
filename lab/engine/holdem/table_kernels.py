"""Compiled: one hand dealt and decided by simulated players; tests/engine/twins/tournament.py does it slowly.

A player estimates the chance to win once for each street and number of players: from the stored table before the flop,
after it by drawing hands of the others.
"""

from typing import Final

import numpy as np

from lab.engine.holdem.cards import CARD_BITS, N_CARDS, N_RANKS, Bits
from lab.engine.holdem.decision_kernels import LIMP, Floats, choose, perceived
from lab.engine.holdem.hand import NOBODY, NOT_YET, SHOWDOWN
from lab.engine.holdem.hand_kernels import (
    ACTOR,
    CALL,
    FACED,
    FOLD,
    FOLDED,
    N_SEATS,
    PAID,
    STACK,
    STREET,
    VALUE,
    act,
    count_live,
    divide_pots,
    options,
)
from lab.engine.holdem.kernels import Ints, Whole, next_below, set_value, win_chance
from ratings.engine.compiled import inner

# Rows of `cards` before those of the players' own cards: the board after each street.
BOARDS: Final = 4
# What each player remembers of the last estimate, rows of `estimates`: street and number of players, and the chance.
SPOT, CHANCE = range(2)


@inner
def deal(state: Bits, deck: Ints, n: Whole) -> None:
    """Shuffle `n` cards to the front of a deck."""
    for at in range(n):
        other = at + next_below(state, N_CARDS - at)
        deck[at], deck[other] = deck[other], deck[at]


@inner
def _lay_out(deck: Ints, n_seats: Whole, cards: Bits) -> None:
    """Write the sets of the board by street and of each player's cards."""
    first = 2 * n_seats
    cards[0] = np.uint64(0)
    cards[1] = CARD_BITS[deck[first]] | CARD_BITS[deck[first + 1]] | CARD_BITS[deck[first + 2]]
    cards[2] = cards[1] | CARD_BITS[deck[first + 3]]
    cards[3] = cards[2] | CARD_BITS[deck[first + 4]]
    for seat in range(n_seats):
        cards[BOARDS + seat] = CARD_BITS[deck[2 * seat]] | CARD_BITS[deck[2 * seat + 1]]


@inner
def preflop_class(first: Whole, second: Whole) -> Whole:
    """Index of the class of two cards (`preflop.class_of`)."""
    low, high = min(first // 4, second // 4), max(first // 4, second // 4)
    return N_RANKS * high + low if first % 4 == second % 4 else N_RANKS * low + high


@inner
def _estimate(
    seat: Whole,
    street: Whole,
    n_live: Whole,
    deck: Ints,
    cards: Bits,
    preflop: Floats,
    n_samples: Whole,
    state: Bits,
    scratch: Ints,
) -> float:
    if street == 0:
        return preflop[preflop_class(deck[2 * seat], deck[2 * seat + 1]), n_live - 2]
    own = cards[BOARDS + seat]
    return win_chance(state, own, cards[street], street + 2, n_live - 1, n_samples, scratch)


@inner
def _folded_chips(seats: Ints, game: Ints) -> Whole:
    chips = 0
    for seat in range(game[N_SEATS]):
        if seats[FOLDED, seat]:
            chips += seats[PAID, seat]
    return chips


@inner
def decide(seats: Ints, game: Ints, p: float, style: Floats) -> tuple[Whole, Whole]:
    """Choose action and amount for the player to act, whose perceived chance is `p`."""
    seat = game[ACTOR]
    call, low, high = options(seats, game)
    own, paid = seats[STACK, seat], seats[PAID, seat]
    folded = _folded_chips(seats, game)
    action, amount = choose(p, count_live(seats, game), own, paid, call, low, high, folded, style)
    # Nobody folds who may check.
    return (CALL if action == FOLD and call == paid else action), amount


@inner
def may_limp_in(seats: Ints, game: Ints) -> bool:
    """Tell whether all have folded to the small blind: two are left before the flop, and neither has acted."""
    n_waiting = 0
    for seat in range(game[N_SEATS]):
        n_waiting += seats[FOLDED, seat] == 0 and seats[FACED, seat] == NOT_YET
    return bool(game[STREET] == 0 and count_live(seats, game) == 2 and n_waiting == 2)


@inner
def play_hand(
    seats: Ints,
    game: Ints,
    styles: Floats,
    deck: Ints,
    cards: Bits,
    preflop: Floats,
    n_samples: Whole,
    state: Bits,
    scratch: Ints,
    estimates: Floats,
) -> Whole:
    """Play a hand that `start_hand` has begun, divide the pots and return the number of decisions."""
    n = game[N_SEATS]
    deal(state, deck, 2 * n + 5)
    _lay_out(deck, n, cards)
    for seat in range(n):
        estimates[SPOT, seat] = -1.0
    n_decisions = 0
    while game[ACTOR] != NOBODY:
        seat, street, n_live = game[ACTOR], game[STREET], count_live(seats, game)
        spot = 16.0 * street + n_live
        if estimates[SPOT, seat] != spot:
            estimates[SPOT, seat] = spot
            chance = _estimate(seat, street, n_live, deck, cards, preflop, n_samples, state, scratch)
            estimates[CHANCE, seat] = perceived(chance, street, styles[seat], state)
        action, to = decide(seats, game, estimates[CHANCE, seat], styles[seat])
        if action == FOLD and may_limp_in(seats, game):
            own = preflop[preflop_class(deck[2 * seat], deck[2 * seat + 1]), 0]
            action = CALL if own >= styles[seat, LIMP] else FOLD
        act(seats, game, action, to)
        n_decisions += 1
    if game[STREET] == SHOWDOWN:
        for seat in range(n):
            seats[VALUE, seat] = set_value(cards[3] | cards[BOARDS + seat])
    divide_pots(seats, game)
    return n_decisions
