"""What a structure computes, to a reader: the parts without words, which each language puts its own words between."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

# What a formula names besides n entries and place k.
VARIABLES: Mapping[str, str] = MappingProxyType({"b": "the buy-in", "e": "the player's total cost"})


@dataclass(frozen=True)
class FormulaParts:
    """Parts of an exact formula.

    Parameters
    ----------
    head : str
        Formula of all places, or the numbers of the listed ones.
    n_listed : int
        Places listed; 0 of a formula of all places.
    tail : str
        Formula of the places after the list; empty if they get nothing.
    variables : tuple of str
        Those of `VARIABLES` that the head names.
    cap : int, optional
        Entries above which there are only so many seats.

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

    @property
    def text(self) -> str:
        """In English."""
        text = ", ".join([self.head, *(f"{name} {VARIABLES[name]}" for name in self.variables)])
        if self.tail:
            text += f", then {self.tail} for n > {self.n_listed}"
        elif self.n_listed:
            text += ", then nothing"
        if self.cap is not None:
            text += f"; above {self.cap} entries {self.cap} seats, each worth entries/{self.cap}"
        return text
