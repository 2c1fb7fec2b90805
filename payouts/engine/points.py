"""Points by the name of a structure, for those that need no settings; `PointsStructure` has them all."""

from collections.abc import Sequence
from fractions import Fraction

from payouts.engine.dhondt import Ties
from payouts.engine.structure import PointsStructure


def points_by_place(
    structure: str,
    n_entries: int,
    ties: Ties = "better",
    seats: int | None = None,
    total: Fraction | int | None = None,
) -> list[Fraction]:
    """Points of each place of an event.

    Parameters
    ----------
    structure : str
        Name of a `PointsStructure`.
    n_entries : int
        Entries of the event, at least 1.
    ties : {"better", "worse"}
        Which place an equal quotient goes to.
    seats : int, optional
        Seats given out; `n_entries` if None.
    total : Fraction or int, optional
        Points put up, shared evenly by the seats; if None each seat is worth 1.

    Returns
    -------
    list of Fraction, length n_entries
        Points, place 1 first; of a D'Hondt structure they sum to seats times the value of a seat.

    Raises
    ------
    ValueError
        Naming the field that is wrong.

    Examples
    --------
    >>> [int(points) for points in points_by_place("vp_kid", 10)]
    [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]
    """
    return PointsStructure(structure, ties).points(n_entries, seats=seats, total=total)


def event_points(
    places: Sequence[int],
    structure: str,
    ties: Ties = "better",
    seats: int | None = None,
    total: Fraction | int | None = None,
) -> list[Fraction]:
    """Points of each entry; entries tied in place share the points of the places they occupy.

    Parameters
    ----------
    places : sequence of int, length n
        Finishing place of every entry of the event in any order, competition ranking (1-2-2-4).
    structure, ties, seats, total
        As for `points_by_place`.

    Returns
    -------
    list of Fraction, length n
        Points, in the order of `places`.

    Raises
    ------
    ValueError
        Naming the field, and the place if the places are not a competition ranking.

    Examples
    --------
    >>> [str(points) for points in event_points([3, 1, 1, 4, 5], "inverse")]
    ['1', '2', '2', '0', '0']
    """
    return PointsStructure(structure, ties).event_points(places, seats=seats, total=total)
