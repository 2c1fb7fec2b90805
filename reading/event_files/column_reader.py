"""Read a valid file of any size by columns: each distinct text of a column is read once, by the row reader's own rules.

A file that is wrong or unusual in any way is left to the row reader, which says what is wrong with it.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import tzinfo
from functools import partial
from io import BytesIO, TextIOWrapper
from itertools import chain, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from reading import cells
from reading.amounts import COLUMNS as AMOUNTS
from reading.event_files.column_checks import are_events_right
from reading.event_files.columns import (
    MICROSECOND,
    NO_MOMENT,
    NO_SEATS,
    VALUES,
    Codes,
    FileColumns,
    Ints,
    any_given,
    coded,
    microseconds_of,
)
from reading.event_files.reader import (
    EVENT_COLUMNS,
    MAX_KEY_LENGTH,
    MAX_KNOCKOUTS,
    MAX_PLACE,
    MOST_ROUNDS,
    MOST_SEATS,
    REQUIRED,
    SEATS,
    column_warnings,
    plain_text,
)
from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE
from reading.names.rules import name_problem

BY_ROWS = {"name", "season", *AMOUNTS}  # Columns that only the row reader reads.
CHUNK = 1_000  # Rows in memory as texts; so few are gone before the garbage collector looks through them.
MOST_TEXTS = 50_000  # of a column, whose values are remembered
# Added to a moment that is given in minutes from the start, in microseconds; no date comes near it.
RELATIVE = 1 << 61
Read = Callable[[str], Any]


class _Unusual(ValueError):
    """A file that the row reader must read."""


def read_columns(lines: Iterable[str], *, tz: tzinfo) -> FileColumns | None:
    """Read the lines of a CSV file; None if the row reader must read it."""
    try:
        file = _read(iter(lines), tz)
    except (ValueError, csv.Error):
        return None
    return file if are_events_right(file) else None


def read_columns_of(data: bytes, *, tz: tzinfo) -> FileColumns | None:
    """Read a CSV file in UTF-8; None if the row reader must read it."""
    if b"\0" in data:
        return None
    return read_columns(TextIOWrapper(BytesIO(data), encoding="utf-8-sig"), tz=tz)


def _read(lines: Iterator[str], tz: tzinfo) -> FileColumns:
    head = next(lines, "")
    reader = csv.reader(chain([head], lines), delimiter="," if "," in head else ";")
    header = [name.strip().casefold() for name in next(reader, [])]
    named = [name for name in header if name]
    if len(set(named)) < len(named) or not set(REQUIRED) <= set(named) or BY_ROWS & set(named):
        raise _Unusual
    table, n_lines = _Table(header, tz), 1
    while rows := list(islice(reader, CHUNK)):
        table.add(n_lines + 1, rows)
        n_lines += len(rows)
        if reader.line_num != n_lines:  # A cell goes over several lines.
            raise _Unusual
    return table.file(tz)


class _Values(dict[str, Any]):
    """Values of the texts of a column, each read once."""

    def __init__(self, read: Read, dtype: type) -> None:
        self.read, self.dtype = read, dtype

    def __missing__(self, text: str) -> Any:
        self[text] = value = self.read(text.strip())
        return value

    def of(self, texts: Sequence[str]) -> npt.NDArray[Any]:
        if len(self) > MOST_TEXTS:
            self.clear()
        return np.fromiter(map(self.__getitem__, texts), self.dtype, len(texts))


class _Table:
    """The rows read so far: numbers of the texts of events and names, and the values of all other columns."""

    def __init__(self, header: Sequence[str], tz: tzinfo) -> None:
        self.header = header
        self.codes = {"event": Codes(), "player": Codes()}
        self.codes |= {name: Codes({"": 0}) for name in EVENT_COLUMNS if name in header}
        self.values = {
            name: _Values(*reader) for name, reader in _entry_readers(tz).items() if name in header
        }
        self.chunks: dict[str, list[npt.NDArray[Any]]] = defaultdict(list)

    def add(self, line: int, rows: list[list[str]]) -> None:
        """Read rows of which the first is on this line."""
        is_given = np.fromiter(map(bool, rows), np.bool_, len(rows))
        self.chunks["line"].append(np.flatnonzero(is_given) + line)
        columns = list(zip(*filter(None, rows), strict=True))
        if columns and len(columns) != len(self.header):
            raise _Unusual
        for name, texts in zip(self.header, columns, strict=False):
            if name in self.codes:
                numbers = map(self.codes[name].__getitem__, texts)
                self.chunks[name].append(np.fromiter(numbers, np.int64, len(texts)))
            elif name in self.values:
                self.chunks[name].append(self.values[name].of(texts))

    def file(self, tz: tzinfo) -> FileColumns:
        """Put everything together, grouped by event."""
        if "event" not in self.chunks:
            raise _Unusual
        event, keys = self._texts("event", _key)
        spelling, names = self._texts("player", _name)
        order = np.argsort(event, kind="stable")
        of_event = partial(self._of_events, event, len(keys))
        moment = partial(_moment, tz)
        day = of_event("date", partial(_day, tz), np.int64)
        starts_at = _since(day, of_event("starts_at", moment, np.int64))
        starts_at = np.where(starts_at == NO_MOMENT, day, starts_at)
        line = self._joined("line")
        entries = {name: self._joined(name)[order] for name in self.values}
        none = np.full(event.size, NO_MOMENT)
        start = starts_at[event[order]]
        return FileColumns(
            keys=keys,
            games=tuple(of_event("game", plain_text)),
            event_line=line[np.unique(event, return_index=True)[1]],
            starts_at=starts_at,
            ends_at=_since(starts_at, of_event("ends_at", moment, np.int64)),
            closes_at=_since(starts_at, of_event("closes_at", moment, np.int64)),
            table_size=of_event("table_size", _seats, np.int64),
            final_table_size=of_event("final_table_size", _seats, np.int64),
            rounds=of_event("round", _whole("round", 1, MOST_ROUNDS)),
            tables=of_event("table", _whole("table", 1, MOST_ROUNDS)),
            houses=of_event("house", partial(cells.thousands, "house")),
            offset=np.concatenate([[0], np.cumsum(np.bincount(event, minlength=len(keys)))]),
            line=line[order],
            names=names,
            spelling=spelling[order],
            place=entries["place"],
            number=entries.get("number", np.ones(event.size, dtype=np.int64)),
            registered_at=_since(start, entries.get("registered_at", none)),
            busted_at=_since(start, entries.get("busted_at", none)),
            values={name: entries[name] for name in VALUES if any_given(entries.get(name, ()))},
            warnings=column_warnings(self.header),
        )

    def _joined(self, name: str) -> npt.NDArray[Any]:
        return np.concatenate(self.chunks.pop(name))

    def _texts(self, name: str, clean: Callable[[str], str]) -> tuple[Ints, tuple[str, ...]]:
        """Number the cells of a column by their cleaned texts; return also these."""
        numbers, texts = coded(map(clean, self.codes[name]))
        return numbers[self._joined(name)], texts

    def _of_events(
        self, event: Ints, n_events: int, name: str, read: Read, dtype: type = np.object_
    ) -> npt.NDArray[Any]:
        """Read each event's value from any of its rows; raise _Unusual if its rows disagree."""
        if name not in self.codes:
            return np.full(n_events, read(""), dtype)
        numbers, texts = self._texts(name, str.strip)
        given = np.flatnonzero(numbers)
        of_event = np.zeros(n_events, dtype=np.int64)
        of_event[event[given]] = numbers[given]
        if np.any(of_event[event[given]] != numbers[given]):
            raise _Unusual
        used, position = np.unique(of_event, return_inverse=True)
        return np.fromiter((read(texts[number]) for number in used), dtype, used.size)[position]


