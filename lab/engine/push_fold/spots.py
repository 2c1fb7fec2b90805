"""A spot: what pushing or calling is worth, for each kind of hand, against players of known ranges.

Seats are numbered in the order in which they act; the last two pay the blinds. All before the player have folded, or
one has pushed and the others folded. What is assumed, so that a page can compute it at once:

* those behind call with a fixed range, a second caller with a third of it, and no third player calls;
* after a fold the player takes no more part, and the pot goes to the big blind, or to the one who pushed;
* of three hands all in, each has a strength, and wins by its share of the three (Luce's model): the strengths of two
  have the ratio of their odds against each other. That is within 0.05 of sampled boards, with a mean square error of
  0.03 (60 spots of random hands against two ranges; some are in tests/engine/lab/push_fold/test_spots.py);
* a tie counts as half a win and half a loss.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from lab.engine.push_fold.hands import N_KINDS
from lab.engine.push_fold.places import worth
from lab.engine.push_fold.ranges import OVERCALLS, chance_of, equity_against, equity_between, top

Floats = npt.NDArray[np.float64]

POSITIONS: Final = ("UTG", "EP1", "EP2", "MP", "LJ", "HJ", "CO", "BTN", "SB", "BB")
MOST_SEATS: Final = len(POSITIONS)
# Big blinds; nobody plays push or fold with more.
MOST_CHIPS: Final = 1_000.0
SMALL, BIG = 0.5, 1.0


@dataclass(frozen=True)
class Spot:
    """A decision to make.

    Parameters
    ----------
    stacks : sequence of float
        Big blinds of each player before the blinds are paid, in the order in which they act.
    seat : int
        Of the player who decides.
    shares : sequence of float
        The share of all hands that each player calls with, or pushes with, if it is the one who pushed.
    pusher : int, optional
        Who has pushed; nobody if None.
    """

    stacks: Sequence[float]
    seat: int
    shares: Sequence[float]
    pusher: int | None = None

    def __post_init__(self) -> None:
        _whole("seats", len(self.stacks), 2, MOST_SEATS)
        for stack in self.stacks:
            _number("stacks", stack, 0.0, MOST_CHIPS)
        first = 0 if self.pusher is None else self.pusher + 1
        last = len(self.stacks) - (2 if self.pusher is None else 1)
        _whole("seat", self.seat, first, last)
        for share in self.shares:
            if not 0.0 <= share <= 1.0:
                raise EngineError("shares", "out_of_range", least=0, most=1, got=share)

    @property
    def blinds(self) -> Floats:
        """Compute what each player has paid before the cards are dealt."""
        paid = np.zeros(len(self.stacks))
        paid[-2:] = SMALL, BIG
        return np.minimum(paid, self.stacks)

    @property
    def behind(self) -> range:
        """Seats that act after the player."""
        return range(self.seat + 1, len(self.stacks))


def _whole(field: str, got: int, least: int, most: int) -> None:
    if not least <= got <= most:
        raise EngineError(field, "no_whole_number_in_range", least=least, most=most, got=got)


def _number(field: str, got: float, above: float, most: float) -> None:
    if not math.isfinite(got):
        raise EngineError(field, "not_finite", got=got)
    if not above < got <= most:
        raise EngineError(field, "out_of_half_open_range", least=above, most=most, got=got)


class Outcome(NamedTuple):
    """A way the hand can end: its chance by the kind of the player's hand, shape (169,), and the stacks after it."""

    chance: Floats
    stacks: Floats


class Values(NamedTuple):
    """What a fold is worth, and a push or call with each kind of hand, shape (169,)."""

    fold: float
    play: Floats

    @property
    def range(self) -> npt.NDArray[np.bool_]:
        """Hands that are worth more if they are played."""
        return self.play > self.fold


class Judgement(NamedTuple):
    """The values of a spot in chips (big blinds) and in payouts."""

    chips: Values
    points: Values


def judge(spot: Spot, payouts: Sequence[float]) -> Judgement:
    """Compute what a fold and a push or call are worth, in chips and in payouts by the chances of places."""
    outcomes = list(played(spot))
    stacks = np.array([folded(spot), *(outcome.stacks for outcome in outcomes)])
    chances = np.array([outcome.chance for outcome in outcomes])
    return Judgement(
        _values(stacks[:, spot.seat], chances), _values(worth_of(stacks, payouts, spot), chances)
    )


