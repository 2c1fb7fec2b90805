"""Results and rates of a season in columns, read from the rows of its entries or from what is stored for each event.

A season of a million entries is read in a second from its EventColumns, and in twenty from the rows of the entries.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from fractions import Fraction
from itertools import compress
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from league.database.bulk import as_one_parameter, insert_columns
from league.models import Entry, Event, Pool, Season
from payouts.engine.results import Ints, ints
from payouts.queries import PlayedEvent
from ratings.engine.tier.badges import BADGES
from ratings.queries import RATES
from ratings.services.rows import RatedRows
from standings.models import EventColumns

BATCH = 2_000
Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
# One entry of an event as it is stored. Another layout needs a migration that deletes the stored columns.
RESULT = np.dtype(
    [
        ("pk", "<i8"), ("player_id", "<i8"), ("place", "<i8"), ("is_last", "?"), ("numerator", "<i8"),
        ("denominator", "<i8"),
    ]
)  # fmt: skip
RATE = np.dtype(
    [
        ("player_id", "<i8"), ("prior_rate", "<f8"), ("posterior_rate", "<f8"), ("badge", "u1"),
        ("is_provisional", "?"), ("is_first", "?"),
    ]
)  # fmt: skip
# Letters by code, as they are stored; the last stands for no badge, in pools that give none.
LETTERS = (*BADGES, "")
BADGE_CODES = {letters: code for code, letters in enumerate(LETTERS)}


@dataclass(frozen=True)
class Columns:
    """Columns of equal length, with one row for each entry; `event_index` is that of the event in its season."""

    layout: ClassVar[np.dtype[Any]]
    key: ClassVar[str]  # the column that orders the rows of an event when they are stored

    event_index: Ints

    def __len__(self) -> int:
        return len(self.event_index)

    def where(self, chosen: NDArray[Any]) -> Self:
        """Select rows by a mask or by indices."""
        return type(self)(*(column[chosen] for column in self._columns()))

    def joined(self, other: Self) -> Self:
        """These rows and then the others, which are of other events."""
        if not len(other):
            return self
        pairs = zip(self._columns(), other._columns(), strict=True)
        return type(self)(*map(np.concatenate, pairs))

    def _columns(self) -> list[NDArray[Any]]:
        return [getattr(self, field.name) for field in fields(self)]

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[Any, ...]], event_index: Iterable[int]) -> Self:
        """Convert rows with the values of `layout`."""
        return cls._of_array(np.array(list(rows), dtype=cls.layout), ints(event_index))

    @classmethod
    def unpacked(cls, stored: Mapping[int, bytes]) -> Self:
        """Read what `packed` has made, by event index."""
        counts = [len(part) // cls.layout.itemsize for part in stored.values()]
        array = np.frombuffer(b"".join(stored.values()), dtype=cls.layout)
        return cls._of_array(array, np.repeat(ints(stored), counts))

    @classmethod
    def _of_array(cls, array: NDArray[Any], event_index: Ints) -> Self:
        return cls(event_index, *(np.ascontiguousarray(array[name]) for name in cls.layout.names or ()))

    def packed(self, events: Collection[int]) -> list[bytes]:
        """The rows of each of these events as bytes."""
        array = np.empty(len(self), dtype=self.layout)
        for name in self.layout.names or ():
            array[name] = getattr(self, name)
        order = np.lexsort((getattr(self, self.key), self.event_index))
        array = array[order]
        starts, ends = (
            np.searchsorted(self.event_index[order], list(events), side=side) for side in ("left", "right")
        )
        return [array[start:end].tobytes() for start, end in zip(starts, ends, strict=True)]


@dataclass(frozen=True)
class EntryColumns(Columns):
    """Entries of a season; `denominator` is 0 where no points are stored."""

    layout = RESULT
    key = "pk"

    pk: Ints
    player_id: Ints
    place: Ints
    is_last: Bools
    numerator: Ints
    denominator: Ints

    def with_points(self, computed: Mapping[int, Fraction]) -> "EntryColumns":
        """Replace the points of the entries that have been computed."""
        numerator, denominator = self.numerator.copy(), self.denominator.copy()
        is_computed = np.isin(self.pk, ints(computed))
        points = [computed[pk] for pk in self.pk[is_computed].tolist()]
        numerator[is_computed] = [value.numerator for value in points]
        denominator[is_computed] = [value.denominator for value in points]
        return replace(self, numerator=numerator, denominator=denominator)


@dataclass(frozen=True)
class RatedColumns(Columns):
    """Rated entries of a season; those of one event in order of number. `badge` is an index of LETTERS."""

    layout = RATE
    key = "player_id"

    player_id: Ints
    prior_rate: Floats
    posterior_rate: Floats
    badge: Ints
    is_provisional: Bools
    is_first: Bools


NOT_RATED = RatedColumns.of_rows((), ())


def event_numbers(events: Sequence[PlayedEvent]) -> dict[int, int]:
    """Index of each event among all of its season, by id."""
    return {event.pk: index for index, event in enumerate(events)}


def read_entries(entries: QuerySet[Entry], index: Mapping[int, int]) -> EntryColumns:
    """Read the entries of the events in `index`, in one query. There may be others, saved since events were read."""
    rows = entries.order_by().values_list(
        "event_id", "pk", "player_id", "place", "is_last", "points__numerator", "points__denominator"
    )
    known = [row for row in rows.iterator(BATCH) if row[0] in index]
    values = ((*row[1:5], row[5] or 0, row[6] or 0) for row in known)
    return EntryColumns.of_rows(values, [index[row[0]] for row in known])


def read_rated(rates: QuerySet[Any, tuple[Any, ...]], index: Mapping[int, int]) -> RatedColumns:
    """Read the RATES of the events in `index`."""
    return _rated_columns(rates.iterator(BATCH), index)


def rated_anew(rerating: RatedRows, index: Mapping[int, int]) -> RatedColumns:
    """Find the rates that a rerating has computed for the events in `index`."""
    rates = rerating.rates
    is_known = [event_id in index for event_id in rates["event_id"]]
    columns = (compress(rates[name], is_known) for name in RATES)
    return _rated_columns(zip(*columns, strict=True), index)


def _rated_columns(rows: Iterable[tuple[Any, ...]], index: Mapping[int, int]) -> RatedColumns:
    """Pack rows of RATES of the events in `index`.

    Only a player's first entry in the pool has no event before it; a second one in the same event has that event. The
    number of entries before does not tell, because a season may begin by counting from zero.
    """
    known = [row for row in rows if row[0] in index]
    values = ((*row[1:4], BADGE_CODES[row[4]], row[5], row[6] is None) for row in known)
    return RatedColumns.of_rows(values, [index[row[0]] for row in known])


def read_stored(season: Season, *, without: Collection[int]) -> dict[int, tuple[bytes, bytes]]:
    """Read the stored results and rates of a season's events, by id, except for the events in `without`."""
    rows = EventColumns.objects.filter(event__season=season).values_list("event_id", "results", "rates")
    return {
        pk: (bytes(results), bytes(rates)) for pk, results, rates in rows.iterator(BATCH) if pk not in without
    }


def write_event_columns(columns: Mapping[int, tuple[bytes, bytes]]) -> None:
    """Store the results and rates of events, by id, in place of what is stored; in the caller's transaction."""
    EventColumns.objects.filter(event__in=as_one_parameter(columns)).delete()
    results, rates = zip(*columns.values(), strict=True) if columns else ((), ())
    insert_columns(EventColumns, {"event_id": list(columns), "results": results, "rates": rates})


def forget_event_columns(pool: Pool, *, since: datetime) -> None:
    """Delete the stored columns of the events from `since` on, whose rates have been computed anew."""
    events = Event.objects.filter(season__pool=pool, starts_at__gte=since)
    EventColumns.objects.filter(event__in=events).delete()
