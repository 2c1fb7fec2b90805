"""Geometry of the waterfall chart of a rate change: numbers in, coordinates out, for a wide and a narrow chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor

from league import formats


@dataclass(frozen=True)
class Size:
    """Sizes of a drawing: labels stand beside the bars, or on phones above them."""

    width: int
    left: int  # of the bars
    right: int
    label_x: int
    row: int
    label_dy: int
    bar_dy: int
    most_ticks: int


SIZES = {
    "wide": Size(720, 213, 666, label_x=0, row=38, label_dy=23, bar_dy=9, most_ticks=9),
    "narrow": Size(340, 8, 286, label_x=8, row=46, label_dy=14, bar_dy=20, most_ticks=6),
}
BAR = 20
AXIS = 26  # height of the ticks' labels
NICE = (1, 2, 5)
LEAST_SPAN = 8.0  # points of rate
LEAST_WIDTH = 0.5
LETTER = 7.5  # width of a digit
AIR = 3.0  # around a value
VALUE_HEIGHT = 12.0
END, GAIN, LOSS, NOTHING = "end", "up", "dn", "none"


@dataclass(frozen=True)
class Bar:
    """A row: its name, the bar, the value beside it, and the line from the row above."""

    name: str
    value: str
    kind: str
    x: float
    width: float
    y: float
    height: float
    label_y: int
    value_x: float
    value_y: float
    connector: tuple[float, float, float] | None  # x, from y, to y

    @property
    def value_end(self) -> float:
        return self.value_x + LETTER * len(self.value)


@dataclass(frozen=True)
class Waterfall:
    size: str
    width: int
    height: int
    label_x: int
    bars: list[Bar]
    ticks: list[tuple[float, str]]
    edges: list[tuple[float, str, str]]  # x, badge and where it begins

    @property
    def bottom(self) -> int:
        return self.height - AXIS

    @property
    def edge_lines(self) -> list[tuple[float, float, float]]:
        """Dashed lines (x, from y, to y) where badges begin, interrupted where they would cross a value."""
        return [(x, *part) for x, _letters, _bound in self.edges for part in self._free(x)]

    def _free(self, x: float) -> list[tuple[float, float]]:
        crossed = [bar for bar in self.bars if bar.value_x - AIR <= x <= bar.value_end + AIR]
        tops = [bar.value_y - VALUE_HEIGHT for bar in crossed]
        bottoms = [bar.value_y + AIR for bar in crossed]
        return list(zip([0.0, *bottoms], [*tops, float(self.bottom)], strict=True))

    @property
    def tick_y(self) -> int:
        return self.height - 8


class _Scale:
    """A scale from rating points to x: round numbers at both ends, some air left of the lowest level."""

    def __init__(self, size: Size, levels: Sequence[float]) -> None:
        self.size = size
        least, most = min(levels), max(levels)
        air = max((most - least) / 12, (LEAST_SPAN - (most - least)) / 2)
        self.step = _nice_step((most - least + 2 * air) / (size.most_ticks - 2))
        self.low = floor((least - air) / self.step) * self.step
        self.high = ceil(most / self.step) * self.step

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(self.size.left + share * (self.size.right - self.size.left), 1)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        return [(self.x(value), str(value)) for value in range(self.low, self.high + 1, self.step)]


def _nice_step(at_least: float) -> int:
    """Find the first of 1, 2, 5, 10, 20, ... that is not below `at_least`."""
    power = 1
    while True:
        for digit in NICE:
            if digit * power >= at_least:
                return digit * power
        power *= 10


def waterfall(
    rate_from: float,
    steps: Sequence[tuple[str, float]],
    ends: tuple[str, str],
    badges: Sequence[tuple[str, float]],
    *,
    size: str,
) -> Waterfall:
    """Draw the chart of a rate and its steps (name, change); `ends` name the first and last bar."""
    dimensions = SIZES[size]
    levels = [rate_from, *(rate_from + by for by in accumulate(by for _name, by in steps))]
    scale = _Scale(dimensions, levels)
    bars = [_end_bar(0, scale, ends[0], rate_from)]
    bars += [_step_bar(i + 1, scale, name, levels[i], by) for i, (name, by) in enumerate(steps)]
    bars.append(_end_bar(len(bars), scale, ends[1], levels[-1]))
    return Waterfall(
        size=size,
        width=dimensions.width,
        height=len(bars) * dimensions.row + AXIS,
        label_x=dimensions.label_x,
        bars=bars,
        ticks=scale.ticks,
        edges=[
            (scale.x(bound), letters, formats.points(bound))
            for letters, bound in reversed(badges)
            if scale.low < bound < scale.high
        ],
    )


def _end_bar(i: int, scale: _Scale, name: str, level: float) -> Bar:
    value = formats.number(level, 1)
    return _bar(i, scale.size, name, value, END, scale.size.left, scale.x(level), connector=None)


def _step_bar(i: int, scale: _Scale, name: str, level: float, by: float) -> Bar:
    value = formats.signed(by, 1)
    kind = LOSS if value.startswith(formats.MINUS) else GAIN if value.startswith("+") else NOTHING
    before, after = scale.x(level), scale.x(level + by)
    top = scale.size.bar_dy + BAR + scale.size.row * (i - 1)
    left, right = min(before, after), max(before, after)
    return _bar(i, scale.size, name, value, kind, left, right, connector=(before, top, top + scale.size.row))


def _bar(
    i: int,
    size: Size,
    name: str,
    value: str,
    kind: str,
    left: float,
    right: float,
    *,
    connector: tuple[float, float, float] | None,
) -> Bar:
    top = i * size.row
    inset = 1 if kind == LOSS else 0  # half of its stroke
    return Bar(
        name=name,
        value=value,
        kind=kind,
        x=left + inset,
        width=round(max(right - left - 2 * inset, LEAST_WIDTH), 1),
        y=top + size.bar_dy + inset,
        height=BAR - 2 * inset,
        label_y=top + size.label_dy,
        value_x=round(right + 6, 1),
        value_y=top + size.bar_dy + 15,
        connector=connector,
    )
