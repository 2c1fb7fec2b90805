"""Read event files for the rating engine: CSV or JSON, checked as a whole, without a database."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import BadEventError
from ratings.histories import SECONDS_PER_DAY
from reading.event_files.column_reader import read_columns, read_columns_of
from reading.event_files.columns import (
    EPOCH,
    MICROSECOND,
    NO_MOMENT,
    NO_SEATS,
    FileColumns,
    Ints,
    columns_of,
)
from reading.event_files.json_files import BadJson, is_json, rows_of_json
from reading.event_files.reader import ANY_NUMBER, read_event_file
from reading.problems import Problem, shown
from reading.tables.formats.decoding import candidates
from reading.tables.formats.workbooks import is_workbook

if TYPE_CHECKING:
    from ratings.engine.history import EventHistory

Floats = npt.NDArray[np.float64]
MICROSECONDS = 1e6  # in a second


@dataclass(frozen=True)
class _Source:
    """A file's events in rating order, and its players by the engine's index."""

    name: str
    columns: FileColumns
    players: tuple[str, ...]
    # Path in the JSON file of the entry on each line of the CSV made from it; empty for a CSV file.
    json_paths: tuple[str, ...]

    def located(self, error: BadEventError) -> ValueError:
        """Turn an engine error into a ValueError that names the line or object of the file."""
        file = self.columns
        line = int(file.event_line[error.event] if error.entry is None else file.line[error.entry])
        location = self.json_paths[line - 1] if self.json_paths else f"line {line}"
        if self.json_paths and error.entry is None:
            location = location.partition(".")[0]
        who = "" if error.player is None else f", player {self.players[error.player]}"
        return ValueError(f"{self.name}, {location}, event {file.keys[error.event]}{who}: {error.problem}")


@dataclass(frozen=True)
class RatedFile(_Source):
    history: "EventHistory"
    balance: Floats  # of each entry, points; NaN if the file has none

    def event_head(self, e: int) -> dict[str, str]:
        """Key and date of an event, for output."""
        start = EPOCH + int(self.columns.starts_at[e]) * MICROSECOND
        return {"event": self.columns.keys[e], "date": start.isoformat()}


def read_rated_file(path: Path) -> RatedFile:
    """Read an event file; raise a ValueError with file, line and field of the problems, one a line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path.name}: {error.strerror}") from error
    if (columns := read_columns_of(data, tz=UTC)) is not None:
        return _rated_file(path, columns, ())
    if is_workbook(data):
        raise ValueError(f"{path.name}: this is a workbook; save the table as CSV")
    try:
        text = candidates(data)[0].text  # the likely one, as the site reads it
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    text, json_paths = _csv_of_json(path.name, text) if is_json(text) else (text, ())
    columns = read_columns(io.StringIO(text), tz=UTC) if json_paths else None
    return _rated_file(path, columns or _read_by_rows(path, text, json_paths), json_paths)


def _csv_of_json(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Write the events of a JSON file as CSV; return it with the path in the JSON of the entry on each line."""
    try:
        columns, numbered, paths = rows_of_json(text)
    except BadJson as error:
        raise ValueError(f"{name}: {error}") from error
    rows = [row for _number, row in numbered]
    used = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([row[i] for i in used] for row in (columns, *rows))
    return buffer.getvalue(), ("", *paths.values())


def _read_by_rows(path: Path, text: str, json_paths: tuple[str, ...]) -> FileColumns:
    file = read_event_file(text, tz=UTC, most_rows=ANY_NUMBER, most_events=ANY_NUMBER)
    if file.problems:
        raise ValueError("\n".join(_problem_lines(path, file.problems, json_paths)))
    return columns_of(file.events, file.warnings)


def _problem_lines(path: Path, problems: Sequence[Problem], json_paths: tuple[str, ...]) -> list[str]:
    first, n_more = shown(problems)
    located = [_in_json(problem, json_paths) if json_paths else problem for problem in first]
    more = [f"{path.name}: and {n_more} more"] if n_more else []
    return [*(f"{path.name}, {problem}" for problem in located), *more]


def _in_json(problem: Problem, json_paths: tuple[str, ...]) -> Problem:
    if not problem.line:
        return problem
    field = f"{json_paths[problem.line - 1]}.{problem.column}".strip(".")
    return Problem(0, "", f"{field}: {problem.message}")


def _rated_file(path: Path, columns: FileColumns, json_paths: tuple[str, ...]) -> RatedFile:
    columns = columns.reordered(_rating_order(columns))
    player, names = _players(columns)
    source = _Source(path.name, columns, names, json_paths)
    try:
        history = _history(columns, player)
    except BadEventError as error:
        raise source.located(error) from error
    balance = columns.values.get("balance")
    balances = np.full(player.size, np.nan) if balance is None else _floats(balance)
    return RatedFile(source.name, columns, names, json_paths, history, balances)


def _rating_order(file: FileColumns) -> Ints:
    """Order the events by their start, those of one moment by their keys."""
    by_key = np.array(sorted(range(file.n_events), key=file.keys.__getitem__), dtype=np.int64)
    return by_key[np.argsort(file.starts_at[by_key], kind="stable")]


def _players(file: FileColumns) -> tuple[Ints, tuple[str, ...]]:
    """Number the players by their first entries; each has the name as it is written there."""
    player, keys = file.players()
    first = np.empty(len(keys), dtype=np.int64)
    first[player[::-1]] = np.arange(player.size)[::-1]  # The last assignment to an index stays.
    order = np.argsort(first)
    index = np.empty_like(order)
    index[order] = np.arange(order.size)
    return index[player], tuple(file.names[i] for i in file.spelling[first[order]].tolist())


def _history(file: FileColumns, player: Ints) -> "EventHistory":
    from ratings.engine.history import EventHistory

    event_start = file.starts_at[file.event]
    duration = _minutes(file.ends_at, file.starts_at)
    return EventHistory(
        day=file.starts_at / MICROSECONDS / SECONDS_PER_DAY,
        offset=file.offset,
        duration=np.where(duration > 0.0, duration, np.nan),
        closes_at=_minutes(file.closes_at, file.starts_at),
        table_size=_seats(file.table_size),
        final_table_size=_seats(file.final_table_size),
        player=player,
        number=file.number,
        place=file.place,
        registered_at=_minutes(file.registered_at, event_start),
        busted_at=_minutes(file.busted_at, event_start),
    )


def _seats(said: Ints) -> Ints:
    """Fill in the full table of the publication where the file is silent."""
    from ratings.engine.tier.hands import FULL_TABLE

    return np.where(said == NO_SEATS, FULL_TABLE, said)


def _minutes(moments: Ints, starts: Ints) -> Floats:
    return np.where(moments == NO_MOMENT, np.nan, (moments - starts) / MICROSECONDS / 60.0)


def _floats(balances: npt.NDArray[np.object_]) -> Floats:
    return np.array([np.nan if value is None else float(value) for value in balances], dtype=np.float64)
