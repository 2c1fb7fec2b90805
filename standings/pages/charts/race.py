"""Geometry of the points race: a line for each player, names at the right edge that do not touch."""

from collections.abc import Sequence
from typing import NamedTuple

from league.formats import number
from league.formats import points as points_in_words
from standings.players.axes import round_levels
from standings.players.labels import shortened, text_width
from standings.points.race import Race

MOST_POINTS = 30  # of a line, so that the page stays small
LEFT, TOP, BOTTOM, LINE = 34.0, 12.0, 276.0, 14.0
MOST_NAMES = 0.45  # of the width
BESIDE = 14.0  # between a line's end and its name, and behind the name
MOST_LEVELS = 6


class RaceCurve(NamedTuple):
    player_id: int
    name: str
    points: str
    end_x: float
    end_y: float
    label: str
    label_y: float


class RaceChart(NamedTuple):
    width: int
    grid: list[tuple[float, str]]  # heights and values
    right: float
    curves: list[RaceCurve]


def race_chart(race: Race, width: int) -> RaceChart:
    """Draw the totals after each event."""
    labels = [points_in_words(line.totals[-1]) for line in race.lines]
    values = [[float(total) for total in line.totals] for line in race.lines]
    low, high = min(0.0, *map(min, values)), max(1.0, *map(max, values))
    levels = [(float(level), number(level)) for level in round_levels(low, high, most=MOST_LEVELS)]
    return _chart(race, values, labels, levels, width)


def position_race_chart(race: Race, width: int) -> RaceChart:
    """Draw the positions among these players after each event, the first on top."""
    labels = [str(line[-1]) for line in race.positions]
    values = [[-float(position) for position in line] for line in race.positions]
    lowest = len(race.lines)
    levels = [(-float(position), str(position)) for position in sorted({1, (lowest + 1) // 2, lowest})]
    return _chart(race, values, labels, levels, width)


def _chart(
    race: Race,
    values: Sequence[Sequence[float]],
    labels: Sequence[str],
    levels: Sequence[tuple[float, str]],
    width: int,
) -> RaceChart:
    """Draw a line of values for each player; the levels go from the lowest to the highest value or back."""
    names = [f"{label} {line.name}" for line, label in zip(race.lines, labels, strict=True)]
    room = min(max(map(text_width, names)) + BESIDE, MOST_NAMES * width)
    right = width - room
    low, high = min(level for level, _text in levels), max(level for level, _text in levels)
    span = high - low or 1.0  # 0 of the position of one player

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / span * (BOTTOM - TOP), 1)

    last = race.n_events - 1
    n_points = min(race.n_events, MOST_POINTS)
    drawn = [round(last * i / (n_points - 1)) for i in range(n_points)]
    xs = [round(LEFT + i / last * (right - LEFT), 1) for i in drawn]
    curves, free = [], TOP - LINE
    for line, own, name in zip(race.lines, values, names, strict=True):
        end = y(own[-1])
        free = max(end, free + LINE)
        points = " ".join(f"{x},{y(own[i])}" for x, i in zip(xs, drawn, strict=True))
        shown = shortened(name, room - BESIDE)
        curves.append(RaceCurve(line.player_id, line.name, points, right, end, shown, round(free + 4, 1)))
    # Names that were moved below the edge move up again, so that all of them are in the picture.
    edge = BOTTOM + 8
    for i in range(len(curves) - 1, -1, -1):
        curves[i] = curves[i]._replace(label_y=round(min(curves[i].label_y, edge), 1))
        edge = curves[i].label_y - LINE
    return RaceChart(width, [(y(level), text) for level, text in levels], right, curves)
