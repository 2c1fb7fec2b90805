"""Geometry of the small charts of a player's record: the mean place on its axis, places by seat, the last games."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.formats import finish
from standings.games.figures import GameFigures
from standings.games.queries import PlayedGame

LEFT, RIGHT = 12.0, 228.0
ROOM = 0.15  # of the values' width, free at both ends
LABEL_LEFT, LABEL_RIGHT = 36.0, 204.0  # between which a centred label is whole
BAR_WIDTH, BAR_GAP = 96.0, 1.0
N_GAMES = 12
STEP, HALF, MIDDLE = 28, 30.0, 40.0
LEAST_SCALE = 1.5  # places; smaller differences do not fill the chart


@dataclass(frozen=True)
class PlaceBand:
    """The mean place among the places that ratings and chance alone expect, as x coordinates."""

    now: float
    expected: float
    even: float
    low: float | None
    width: float | None

    @property
    def expected_label(self) -> float:
        return within_labels(self.expected)

    @property
    def even_label(self) -> float:
        return within_labels(self.even)


def within_labels(x: float) -> float:
    return min(max(x, LABEL_LEFT), LABEL_RIGHT)


def place_band(figures: GameFigures) -> PlaceBand:
    place = figures.place
    within = place.within or 0.0
    values = [place.value - within, place.value + within, figures.expected_place, figures.average_place]
    spread = max(values) - min(values) or 1.0
    least, most = min(values) - ROOM * spread, max(values) + ROOM * spread

    def x(value: float) -> float:
        return round(LEFT + (value - least) / (most - least) * (RIGHT - LEFT), 1)

    has_interval = place.within is not None
    return PlaceBand(
        now=x(place.value),
        expected=x(figures.expected_place),
        even=x(figures.average_place),
        low=x(place.value - within) if has_interval else None,
        width=round(x(place.value + within) - x(place.value - within), 1) if has_interval else None,
    )


def share_bar(counts: Sequence[int]) -> list[tuple[float, float]]:
    """Divide a bar by how often each place was reached: x and width of each part."""
    n = sum(counts)
    parts, x = [], 0.0
    for count in counts:
        width = count / n * BAR_WIDTH
        parts.append((round(x, 1), round(max(width - BAR_GAP, 0.0), 1)))
        x += width
    return parts


@dataclass(frozen=True)
class Deviation:
    """A bar of one game: up from the line if the place was better than expected, else down."""

    x: int
    y: float
    height: float
    is_better: bool
    label: str

    @property
    def middle(self) -> int:
        return self.x + 8


def deviations(games: Sequence[PlayedGame]) -> list[Deviation]:
    """Draw the last games as places better or worse than expected."""
    last = games[-N_GAMES:]
    better = [game.expected_place - game.place for game in last]
    scale = HALF / max(LEAST_SCALE, *map(abs, better))
    return [
        Deviation(
            x=6 + STEP * i,
            y=round(MIDDLE - value * scale if value > 0 else MIDDLE, 1),
            height=round(abs(value) * scale, 1),
            is_better=value > 0,
            label=finish(game.place),
        )
        for i, (game, value) in enumerate(zip(last, better, strict=True))
    ]
