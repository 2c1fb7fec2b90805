"""Votes of the points structures: how much each finishing place weighs when seats are given out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import overload

DEFAULT_STRUCTURE = "vp_kid"
VP_KID_HEAD = (100, 60, 40, 25)


@dataclass(frozen=True)
class Structure:
    """A votes rule: `vote` maps a place (1 = winner) to its votes, `formula` says the same to a reader."""

    vote: Callable[[int], Fraction]
    formula: str


def _inverse(place: int) -> Fraction:
    return Fraction(100, place)


def _vp_kid(place: int) -> Fraction:
    return Fraction(VP_KID_HEAD[place - 1]) if place <= len(VP_KID_HEAD) else _inverse(place)


STRUCTURES: Mapping[str, Structure] = MappingProxyType(
    {
        "inverse": Structure(_inverse, "100/n"),
        "vp_kid": Structure(_vp_kid, "100, 60, 40, 25, then 100/n for n > 4"),
    }
)


def structure_named(name: str) -> Structure:
    """Registered structure of that name.

    Raises
    ------
    ValueError
        If there is none; the message lists the names.

    Examples
    --------
    >>> structure_named("inverse").formula
    '100/n'
    """
    if name not in STRUCTURES:
        raise ValueError(f"structure: unknown structure {name!r}, one of: {', '.join(STRUCTURES)}")
    return STRUCTURES[name]


class StructureVotes(Sequence[Fraction]):
    """Votes of a registered structure, computed when they are read.

    A field of a million needs the votes of its first 90,000 places only.

    Parameters
    ----------
    structure : str
        Name in `STRUCTURES`.
    n_places : int
        Length of the sequence; index 0 is place 1.

    Raises
    ------
    ValueError
        If the structure is unknown or `n_places` is negative.

    Examples
    --------
    >>> StructureVotes("inverse", 1_000_000)[2]
    Fraction(100, 3)
    """

    def __init__(self, structure: str, n_places: int) -> None:
        if n_places < 0:
            raise ValueError(f"n_places: must not be negative, got {n_places}")
        self._vote = structure_named(structure).vote
        self._places = range(1, n_places + 1)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fraction]: ...
    def __getitem__(self, index: int | slice) -> Fraction | list[Fraction]:
        if isinstance(index, slice):
            return [self._vote(place) for place in self._places[index]]
        return self._vote(self._places[index])


def votes(structure: str, n_places: int) -> list[Fraction]:
    """Votes of the first places of a structure.

    Parameters
    ----------
    structure : str
        Name in `STRUCTURES`.
    n_places : int
        How many places, from the winner down.

    Returns
    -------
    list of Fraction, length n_places
        Exact votes, dimensionless: only their ratios matter.

    Raises
    ------
    ValueError
        If the structure is unknown or `n_places` is negative.

    Examples
    --------
    >>> [str(vote) for vote in votes("vp_kid", 6)]
    ['100', '60', '40', '25', '20', '50/3']
    """
    return StructureVotes(structure, n_places)[:]


def check_votes(votes: Sequence[Fraction]) -> None:
    """Refuse votes that are not positive or that increase from a place to the next.

    Parameters
    ----------
    votes : sequence of Fraction
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
    better_top, better_bottom = votes[0].numerator, votes[0].denominator
    for place, vote in enumerate(votes, start=1):
        # Cross multiplication, a third of the time of comparing Fractions: lists may have a million places.
        top, bottom = vote.numerator, vote.denominator
        if top <= 0:
            raise ValueError(f"votes: place {place} has {vote}, votes must be positive")
        if top * better_bottom > better_top * bottom:
            raise ValueError(
                f"votes: place {place} has {vote}, more than the {votes[place - 2]} of place {place - 1}"
            )
        better_top, better_bottom = top, bottom
