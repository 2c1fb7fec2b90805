"""Convert events and entries with datetimes to the arrays of the engine."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory

SECONDS_PER_DAY = 86_400.0


class EventRow(NamedTuple):
    """An event; `season_at` is when its season began."""

    starts_at: datetime
    ends_at: datetime | None
    closes_at: datetime | None
    table_size: int
    final_table_size: int
    season_at: datetime | None


class EntryRow(NamedTuple):
    """An entry; `event` and `player` are indices."""

    event: int
    player: int
    number: int
    place: int
    registered_at: datetime | None
    busted_at: datetime | None


def days(moment: datetime | None) -> float:
    """Convert to days since 1970; NaN for None."""
    return np.nan if moment is None else moment.timestamp() / SECONDS_PER_DAY


def event_history(events: Sequence[EventRow], entries: Sequence[EntryRow]) -> "EventHistory":
    """Build the history of events in rating order; `entries` are in the order of the events.

    Raise BadEventError with the indices of event and player.
    """
    from ratings.engine.history import EventHistory

    starts = [event.starts_at for event in events]
    duration = _minutes([event.ends_at for event in events], starts)
    entry_starts = [starts[entry.event] for entry in entries]
    n_entries = np.bincount(_integers([entry.event for entry in entries]), minlength=len(events))
    return EventHistory(
        day=np.array([days(start) for start in starts], dtype=np.float64),
        season_day=np.array([days(event.season_at) for event in events], dtype=np.float64),
        offset=np.concatenate([[0], np.cumsum(n_entries)]).astype(np.int64),
        duration=np.where(duration > 0.0, duration, np.nan),
        closes_at=_minutes([event.closes_at for event in events], starts),
        table_size=_integers([event.table_size for event in events]),
        final_table_size=_integers([event.final_table_size for event in events]),
        player=_integers([entry.player for entry in entries]),
        number=_integers([entry.number for entry in entries]),
        place=_integers([entry.place for entry in entries]),
        registered_at=_minutes([entry.registered_at for entry in entries], entry_starts),
        busted_at=_minutes([entry.busted_at for entry in entries], entry_starts),
    )


def _minutes(moments: Sequence[datetime | None], starts: Sequence[datetime]) -> NDArray[np.float64]:
    pairs = zip(moments, starts, strict=True)
    minutes = [np.nan if at is None else (at - start).total_seconds() / 60.0 for at, start in pairs]
    return np.array(minutes, dtype=np.float64)


def _integers(values: Sequence[int]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)
