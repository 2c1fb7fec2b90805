"""The results of a file as arrays: a million entries in a few dozen bytes each."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt

from reading.event_files.reader import FileEvent
from reading.names.keys import name_key
from reading.results import EntryInput, EventDetails

Ints = npt.NDArray[np.int64]
Objects = npt.NDArray[np.object_]

# A moment in arrays: microseconds since 1970, or NO_MOMENT.
NO_MOMENT = int(np.iinfo(np.int64).min)
NO_SEATS = 0  # of a file that does not say how many sit at a table
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# Of an entry, None where nothing is given.
VALUES = ("balance", "knockouts", "cost", "score", "chips", "penalty", "seat")

EVENT_ARRAYS = (
    "event_line", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size", "rounds", "tables", "houses",
)  # fmt: skip
ENTRY_ARRAYS = ("line", "spelling", "place", "number", "registered_at", "busted_at")


@dataclass(frozen=True)
class FileColumns:
    """Events without problems, in the order of their first rows, and their entries in the order of the events.

    Moments are microseconds since 1970, or NO_MOMENT.

    Attributes
    ----------
    keys, games : tuple of str, one for each event
    event_line : int64, shape (n_events,)
    starts_at, ends_at, closes_at : int64, shape (n_events,)
    table_size, final_table_size : int64, shape (n_events,); NO_SEATS where the file is silent
    rounds, tables, houses : object, shape (n_events,)
        None where nothing is given.
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    line : int64, shape (n_entries,)
    names : tuple of str
        Names as they are written, each once.
    spelling : int64, shape (n_entries,)
        Index of the name.
    place, number : int64, shape (n_entries,)
    registered_at, busted_at : int64, shape (n_entries,)
    values : mapping of column to object, shape (n_entries,)
        A column that no entry has is left out.
    warnings : tuple of str
    """

    keys: tuple[str, ...]
    games: tuple[str, ...]
    event_line: Ints
    starts_at: Ints
    ends_at: Ints
    closes_at: Ints
    table_size: Ints
    final_table_size: Ints
    rounds: Objects
    tables: Objects
    houses: Objects
    offset: Ints
    line: Ints
    names: tuple[str, ...]
    spelling: Ints
    place: Ints
    number: Ints
    registered_at: Ints
    busted_at: Ints
    values: Mapping[str, Objects]
    warnings: tuple[str, ...] = ()

    @property
    def n_events(self) -> int:
        return len(self.keys)

    @property
    def event(self) -> Ints:
        """Index of each entry's event."""
        return np.repeat(np.arange(self.n_events), np.diff(self.offset))

    def players(self) -> tuple[Ints, tuple[str, ...]]:
        """Index of each entry's player, and the players' name keys."""
        of_name, player_keys = coded(map(name_key, self.names))
        return of_name[self.spelling], player_keys

    def reordered(self, order: Ints) -> "FileColumns":
        """Put the events into another order."""
        if np.all(np.diff(order) > 0):
            return self
        sizes = np.diff(self.offset)[order]
        offset = np.concatenate([[0], np.cumsum(sizes)])
        entries = np.arange(offset[-1]) + np.repeat(self.offset[:-1][order] - offset[:-1], sizes)
        of_events = {name: getattr(self, name)[order] for name in EVENT_ARRAYS}
        of_entries = {name: getattr(self, name)[entries] for name in ENTRY_ARRAYS}
        return replace(
            self,
            keys=tuple(self.keys[e] for e in order.tolist()),
            games=tuple(self.games[e] for e in order.tolist()),
            offset=offset,
            values={name: column[entries] for name, column in self.values.items()},
            **of_events,
            **of_entries,
        )

    def file_event(self, e: int) -> FileEvent:
        """Make the event that the row reader makes of the same rows."""
        of_event = slice(int(self.offset[e]), int(self.offset[e + 1]))
        return FileEvent(
            self.keys[e],
            self.details(e),
            tuple(self._entries(of_event)),
            int(self.event_line[e]),
            tuple(self.line[of_event].tolist()),
            self.games[e],
            self.houses[e],
        )

    def details(self, e: int) -> EventDetails:
        return EventDetails(
            starts_at=EPOCH + int(self.starts_at[e]) * MICROSECOND,
            ends_at=moment_of(self.ends_at[e]),
            closes_at=moment_of(self.closes_at[e]),
            table_size=int(self.table_size[e]) or None,
            final_table_size=int(self.final_table_size[e]) or None,
            round=self.rounds[e],
            table=self.tables[e],
        )

    def _entries(self, rows: slice) -> Iterator[EntryInput]:
        """Make the entries of some rows; whole slices become lists, since single numbers of an array are slow."""
        names = [self.names[i] for i in self.spelling[rows].tolist()]
        numbers = (getattr(self, name)[rows].tolist() for name in ENTRY_ARRAYS[2:])
        values = {name: column[rows].tolist() for name, column in self.values.items()}
        given = zip(*values.values(), strict=True) if values else repeat(())
        for name, (place, number, registered_at, busted_at), cells in zip(
            names, zip(*numbers, strict=True), given, strict=False
        ):
            yield EntryInput(
                name,
                place,
                number,
                moment_of(registered_at),
                moment_of(busted_at),
                **dict(zip(values, cells, strict=True)),
            )


