"""Votes of the points structures: how much each finishing place weighs when seats are given out.

A votes rule is a list for the first places (the head) and a rule for all others (the tail). A vote is a Fraction
or, in a tail with a fractional power, a `RootVote`: irrational, but with a rational integer power, so that two
quotients can still be compared exactly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import overload

import numpy as np
import numpy.typing as npt

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_text
from payouts.engine.structures.formula_parts import FormulaParts
from payouts.engine.structures.quotients import MAX_LISTED, RootVote, Vote, check_votes
from payouts.engine.structures.tails import NO_TAIL, Tail

DEFAULT_STRUCTURE = "vp_kid"
VP_KID_HEAD = (Fraction(100), Fraction(60), Fraction(40), Fraction(25))


@dataclass(frozen=True)
class VotesRule:
    """Votes of every place.

    Parameters
    ----------
    head : tuple of Fraction
        Votes of the first places; may be empty if the tail is c/n.
    tail : Tail
        Votes of the places after them.

    Raises
    ------
    EngineError
        Naming the place whose vote is not positive, or more than the vote before it.

    Examples
    --------
    >>> VotesRule(VP_KID_HEAD, Tail("share", Fraction(100))).vote(8)
    Fraction(25, 2)
    """

    head: tuple[Fraction, ...]
    tail: Tail = NO_TAIL

    def __post_init__(self) -> None:
        self.tail.check()
        has_share = self.tail.kind == "share"
        if self.head or not has_share:
            check_votes(self.head, most=MAX_LISTED)
        if has_share:
            check_votes([*self.head, self.tail.number / (len(self.head) + 1)])

    def vote(self, place: int) -> Vote:
        """Votes of a place (1 = winner), one of those that `length` counts."""
        n_head, tail = len(self.head), self.tail
        if place <= n_head:
            return self.head[place - 1]
        if tail.kind == "share":
            return tail.number / place
        ratio = Fraction(n_head, place)
        if tail.number.denominator == 1:
            return self.head[-1] * ratio**tail.number.numerator
        return RootVote(self.head[-1], ratio, tail.number)

    def length(self, n_places: int) -> int:
        """Count the places with votes among the first `n_places`."""
        return min(n_places, len(self.head)) if self.tail.kind == "none" else n_places

    def ratios(self, n_places: int) -> npt.NDArray[np.float64]:
        """Votes of the first places relative to the winner's, each to a relative error below 1e-13.

        Powers have the largest error: half an ulp of 4/n times 10, and half an ulp of the exponent (at most 10) times
        10 ln(1e9).
        """
        top = self.head[0] if self.head else self.tail.number
        head = [float(vote / top) for vote in self.head[:n_places]]
        places = np.arange(len(self.head) + 1, n_places + 1, dtype=np.float64)
        if self.tail.kind == "share":
            tail = float(self.tail.number / top) / places
        else:
            tail = float(self.head[-1] / top) * (len(self.head) / places) ** float(self.tail.number)
        return np.concatenate([head, tail])

    @property
    def parts(self) -> FormulaParts:
        """Formula of the votes, for display; n is the place."""
        n_head = len(self.head)
        if not n_head:
            return FormulaParts(self.tail.formula(Fraction(0), 0))
        tail = "" if self.tail.kind == "none" else self.tail.formula(self.head[-1], n_head)
        return FormulaParts(", ".join(map(exact_text, self.head)), n_listed=n_head, tail=tail)


STRUCTURES: Mapping[str, VotesRule] = MappingProxyType(
    {
        "inverse": VotesRule((), Tail("share", Fraction(100))),
        "vp_kid": VotesRule(VP_KID_HEAD, Tail("share", Fraction(100))),
        "soft_top": VotesRule((Fraction(100), Fraction(70), Fraction(50)), Tail("share", Fraction(100))),
        "winner_takes_all": VotesRule((Fraction(1),)),
    }
)


class StructureVotes(Sequence[Vote]):
    """Votes of a rule, computed when they are read.

    A field of a million needs the exact votes of few places and only `ratios` of the others.

    Parameters
    ----------
    rule : VotesRule
    n_places : int
        Places of the event; index 0 is place 1. Places without votes are left out.

    Raises
    ------
    EngineError
        If `n_places` is negative.

    Examples
    --------
    >>> StructureVotes(STRUCTURES["inverse"], 1_000_000)[2]
    Fraction(100, 3)
    """

    def __init__(self, rule: VotesRule, n_places: int) -> None:
        if n_places < 0:
            raise EngineError("n_places", "negative", got=n_places)
        self._rule = rule
        self._places = range(1, self._rule.length(n_places) + 1)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Vote: ...
    @overload
    def __getitem__(self, index: slice) -> list[Vote]: ...
    def __getitem__(self, index: int | slice) -> Vote | list[Vote]:
        if isinstance(index, slice):
            return [self._rule.vote(place) for place in self._places[index]]
        return self._rule.vote(self._places[index])

    def ratios(self, n_places: int) -> npt.NDArray[np.float64]:
        """Return `VotesRule.ratios`, for at most `len(self)` places."""
        return self._rule.ratios(min(n_places, len(self)))
