"""Seats by the D'Hondt (Jefferson) highest-averages method, exact and fast.

Seats go one by one to the highest quotient votes / (seats held + 1). For a divisor d, the seats whose
quotient is at least d are a prefix of that sequence. A bisection in floats closes in on the divisor of the
last seat; a safety margin far wider than any rounding error makes each float count a certain bound from below
or from above, and the few seats between the two bounds are put in order by exact comparison.

Among equal quotients of different votes the tie rule decides whether the better or the worse place goes first.
Among places of equal votes the better place always goes first, so it never gets fewer seats.

References
----------
.. [1] Balinski, M. L. and Young, H. P. (1982). Fair Representation. Yale University Press, appendix A.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from payouts.engine.errors import EngineError
from payouts.engine.structures.quotients import RootVote, Vote, check_votes, compare_quotients
from payouts.engine.structures.votes import StructureVotes

Ties: TypeAlias = Literal["better", "worse"]
Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]
_Cell: TypeAlias = tuple[float, int, int]  # quotient, kth, index of the place

# Relative error allowed for: ratios err by less than 1e-13, and a count adds three roundings. MAX_SEATS * MARGIN
# must stay below one seat.
MARGIN = 1e-12
MAX_SEATS = 1_000_000_000
# Longer orders and tables would fill the memory.
MAX_TABLE = 1_000_000
# Number of places tried first; doubled until all later places are certain to get no seat.
FIRST_LOOK = 2048


@dataclass(frozen=True)
class SeatRow:
    """One cell of the printed seat table: the `kth_point` of `place` is seat number `seat`."""

    place: int
    kth_point: int
    seat: int


@dataclass(frozen=True)
class _Bracket:
    """Lower and upper bounds of each place's seats; no place with a ratio below `floor` gets a seat."""

    fewest: Counts
    most: Counts
    floor: float


def check_ties(ties: str) -> Ties:
    """Find the tie rule with this name.

    Raises
    ------
    EngineError
        If no rule has this name; the message lists the rules.

    Examples
    --------
    >>> check_ties("worse")
    'worse'
    """
    for rule in get_args(Ties):
        if ties == rule:
            return rule  # type: ignore[no-any-return]  # get_args is untyped; the members are the Literal's
    raise EngineError("ties", "unknown_tie_rule", name=ties, known=", ".join(get_args(Ties)))


def allocate(votes: Sequence[Vote], seats: int, ties: Ties = "better") -> list[int]:
    """Seats of each place.

    Parameters
    ----------
    votes : sequence of Fraction or RootVote, length n
        Votes by place, positive and never increasing.
    seats : int
        Seats to give out, 0 to `MAX_SEATS`.
    ties : {"better", "worse"}
        Which place wins between equal quotients of different votes; with equal votes the better place wins.

    Returns
    -------
    list of int, length n
        Seats by place; they sum to `seats`.

    Raises
    ------
    EngineError
        Naming the field (and the place) that is wrong.

    References
    ----------
    .. [1] Balinski and Young (1982), appendix A, proposition 3.3: divisor and sequential form agree.

    Examples
    --------
    >>> from fractions import Fraction
    >>> inverse = [Fraction(100, place) for place in range(1, 11)]
    >>> allocate(inverse, 10)
    [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    """
    _check(votes, seats, ties)
    if seats == 0:
        return [0] * len(votes)
    ratios, bracket = _bracket_head(votes, seats)
    held = bracket.fewest.copy()
    open_seats = seats - int(held.sum())
    cells = _cells(bracket.fewest, bracket.most)
    np.add.at(held, _by_quotient(votes, ratios, cells, ties)[:open_seats], 1)
    counts: list[int] = held.tolist()
    return counts + [0] * (len(votes) - len(counts))


def seat_order(votes: Sequence[Vote], seats: int, ties: Ties = "better") -> list[int]:
    """Place that gets each seat, in the order the seats are given.

    Parameters
    ----------
    votes, seats, ties
        As for `allocate`.

    Returns
    -------
    list of int, length seats
        Places, 1 = winner.

    Raises
    ------
    EngineError
        As `allocate`; also for more than `MAX_TABLE` seats.

    Examples
    --------
    >>> from fractions import Fraction
    >>> inverse = [Fraction(100, place) for place in range(1, 11)]
    >>> seat_order(inverse, 10)
    [1, 1, 2, 1, 3, 1, 2, 4, 1, 5]
    """
    held = allocate(votes, seats, ties)
    if seats > MAX_TABLE:
        raise EngineError("seats", "too_many_seats", most=MAX_TABLE, got=seats)
    counts = np.trim_zeros(np.array(held, dtype=np.int64), "b")
    cells = _cells(np.zeros_like(counts), counts)
    return [index + 1 for index in _by_quotient(votes, _ratios(votes, len(counts)), cells, ties)]


