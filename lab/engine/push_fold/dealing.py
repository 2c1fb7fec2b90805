"""Hands to practise: seats, stacks, styles and cards drawn at random."""

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from lab.engine.errors import EngineError
from lab.engine.holdem.cards import N_CARDS
from lab.engine.push_fold.hands import kind_of
from lab.engine.push_fold.ranges import CALLS, PUSHES
from lab.engine.push_fold.spots import MOST_SEATS, POSITIONS, Spot

STYLES: Final = tuple(CALLS)
MIXTURE: Final = "mixture"
# Half big blinds: the player's own stack and those of others; in one hand of three somebody has pushed.
OWN_STACKS: Final = (4, 31)
OTHER_STACKS: Final = (6, 51)
CHANCE_OF_PUSH: Final = 1.0 / 3.0


@dataclass(frozen=True)
class Deal:
    """A spot with the styles of the players and the two cards of the one who decides; all of it fits into JSON."""

    stacks: list[float]
    styles: list[str]
    seat: int
    pusher: int | None
    cards: list[int]

    @property
    def spot(self) -> Spot:
        shares = [(PUSHES if seat == self.pusher else CALLS)[style] for seat, style in enumerate(self.styles)]
        return Spot(self.stacks, self.seat, shares, self.pusher)

    @property
    def kind(self) -> int:
        return kind_of(*self.cards)

    @property
    def positions(self) -> tuple[str, ...]:
        return POSITIONS[-len(self.stacks) :]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def deal(rng: np.random.Generator, seats: int, against: str) -> Deal:
    """Draw a hand for a number of seats against one style, or a mixture of them.

    Examples
    --------
    >>> drawn = deal(np.random.default_rng(1), 4, "loose")
    >>> len(drawn.stacks), drawn.styles[0], drawn.seat < 4
    (4, 'loose', True)
    """
    if not 2 <= seats <= MOST_SEATS:
        raise EngineError("seats", "no_whole_number_in_range", least=2, most=MOST_SEATS, got=seats)
    if against not in {*STYLES, MIXTURE}:
        raise EngineError("against", "unknown_choice", known=", ".join((*STYLES, MIXTURE)), got=against)
    styles = [against if against != MIXTURE else str(rng.choice(STYLES)) for _seat in range(seats)]
    pusher, seat = None, int(rng.integers(0, seats - 1))
    if rng.random() < CHANCE_OF_PUSH:
        pusher, seat = seat, int(rng.integers(seat + 1, seats))
    stacks = rng.integers(*OTHER_STACKS, size=seats) / 2.0
    stacks[seat] = rng.integers(*OWN_STACKS) / 2.0
    cards = rng.permutation(N_CARDS)[:2]
    return Deal(stacks.tolist(), styles, seat, pusher, cards.tolist())