def _values(worths: Floats, chances: Floats) -> Values:
    return Values(float(worths[0]), worths[1:] @ chances)


def worth_of(stacks: Floats, payouts: Sequence[float], spot: Spot) -> Floats:
    """Compute the worth of the player's stack after each outcome; of two out at once the larger stack is ahead."""
    value = worth(stacks, payouts, spot.seat)
    prizes = [*payouts, *[0.0] * len(spot.stacks)]
    for case in np.flatnonzero(stacks[:, spot.seat] <= 0.0):
        ahead = (stacks[case] > 0.0) | (np.asarray(spot.stacks) > spot.stacks[spot.seat])
        value[case] = prizes[int(ahead.sum())]
    return value


def folded(spot: Spot) -> Floats:
    """Find the stacks after a fold."""
    if spot.pusher is None:
        return _settled(spot, [len(spot.stacks) - 1])
    return _settled(spot, [spot.pusher])


def played(spot: Spot) -> Iterator[Outcome]:
    """List how the hand can end after the push or call."""
    if spot.pusher is None:
        yield from _pushed(spot)
        return
    range_ = top(spot.shares[spot.pusher])
    some = np.ones(N_KINDS)
    for other in spot.behind:
        overcall = top(spot.shares[other] * OVERCALLS)
        here = some * chance_of(overcall)
        some = some - here
        yield from _three(spot, here, (spot.pusher, range_), (other, overcall))
    yield from _two(spot, some, spot.pusher, range_)


def _pushed(spot: Spot) -> Iterator[Outcome]:
    nobody = np.ones(N_KINDS)
    for first in spot.behind:
        range_ = top(spot.shares[first])
        one = nobody * chance_of(range_)
        nobody = nobody - one
        for second in range(first + 1, len(spot.stacks)):
            overcall = top(spot.shares[second] * OVERCALLS)
            both = one * chance_of(overcall)
            one = one - both
            yield from _three(spot, both, (first, range_), (second, overcall))
        yield from _two(spot, one, first, range_)
    yield Outcome(nobody, _settled(spot, [spot.seat]))


def _two(spot: Spot, chance: Floats, other: int, range_: Floats) -> Iterator[Outcome]:
    win = equity_against(range_)
    yield Outcome(chance * win, _settled(spot, [spot.seat, other]))
    yield Outcome(chance * (1.0 - win), _settled(spot, [other, spot.seat]))


def _three(
    spot: Spot, chance: Floats, first: tuple[int, Floats], second: tuple[int, Floats]
) -> Iterator[Outcome]:
    seats = (spot.seat, first[0], second[0])
    beats = pairwise(equity_against(first[1]), equity_against(second[1]), equity_between(first[1], second[1]))
    for order in permutations(range(3)):
        yield Outcome(chance * chance_of_order(beats, order), _settled(spot, [seats[i] for i in order]))


def pairwise(own_first: Floats, own_second: Floats, first_second: float) -> Floats:
    """Arrange the chances that hand i beats hand j, shape (3, 3, 169)."""
    beats = np.full((3, 3, len(own_first)), 0.5)
    for (i, j), chance in zip(
        combinations(range(3), 2), (own_first, own_second, np.full(len(own_first), first_second)), strict=True
    ):
        beats[i, j], beats[j, i] = chance, 1.0 - chance
    return beats


def chance_of_order(beats: Floats, order: Sequence[int]) -> Floats:
    """Approximate the chance that three hands finish in an order: the first beats both, the second the third."""
    first = [1.0 / sum(beats[j, i] / beats[i, j] for j in range(3)) for i in range(3)]
    return np.asarray(first[order[0]] / sum(first) * beats[order[1], order[2]])


def _settled(spot: Spot, order: Sequence[int]) -> Floats:
    """Find the stacks after a showdown of those in `order`, the best hand first; the others lose their blinds.

    Alone in it, the first takes the blinds of the others.
    """
    stacks = np.asarray(spot.stacks, dtype=np.float64)
    paid = spot.blinds
    if len(order) > 1:
        paid[list(order)] = stacks[list(order)]
        # What nobody else can match comes back.
        paid = np.minimum(paid, np.sort(paid)[-2])
    after = stacks - paid
    for winner in order:
        won = np.minimum(paid, paid[winner]) if len(order) > 1 else paid
        after[winner] += won.sum()
        paid = paid - won
    return after + paid
