"""Votes as exact numbers, and the exact comparison of their quotients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import TypeAlias

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_text

MAX_LISTED = 1000  # places in a typed list
# Logarithms of votes are far below 10^8; rounded a few times to 60 digits, they err by less than 1e-51.
DIGITS = 60
LOG_MARGIN = Decimal("1e-50")
# Error code of a place with too little, by what the list holds.
TOO_LITTLE: Mapping[str, str] = MappingProxyType(
    {
        "votes": "votes_not_positive",
        "percentages": "percentages_not_positive",
        "points": "points_negative",
        "payouts": "payouts_not_positive",
        "prizes": "prizes_negative",
    }
)
MAY_BE_ZERO = frozenset({"points", "prizes"})


@dataclass(frozen=True, slots=True)
class RootVote:
    """The vote `scale * base ** exponent`, with `exponent.denominator` > 1; all three are positive."""

    scale: Fraction
    base: Fraction
    exponent: Fraction

    def __float__(self) -> float:
        value: float = float(self.scale) * float(self.base) ** float(self.exponent)
        return value


Vote: TypeAlias = Fraction | RootVote


def compare_quotients(vote: Vote, kth: int, other: Vote, other_kth: int) -> int:
    """Sign of vote / kth - other / other_kth, exact.

    Parameters
    ----------
    vote, other : Fraction or RootVote
        Positive votes.
    kth, other_kth : int
        Divisors, at least 1.

    Returns
    -------
    int
        1, 0 or -1. Both sides are raised to the least power q that makes irrational votes rational, and compared
        as whole numbers: x -> x^q is increasing, so the order stays the same. Logarithms to `DIGITS` digits decide
        first where they differ by more than their error, because q may be 10,000.

    Examples
    --------
    At n = 16 the vote 25 * (4/16)^1.5 is 25/8, a quarter of 25/2:

    >>> compare_quotients(RootVote(Fraction(25), Fraction(4, 16), Fraction(3, 2)), 1, Fraction(25), 8)
    0
    """
    power = lcm(_root(vote), _root(other))
    if power > 1:
        with localcontext(prec=DIGITS):
            difference = _logarithm(vote, kth) - _logarithm(other, other_kth)
        if abs(difference) > LOG_MARGIN:
            return 1 if difference > 0 else -1
    top, bottom = _power(vote, power)
    other_top, other_bottom = _power(other, power)
    left: int = top * other_bottom * other_kth**power
    right: int = other_top * bottom * kth**power
    return (left > right) - (left < right)


def _logarithm(vote: Vote, kth: int) -> Decimal:
    """Natural logarithm of vote / kth, to the digits of the decimal context."""
    if isinstance(vote, Fraction):
        return _ln(vote / kth)
    return _ln(vote.scale / kth) + _ln(vote.base) * vote.exponent.numerator / vote.exponent.denominator


def _ln(value: Fraction) -> Decimal:
    return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()


def _root(vote: Vote) -> int:
    return vote.exponent.denominator if isinstance(vote, RootVote) else 1


def _power(vote: Vote, power: int) -> tuple[int, int]:
    """Numerator and denominator of vote ** power, not reduced: their gcd costs more than it saves."""
    if isinstance(vote, Fraction):
        return vote.numerator**power, vote.denominator**power
    base_power = vote.exponent.numerator * (power // vote.exponent.denominator)
    return (
        vote.scale.numerator**power * vote.base.numerator**base_power,
        vote.scale.denominator**power * vote.base.denominator**base_power,
    )


def check_votes(votes: Sequence[Vote], *, noun: str = "votes", most: int | None = None) -> None:
    """Refuse a list by place that increases, or has a negative value, or a zero where none may be.

    Parameters
    ----------
    votes : sequence of Fraction or RootVote
        By place, index 0 is place 1.
    noun : {"votes", "percentages", "points", "payouts", "prizes"}
        What the list holds. The field of the error is `votes` for all of them.
    most : int, optional
        Maximum number of places, `MAX_LISTED` for a typed list; no limit if None.

    Raises
    ------
    EngineError
        Naming the first wrong place; also for no places, or too many.

    Examples
    --------
    >>> check_votes([Fraction(40), Fraction(50)])
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: votes: place 2 has 50, more than the 40 of place 1
    >>> check_votes([Fraction(100), Fraction(0)], noun="percentages")
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: votes: place 2 has 0, percentages must be positive
    """
    if not votes:
        raise EngineError("votes", "no_places")
    if most is not None and len(votes) > most:
        raise EngineError("votes", "too_many_places", most=most, got=len(votes))
    before = votes[0]
    for place, vote in enumerate(votes, start=1):
        if isinstance(vote, Fraction) and (vote < 0 or (vote == 0 and noun not in MAY_BE_ZERO)):
            raise EngineError("votes", TOO_LITTLE[noun], place=place, vote=_text(vote))
        if compare_quotients(vote, 1, before, 1) > 0:
            raise EngineError(
                "votes",
                "more_than_place_before",
                place=place,
                vote=_text(vote),
                place_before=place - 1,
                vote_before=_text(before),
            )
        before = vote


def _text(vote: Vote) -> str:
    return exact_text(vote) if isinstance(vote, Fraction) else f"{float(vote):.6g}"
