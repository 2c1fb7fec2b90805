"""The curve of a player's rate as coordinates of an SVG: up to 59 events over the badges, longer ones over years."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor
from operator import attrgetter
from typing import NamedTuple, TypeVar

from django.utils import timezone

from league import formats
from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams
from standings.players.axes import round_levels
from standings.players.history import RatedEvent
from standings.players.labels import shortened

LEFT, RIGHT, TOP, BOTTOM = 34, 28, 12.0, 276.0
LABEL_GAP = 8.0
LONG_FROM = 60  # events, from which dots and bands would cover the line
LONG_LEFT, LONG_RIGHT = 38, 34
LINE_STEP, RIBBON_STEP = 1.0, 5.0  # px between points of the long line and of its ribbon
YEAR_ROOM = 44.0  # px for the label of a year
MOST_LEVELS = 6
PEAK_ROOM = 60.0  # px that the labels of the peak and of the last value need between them
Scale = Callable[[float], float]
rate_of = attrgetter("rate")


@dataclass(frozen=True)
class Band:
    """A badge's share of the height, with its lower threshold."""

    family: str
    name: str
    y: float
    height: float
    threshold: int | None

    @property
    def bottom_label(self) -> float:
        return round(self.y + self.height + 4, 1)

    @property
    def middle_label(self) -> float:
        return round(self.y + self.height / 2 + 4, 1)


@dataclass(frozen=True)
class Dot:
    x: float
    y: float
    won: bool


@dataclass(frozen=True)
class SeasonMark:
    """Where a season begins, its name, and a label with as much of it as there is room for."""

    x: float
    name: str
    label: str


@dataclass(frozen=True)
class RatingCurve:
    width: int
    inner_width: float
    right: int
    bands: list[Band]
    ribbon: str
    line: str
    dots: list[Dot]
    last: Dot
    last_label: str
    seasons: list[SeasonMark]

    @property
    def last_label_y(self) -> float:
        """The label's y: above the last point, or below it where the line comes down to it."""
        comes_down = len(self.dots) > 1 and self.dots[-2].y < self.last.y
        return round(self.last.y + (19 if comes_down else -9), 1)


def rating_curve(history: Sequence[RatedEvent], params: TierParams, width: int) -> RatingCurve:
    """Rate after each event over the badge bands, with half of sigma above and below."""
    lows = [row.rate - row.sigma / 2 for row in history]
    highs = [row.rate + row.sigma / 2 for row in history]
    low, high = floor(min(lows) / 100) * 100, ceil(max(highs) / 100) * 100

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    right = width - RIGHT
    step = (right - LEFT) / len(history)
    xs = [round(LEFT + (i + 0.5) * step, 1) for i in range(len(history))]
    dots = [Dot(x, y(row.rate), row.place == 1) for x, row in zip(xs, history, strict=True)]
    upper = [f"{x},{y(value)}" for x, value in zip(xs, highs, strict=True)]
    lower = [f"{x},{y(value)}" for x, value in zip(xs, lows, strict=True)]
    return RatingCurve(
        width=width,
        inner_width=right - LEFT,
        right=right,
        bands=_bands(low, high, y, params),
        ribbon=" ".join([*upper, *reversed(lower)]),
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        last=dots[-1],
        last_label=formats.whole_rate(history[-1].rate),
        seasons=_season_marks(
            [
                (round(x - step / 2, 1), row.season)
                for i, (x, row) in enumerate(zip(xs, history, strict=True))
                if i == 0 or row.season_id != history[i - 1].season_id
            ],
            width,
        ),
    )


def _season_marks(begins: Sequence[tuple[float, str]], width: int) -> list[SeasonMark]:
    """Marks of the seasons: each label ends before the next mark, the last one before the right edge."""
    ends = [x - LABEL_GAP for x, _name in begins[1:]] + [float(width)]
    return [
        SeasonMark(x, name, shortened(name, end - x)) for (x, name), end in zip(begins, ends, strict=True)
    ]


def _bands(low: float, high: float, y: Scale, params: TierParams) -> list[Band]:
    bands = []
    upper = float(high)
    for name, bound in badge_bounds(params):
        bottom = max(float(bound), float(low)) if bound > float("-inf") else float(low)
        if bottom < upper <= high and bottom < high:
            threshold = int(bound) if low < bound < high else None
            bands.append(Band(name[0].lower(), name, y(upper), round(y(bottom) - y(upper), 1), threshold))
        upper = min(upper, max(bottom, float(low)))
    return bands


class Mark(NamedTuple):
    """A tick of an axis with its label, or a point with its label."""

    x: float
    y: float
    label: str

    @property
    def text_y(self) -> float:
        return round(self.y + 4, 1)


