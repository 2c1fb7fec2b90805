"""Choose what is shown of an upload before it is saved: bounded, whatever its size, and kept as JSON with it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from entry.services.import_reading import DraftRead, ReadFile
from entry.services.imports import Verdict
from league.models import Season
from reading.event_files.reader import FileEvent
from reading.problems import Problem, most_frequent_column, shown
from reading.questions import Choice, Question
from reading.tables.layouts import Column
from reading.tables.reading import TableRead

MOST_SHOWN = 200
MOST_ROWS = 3  # of a table, beside the meanings of its columns

Shown = dict[str, Any]


@dataclass(frozen=True)
class Preview:
    """Hold what the page and the API show of an upload."""

    files: list[Shown]
    events: list[Shown]  # each with `n_changes`: None of a new one
    guests: list[Shown]  # the first ones of `n_guests`
    n_guests: int
    n_known: int
    n_entries: int
    questions: list[Question]
    problems: list[Problem]  # the first ones of `n_problems`
    mending: list[
        tuple[str, str]
    ]  # for each problem the fields that mend it: a cell, and leaving the row out
    n_problems: int
    most: tuple[str, int]  # the column with the most problems, and how many
    tables: list[tuple[str, str]]  # each by its file and sheet as in an address, with its name
    told: list[str]
    lacks_start: bool
    start: str

    @property
    def n_events(self) -> int:
        return len(self.events)

    @property
    def n_open(self) -> int:
        """Count the questions that wait for an answer."""
        return sum(not question.is_answered for question in self.questions)

    @property
    def is_ready(self) -> bool:
        """Tell whether nothing stands against saving the files."""
        return not self.n_problems and not self.n_open

    @property
    def can_strike(self) -> bool:
        """Tell whether a name can be said to be no player's: in tables, not in event files."""
        return any(file["tables"] for file in self.files)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Preview":
        questions = [
            Question(**(each | {"choices": tuple(Choice(**choice) for choice in each["choices"])}))
            for each in kept["questions"]
        ]
        problems = [Problem(**each) for each in kept["problems"]]
        pairs = {name: [tuple(pair) for pair in kept[name]] for name in ("mending", "tables")}
        most = tuple(kept["most"])
        return cls(**{**kept, **pairs, "questions": questions, "problems": problems, "most": most})


def preview_of(season: Season, read: DraftRead, verdict: Verdict) -> Preview:
    """Choose what is shown of files for a season, read with its club, and of the verdict on saving them."""
    found = [*read.problems, *verdict.problems]
    problems, n_more = shown(found)
    changes = verdict.changes or (None,) * len(read.events)
    pairs = zip(read.events, changes, strict=True)
    return Preview(
        files=[_file(file) for file in read.files],
        events=[_event(season, event, n_changes) for event, n_changes in pairs],
        guests=[{"name": each.name, "like": each.like, "key": each.key} for each in read.guests[:MOST_SHOWN]],
        n_guests=len(read.guests),
        n_known=read.n_known,
        n_entries=read.n_entries,
        questions=list(read.questions),
        problems=list(problems),
        mending=[_fields_of(read, problem) for problem in problems],
        n_problems=len(problems) + n_more,
        most=most_frequent_column(found),
        tables=_tables(read.files),
        told=list(read.told),
        lacks_start=read.lacks_start,
        start=read.start,
    )


def _event(season: Season, event: FileEvent, n_changes: int | None) -> Shown:
    starts_at = event.details.starts_at
    day, _separator, time = starts_at.astimezone(season.club.tz).strftime("%Y-%m-%d %H:%M").partition(" ")
    return {
        "key": event.key,
        "name": event.details.name,
        "season": event.season,
        "starts_at": starts_at.isoformat(),
        "day": day,
        "time": "" if time == "00:00" else time,
        "n_entries": len(event.entries),
        "winners": event.winners,
        "n_changes": n_changes,
    }


def _file(file: ReadFile) -> Shown:
    read = file.read
    return {
        "name": file.name,
        "prefix": file.prefix,
        "encoding": read.encoding,
        "encodings": [
            {"encoding": one.encoding, "label": one.label, "samples": list(one.samples)}
            for one in read.encodings
        ],
        "tables": [_table(table) for table in read.tables],
        "unused": [
            {"sheet": part.sheet, "line": part.line, "what": part.kind, "text": part.text}
            for part in read.unused[:MOST_SHOWN]
        ],
        "n_unused": len(read.unused),
        "warnings": list(read.warnings[:MOST_SHOWN]),
    }


def _table(table: TableRead) -> Shown:
    return {
        "name": table.grid.name,
        "prefix": table.prefix,
        "columns": [_column(column) for column in table.layout.columns],
        "rows": [list(row.cells) for row in table.layout.body[:MOST_ROWS]],
    }


def _column(column: Column) -> Shown:
    return {
        "index": column.index,
        "heading": column.heading,
        "meaning": column.meaning.value,
        "is_sure": column.is_sure,
        "why": column.why,
        "samples": list(column.samples),
    }


def _fields_of(read: DraftRead, problem: Problem) -> tuple[str, str]:
    """Name the fields of the form that mend a problem of the reading; empty where there is none."""
    if problem not in read.problems:
        return "", ""
    of_file = next((file for file in read.files if problem in file.read.problems), read.files[0])
    return of_file.fields_of(problem)


def _tables(files: Sequence[ReadFile]) -> list[tuple[str, str]]:
    """List the tables of an upload."""
    tables = []
    for number, file in enumerate(files, start=1):
        sheets = [(table.prefix.rstrip("!") or "1", table.grid.name) for table in file.read.tables]
        alone = [("1", file.name)] if file.read.has_rows else []
        tables += [(f"{number}.{sheet}", name) for sheet, name in sheets or alone]
    return tables