def coded(values: Iterable[str]) -> tuple[Ints, tuple[str, ...]]:
    """Number equal texts alike, from 0 in the order of their first appearance; return also the texts."""
    codes = Codes()
    numbers = np.fromiter(map(codes.__getitem__, values), np.int64)
    return numbers, tuple(codes)


class Codes(dict[str, int]):
    """Numbers of texts; a new text gets the next number."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


def moment_of(microseconds: int) -> datetime | None:
    return None if microseconds == NO_MOMENT else EPOCH + int(microseconds) * MICROSECOND


def microseconds_of(moment: datetime | None) -> int:
    return NO_MOMENT if moment is None else (moment - EPOCH) // MICROSECOND


def columns_of(events: Sequence[FileEvent], warnings: tuple[str, ...] = ()) -> FileColumns:
    """Put the events that the row reader has read into arrays."""
    details = [event.details for event in events]
    entries = [entry for event in events for entry in event.entries]
    spelling, names = coded(entry.name for entry in entries)
    values = {name: [getattr(entry, name) for entry in entries] for name in VALUES}
    return FileColumns(
        keys=tuple(event.key for event in events),
        games=tuple(event.game for event in events),
        event_line=_ints(event.line for event in events),
        starts_at=_ints(microseconds_of(item.starts_at) for item in details),
        ends_at=_ints(microseconds_of(item.ends_at) for item in details),
        closes_at=_ints(microseconds_of(item.closes_at) for item in details),
        table_size=_ints(item.table_size or NO_SEATS for item in details),
        final_table_size=_ints(item.final_table_size or NO_SEATS for item in details),
        rounds=objects(item.round for item in details),
        tables=objects(item.table for item in details),
        houses=objects(event.house for event in events),
        offset=np.concatenate([[0], np.cumsum([len(event.entries) for event in events], dtype=np.int64)]),
        line=_ints(line for event in events for line in event.lines),
        names=names,
        spelling=spelling,
        place=_ints(entry.place for entry in entries),
        number=_ints(entry.number for entry in entries),
        registered_at=_ints(microseconds_of(entry.registered_at) for entry in entries),
        busted_at=_ints(microseconds_of(entry.busted_at) for entry in entries),
        values={name: objects(column) for name, column in values.items() if any_given(column)},
        warnings=warnings,
    )


def any_given(column: Iterable[object]) -> bool:
    return any(value is not None for value in column)


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, np.int64)


def objects(values: Iterable[Any]) -> Objects:
    return np.fromiter(values, np.object_)
