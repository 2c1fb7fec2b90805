"""Read event files (docs/event-files.md): CSV with a row per entry, checked as a whole before anything is saved."""

import csv
import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from decimal import Decimal

from django.utils.translation import gettext as _

from reading.amounts import COLUMNS as AMOUNTS
from reading.amounts import amounts_of
from reading.cells import (
    BadCell,
    balance,
    chips,
    cost,
    instant,
    moment,
    score,
    thousands,
    whole_number,
)
from reading.event_files.checks import event_problems
from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE
from reading.names.rules import clean_name, name_problem, title_problem
from reading.problems import Problem
from reading.results import EntryInput, EventDetails
from reading.spreadsheets import plain_cell

MAX_BYTES = 2_000_000
MAX_ROWS = 50_000
MAX_EVENTS = 400  # all of them are saved in one transaction
ANY_NUMBER = sys.maxsize  # of rows or events: the limits are those of uploads
COLUMNS = (
    "event", "date", "player", "place", "number", "registered_at", "busted_at", "starts_at", "ends_at", "closes_at",
    "table_size", "final_table_size", "balance", "knockouts", "cost", "late",
    "game", "round", "table", "house", "score", "chips", "penalty", "seat", "name", "season", *AMOUNTS,
)  # fmt: skip
EVENT_COLUMNS = (
    "date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size", "game", "round", "table", "house",
    "name", "season",
)  # fmt: skip
REQUIRED = ("event", "date", "player", "place")
MAX_KNOCKOUTS = 999
MOST_ROUNDS = 999  # of a night, and tables of a round
MOST_SEATS = 4
MAX_PLACE = 1_000_000
MAX_KEY_LENGTH = 80  # the width of the database column
SEATS = (2, 10)  # at a table


def plain_text(text: str) -> str:
    """Clean a name or identifier, and remove the apostrophe that our exports add for spreadsheets."""
    return clean_name(plain_cell(text.strip()))


@dataclass(frozen=True)
class FileEvent:
    key: str
    details: EventDetails
    entries: tuple[EntryInput, ...]
    line: int
    lines: tuple[int, ...] = ()  # the line of each entry
    game: str = ""  # name of the club's game
    house: Decimal | None = None  # what the house kept of this event, in thousands of points
    season: str = ""  # name or address of the club's season
    file: str = ""  # the name of the file, if there are several

    @property
    def winners(self) -> list[str]:
        return [entry.name for entry in self.entries if entry.place == 1]


