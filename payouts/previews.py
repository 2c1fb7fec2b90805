"""Points by field size, seat tables and plots of shares, for the pages about points."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from payouts.engine.structures.structure import PointsStructure
from payouts.sentences import LABELS

SIZES = range(5, 101)
N_PLACES = 10  # places with a column of their own
N_PLOTTED = 10
PLOTTED_SIZE = 30
USUAL = ("vp_kid", "inverse", "soft_top", "linear", "sqrt")
LEFT, TOP, LABEL_GAP = 34, 10.0, 13.0
HEIGHT, BOTTOM = 260, 232.0
# Name, width, and how much of the width the labels at the right take.
WIDTHS = (("wide", 640, 132), ("narrow", 340, 104))


@dataclass(frozen=True)
class SizeRow:
    """Points in a field: those of the first places, the number of further places with points, and the sum."""

    size: int
    points: list[Fraction | None]  # None where the field has no such place
    n_more: int
    total: Fraction


def points_by_size(structure: PointsStructure, sizes: Sequence[int] = SIZES) -> list[SizeRow]:
    return [_size_row(size, structure.points(size)) for size in sizes]


def _size_row(size: int, points: list[Fraction]) -> SizeRow:
    first_places: list[Fraction | None] = [*points[:N_PLACES]]
    first_places += [None] * (N_PLACES - len(first_places))
    n_more = sum(value > 0 for value in points[N_PLACES:])
    return SizeRow(size, first_places, n_more, sum(points, Fraction(0)))


@dataclass(frozen=True)
class SeatTable:
    """Seat numbers of each place with seats."""

    n_seats: int
    by_place: list[tuple[int, list[int]]]


def seat_table(structure: PointsStructure, n_seats: int) -> SeatTable:
    rows = structure.seat_table(n_seats)
    grouped = groupby(rows, key=lambda row: row.place)
    return SeatTable(n_seats, [(place, [row.seat for row in of_place]) for place, of_place in grouped])


@dataclass(frozen=True)
class PointsTable:
    """Points of each place for several field sizes, None where a field has no such place."""

    sizes: list[int]
    rows: list[tuple[int, list[Fraction | None]]]  # place and its points


def points_table(structure: PointsStructure, sizes: Sequence[int], *, most: int | None = None) -> PointsTable:
    """Compute points by place down to the last place with points, at most `most` places."""
    columns = [structure.points(size) for size in sizes]
    last = max((place for points in columns for place, value in enumerate(points, 1) if value), default=0)
    n_rows = min(last, most) if most else last
    rows = [
        (place, [points[place - 1] if place <= len(points) else None for points in columns])
        for place in range(1, n_rows + 1)
    ]
    return PointsTable(list(sizes), rows)


@dataclass(frozen=True)
class Line:
    name: str
    points: str
    label_y: float
    style: str  # "own", or the dashes of a usual structure


@dataclass(frozen=True)
class SharePlot:
    """Plot of the shares of places, of this structure and the usual ones."""

    size: str
    width: int
    right: int
    lines: list[Line]
    ticks: list[tuple[float, str]]
    places: list[tuple[float, int]]

    @property
    def label_x(self) -> int:
        return self.right + 8


def share_plots(structure: PointsStructure) -> list[SharePlot]:
    """Draw the plot for wide and for narrow pages."""
    usual = [PointsStructure(name) for name in USUAL if name != structure.name]
    shares = [(str(LABELS[each.name]), _shares(each)) for each in [*usual, structure]]
    return [_plot(size, width, width - label_width, shares) for size, width, label_width in WIDTHS]


def _shares(structure: PointsStructure) -> list[float]:
    """Compute the first places' shares of all votes, or of a formula's points, in a field of `PLOTTED_SIZE`."""
    if structure.is_dhondt:
        weights = [float(vote) for vote in structure.votes_by_place(PLOTTED_SIZE)]
    else:
        weights = [float(value) for value in structure.points(PLOTTED_SIZE)]
    total = sum(weights)
    return [weight / total if total else 0.0 for weight in weights[:N_PLOTTED]]


def _plot(size: str, width: int, right: int, shares: Sequence[tuple[str, list[float]]]) -> SharePlot:
    highest = max(0.05, *(max(values) for _name, values in shares))
    step = next(step for step in (0.05, 0.1, 0.2, 0.25) if highest / step <= 5)  # noqa: PLR2004  few ticks

    def x(place: int) -> float:
        return round(LEFT + 8 + (right - LEFT - 8) * (place - 1) / (N_PLOTTED - 1), 1)

    def y(share: float) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * share / highest, 1)

    labels = _spread([y(values[-1]) for _name, values in shares])
    own = len(shares) - 1
    lines = [
        Line(
            name,
            " ".join(f"{x(place)},{y(share)}" for place, share in enumerate(values, start=1)),
            label_y,
            "own" if i == own else f"dash{i}",
        )
        for i, ((name, values), label_y) in enumerate(zip(shares, labels, strict=True))
    ]
    ticks = [(y(step * i), f"{100 * step * i:.0f} %") for i in range(int(highest / step) + 1)]
    return SharePlot(
        size, width, right, lines, ticks, [(x(place), place) for place in range(1, N_PLOTTED + 1)]
    )


def _spread(heights: Sequence[float]) -> list[float]:
    """Move labels up from their heights until none overlaps another or the axis."""
    order = sorted(range(len(heights)), key=lambda i: heights[i], reverse=True)
    placed = [0.0] * len(heights)
    lowest = BOTTOM
    for i in order:
        placed[i] = round(min(heights[i], lowest), 1)
        lowest = placed[i] - LABEL_GAP
    return placed
