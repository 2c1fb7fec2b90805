"""The field that a club usually has, from the last events of a pool."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median

import numpy as np

from league.models import Entry, Event
from ratings.histories import days

N_EVENTS = 10
SECONDS_PER_MINUTE = 60.0


@dataclass(frozen=True)
class UsualField:
    """How many come, for how long, at which tables, and on which day one more event would be.

    `people` are the ids of those who were there, the most frequent first. `minutes` is NaN if no end is recorded.
    """

    n_players: int
    people: tuple[int, ...]
    minutes: float
    seats: int
    final_seats: int
    day: float


def usual_field(pool_id: int) -> UsualField | None:
    """Read the last events of a pool with two queries; None if it has none with at least two players."""
    columns = ("pk", "starts_at", "ends_at", "table_size", "final_table_size")
    newest = Event.objects.filter(pool=pool_id).order_by("-starts_at", "-pk")[:N_EVENTS]
    events = list(newest.values_list(*columns))[::-1]
    there = Entry.objects.filter(event__in=[row[0] for row in events], is_last=True).order_by("pk")
    rows = list(there.values_list("event_id", "player_id"))
    n_players = int(median(Counter(event for event, _player in rows).values())) if rows else 0
    if n_players < 2:  # noqa: PLR2004  somebody to finish before
        return None
    frequent = Counter(player for _event, player in rows)
    _pk, last_at, _ends_at, seats, final_seats = events[-1]
    return UsualField(
        n_players=n_players,
        people=tuple(sorted(frequent, key=lambda player: (-frequent[player], player))),
        minutes=_usual_minutes((starts_at, ends_at) for _pk, starts_at, ends_at, *_seats in events),
        seats=seats,
        final_seats=final_seats,
        day=days(last_at) + _usual_gap([row[1] for row in events]),
    )


def _usual_minutes(times: Iterable[tuple[datetime, datetime | None]]) -> float:
    lengths = [
        (end - start).total_seconds() / SECONDS_PER_MINUTE for start, end in times if end and end > start
    ]
    return median(lengths) if lengths else np.nan


def _usual_gap(starts: Sequence[datetime]) -> float:
    """Days between two events."""
    gaps = [days(after) - days(before) for before, after in pairwise(starts)]
    return median(gaps) if gaps else 0.0
