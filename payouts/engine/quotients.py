"""Votes as exact numbers, and the exact comparison of their quotients."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias


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
        1, 0 or -1. Of irrational votes both sides are raised to the least power that makes them rational:
        x -> x^q is increasing, so the comparison of the powers, in whole numbers, is that of the quotients.

    Examples
    --------
    At n = 16 the vote 25 * (4/16)^1.5 is 25/8, a quarter of 25/2:

    >>> compare_quotients(RootVote(Fraction(25), Fraction(4, 16), Fraction(3, 2)), 1, Fraction(25), 8)
    0
    """
    power = lcm(_root(vote), _root(other))
    top, bottom = _power(vote, power)
    other_top, other_bottom = _power(other, power)
    left: int = top * other_bottom * other_kth**power
    right: int = other_top * bottom * kth**power
    return (left > right) - (left < right)


def _root(vote: Vote) -> int:
    return vote.exponent.denominator if isinstance(vote, RootVote) else 1


def _power(vote: Vote, power: int) -> tuple[int, int]:
    """Numerator and denominator of vote ** power, not reduced: gcds of such numbers cost more than they save."""
    if isinstance(vote, Fraction):
        return vote.numerator**power, vote.denominator**power
    of_base = vote.exponent.numerator * (power // vote.exponent.denominator)
    return (
        vote.scale.numerator**power * vote.base.numerator**of_base,
        vote.scale.denominator**power * vote.base.denominator**of_base,
    )


def check_votes(votes: Sequence[Vote]) -> None:
    """Refuse votes that are not positive or that increase from a place to the next.

    Parameters
    ----------
    votes : sequence of Fraction or RootVote
        Votes by place, index 0 is place 1.

    Raises
    ------
    ValueError
        Naming the first place that is wrong; also for no votes at all.

    Examples
    --------
    >>> check_votes([Fraction(40), Fraction(50)])
    Traceback (most recent call last):
    ValueError: votes: place 2 has 50, more than the 40 of place 1
    """
    if not votes:
        raise ValueError("votes: at least one place is needed")
    before = votes[0]
    for place, vote in enumerate(votes, start=1):
        if isinstance(vote, Fraction) and vote.numerator <= 0:
            raise ValueError(f"votes: place {place} has {vote}, votes must be positive")
        if compare_quotients(vote, 1, before, 1) > 0:
            raise ValueError(
                f"votes: place {place} has {_text(vote)}, more than the {_text(before)} of place {place - 1}"
            )
        before = vote


def _text(vote: Vote) -> str:
    return str(vote) if isinstance(vote, Fraction) else f"{float(vote):.6g}"
