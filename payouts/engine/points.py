"""Points of an event: seats of the structure times what a seat is worth, shared by tied entries."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from payouts.engine.dhondt import Ties, allocate
from payouts.engine.votes import StructureVotes


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
        Name in `payouts.engine.votes.STRUCTURES`.
    n_entries : int
        Entries of the event, at least 1.
    ties : {"better", "worse"}
        Which place an equal quotient goes to.
    seats : int, optional
        Seats given out; `n_entries` if None. A large field takes its cap here and its entries as `total`.
    total : Fraction or int, optional
        Points put up, shared evenly by the seats; if None each seat is worth 1.

    Returns
    -------
    list of Fraction, length n_entries
        Points, place 1 first; sums to seats times the value of a seat.

    Raises
    ------
    ValueError
        Naming the field that is wrong.

    Examples
    --------
    >>> [int(points) for points in points_by_place("vp_kid", 10)]
    [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]
    """
    if n_entries < 1:
        raise ValueError(f"n_entries: must be at least 1, got {n_entries}")
    n_seats = n_entries if seats is None else seats
    held = allocate(StructureVotes(structure, n_entries), n_seats, ties)
    value = _seat_value(n_seats, total)
    worth = {count: count * value for count in set(held)}
    return [worth[count] for count in held]


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
    if not places:
        raise ValueError("places: at least one entry is needed")
    n_tied = dict(sorted(Counter(places).items()))
    _check_ranking(n_tied)
    by_place = points_by_place(structure, len(places), ties, seats, total)
    shares = {place: _mean(by_place[place - 1 : place - 1 + count]) for place, count in n_tied.items()}
    return [shares[place] for place in places]


def _seat_value(seats: int, total: Fraction | int | None) -> Fraction:
    if total is None:
        return Fraction(1)
    if total < 0:
        raise ValueError(f"total: must not be negative, got {total}")
    if seats == 0 and total:
        raise ValueError(f"seats: a total of {total} needs at least one seat, got 0")
    return Fraction(total) / max(seats, 1)


def _check_ranking(n_tied: dict[int, int]) -> None:
    expected = 1
    for place, count in n_tied.items():
        if place != expected:
            raise ValueError(
                f"places: found place {place} where {expected} is due (competition ranking 1-2-2-4)"
            )
        expected += count


def _mean(points: list[Fraction]) -> Fraction:
    return points[0] if len(points) == 1 else sum(points, Fraction(0)) / len(points)
