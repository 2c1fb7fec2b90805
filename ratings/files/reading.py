"""Read event files for the rating engine: CSV or JSON, checked as a whole, without a database."""

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

from league.event_files.reader import COLUMNS, EventFile, FileEvent, decode, read_event_file
from league.models.player import name_key
from league.problems import Problem
from ratings.engine.errors import BadEventError
from ratings.histories import EntryRow, EventRow, event_history

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory

FORMAT = "tierboard-events/1"
EVENT_FIELDS = ("event", "date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size")
ENTRY_FIELDS = ("player", "place", "number", "registered_at", "busted_at", "balance", "late")
# Most rows and events of a file that is rated without being saved; the web form allows fewer.
MOST_ROWS = MOST_EVENTS = 5_000_000


@dataclass(frozen=True)
class _Source:
    """A file's events in rating order, and its players by the engine's index."""

    name: str
    events: tuple[FileEvent, ...]
    players: tuple[str, ...]
    # Path in the JSON file of the entry on each line of the CSV made from it; empty for a CSV file.
    json_paths: tuple[str, ...]

    def located(self, error: BadEventError) -> ValueError:
        """Turn an engine error into a ValueError that names the line or object of the file."""
        event = self.events[error.event]
        line = event.line
        if error.entry is not None:
            first = sum(len(earlier.entries) for earlier in self.events[: error.event])
            line = event.lines[error.entry - first]
        location = self.json_paths[line - 1] if self.json_paths else f"line {line}"
        if self.json_paths and error.entry is None:
            location = location.partition(".")[0]
        who = "" if error.player is None else f", player {self.players[error.player]}"
        return ValueError(f"{self.name}, {location}, event {event.key}{who}: {error.problem}")


@dataclass(frozen=True)
class RatedFile(_Source):
    history: "EventHistory"
    balance: NDArray[np.float64]  # of each entry, points; NaN if the file has none
    warnings: tuple[str, ...]


def read_rated_file(path: Path) -> RatedFile:
    """Read an event file; raise a one-line ValueError with file, line and field of every problem."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from error
    try:
        text = decode(data, size=1)  # A size of 1 passes the limit for uploads, which does not apply here.
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    is_json = text.lstrip().startswith(("{", "["))
    file, json_paths = _read_json(path, text) if is_json else (_read(text), ())
    if file.problems:
        raise ValueError("; ".join(f"{path.name}, {problem}" for problem in file.problems))
    return _rated_file(path, file, json_paths)


def _read(text: str) -> EventFile:
    return read_event_file(text, tz=UTC, most_rows=MOST_ROWS, most_events=MOST_EVENTS)


def _read_json(path: Path, text: str) -> tuple[EventFile, tuple[str, ...]]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path.name}, line {error.lineno}: not JSON: {error.msg}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'{path.name}: format must be "{FORMAT}"')
    json_paths = [""]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for json_path, row in _rows(path, content.get("events")):
        json_paths.append(json_path)
        writer.writerow(row)
    file = _read(buffer.getvalue())
    problems = tuple(_locate_in_json(problem, json_paths) for problem in file.problems)
    return replace(file, problems=problems), tuple(json_paths)


def _locate_in_json(problem: Problem, json_paths: list[str]) -> Problem:
    if not problem.line:
        return problem
    field = f"{json_paths[problem.line - 1]}.{problem.column}".strip(".")
    return Problem(0, "", f"{field}: {problem.message}")


def _rows(path: Path, events: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for i, event in enumerate(_objects(path, "events", events)):
        head = {name: _cell(path, f"events[{i}].{name}", event.get(name)) for name in EVENT_FIELDS}
        for j, entry in enumerate(_objects(path, f"events[{i}].entries", event.get("entries"))):
            json_path = f"events[{i}].entries[{j}]"
            cells = {name: _cell(path, f"{json_path}.{name}", entry.get(name)) for name in ENTRY_FIELDS}
            yield json_path, head | cells


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


def _rated_file(path: Path, file: EventFile, json_paths: tuple[str, ...]) -> RatedFile:
    events = tuple(sorted(file.events, key=lambda event: (event.details.starts_at, event.key)))
    names: dict[str, str] = {}
    for event in events:
        for entry in event.entries:
            names.setdefault(name_key(entry.name), entry.name)
    index = {key: i for i, key in enumerate(names)}
    source = _Source(path.name, events, tuple(names.values()), json_paths)
    try:
        history = _history(events, index)
    except BadEventError as error:
        raise source.located(error) from error
    balances = [
        np.nan if entry.balance is None else float(entry.balance)
        for event in events
        for entry in event.entries
    ]
    return RatedFile(
        source.name,
        events,
        source.players,
        json_paths,
        history,
        np.array(balances, dtype=np.float64),
        file.warnings,
    )


def _history(events: tuple[FileEvent, ...], index: Mapping[str, int]) -> "EventHistory":
    rows = [
        EventRow(
            details.starts_at,
            details.ends_at,
            details.closes_at,
            details.table_size,
            details.final_table_size,
            None,
        )
        for details in (event.details for event in events)
    ]
    entries = [
        EntryRow(
            e, index[name_key(entry.name)], entry.number, entry.place, entry.registered_at, entry.busted_at
        )
        for e, event in enumerate(events)
        for entry in event.entries
    ]
    return event_history(rows, entries)
