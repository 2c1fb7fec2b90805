"""A compiled hand of cards with given actions, to compare with `lab.engine.holdem.hand.Hand`."""

from lab.engine.holdem.hand import NOBODY
from lab.engine.holdem.hand_kernels import ACTOR, act, divide_pots, start_hand
from lab.engine.holdem.kernels import Ints, Whole
from ratings.engine.compiled import kernel


@kernel
def play_actions(seats: Ints, game: Ints, button: Whole, blinds: Ints, actions: Ints) -> Whole:
    """Play a hand with given actions, rows of action and amount, and return how many were used."""
    start_hand(seats, game, seats.shape[1], button, blinds[0], blinds[1], blinds[2])
    n = 0
    while game[ACTOR] != NOBODY and n < len(actions):
        act(seats, game, actions[n, 0], actions[n, 1])
        n += 1
    divide_pots(seats, game)
    return n