@dataclass(frozen=True)
class EventFile:
    events: tuple[FileEvent, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass
class _Rows:
    """Rows of one event: its entries as written, and the cells of the event itself with the first line of each."""

    line: int
    entries: list[tuple[int, list[str]]] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_event_file(
    text: str, *, tz: tzinfo, most_rows: int = MAX_ROWS, most_events: int = MAX_EVENTS
) -> EventFile:
    """Read a file and list all its problems; with any problem, nothing of the file may be saved."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # Spreadsheets write semicolons where the comma is the decimal mark.
    delimiter = "," if "," in text.lstrip().partition("\n")[0] else ";"
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        return EventFile(problems=(Problem(reader.line_num, "", _("not CSV: %(error)s") % {"error": error}),))
    rows = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
    if not rows:
        return EventFile(problems=(Problem(0, "", _("The file is empty.")),))
    (_line, header), *body = rows
    return read_rows(
        [name.strip().casefold() for name in header],
        body,
        tz=tz,
        most_rows=most_rows,
        most_events=most_events,
    )


def read_rows(
    header: list[str],
    body: list[tuple[int, list[str]]],
    *,
    tz: tzinfo,
    most_rows: int = MAX_ROWS,
    most_events: int = MAX_EVENTS,
) -> EventFile:
    """Read rows, each with its line, under the column names of docs/event-files.md."""
    if problem := _header_problem(header, len(body), most_rows):
        return EventFile(problems=(problem,))
    grouped = _group(header, body)
    if len(grouped) > most_events:
        message = _("%(events)d events are too many for one file; %(most)d is the most.") % {
            "events": len(grouped),
            "most": most_events,
        }
        return EventFile(problems=(Problem(0, "event", message),))
    events, problems = _events(header, grouped, tz)
    return EventFile(tuple(events), tuple(problems), column_warnings(header))


def column_warnings(header: Sequence[str]) -> tuple[str, ...]:
    """Name the columns that are not read."""
    unknown = [name for name in header if name and name not in COLUMNS]
    warnings = [
        _("The column “%(name)s” is not known and was not read.") % {"name": name} for name in unknown
    ]
    if "points" in unknown and "balance" not in header:
        warnings.append(_("What a player won or lost in a game belongs into the column balance."))
    return tuple(warnings)


def _header_problem(header: list[str], n_rows: int, most_rows: int) -> Problem | None:
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        message = _("The first line must name the columns; missing: %(names)s.") % {
            "names": ", ".join(missing)
        }
        return Problem(1, "", message)
    named = [name for name in header if name]  # spreadsheets leave empty columns at the end
    if len(set(named)) < len(named):
        return Problem(1, "", _("A column stands twice in the first line."))
    if not n_rows:
        return Problem(0, "", _("The file has a first line and no entries."))
    if n_rows > most_rows:
        message = _("%(rows)d entries are too many for one file; %(most)d is the most.") % {
            "rows": n_rows,
            "most": most_rows,
        }
        return Problem(0, "", message)
    return None


def _group(header: list[str], body: Iterable[tuple[int, list[str]]]) -> dict[str, _Rows]:
    """Group rows by event; rows without one come under "". Any row may hold the cells of its event."""
    grouped: dict[str, _Rows] = {}
    for line, row in body:
        cells = _by_column(header, row)
        key = plain_text(cells.get("event", ""))
        rows = grouped.setdefault(key, _Rows(line))
        try:
            _add_row(rows, key, line, cells, is_long=any(map(str.strip, row[len(header) :])))
        except BadCell as error:
            rows.problems.append(_problem_of(line, cells, error))
        else:
            rows.entries.append((line, row))
    return grouped


def _by_column(header: list[str], row: list[str]) -> dict[str, str]:
    return dict(zip(header, (cell.strip() for cell in row), strict=False))


def _add_row(rows: _Rows, key: str, line: int, cells: Mapping[str, str], *, is_long: bool) -> None:
    if is_long:
        raise BadCell("", _("more cells than the first line has columns"))
    if not key or len(key) > MAX_KEY_LENGTH:
        raise BadCell("event", _("an identifier of 1 to 80 characters is needed"))
    for column in EVENT_COLUMNS:
        if not (value := cells.get(column, "")):
            continue
        rows.lines.setdefault(column, line)
        if rows.cells.setdefault(column, value) != value:
            raise BadCell(
                column, _("“%(value)s” differs from the line above of the same event") % {"value": value}
            )


def _problem_of(line: int, cells: Mapping[str, str], error: BadCell) -> Problem:
    who = ", ".join(filter(None, (plain_text(cells.get(name, ""))[:80] for name in ("event", "player"))))
    return Problem(line, error.column, f"{error} ({who})" if who else str(error))


def _events(
    header: list[str], grouped: Mapping[str, _Rows], tz: tzinfo
) -> tuple[list[FileEvent], list[Problem]]:
    # A row without an event may belong to any of them, so no event can be checked as a whole.
    is_whole = not any(rows.problems for key, rows in grouped.items() if not key)
    events, problems = [], []
    for key, rows in grouped.items():
        event, event_errors = _event(key, rows, header, tz, is_whole=is_whole)
        problems += event_errors
        events += [event] if event else []
    return events, sorted(problems, key=lambda problem: problem.line)


def _event(
    key: str, rows: _Rows, header: list[str], tz: tzinfo, *, is_whole: bool
) -> tuple[FileEvent | None, list[Problem]]:
    if not rows.entries:
        return None, rows.problems
    start, details, house, problems = None, None, None, list(rows.problems)
    try:
        start = _start(rows.cells, tz)
        details = _details(rows.cells, start, tz)
        house = thousands("house", rows.cells.get("house", ""))
    except BadCell as error:
        line = rows.lines.get(error.column, rows.line)
        problems.append(_problem_of(line, {"event": key}, error))
    entries, entry_errors = _entries(rows, header, start, tz)
    problems += entry_errors
    if problems or details is None or not is_whole:
        return None, problems
    if problems := event_problems(key, details, entries):
        return None, problems
    lines, inputs = zip(*entries, strict=True)
    named = {name: plain_text(rows.cells.get(name, "")) for name in ("game", "season")}
    return FileEvent(key, details, inputs, rows.line, lines, house=house, **named), []


def _entries(
    rows: _Rows, header: list[str], start: datetime | None, tz: tzinfo
) -> tuple[list[tuple[int, EntryInput]], list[Problem]]:
    entries, problems = [], []
    for line, row in rows.entries:
        cells = _by_column(header, row)
        try:
            entries.append((line, _entry(cells, start, tz)))
        except BadCell as error:
            problems.append(_problem_of(line, cells, error))
    return entries, problems


def _start(cells: Mapping[str, str], tz: tzinfo) -> datetime:
    day = instant("date", cells.get("date", ""), tz)
    return moment("starts_at", cells.get("starts_at", ""), day, tz) or day


def _details(cells: Mapping[str, str], start: datetime, tz: tzinfo) -> EventDetails:
    ends_at = moment("ends_at", cells.get("ends_at", ""), start, tz)
    if ends_at and ends_at < start:
        raise BadCell("ends_at", _("the event ends before it starts"))
    return EventDetails(
        starts_at=start,
        name=_event_name(cells),
        ends_at=ends_at,
        closes_at=moment("closes_at", cells.get("closes_at", ""), start, tz),
        table_size=_seats("table_size", cells),
        final_table_size=_seats("final_table_size", cells),
        round=_optional("round", cells, MOST_ROUNDS),
        table=_optional("table", cells, MOST_ROUNDS),
    )


def _seats(column: str, cells: Mapping[str, str]) -> int | None:
    return whole_number(column, cells[column], *SEATS) if cells.get(column) else None


def _event_name(cells: Mapping[str, str]) -> str:
    name = plain_text(cells.get("name", ""))
    if name and (problem := title_problem(name, most=MAX_KEY_LENGTH)):
        raise BadCell("name", problem)
    return name


def _optional(column: str, cells: Mapping[str, str], most: int) -> int | None:
    """Read a whole number from 1, or nothing."""
    return whole_number(column, text, 1, most) if (text := cells.get(column, "")) else None


def _entry(cells: Mapping[str, str], start: datetime | None, tz: tzinfo) -> EntryInput:
    name = plain_text(cells.get("player", ""))
    if problem := name_problem(name):
        raise BadCell("player", problem)
    times = {
        column: moment(column, cells.get(column, ""), start, tz) for column in ("registered_at", "busted_at")
    }
    if times["registered_at"] and times["busted_at"] and times["busted_at"] < times["registered_at"]:
        raise BadCell("busted_at", _("%(name)s is out before registering") % {"name": name})
    return EntryInput(
        name,
        whole_number("place", cells.get("place", ""), 1, MAX_PLACE),
        whole_number("number", cells.get("number", "") or "1", 1, MAX_ENTRIES_OF_ONE),
        times["registered_at"],
        times["busted_at"],
        balance=balance(cells.get("balance", "")),
        knockouts=whole_number("knockouts", text, 0, MAX_KNOCKOUTS)
        if (text := cells.get("knockouts", ""))
        else None,
        cost=cost(cells.get("cost", "")),
        score=score(cells.get("score", "")),
        chips=chips(cells.get("chips", "")),
        penalty=thousands("penalty", cells.get("penalty", "")),
        seat=_optional("seat", cells, MOST_SEATS),
        amounts=amounts_of(cells),
    )
