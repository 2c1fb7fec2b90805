"""One hand of no-limit hold'em as a state machine: the slow twin of `hand_kernels`, and what the site plays with.

Rules, where games differ:

* All amounts are what a player has put in during the whole hand, so that "raise to" counts the streets before.
* Everybody posts the ante before the blinds. The button moves to the next player who still has chips and the blinds
  follow; there is no dead button.
* A raise is at least as large as the last one. An all-in that is smaller lets those who have already acted only call or
  fold, unless such raises together make a whole one (Tournament Directors Association, rule 47).
* Nobody raises beyond what an opponent can call.
* Odd chips of a shared pot go one by one to the winners, beginning left of the button.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from lab.engine.holdem.cards import BOARD_SIZES, bits_of
from lab.engine.holdem.evaluator import rank_sets

Action = Literal["fold", "call", "raise"]
SHOWDOWN: Final = 4
MOST_SEATS: Final = 10
NOBODY: Final = -1
NOT_YET: Final = -1


@dataclass(frozen=True)
class Blinds:
    """Chips that are posted before the cards are dealt."""

    small: int
    big: int
    ante: int = 0


@dataclass(frozen=True)
class Options:
    """What the player to act may put in, in all: `call`, or a raise from `low` to `high`; no raise if `high` is 0."""

    call: int
    low: int
    high: int


class NotAllowedError(ValueError):
    """An action that the rules do not allow."""


class Hand:
    """A hand from the blinds to the division of the pots.

    Parameters
    ----------
    stacks : sequence of int
        Chips of two to ten players at the start, all above 0.
    button : int
        Index of the player on the button.
    blinds : Blinds
    deck : sequence of int
        Two cards of each player in order of the seats, then the board: 2 n + 5 different cards.
    """

    def __init__(self, stacks: Sequence[int], button: int, blinds: Blinds, deck: Sequence[int]) -> None:
        n = len(stacks)
        self.stacks, self.button, self.deck = tuple(stacks), button, tuple(deck)
        self.paid = [min(blinds.ante, stack) for stack in stacks]
        self.is_folded = [False] * n
        # The price when each player last acted on this street.
        self.faced = [NOT_YET] * n
        self.big = self.raise_step = blinds.big
        self.price = blinds.ante + blinds.big
        small_at = button if n == 2 else (button + 1) % n
        self._post(small_at, blinds.small)
        self._post((small_at + 1) % n, blinds.big)
        self.street = 0
        self.actor = self._find(small_at + 2)
        self._deal_on()

    @property
    def is_over(self) -> bool:
        return self.actor == NOBODY

    @property
    def board(self) -> tuple[int, ...]:
        """The cards of the board that lie open."""
        first = 2 * len(self.stacks)
        return self.deck[first : first + BOARD_SIZES[min(self.street, 3)]]

    @property
    def is_showdown(self) -> bool:
        """Tell whether cards are shown: the hand is over and several players have not folded."""
        return self.is_over and len(self.live()) > 1

    def hole(self, seat: int) -> tuple[int, ...]:
        """Return the two cards of a player."""
        return self.deck[2 * seat : 2 * seat + 2]

    def live(self) -> list[int]:
        """List the players who have not folded."""
        return [seat for seat, is_folded in enumerate(self.is_folded) if not is_folded]

    def options(self) -> Options:
        """Say what the player to act may do."""
        seat = self.actor
        call = max(self._to_call(seat), self.paid[seat])
        high = min(self.stacks[seat], self._most_of_others(seat))
        is_reopened = self.faced[seat] == NOT_YET or self.price - self.faced[seat] >= self.raise_step
        if high <= max(call, self.price) or not self._others_can_act(seat) or not is_reopened:
            return Options(call, 0, 0)
        return Options(call, min(self.price + self.raise_step, high), high)

    def act(self, action: Action, to: int = 0) -> None:
        """Take the decision of the player to act.

        Raises
        ------
        NotAllowedError
            If the hand is over, or a raise is not in the bounds of `options`.
        """
        if self.is_over:
            raise NotAllowedError("the hand is over")
        if action == "fold":
            self.is_folded[self.actor] = True
        elif action == "call":
            self._put_in(self.options().call)
        else:
            self._raise(to)
        self.actor = self._find(self.actor + 1)
        self._deal_on()

    def won(self) -> list[int]:
        """Divide the pots; uncalled chips go back. The sum is the sum of `paid`."""
        won, below = [0] * len(self.stacks), 0
        levels = sorted({self.paid[seat] for seat in self.live()})
        for level in levels:
            top = level if level < levels[-1] else max(self.paid)
            pot = sum(min(paid, top) - min(paid, below) for paid in self.paid)
            for seat, share in self._shares(pot, level):
                won[seat] += share
            below = top
        return won

    def _post(self, seat: int, blind: int) -> None:
        self.paid[seat] = min(self.stacks[seat], self.paid[seat] + blind)

    def _put_in(self, to: int) -> None:
        self.paid[self.actor] = to
        self.faced[self.actor] = self.price

    def _raise(self, to: int) -> None:
        allowed = self.options()
        if not 0 < allowed.low <= to <= allowed.high:
            raise NotAllowedError(f"a raise is from {allowed.low} to {allowed.high}, got {to}")
        self.raise_step = max(self.raise_step, to - self.price)
        self.price = to
        self._put_in(to)

    def _deal_on(self) -> None:
        """Advance to the next street on which a player has to act, or to the end."""
        while self.is_over and self.street < SHOWDOWN and len(self.live()) > 1:
            self.street += 1
            self.faced = [NOT_YET] * len(self.stacks)
            self.raise_step = self.big
            if self.street < SHOWDOWN:
                self.actor = self._find(self.button + 1)

    def _find(self, first: int) -> int:
        """Find the next player who has to act."""
        n = len(self.stacks)
        if len(self.live()) == 1:
            return NOBODY
        return next((at % n for at in range(first, first + n) if self._has_to_act(at % n)), NOBODY)

    def _has_to_act(self, seat: int) -> bool:
        if self.is_folded[seat] or self.paid[seat] == self.stacks[seat]:
            return False
        has_not_acted = self.faced[seat] == NOT_YET and self._others_can_act(seat)
        return has_not_acted or self.paid[seat] < self._to_call(seat)

    def _others(self, seat: int) -> list[int]:
        return [other for other in self.live() if other != seat]

    def _others_can_act(self, seat: int) -> bool:
        return any(self.paid[other] < self.stacks[other] for other in self._others(seat))

    def _most_of_others(self, seat: int) -> int:
        return max(self.stacks[other] for other in self._others(seat))

    def _to_call(self, seat: int) -> int:
        return min(self.price, self.stacks[seat], self._most_of_others(seat))

    def _shares(self, pot: int, level: int) -> list[tuple[int, int]]:
        """List winners and shares of a pot to which `level` chips of each were needed."""
        seats = [
            seat for seat in self._from_button() if not self.is_folded[seat] and self.paid[seat] >= level
        ]
        if len(seats) > 1:
            values = self._values(seats)
            seats = [seat for seat, value in zip(seats, values, strict=True) if value == max(values)]
        each, odd = divmod(pot, len(seats))
        return [(seat, each + (at < odd)) for at, seat in enumerate(seats)]

    def _from_button(self) -> list[int]:
        n = len(self.stacks)
        return [(self.button + 1 + at) % n for at in range(n)]

    def _values(self, seats: Sequence[int]) -> list[int]:
        board = bits_of(self.board)
        sets = np.array([board | bits_of(self.hole(seat)) for seat in seats], dtype=np.uint64)
        return [int(value) for value in rank_sets(sets)]
