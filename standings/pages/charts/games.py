"""Geometry of the chart of a player's games: R over the band of luck."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from league.formats import whole_rate
from standings.games.figures import GameFigures
from standings.games.queries import PlayedGame
from standings.players.axes import round_levels

LEFT, RIGHT, TOP, BOTTOM = 38, 50, 12.0, 230.0
HEIGHT = 260
SIZES = {"wide": 520, "narrow": 340}
MOST_POINTS = 300  # of the line; a longer history is thinned out
MOST_TICKS = 150  # games won that are drawn each
MOST_LINES = 6


@dataclass(frozen=True)
class RCurve:
    size: str
    width: int
    right: int
    levels: list[tuple[float, float, int]]  # y of a line, of its label, and R
    luck: str
    luck_label_y: float
    line: str
    wins: list[float]
    last: tuple[float, float]
    last_label: str
    least: tuple[int, int]  # R, and after which game

    @property
    def last_label_y(self) -> float:
        return round(self.last[1] + 4, 1)


def r_curve(games: Sequence[PlayedGame], figures: GameFigures, r0: float, size: str) -> RCurve:
    """Draw R after each game over the band where an average player stands two times in three."""
    rates = [game.r_after for game in games]
    spreads = figures.luck.spreads
    widest = max(spreads)
    levels = round_levels(min(*rates, r0 - widest), max(*rates, r0 + widest), most=MOST_LINES)
    low, high = levels[0], levels[-1]
    width = SIZES[size]
    right = width - RIGHT

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    xs = np.linspace(LEFT, right, len(games)).round(1).tolist() if len(games) > 1 else [float(right)]
    drawn = np.unique(
        np.linspace(0, len(games) - 1, min(len(games), MOST_POINTS)).round().astype(int)
    ).tolist()
    upper = [f"{xs[i]},{y(r0 + spreads[i])}" for i in drawn]
    lower = [f"{xs[i]},{y(r0 - spreads[i])}" for i in reversed(drawn)]
    wins = [x for x, game in zip(xs, games, strict=True) if game.place == 1]
    lowest = min(range(len(rates)), key=rates.__getitem__)
    return RCurve(
        size=size,
        width=width,
        right=right,
        levels=[(y(r), y(r) + 4, r) for r in levels],
        luck=" ".join([*upper, *lower]),
        luck_label_y=_luck_label_y(y(r0 - spreads[-1]), y(r0 + spreads[-1]), is_below=rates[-1] >= r0),
        line=" ".join(f"{xs[i]},{y(rates[i])}" for i in drawn),
        wins=wins if len(wins) <= MOST_TICKS else [],
        last=(xs[-1], y(rates[-1])),
        last_label=whole_rate(rates[-1]),
        least=(floor(rates[lowest]), lowest + 1),
    )


def _luck_label_y(bottom: float, top: float, *, is_below: bool) -> float:
    """The y of the label of the band, on the side where the line does not end."""
    return round(bottom + 15 if is_below else top - 6, 1)