class Family(NamedTuple):
    """The part of the scale that belongs to the badges of one letter."""

    letter: str
    y: float
    height: float

    @property
    def css(self) -> str:
        return self.letter.lower()

    @property
    def text_y(self) -> float:
        return round(self.y + self.height / 2 + 4, 1)


class LongCurve(NamedTuple):
    width: int
    right: int
    spine: int
    levels: list[Mark]
    years: list[Mark]
    families: list[Family]
    ribbon: str
    line: str
    wins: str  # a path of strokes
    last: Mark
    peak: Mark | None  # None where the last value is the highest, or its label would cover the last one's


def long_curve(history: Sequence[RatedEvent], params: TierParams, width: int) -> LongCurve:
    """The rate over time, without dots and bands; wins are strokes below the axis."""
    lowest_shown = min(row.rate - row.sigma / 2 for row in history)
    highest_shown = max(row.rate + row.sigma / 2 for row in history)
    levels = round_levels(lowest_shown, highest_shown, most=MOST_LEVELS)
    low, high = levels[0], levels[-1]
    right = width - LONG_RIGHT
    begin, end = history[0].starts_at, history[-1].starts_at
    seconds = max((end - begin).total_seconds(), 1.0)

    def x(at: datetime) -> float:
        return round(LONG_LEFT + (at - begin).total_seconds() / seconds * (right - LONG_LEFT), 1)

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    points = [(x(row.starts_at), row) for row in history]
    band = thinned(points, RIBBON_STEP, rate_of)
    upper = [f"{at},{y(row.rate + row.sigma / 2)}" for at, row in band]
    lower = [f"{at},{y(row.rate - row.sigma / 2)}" for at, row in band]
    highest = max(reversed(history), key=lambda row: row.rate)
    last = Mark(points[-1][0], y(history[-1].rate), formats.whole_rate(history[-1].rate))
    peak = Mark(x(highest.starts_at), y(highest.rate), formats.whole_rate(highest.rate))
    is_apart = right - peak.x >= PEAK_ROOM or abs(peak.y - last.y) >= LABEL_GAP * 2
    return LongCurve(
        width=width,
        right=right,
        spine=right + 8,
        levels=[Mark(LONG_LEFT, y(level), str(level)) for level in levels],
        years=time_marks(begin, end, x, LONG_LEFT, right),
        families=_families(low, high, y, params),
        ribbon=" ".join([*upper, *reversed(lower)]),
        line=" ".join(f"{at},{y(row.rate)}" for at, row in thinned(points, LINE_STEP, rate_of)),
        wins="".join(f"M{at},{BOTTOM + 3:.0f}v8" for at, row in points if row.place == 1),
        last=last,
        peak=peak if highest is not history[-1] and is_apart else None,
    )


Row = TypeVar("Row")


def thinned(
    points: Sequence[tuple[float, Row]], step: float, value: Callable[[Row], float]
) -> list[tuple[float, Row]]:
    """Leave out points closer than `step` to the one before, but neither end, nor the highest and the lowest value."""
    values = [value(row) for _x, row in points]
    kept = {0, len(points) - 1, values.index(max(values)), values.index(min(values))}
    found: list[tuple[float, Row]] = []
    for i, point in enumerate(points):
        if i in kept or point[0] - found[-1][0] >= step:
            found.append(point)
    return found


def time_marks(
    begin: datetime, end: datetime, x: Callable[[datetime], float], left: float, right: float
) -> list[Mark]:
    """The beginnings of years, as many as have room for their labels; of a shorter time its ends."""
    first, last = timezone.localtime(begin), timezone.localtime(end)
    starts = [datetime(year, 1, 1, tzinfo=first.tzinfo) for year in range(first.year + 1, last.year + 1)]
    if not starts:
        label = "%Y-%m" if (first.year, first.month) != (last.year, last.month) else "%Y-%m-%d"
        return [Mark(at, BOTTOM, f"{moment:{label}}") for at, moment in ((left, first), (right, last))]
    stride = max(1, ceil(len(starts) * YEAR_ROOM / (right - left)))
    return [Mark(x(start), BOTTOM, str(start.year)) for start in starts[::-1][::stride][::-1]]


def _families(low: float, high: float, y: Scale, params: TierParams) -> list[Family]:
    """The letters of the badges from the best on, as far as the scale reaches."""
    families, upper = [], float(high)
    bounds: dict[str, float] = {name[0]: bound for name, bound in badge_bounds(params)}
    for letter, bound in bounds.items():
        bottom = max(bound, float(low))
        if bottom < upper:
            families.append(Family(letter, y(upper), round(y(bottom) - y(upper), 1)))
            upper = bottom
    return families
