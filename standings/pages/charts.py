"""Geometry of the charts: numbers in, coordinates out; the templates draw them as SVG."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, floor
from typing import NamedTuple
from unicodedata import east_asian_width

from ratings.engine.tier import TierParams, badge_bounds
from standings.queries import RatedEvent

SPARK_WIDTH, SPARK_HEIGHT, SPARK_PAD = 68.0, 20.0, 4.0
SPARK_SPAN = 340.0  # points of rate, the same in every row so that shapes compare
LEFT, RIGHT, TOP, BOTTOM = 34, 28, 12.0, 276.0
TENTHS = 10
WIDE_LETTER, LETTER, LABEL_GAP = 11.0, 6.6, 8.0  # widths in a label at 11 px, rounded up
LEAST_LETTERS = 3  # a name cut to fewer is left out
Scale = Callable[[float], float]


class Spark(NamedTuple):
    """A line as the points of an SVG polyline, and its last point."""

    line: str
    x: str
    y: str


def spark(rates: Sequence[float]) -> Spark:
    """A line through the last rates, with a dot at its end. Fast, since every row of a leaderboard has one."""
    low, high = min(rates), max(rates)
    scale = (SPARK_HEIGHT - 3) / max(SPARK_SPAN, high - low)
    zero = SPARK_HEIGHT / 2 + (low + high) / 2 * scale
    xs, ys = _spark_columns(len(rates)), ["%.1f" % (zero - value * scale) for value in rates]
    return Spark(" ".join([f"{x},{y}" for x, y in zip(xs, ys, strict=True)]), xs[-1], ys[-1])


@cache
def _spark_columns(n: int) -> tuple[str, ...]:
    step = (SPARK_WIDTH - 2 * SPARK_PAD) / max(1, n - 1)
    return tuple(f"{SPARK_PAD + i * step:.1f}" for i in range(n))


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
        last_label=f"{history[-1].rate:.0f}",
        seasons=_season_marks(
            [
                (round(x - step / 2, 1), row.event.season.name)
                for i, (x, row) in enumerate(zip(xs, history, strict=True))
                if i == 0 or row.event.season_id != history[i - 1].event.season_id
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


def text_width(text: str) -> float:
    """The estimated width of a label, in units of the drawing."""
    return sum(WIDE_LETTER if east_asian_width(letter) in "WF" else LETTER for letter in text)


def shortened(text: str, room: float) -> str:
    """The text if there is room for it, else its beginning, else nothing."""
    if text_width(text) <= room:
        return text
    letters = max(i for i in range(len(text)) if i == 0 or text_width(text[:i] + "…") <= room)
    return text[:letters].rstrip() + "…" if letters >= LEAST_LETTERS else ""


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


@dataclass(frozen=True)
class Bar:
    x: float
    y: float
    height: float
    count: int
    width: float
    label: str = ""
    family: str = ""

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def label_y(self) -> float:
        return round(self.y - 5, 1)


@dataclass(frozen=True)
class Histogram:
    bars: list[Bar]
    average_y: float


def place_histogram(history: Sequence[RatedEvent]) -> Histogram:
    """Events by tenth of the field, best first."""
    counts = [0] * TENTHS
    for row in history:
        counts[min(TENTHS - 1, int((row.place - 1) / row.n_entries * TENTHS))] += 1
    scale = 102 / max(1, *counts)
    bars = [
        Bar(6 + 33 * i, round(124 - n * scale, 1), round(n * scale, 1), n, 28) for i, n in enumerate(counts)
    ]
    return Histogram(bars, round(124 - len(history) / TENTHS * scale, 1))


def badge_histogram(badges: Sequence[tuple[str, int]]) -> list[Bar]:
    """Players by badge, from C3 to S; nothing while all are in placement."""
    most = max(n for _name, n in badges)
    if not most:
        return []
    scale = 74 / most
    return [
        Bar(
            round(2 + 25.4 * i, 1),
            round(100 - n * scale, 1),
            round(n * scale, 1),
            n,
            21,
            name,
            name[0].lower(),
        )
        for i, (name, n) in enumerate(badges)
    ]
