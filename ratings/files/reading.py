"""Event files as the rating engine takes them: CSV or JSON, read and checked as a whole, no database."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from league.event_files.checks import Problem
from league.event_files.reader import COLUMNS, EventFile, FileEvent, decode, read_event_file
from league.models.player import name_key
from ratings.engine.errors import BadEventError
from ratings.histories import EntryRow, EventRow, event_history

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory

FORMAT = "tierboard-events/1"
EVENT_FIELDS = ("event", "date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size")
ENTRY_FIELDS = ("player", "place", "number", "registered_at", "busted_at", "balance", "late")
# Rows and events of a file that is rated without being saved; the web form takes fewer.
MOST_ROWS = MOST_EVENTS = 5_000_000


@dataclass(frozen=True)
class _Source:
    """A file's events in the order of rating, its players by the index the engine knows them by."""

    name: str
    events: tuple[FileEvent, ...]
    players: tuple[str, ...]
    # Of JSON: where the entry of each line is that it was read as.
    where: tuple[str, ...]

    def located(self, error: BadEventError) -> ValueError:
        """What the engine says of an event or entry, by its place in the file."""
        event = self.events[error.event]
        line = event.line
        if error.entry is not None:
            line = event.lines[error.entry - sum(len(it.entries) for it in self.events[: error.event])]
        at = self.where[line - 1] if self.where else f"line {line}"
        if self.where and error.entry is None:
            at = at.partition(".")[0]
        who = "" if error.player is None else f", player {self.players[error.player]}"
        return ValueError(f"{self.name}, {at}, event {event.key}{who}: {error.problem}")


@dataclass(frozen=True)
class RatedFile(_Source):
    history: "EventHistory"
    balance: NDArray[np.float64]  # of each entry, points; NaN where the file has none
    warnings: tuple[str, ...]


def read_rated_file(path: Path) -> RatedFile:
    """Read an event file; ValueError says in one line what is wrong, with file, line and field of every problem."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from error
    try:
        text = decode(data, size=1)  # the limit of size is the web form's
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    is_json = text.lstrip().startswith(("{", "["))
    file, where = _read_json(path, text) if is_json else (_read(text), ())
    if file.problems:
        raise ValueError("; ".join(f"{path.name}, {problem}" for problem in file.problems))
    return _rated_file(path, file, where)


def _read(text: str) -> EventFile:
    return read_event_file(text, tz=UTC, most_rows=MOST_ROWS, most_events=MOST_EVENTS)


def _read_json(path: Path, text: str) -> tuple[EventFile, tuple[str, ...]]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path.name}, line {error.lineno}: not JSON: {error.msg}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'{path.name}: format must be "{FORMAT}"')
    where = [""]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for place, row in _rows(path, content.get("events")):
        where.append(place)
        writer.writerow(row)
    file = _read(buffer.getvalue())
    problems = tuple(_told_as_json(problem, where) for problem in file.problems)
    return replace(file, problems=problems), tuple(where)


def _told_as_json(problem: Problem, where: list[str]) -> Problem:
    if not problem.line:
        return problem
    field = f"{where[problem.line - 1]}.{problem.column}".strip(".")
    return Problem(0, "", f"{field}: {problem.message}")


def _rows(path: Path, events: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for i, event in enumerate(_objects(path, "events", events)):
        head = {name: _cell(path, f"events[{i}].{name}", event.get(name)) for name in EVENT_FIELDS}
        for j, entry in enumerate(_objects(path, f"events[{i}].entries", event.get("entries"))):
            at = f"events[{i}].entries[{j}]"
            yield at, head | {name: _cell(path, f"{at}.{name}", entry.get(name)) for name in ENTRY_FIELDS}


def _objects(path: Path, name: str, values: Any) -> list[Mapping[str, Any]]:
    if not isinstance(values, list) or not values or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"{path.name}, {name}: must be a list of objects, at least one")
    return values


def _cell(path: Path, name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{path.name}, {name}: must be a text or a number, got {json.dumps(value)}")  # noqa: TRY004  bad input
    return " ".join(str(value).splitlines())


def _rated_file(path: Path, file: EventFile, where: tuple[str, ...]) -> RatedFile:
    events = tuple(sorted(file.events, key=lambda event: (event.details.starts_at, event.key)))
    names: dict[str, str] = {}
    for event in events:
        for entry in event.entries:
            names.setdefault(name_key(entry.name), entry.name)
    index = {key: i for i, key in enumerate(names)}
    source = _Source(path.name, events, tuple(names.values()), where)
    try:
        history = _history(events, index)
    except BadEventError as error:
        raise source.located(error) from error
    balances = [np.nan if it.balance is None else it.balance for event in events for it in event.entries]
    return RatedFile(
        source.name,
        events,
        source.players,
        where,
        history,
        np.array(balances, dtype=np.float64),
        file.warnings,
    )


def _history(events: tuple[FileEvent, ...], index: Mapping[str, int]) -> "EventHistory":
    rows = [
        EventRow(it.starts_at, it.ends_at, it.closes_at, it.table_size, it.final_table_size, None)
        for it in (event.details for event in events)
    ]
    entries = [
        EntryRow(e, index[name_key(it.name)], it.number, it.place, it.registered_at, it.busted_at)
        for e, event in enumerate(events)
        for it in event.entries
    ]
    return event_history(rows, entries)
