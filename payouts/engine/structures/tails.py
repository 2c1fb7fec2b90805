"""Tails of votes: the votes of the places after the listed ones."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_number, exact_text

Kind: TypeAlias = Literal["none", "share", "power"]
MAX_ALPHA = 10
ALPHA_DECIMALS = 4


@dataclass(frozen=True)
class Tail:
    """Votes of the places n after a head of m places whose last vote is v.

    Parameters
    ----------
    kind : {"none", "share", "power"}
        Nothing, c/n, or v * (m/n)^alpha.
    number : Fraction
        c or alpha.

    Examples
    --------
    >>> Tail("share", Fraction(100)).text
    '100/n'
    """

    kind: Kind = "none"
    number: Fraction = Fraction(0)

    @property
    def text(self) -> str:
        """Text that `parse_tail` reads back."""
        number = exact_text(self.number)
        return {"none": "none", "share": f"{number}/n", "power": f"power {number}"}[self.kind]

    def formula(self, last: Fraction, n_head: int) -> str:
        """Formula for display, after a head of `n_head` places whose last vote is `last`."""
        if self.kind == "power":
            return f"{exact_text(last)}*({n_head}/n)^{exact_text(self.number)}"
        share = exact_text(self.number)
        return f"({share})/n" if "/" in share else f"{share}/n"

    def check(self) -> None:
        """Raise EngineError if the kind is unknown or the number out of its range."""
        if self.kind not in get_args(Kind):
            raise EngineError("tail", "unknown_tail", name=self.kind, known=", ".join(get_args(Kind)))
        if self.kind == "power":
            check_alpha("tail", self.number, least=Fraction(0))
        if self.kind == "share" and self.number <= 0:
            raise EngineError("tail", "not_positive", got=self.text)


NO_TAIL = Tail()


def check_alpha(field: str, alpha: Fraction, *, least: Fraction) -> None:
    """Refuse a power that is out of range, or whose decimals would make exact comparison too slow.

    Raises
    ------
    EngineError
        Naming `field`. With a `least` of 0, the power 0 is refused too: such a tail would never fall.

    Examples
    --------
    >>> check_alpha("alpha", Fraction(9, 10), least=Fraction(1))
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: alpha: must be 1 to 10, got 0.9
    """
    if not (least <= alpha <= MAX_ALPHA and alpha > 0):
        if least == 0:
            raise EngineError(field, "out_of_positive_range", most=MAX_ALPHA, got=exact_text(alpha))
        raise EngineError(field, "out_of_range", least=least, most=MAX_ALPHA, got=exact_text(alpha))
    if 10**ALPHA_DECIMALS % alpha.denominator:
        raise EngineError(field, "too_many_decimals", most=ALPHA_DECIMALS, got=exact_text(alpha))


def parse_tail(text: str) -> Tail:
    """Read a typed tail: `none`, `100/n` or `power 1.05`.

    Raises
    ------
    EngineError
        If it is none of the three, or its number is out of range.

    Examples
    --------
    >>> parse_tail("power 1.05")
    Tail(kind='power', number=Fraction(21, 20))
    """
    compact = "/".join(part.strip() for part in " ".join(text.split()).split("/"))
    tail = NO_TAIL
    if compact.endswith("/n"):
        tail = Tail("share", exact_number("tail", compact.removesuffix("/n").strip(" ()")))
    elif compact.startswith("power "):
        tail = Tail("power", exact_number("tail", compact.removeprefix("power ")))
    elif compact not in {"", "none"}:
        raise EngineError("tail", "not_a_tail", text=compact[:40])
    tail.check()
    return tail
