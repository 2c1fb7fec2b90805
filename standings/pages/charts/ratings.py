"""Geometry of the charts: numbers in, coordinates out; the templates draw them as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

SPARK_WIDTH, SPARK_HEIGHT, SPARK_PAD = 68.0, 20.0, 4.0
SPARK_SPAN = 340.0  # points of rate, the same in every row so that shapes compare


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
