"""Geometry of the laboratory's charts: figures in, coordinates out; the templates draw them as SVG."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from lab.engine.seasons.figures import Share

NARROW, WIDE = ("narrow", 340, 130), ("wide", 720, 220)  # size, width, room for names
HALF = ("narrow", 340), ("wide", 520)
ROW, TOP, FOOT = 30, 20, 22
LEFT, RIGHT = 36, 14
N_STYLES = 4  # of lines, .l0 to .l3
MOST_TICKS = 8


@dataclass(frozen=True)
class Tick:
    at: float
    label: str

    @property
    def text_y(self) -> float:
        """The label's y, for a tick of a vertical axis."""
        return round(self.at + 4, 1)


@dataclass(frozen=True)
class IntervalRow:
    """A share as a dot with its interval as a bar."""

    name: str
    y: int
    low: float
    high: float
    at: float
    label: str

    @property
    def text_y(self) -> int:
        return self.y + 4

    @property
    def label_x(self) -> float:
        return round(self.high + 6, 1)


@dataclass(frozen=True)
class IntervalChart:
    size: str
    width: int
    height: int
    bottom: int
    rows: list[IntervalRow]
    ticks: list[Tick]
    reference: float


def interval_charts(
    named: Sequence[tuple[str, Share]], reference: float, *, least: float = 0.0, decimals: int = 0
) -> list[IntervalChart]:
    """Draw shares one below the other, beside a reference, for narrow and wide pages; the axis begins at `least`."""
    return [_interval_chart(named, reference, least, decimals, *size) for size in (NARROW, WIDE)]


def _interval_chart(
    named: Sequence[tuple[str, Share]],
    reference: float,
    least: float,
    decimals: int,
    size: str,
    width: int,
    room: int,
) -> IntervalChart:
    span = max(reference, *(share.high for _name, share in named)) - least
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.25) if step == 0.25 or span / step <= 5)  # noqa: PLR2004
    length = ceil(span / step) * step

    def x(share: float) -> float:
        return round(room + (share - least) / length * (width - room - 40), 1)

    rows = [
        IntervalRow(
            name,
            TOP + ROW * i,
            x(share.low),
            x(share.high),
            x(share.value),
            f"{100 * share.value:.{decimals}f} %",
        )
        for i, (name, share) in enumerate(named)
    ]
    bottom = TOP + ROW * len(named) - 12
    marks = [least + step * i for i in range(round(length / step) + 1)]
    ticks = [Tick(x(mark), f"{100 * mark:.0f} %") for mark in marks]
    return IntervalChart(size, width, bottom + FOOT, bottom, rows, ticks, x(reference))


@dataclass(frozen=True)
class Line:
    points: str
    style: int
    name: str


@dataclass(frozen=True)
class LineChart:
    """Lines over nights; `in_words` says where each begins and ends."""

    size: str
    width: int
    right: int
    lines: list[Line]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    in_words: str
    height: int = 220
    bottom: int = 190


def line_charts(
    named: Sequence[tuple[str, Sequence[tuple[int, float]]]],
    y_range: tuple[float, float],
    y_labels: dict[float, str],
    say: Callable[[float], str],
) -> list[LineChart]:
    """Draw lines over nights; the first of `y_range` is at the bottom, and `say` writes a value."""
    nights = sorted({night for _name, points in named for night, _value in points})
    words = "; ".join(_line_in_words(name, points, say) for name, points in named if points)
    return [_line_chart(named, y_range, y_labels, nights, words, *size) for size in HALF] if nights else []


def _line_in_words(name: str, points: Sequence[tuple[int, float]], say: Callable[[float], str]) -> str:
    (first, begin), (last, end) = points[0], points[-1]
    return _("%(name)s: from %(begin)s to %(end)s (nights %(first)s to %(last)s)") % {
        "name": name,
        "begin": say(begin),
        "first": first,
        "end": say(end),
        "last": last,
    }


def _line_chart(
    named: Sequence[tuple[str, Sequence[tuple[int, float]]]],
    y_range: tuple[float, float],
    y_labels: dict[float, str],
    nights: list[int],
    words: str,
    size: str,
    width: int,
) -> LineChart:
    low, high = y_range
    span = max(1, nights[-1] - nights[0])

    def x(night: int) -> float:
        return round(LEFT + (night - nights[0]) / span * (width - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(190 - (value - low) / (high - low) * 178, 1)

    every = max(1, ceil(len(nights) / MOST_TICKS))
    lines = [
        Line(" ".join(f"{x(night)},{y(value)}" for night, value in points), i % N_STYLES, name)
        for i, (name, points) in enumerate(named)
    ]
    x_ticks = [Tick(x(night), str(night)) for night in nights[::every]]
    y_ticks = [Tick(y(value), label) for value, label in y_labels.items()]
    return LineChart(size, width, width - RIGHT, lines, x_ticks, y_ticks, words)
