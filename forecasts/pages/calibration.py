"""The calibration plot: how likely the favourite was said to be ahead, and how often it was."""

from collections.abc import Sequence
from typing import NamedTuple

from league.vocabulary import gettext as _

LEFT, RIGHT, TOP = 30.0, 14.0, 28.0
SIZES = (("narrow", 336, 280.0), ("wide", 520, 360.0))  # name, width, bottom
FIRST, LAST = 50, 100  # per cent said
TWO = 2.0  # whiskers are so many standard errors


class Tick(NamedTuple):
    at: float
    label: int
    text_y: float = 0.0


class Dot(NamedTuple):
    x: float
    y: float
    top: float
    bottom: float


class CalibrationPlot(NamedTuple):
    name: str
    width: int
    height: float
    right: float
    bottom: float
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    dots: list[Dot]
    diagonal: tuple[float, float]  # y at FIRST and LAST

    @property
    def line(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)


def calibration_plots(bins: Sequence[Sequence[float | None]]) -> list[CalibrationPlot]:
    """Draw the plot for narrow and wide screens; `bins` are said, was, standard error and number."""
    return [_plot(name, width, bottom, bins) for name, width, bottom in SIZES] if bins else []


def _plot(name: str, width: int, bottom: float, bins: Sequence[Sequence[float | None]]) -> CalibrationPlot:
    rows = [
        (100.0 * (said or 0.0), 100.0 * (was or 0.0), 100.0 * (error or 0.0)) for said, was, error, _n in bins
    ]
    least = min([40.0, *(max(was - TWO * error, 0.0) for _said, was, error in rows)])
    low, right = int(least // 10) * 10, width - RIGHT

    def x(said: float) -> float:
        return round(LEFT + (said - FIRST) / (LAST - FIRST) * (right - LEFT), 1)

    def y(was: float) -> float:
        return round(bottom - (min(max(was, low), LAST) - low) / (LAST - low) * (bottom - TOP), 1)

    dots = [Dot(x(said), y(was), y(was + TWO * error), y(was - TWO * error)) for said, was, error in rows]
    x_ticks = [Tick(x(value), value) for value in range(FIRST, LAST + 1, 10)]
    y_ticks = [Tick(y(value), value, y(value) + 4) for value in range(low, LAST + 1, 10)]
    return CalibrationPlot(
        name, width, bottom + 40, right, bottom, x_ticks, y_ticks, dots, (y(FIRST), y(LAST))
    )


def shape_in_words(bins: Sequence[Sequence[float | None]]) -> str:
    """Say what the plot shows: each dot in per cent."""
    pairs = [(round(100 * (said or 0.0)), round(100 * (was or 0.0))) for said, was, _error, _n in bins]
    return "; ".join(_("said %(said)d, was %(was)d") % {"said": said, "was": was} for said, was in pairs)