def seat_table(votes: Sequence[Vote], seats: int, ties: Ties = "better") -> list[SeatRow]:
    """Points table an organizer prints beforehand: which seat is the k-th point of a place.

    Parameters
    ----------
    votes, seats, ties
        As for `allocate`.

    Returns
    -------
    list of SeatRow, length seats
        In order of place, then of point.

    Raises
    ------
    EngineError
        As `seat_order`.

    Examples
    --------
    >>> from fractions import Fraction
    >>> inverse = [Fraction(100, place) for place in range(1, 11)]
    >>> [row.seat for row in seat_table(inverse, 10) if row.place == 1]
    [1, 2, 4, 6, 9]
    """
    order = np.array(seat_order(votes, seats, ties), dtype=np.int64)
    by_place = np.argsort(order, kind="stable")
    _, held = np.unique(order, return_counts=True)
    kths = _cells(np.zeros_like(held), held)[1]
    rows: Iterable[tuple[int, int, int]] = zip(
        order[by_place].tolist(), kths.tolist(), (by_place + 1).tolist(), strict=True
    )
    return [SeatRow(*row) for row in rows]


def _check(votes: Sequence[Vote], seats: int, ties: Ties) -> None:
    check_ties(ties)
    if not 0 <= seats <= MAX_SEATS:
        raise EngineError("seats", "out_of_range", least=0, most=MAX_SEATS, got=seats)
    # VotesRule checked these votes when it was built, and reading a million costs a second.
    if not (isinstance(votes, StructureVotes) and votes):
        check_votes(votes)


def _bracket_head(votes: Sequence[Vote], seats: int) -> tuple[Floats, _Bracket]:
    """Find ratios and bracket of the first places; all later places get no seat."""
    n_head = FIRST_LOOK
    while True:
        ratios = _ratios(votes, n_head)
        bracket = _bracket(ratios, seats)
        if n_head >= len(votes) or ratios[-1] * (1 + MARGIN) < bracket.floor:
            return ratios, bracket
        n_head *= 2


def _ratios(votes: Sequence[Vote], n_places: int) -> Floats:
    """Votes of the first places relative to the winner's, each to a relative error below 1e-13."""
    if isinstance(votes, StructureVotes):
        return votes.ratios(n_places)
    head = votes[:n_places]
    return np.fromiter((_ratio(vote, votes[0]) for vote in head), dtype=np.float64, count=len(head))


def _ratio(vote: Vote, top: Vote) -> float:
    if isinstance(vote, RootVote) or isinstance(top, RootVote):
        return float(vote) / float(top)
    # Python rounds int / int correctly at any size.
    return vote.numerator * top.denominator / (vote.denominator * top.numerator)


def _bracket(ratios: Floats, seats: int) -> _Bracket:
    """Bisect the divisor of the last seat: at most `seats` quotients reach `high`, at least `seats` reach `low`.

    The logarithm of the bracket halves in each round, so it takes at most 45 rounds.
    """
    low, high = 1 / (seats + 1), 1 + 4 * MARGIN
    while high > low * (1 + 4 * MARGIN):
        middle = math.sqrt(low * high)
        fits = _counts(ratios, middle, 1 + MARGIN).sum() <= seats
        fills = _counts(ratios, middle, 1 - MARGIN).sum() >= seats
        if fits:
            high = middle
        if fills:
            low = middle
        if not (fits or fills):
            break
    fewest = _counts(ratios, high, 1 - MARGIN).astype(np.int64)
    return _Bracket(fewest, _counts(ratios, low, 1 + MARGIN).astype(np.int64), low)


def _counts(ratios: Floats, divisor: float, slack: float) -> Floats:
    return np.floor(ratios * (slack / divisor))


def _cells(above: Counts, upto: Counts) -> tuple[Counts, Counts]:
    """List the seats above[i] + 1 to upto[i] of each place i, as place indices and point numbers."""
    n_cells = upto - above
    places = np.repeat(np.arange(len(n_cells)), n_cells)
    starts = np.repeat(np.cumsum(n_cells) - n_cells, n_cells)
    return places, np.arange(len(places)) - starts + 1 + above[places]


def _by_quotient(
    votes: Sequence[Vote], ratios: Floats, cells: tuple[Counts, Counts], ties: Ties
) -> list[int]:
    """Sort cells by quotient, then by tie rule, and return the place index of each.

    Of two equal quotients the one with the smaller kth has the smaller vote, so its place is the worse one.
    """
    places, kths = cells
    sign = -1 if ties == "better" else 1
    quotients = ratios[places] / kths
    # Nearly sorted input lets the exact sort finish in about one comparison for each cell.
    by_float = np.lexsort((places, sign * kths, -quotients))

    def compare(cell: _Cell, other: _Cell) -> int:
        quotient, kth, index = cell
        other_quotient, other_kth, other_index = other
        if abs(quotient - other_quotient) > MARGIN * quotient:
            return -1 if quotient > other_quotient else 1
        exact = compare_quotients(votes[index], kth, votes[other_index], other_kth)
        return -exact or sign * (kth - other_kth) or index - other_index

    columns = (quotients[by_float].tolist(), kths[by_float].tolist(), places[by_float].tolist())
    in_order: list[_Cell] = sorted(zip(*columns, strict=True), key=cmp_to_key(compare))
    return [index for _, _, index in in_order]