def _key(text: str) -> str:
    key = plain_text(text)
    if not 0 < len(key) <= MAX_KEY_LENGTH:
        raise _Unusual
    return key


def _name(text: str) -> str:
    name = plain_text(text)
    if name_problem(name):
        raise _Unusual
    return name


def _day(tz: tzinfo, text: str) -> int:
    return microseconds_of(cells.instant("date", text, tz))


def _moment(tz: tzinfo, text: str) -> int:
    """Read a moment as microseconds: since 1970, or since the start of the event, and then with RELATIVE added."""
    if not text:
        return NO_MOMENT
    if cells.is_minutes(text):
        return RELATIVE + cells.minutes(text) // MICROSECOND
    return microseconds_of(cells.instant("", text, tz))


def _since(start: Ints, moments: Ints) -> Ints:
    return np.where(moments >= RELATIVE, moments - RELATIVE + start, moments)


def _whole(name: str, least: int, most: int) -> Read:
    return lambda text: cells.whole_number(name, text, least, most) if text else None


def _seats(text: str) -> int:
    return cells.whole_number("", text, *SEATS) if text else NO_SEATS


def _entry_readers(tz: tzinfo) -> dict[str, tuple[Read, type]]:
    """Map the columns of an entry to the function that reads a cell, and to the type of what it returns."""
    return {
        "place": (lambda text: cells.whole_number("place", text, 1, MAX_PLACE), np.int64),
        "number": (lambda text: cells.whole_number("number", text or "1", 1, MAX_ENTRIES_OF_ONE), np.int64),
        "registered_at": (partial(_moment, tz), np.int64),
        "busted_at": (partial(_moment, tz), np.int64),
        "balance": (cells.balance, np.object_),
        "knockouts": (_whole("knockouts", 0, MAX_KNOCKOUTS), np.object_),
        "cost": (cells.cost, np.object_),
        "score": (cells.score, np.object_),
        "chips": (cells.chips, np.object_),
        "penalty": (partial(cells.thousands, "penalty"), np.object_),
        "seat": (_whole("seat", 1, MOST_SEATS), np.object_),
    }
