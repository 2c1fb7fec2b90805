"""Two or three players beside each other: their rates over time, their figures, their meetings."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

from standings.players.axes import round_levels
from standings.players.curve import BOTTOM, MOST_LEVELS, TOP, Mark, rate_of, thinned, time_marks
from standings.players.labels import shortened, text_width

LEFT, LINE, BESIDE = 38, 14.0, 14.0  # px: the axis, a line of text, the free room beside a name
MOST_NAMES = 0.4  # of the width
STEP = 2.0  # px between the points of a line
STYLES = ("one", "two", "three")  # classes of the lines: whole, dashed, dotted
COUNT_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_COUNTS = 6  # labels of an axis of events


class Result(NamedTuple):
    """An event of a comparison: the place among the players, the one that was expected, and the rate after it."""

    event_id: int
    starts_at: datetime
    place: int
    n_players: int
    expected: float
    rate: float


class Compared(NamedTuple):
    """A player with the events of the pool, the oldest first; at least one."""

    player_id: int
    name: str
    badge: str
    is_provisional: bool
    results: Sequence[Result]

    @property
    def now(self) -> Result:
        return self.results[-1]

    @property
    def highest(self) -> Result:
        return max(reversed(self.results), key=lambda result: result.rate)

    @property
    def n_events(self) -> int:
        return len(self.results)

    @property
    def n_wins(self) -> int:
        return sum(result.place == 1 for result in self.results)

    @property
    def mean_place(self) -> float:
        return fmean(result.place for result in self.results)

    @property
    def mean_expected(self) -> float:
        return fmean(result.expected for result in self.results)


class Pair(NamedTuple):
    """Count how often each of two players finished before the other; a tie is half for both, as in head to head."""

    first: Compared
    second: Compared
    n_events: int
    n_first: float
    n_second: float


def pairs_of(players: Sequence[Compared]) -> list[Pair]:
    """Count the meetings of every two of the players."""
    found = []
    for first, second in combinations(players, 2):
        places = {result.event_id: result.place for result in second.results}
        met = [
            (result.place, places[result.event_id]) for result in first.results if result.event_id in places
        ]
        ahead = sum((own < other) + (own == other) / 2 for own, other in met)
        found.append(Pair(first, second, len(met), ahead, len(met) - ahead))
    return found


class Met(NamedTuple):
    """An event in which at least two of the players met: the place of each, or None, and the best of these."""

    event_id: int
    starts_at: datetime
    n_players: int
    places: list[int | None]
    best: int


def events_they_met(players: Sequence[Compared]) -> list[Met]:
    """List the events in which at least two of the players met, the newest first."""
    places = [{result.event_id: result.place for result in player.results} for player in players]
    events = {result.event_id: result for player in players for result in player.results}
    found = []
    for event in sorted(events.values(), key=lambda each: (each.starts_at, each.event_id), reverse=True):
        own = [each.get(event.event_id) for each in places]
        present = [place for place in own if place is not None]
        if len(present) > 1:
            found.append(Met(event.event_id, event.starts_at, event.n_players, own, min(present)))
    return found


class Line(NamedTuple):
    """The line of a player, and the name at its end."""

    style: str
    points: str
    end_x: float
    end_y: float
    label: str
    label_y: float


class ComparisonChart(NamedTuple):
    width: int
    right: float
    levels: list[Mark]
    years: list[Mark]
    lines: list[Line]


def comparison_chart(players: Sequence[Compared], width: int, *, by_career: bool = False) -> ComparisonChart:
    """Draw the rate of each player with one scale for all: over time, or over the events of each one's career."""
    results = [result for player in players for result in player.results]
    lowest, highest = min(result.rate for result in results), max(result.rate for result in results)
    levels = round_levels(lowest, highest, most=MOST_LEVELS)
    low, high = levels[0], levels[-1]
    names = min(max(text_width(player.name) for player in players) + BESIDE, MOST_NAMES * width)
    right = width - names
    begin, end = min(result.starts_at for result in results), max(result.starts_at for result in results)
    longest = max(player.n_events for player in players)
    x_of = _scale(1, longest, right) if by_career else _scale(begin.timestamp(), end.timestamp(), right)

    def y(value: float) -> float:
        return round(BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP), 1)

    lines = []
    for style, player in zip(STYLES, players, strict=False):
        moments = [
            number if by_career else result.starts_at.timestamp()
            for number, result in enumerate(player.results, 1)
        ]
        places = list(zip(map(x_of, moments), player.results, strict=True))
        points = " ".join(f"{at},{y(result.rate)}" for at, result in thinned(places, STEP, rate_of))
        ends = places[-1][0], y(player.now.rate)
        lines.append(Line(style, points, *ends, shortened(player.name, names - BESIDE), ends[1]))
    marks = (
        _count_marks(longest, x_of)
        if by_career
        else time_marks(begin, end, lambda at: x_of(at.timestamp()), LEFT, right)
    )
    marked = [Mark(LEFT, y(level), str(level)) for level in levels]
    return ComparisonChart(width, right, marked, marks, _apart(lines))


def _scale(begin: float, end: float, right: float) -> Callable[[float], float]:
    return lambda at: round(LEFT + (at - begin) / max(end - begin, 1) * (right - LEFT), 1)


def _count_marks(n: int, x: Callable[[float], float]) -> list[Mark]:
    """Round numbers of events, and the first."""
    step = next((step for step in COUNT_STEPS if n / step <= MOST_COUNTS - 1), COUNT_STEPS[-1])
    return [Mark(x(number), BOTTOM, str(number)) for number in sorted({1, *range(step, n + 1, step)})]


def _apart(lines: Sequence[Line]) -> list[Line]:
    """Move the names so that none covers another, and all stay in the picture."""
    order = sorted(range(len(lines)), key=lambda i: lines[i].end_y)
    moved, free = list(lines), TOP - LINE
    for i in order:
        free = max(lines[i].end_y, free + LINE)
        moved[i] = lines[i]._replace(label_y=free)
    edge = BOTTOM + LINE
    for i in reversed(order):
        edge = min(moved[i].label_y, edge - LINE)
        moved[i] = moved[i]._replace(label_y=round(edge + 4, 1))
    return moved
