"""Geometry of the laboratory's charts: numbers in, coordinates out; the templates draw them as SVG."""

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from lab.calculators.numbers import percent
from lab.charts import Tick
from league.formats import number

WIDE, NARROW, HALF = 720, 340, 520
LEFT, RIGHT, TOP, BOTTOM = 46.0, 12.0, 22.0, 200.0
N_TICKS = 5
GAP = 0.25  # between bars, as a share of their distance


class Bar(NamedTuple):
    """A bar, its label below and its value above."""

    x: float
    y: float
    width: float
    height: float
    label: str
    value: str
    is_highest: bool

    @property
    def middle(self) -> float:
        return round(self.x + self.width / 2, 1)

    @property
    def above(self) -> float:
        return round(self.y - 5, 1)


class BarChart(NamedTuple):
    """Bars over an axis that begins at 0, and a line at their average."""

    size: str
    width: int
    right: float
    ticks: list[Tick]
    average: float
    bars: list[Bar]


def bar_chart(
    labels: Sequence[str], values: Sequence[float], average: float, size: str, width: int
) -> BarChart:
    """Place a bar for each label; at least one value is above 0, or all are 0."""
    steps = ticks_between(0.0, max(*values, average, 1.0))
    top = max(steps[-1], *values)

    def y(value: float) -> float:
        return round(BOTTOM - value / top * (BOTTOM - TOP), 1)

    right = width - RIGHT
    distance = (right - LEFT) / len(labels)
    places = 1 if size == "wide" else 0
    bars = [
        Bar(
            round(LEFT + (i + GAP / 2) * distance, 1),
            y(value),
            round((1 - GAP) * distance, 1),
            round(BOTTOM - y(value), 1),
            label,
            number(value, places),
            value == max(values),
        )
        for i, (label, value) in enumerate(zip(labels, values, strict=True))
    ]
    ticks = [Tick(y(step), number(step, 0 if steps[1] >= 1 else 1)) for step in steps]
    return BarChart(size, width, right, ticks, y(average), bars)


class Point(NamedTuple):
    """A marked point of a curve."""

    x: float
    y: float
    label: str
    is_open: bool


class Curve(NamedTuple):
    """A line over two axes, marked points on it, and a line at one height."""

    size: str
    width: int
    right: float
    ticks: list[Tick]
    shares: list[Tick]
    line: str
    level: float | None
    points: list[Point]


def curve(
    values: Sequence[tuple[float, float]],
    marked: Sequence[tuple[str, float, float]],
    level: float | None,
    size: str,
    width: int,
) -> Curve:
    """Draw (x, y) values from x = 0 on, points (label, x, y) of which the first is open, and a level."""
    heights = [y for _x, y in values] + [y for _label, _x, y in marked]
    steps = ticks_between(min(heights), max(heights))
    low, high, last = min(steps[0], *heights), max(steps[-1], *heights), values[-1][0]
    right = width - RIGHT

    def to_x(value: float) -> float:
        return round(LEFT + value / last * (right - LEFT), 1)

    def to_y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    places = max(0, -floor(log10(steps[1] - steps[0])))
    return Curve(
        size=size,
        width=width,
        right=right,
        ticks=[Tick(to_y(step), number(step, places)) for step in steps],
        shares=[Tick(to_x(share), percent(100 * share)) for share in (0.0, last / 2, last)],
        line=" ".join(f"{to_x(x)},{to_y(y)}" for x, y in values),
        level=None if level is None else to_y(level),
        points=[Point(to_x(x), to_y(y), label, i == 0) for i, (label, x, y) in enumerate(marked)],
    )


def ticks_between(low: float, high: float) -> list[float]:
    """List about `N_TICKS` round numbers from one not above `low` to one not below `high`."""
    rough = max(high - low, 1e-9) / N_TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    return [round(i * step, 12) for i in range(floor(low / step), ceil(high / step) + 1)]
