"""A player's position by rate over time, and its chart."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby
from math import ceil
from typing import NamedTuple

import numpy as np

from league.models import Player, Pool
from ratings.models import RatedEntry
from standings.players.curve import BOTTOM, TOP, Mark, thinned, time_marks

ACTIVE = timedelta(days=365)
MOST_ROWS = 100_000  # of a pool; they are gone through while the reader waits
LEFT, RIGHT = 38, 34
STEP = 1.0  # px between the points of the line
MOST_DOTS = 59
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_LEVELS = 6
LEAST_SHOWN = 5  # positions, so that one more or less is no cliff
COLUMNS = ("starts_at", "event_id", "player_id", "posterior_rate", "is_provisional")


class Position(NamedTuple):
    """The position after an event among the ranked players who had played in the year before."""

    at: datetime
    position: int
    n_players: int


def positions_of(player: Player, pool: Pool) -> list[Position] | None:
    """Find a player's position after each own event out of placement, the oldest first; None in very large pools."""
    rows = RatedEntry.objects.filter(pool=pool, event__pool=pool).order_by("starts_at", "event_id", "number")
    if rows.order_by()[MOST_ROWS:].exists():
        return None
    found: list[Position] = []
    index: dict[int, int] = {}
    rates = np.full(0, -np.inf)
    seen = np.zeros(0)
    for (starts_at, _event_id), entries in groupby(
        rows.values_list(*COLUMNS).iterator(5_000), lambda row: row[:2]
    ):
        own = None
        for _starts_at, _event, player_id, rate, is_provisional in entries:
            i = index.setdefault(player_id, len(index))
            if i >= rates.size:
                rates = np.append(rates, np.full(i + 64, -np.inf))
                seen = np.append(seen, np.zeros(i + 64))
            rates[i] = -np.inf if is_provisional else rate
            seen[i] = starts_at.timestamp()
            own = rate if player_id == player.pk and not is_provisional else own
        if own is not None:
            is_ranked = (rates > -np.inf) & (seen >= (starts_at - ACTIVE).timestamp())
            above = int(np.count_nonzero(is_ranked & (rates > own)))
            found.append(Position(starts_at, above + 1, int(np.count_nonzero(is_ranked))))
    return found


class PositionChart(NamedTuple):
    """A line of positions, the first on top; dots where there are few."""

    width: int
    right: int
    levels: list[Mark]
    years: list[Mark]
    line: str
    dots: list[tuple[float, float]]
    last: Mark


def position_chart(positions: Sequence[Position], width: int) -> PositionChart:
    """Draw the positions over time."""
    lowest = max(LEAST_SHOWN, *(each.position for each in positions))
    step = next(step for step in STEPS if lowest / step <= MOST_LEVELS or step == STEPS[-1])
    lowest = ceil(lowest / step) * step
    right = width - RIGHT
    begin, end = positions[0].at, positions[-1].at
    seconds = max((end - begin).total_seconds(), 1.0)

    def x(at: datetime) -> float:
        return round(LEFT + (at - begin).total_seconds() / seconds * (right - LEFT), 1)

    def y(position: int) -> float:
        return round(TOP + (position - 1) / (lowest - 1) * (BOTTOM - TOP), 1)

    points = [(x(each.at), y(each.position)) for each in positions]
    last = positions[-1]
    return PositionChart(
        width,
        right,
        [Mark(LEFT, y(level), str(level)) for level in sorted({1, *range(step, lowest + 1, step)})],
        time_marks(begin, end, x, LEFT, right),
        " ".join(f"{at},{height}" for at, height in thinned(points, STEP, float)),
        points if len(points) <= MOST_DOTS else [],
        Mark(x(last.at), y(last.position), str(last.position)),
    )
