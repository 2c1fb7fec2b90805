"""Seats by the D'Hondt (Jefferson) highest-averages method, exact and fast.

Seats go one by one to the highest quotient votes / (seats held + 1). For a divisor d, the seats whose
quotient is at least d are a prefix of that sequence. A bisection in floats closes in on the divisor of the
last seat; a safety margin far wider than any rounding error makes each float count a certain bound from below
or from above, and the few seats between the two bounds are put in order by exact fractions.

References
----------
.. [1] Balinski, M. L. and Young, H. P. (1982). Fair Representation. Yale University Press, appendix A.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from payouts.engine.votes import StructureVotes, check_votes

Ties: TypeAlias = Literal["better", "worse"]
Floats: TypeAlias = npt.NDArray[np.float64]
Counts: TypeAlias = npt.NDArray[np.int64]

# Relative; a count takes four roundings of 1.1e-16, and MAX_SEATS * MARGIN must stay below one seat.
MARGIN = 1e-12
MAX_SEATS = 1_000_000_000
# Places looked at first; doubled until the next place is certain to get nothing.
FIRST_LOOK = 2048


@dataclass(frozen=True)
class SeatRow:
    """One cell of the printed seat table: the `kth_point` of `place` is seat number `seat`."""

    place: int
    kth_point: int
    seat: int


@dataclass(frozen=True)
class _Bracket:
    """Certain bounds of the seats of each place; nothing with a ratio below `floor` gets a seat."""

    fewest: Counts
    most: Counts
    floor: float


def check_ties(ties: str) -> Ties:
    """Tie rule of that name.

    Raises
    ------
    ValueError
        If there is none; the message lists the rules.

    Examples
    --------
    >>> check_ties("worse")
    'worse'
    """
    for rule in get_args(Ties):
        if ties == rule:
            return rule  # type: ignore[no-any-return]  # get_args is untyped; the members are the Literal's
    raise ValueError(f"ties: unknown tie rule {ties!r}, one of: {', '.join(get_args(Ties))}")


def allocate(votes: Sequence[Fraction], seats: int, ties: Ties = "better") -> list[int]:
    """Seats of each place.

    Parameters
    ----------
    votes : sequence of Fraction, length n
        Votes by place, positive and never increasing.
    seats : int
        Seats to give out, 0 to `MAX_SEATS`.
    ties : {"better", "worse"}
        Which place an equal quotient goes to. With "worse", of two places with equal votes the worse one may
        hold a seat more.

    Returns
    -------
    list of int, length n
        Points in units of one seat; sums to `seats`.

    Raises
    ------
    ValueError
        Naming the field (and the place) that is wrong.

    References
    ----------
    .. [1] Balinski and Young (1982), appendix A, proposition 3.3: divisor and sequential form agree.

    Examples
    --------
    >>> from payouts.engine.votes import votes
    >>> allocate(votes("inverse", 10), 10)
    [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    """
    _check(votes, seats, ties)
    if seats == 0:
        return [0] * len(votes)
    head, bracket = _bracket_head(votes, seats)
    held = bracket.fewest.copy()
    open_seats = seats - int(held.sum())
    places, kths = _cells(bracket.fewest, bracket.most)
    np.add.at(held, _by_quotient(head, places, kths, ties)[:open_seats], 1)
    counts: list[int] = held.tolist()
    return counts + [0] * (len(votes) - len(counts))


def seat_order(votes: Sequence[Fraction], seats: int, ties: Ties = "better") -> list[int]:
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
    ValueError
        As `allocate`.

    Examples
    --------
    >>> from payouts.engine.votes import votes
    >>> seat_order(votes("inverse", 10), 10)
    [1, 1, 2, 1, 3, 1, 2, 4, 1, 5]
    """
    counts = np.trim_zeros(np.array(allocate(votes, seats, ties), dtype=np.int64), "b")
    places, kths = _cells(np.zeros_like(counts), counts)
    return [index + 1 for index in _by_quotient(votes[: len(counts)], places, kths, ties)]


def seat_table(votes: Sequence[Fraction], seats: int, ties: Ties = "better") -> list[SeatRow]:
    """Seat table an organizer prints beforehand: which seat is the k-th point of a place.

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
    ValueError
        As `allocate`.

    Examples
    --------
    >>> from payouts.engine.votes import votes
    >>> [row.seat for row in seat_table(votes("inverse", 10), 10) if row.place == 1]
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


def _check(votes: Sequence[Fraction], seats: int, ties: Ties) -> None:
    check_ties(ties)
    if not 0 <= seats <= MAX_SEATS:
        raise ValueError(f"seats: must be 0 to {MAX_SEATS}, got {seats}")
    # Registered structures are checked by the tests; reading a million votes costs a second.
    if not (isinstance(votes, StructureVotes) and votes):
        check_votes(votes)


def _bracket_head(votes: Sequence[Fraction], seats: int) -> tuple[Sequence[Fraction], _Bracket]:
    """Bracket of the first places, and as many of their votes: the places after them get nothing."""
    n_head = FIRST_LOOK
    while True:
        head = votes[:n_head]
        ratios = _ratios(head)
        bracket = _bracket(ratios, seats)
        if n_head >= len(votes) or ratios[-1] * (1 + MARGIN) < bracket.floor:
            return head, bracket
        n_head *= 2


def _ratios(votes: Sequence[Fraction]) -> Floats:
    """Votes relative to the winner's, each correctly rounded (int / int is, of any size)."""
    top, bottom = votes[0].numerator, votes[0].denominator
    shares = (vote.numerator * bottom / (vote.denominator * top) for vote in votes)
    return np.fromiter(shares, dtype=np.float64, count=len(votes))


def _bracket(ratios: Floats, seats: int) -> _Bracket:
    """Bisect the divisor between two values: at `high` at most `seats` quotients reach it, at `low` at least.

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
    """Index of the place and number of the point of each seat above[i] + 1 .. upto[i] of each place i."""
    n_cells = upto - above
    places = np.repeat(np.arange(len(n_cells)), n_cells)
    starts = np.repeat(np.cumsum(n_cells) - n_cells, n_cells)
    return places, np.arange(len(places)) - starts + 1 + above[places]


def _by_quotient(votes: Sequence[Fraction], places: Counts, kths: Counts, ties: Ties) -> list[int]:
    """Place indices of the cells in the order their seats are given: by quotient, then by tie rule."""
    if not len(places):
        return []
    sign = 1 if ties == "better" else -1
    # Nearly sorted input lets the exact sort finish in about one comparison for each cell.
    nearly = np.lexsort((sign * places, -_ratios(votes)[places] / kths))

    def exact(cell: tuple[int, int]) -> tuple[Fraction, int]:
        vote = votes[cell[0]]
        return Fraction(-vote.numerator, vote.denominator * cell[1]), sign * cell[0]

    cells: Iterable[tuple[int, int]] = zip(places[nearly].tolist(), kths[nearly].tolist(), strict=True)
    return [place for place, _ in sorted(cells, key=exact)]
