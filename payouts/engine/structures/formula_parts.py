"""Parts of a formula for display; each language puts its own words between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# Variables of formulas besides n (entries) and k (place).
VARIABLES: Mapping[str, str] = MappingProxyType({"b": "the buy-in", "e": "the player's total cost"})


@dataclass(frozen=True)
class FormulaParts:
    """Parts of an exact formula.

    Parameters
    ----------
    head : str
        Formula of all places, or the numbers of the listed ones.
    n_listed : int
        Number of places listed; 0 for a formula of all places.
    tail : str
        Formula of the places after the list; empty if they get nothing.
    variables : tuple of str
        Those of `VARIABLES` that the head names.
    cap : int, optional
        Maximum number of seats; with more entries each seat is worth more.
    per_balance : str
        Points for each 1 of balance, which are added; empty if the balance has no effect.

    Examples
    --------
    >>> FormulaParts("50, 30", n_listed=2, tail="60/n").text
    '50, 30, then 60/n for n > 2'
    """

    head: str
    n_listed: int = 0
    tail: str = ""
    variables: tuple[str, ...] = ()
    cap: int | None = None
    per_balance: str = ""

    @property
    def text(self) -> str:
        """The formula in English."""
        text = ", ".join([self.head, *(f"{name} {VARIABLES[name]}" for name in self.variables)])
        if self.tail:
            text += f", then {self.tail} for n > {self.n_listed}"
        elif self.n_listed:
            text += ", then nothing"
        if self.cap is not None:
            text += f"; above {self.cap} entries {self.cap} seats, each worth entries/{self.cap}"
        if self.per_balance:
            text += f"; plus {self.balance}"
        return text

    @property
    def balance(self) -> str:
        """Formula of the points from the balance."""
        return "balance" if self.per_balance == "1" else f"{self.per_balance}*balance"
