"""Charts of a player's places as coordinates of an SVG: beside the expected ones, and how often each."""

from collections.abc import Sequence
from itertools import groupby
from math import ceil
from statistics import fmean
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import localtime

from league import formats
from standings.players.history import RatedEvent

LEFT, RIGHT, TOP, BOTTOM = 26, 14, 14.0, 186.0
LABELS_Y = 208.0
HALF = 7.0  # px, half of the stroke at the expected place
MOST_NIGHTS = 30  # each with a mark; of longer histories each season has one
MOST_SEASONS = 24
NIGHT_ROOM, SEASON_ROOM = 64.0, 34.0  # px for a label below the axis
MOST_LEVELS = 5
LEVEL_STEPS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500)
BASE, HIGHEST = 124.0, 102.0
BARS_LEFT, BARS_RIGHT = 6, 336
BAR_SHARE = 0.85  # of the room of a bar
TENTHS = 10


class Level(NamedTuple):
    y: float
    label: str

    @property
    def text_y(self) -> float:
        return round(self.y + 4, 1)


class Label(NamedTuple):
    x: float
    y: float
    text: str


class PlacesChart(NamedTuple):
    """Paths of strokes at the expected places, of dots at the actual ones, and of the ways between the two."""

    width: int
    right: int
    levels: list[Level]
    strokes: str
    gains: str
    losses: str
    better: str  # dots
    worse: str
    values: list[Label]  # beside the dots; none for means
    labels: list[Label]  # below the axis


class Compared(NamedTuple):
    """What a mark shows: an expected and an actual place, under a label."""

    expected: float
    place: float
    label: str


def has_nights(history: Sequence[RatedEvent]) -> bool:
    """Tell whether each event has a mark; otherwise each season has one."""
    return len(history) <= MOST_NIGHTS


def compared(history: Sequence[RatedEvent]) -> list[Compared]:
    """Pair expected and actual places, by event or by season."""
    if has_nights(history):
        return [
            Compared(row.expected, row.field_place, date_format(localtime(row.starts_at), "MONTH_DAY_FORMAT"))
            for row in history
        ]
    seasons = [list(rows) for _season, rows in groupby(history, key=lambda row: row.season_id)]
    return [
        Compared(fmean(row.expected for row in rows), fmean(row.field_place for row in rows), rows[0].season)
        for rows in seasons[-MOST_SEASONS:]
    ]


def places_chart(history: Sequence[RatedEvent], width: int) -> PlacesChart:
    """Draw expected and actual places, the first place on top."""
    pairs, right = compared(history), width - RIGHT
    lowest = ceil(max(max(pair.expected, pair.place) for pair in pairs))
    step = next(step for step in LEVEL_STEPS if lowest / step <= MOST_LEVELS or step == LEVEL_STEPS[-1])
    levels = sorted({1, *range(step, lowest + 1, step), lowest} if step > 1 else range(1, lowest + 1))
    distance = (right - LEFT) / len(pairs)
    room = NIGHT_ROOM if has_nights(history) else SEASON_ROOM
    stride = max(1, ceil(room / distance))

    def y(place: float) -> float:
        return round(TOP + (place - 1) / max(lowest - 1, 1) * (BOTTOM - TOP), 1)

    xs = [round(LEFT + (i + 0.5) * distance, 1) for i in range(len(pairs))]
    marks = list(zip(xs, pairs, strict=True))
    better = [(x, pair) for x, pair in marks if pair.place <= pair.expected]
    worse = [(x, pair) for x, pair in marks if pair.place > pair.expected]

    def ways(of: Sequence[tuple[float, Compared]]) -> str:
        return "".join(f"M{x} {y(pair.expected)}V{y(pair.place)}" for x, pair in of)

    def dots(of: Sequence[tuple[float, Compared]]) -> str:
        return "".join(f"M{x} {y(pair.place)}h0" for x, pair in of)

    has_values = has_nights(history) and distance > 2 * HALF + 16
    shown = [level for level in levels if level in {1, lowest} or lowest - level >= step / 2]
    return PlacesChart(
        width,
        right,
        [Level(y(level), str(level)) for level in shown],
        "".join(f"M{x - HALF:.1f} {y(pair.expected)}h{2 * HALF:g}" for x, pair in marks),
        ways(better),
        ways(worse),
        dots(better),
        dots(worse),
        [
            Label(round(x + HALF + 2, 1), round(y(pair.place) + 4, 1), formats.number(pair.place))
            for x, pair in marks
            if has_values
        ],
        [
            Label(x, LABELS_Y, pair.label)
            for i, (x, pair) in enumerate(marks)
            if (len(pairs) - 1 - i) % stride == 0
        ],
    )


class Bar(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    n: int
    label: str
    average_y: float  # what an average player would show

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def right(self) -> float:
        return round(self.x + self.width, 1)

    @property
    def label_y(self) -> float:
        return round(self.y - 5, 1)


class Histogram(NamedTuple):
    """How often a player was in each place, or in each tenth of larger fields."""

    is_by_place: bool
    bars: list[Bar]


def place_histogram(history: Sequence[RatedEvent]) -> Histogram:
    """Count places, or tenths of the field if one had ten players or more; the best are first."""
    largest = max(row.n_players for row in history)
    if is_by_place := largest < TENTHS:
        n_bars = largest
        counts = [sum(row.field_place == place for row in history) for place in range(1, n_bars + 1)]
        average = [
            sum(1 / row.n_players for row in history if row.n_players >= place)
            for place in range(1, n_bars + 1)
        ]
    else:
        n_bars, counts = TENTHS, [0] * TENTHS
        for row in history:
            counts[min(TENTHS - 1, int((row.field_place - 1) / row.n_players * TENTHS))] += 1
        average = [len(history) / TENTHS] * TENTHS
    scale = HIGHEST / max(1, *counts, *average)
    room = (BARS_RIGHT - BARS_LEFT) / n_bars
    return Histogram(
        is_by_place,
        [
            Bar(
                round(BARS_LEFT + room * i, 1),
                round(BASE - n * scale, 1),
                round(room * BAR_SHARE, 1),
                round(n * scale, 1),
                n,
                str(i + 1) if is_by_place else "",
                round(BASE - usual * scale, 1),
            )
            for i, (n, usual) in enumerate(zip(counts, average, strict=True))
        ],
    )
