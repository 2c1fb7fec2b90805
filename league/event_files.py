"""Event files (docs/event-files.md): a CSV row per entry, read and checked as a whole before anything is saved."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from itertools import pairwise

from django.utils.translation import gettext as _

from league.finishing_order import MAX_ENTRIES_OF_ONE
from league.models.player import name_key
from league.names import clean_name, name_problem
from league.results import EntryInput, EventDetails

MAX_BYTES = 2_000_000
MAX_ROWS = 50_000
MAX_EVENTS = 400  # all of them are saved in one transaction
COLUMNS = (
    "event", "date", "player", "place", "number", "registered_at", "busted_at", "starts_at", "ends_at", "closes_at",
    "table_size", "final_table_size", "balance", "knockouts", "cost", "late",
)  # fmt: skip
REQUIRED = ("event", "date", "player", "place")
MAX_BALANCE = 1_000_000_000  # either way
MAX_KNOCKOUTS = 999
COST = re.compile(r"\d{1,9}(\.\d{1,3})?")
BALANCE = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
# Minus signs that float() does not know: a true one, and that of Japanese score sheets.
MINUS = str.maketrans("\u2212▲", "--")


@dataclass(frozen=True)
class Problem:
    """What is wrong, and where: a line of the file (0: the whole of it) and a column."""

    line: int
    column: str
    message: str

    def __str__(self) -> str:
        where = [_("line %(line)d") % {"line": self.line}] if self.line else []
        return (
            ", ".join([*where, *([self.column] if self.column else [])])
            + (": " if where else "")
            + self.message
        )


@dataclass(frozen=True)
class FileEvent:
    key: str
    details: EventDetails
    entries: tuple[EntryInput, ...]
    line: int
    lines: tuple[int, ...] = ()  # of the entries


@dataclass(frozen=True)
class EventFile:
    events: tuple[FileEvent, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass
class _Rows:
    line: int
    entries: list[tuple[int, EntryInput]] = field(default_factory=list)
    cells: dict[str, str] = field(default_factory=dict)


class BadCell(ValueError):
    def __init__(self, column: str, message: str) -> None:
        super().__init__(message)
        self.column = column


def decode(data: bytes, *, size: int | None = None) -> str:
    """The text of an uploaded file: UTF-8 with or without a byte order mark, else Shift-JIS.

    `size` is the file's, where no more than MAX_BYTES + 1 of it were read.
    """
    size = size or len(data)
    if size > MAX_BYTES:
        raise ValueError(
            _("The file has %(size).1f MB; %(most)d MB is the most. Split it by season.")
            % {"size": size / 1e6, "most": MAX_BYTES // 1_000_000}
        )
    for encoding in ("utf-8-sig", "cp932"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise ValueError(
        _("This is no text file in UTF-8 or Shift-JIS. Save the table as “CSV UTF-8” and try again.")
    )


def read_event_file(
    text: str, *, tz: tzinfo, most_rows: int = MAX_ROWS, most_events: int = MAX_EVENTS
) -> EventFile:
    """Read a file. With any problem nothing of it may be saved; all problems are told, not the first alone."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    # Spreadsheets of half of Europe write semicolons.
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
    header = [name.strip().casefold() for name in header]
    if problem := _header_problem(header, len(body), most_rows):
        return EventFile(problems=(problem,))
    unknown = [name for name in header if name and name not in COLUMNS]
    warnings = [
        _("The column “%(name)s” is not known and was not read.") % {"name": name} for name in unknown
    ]
    grouped, problems, broken = _group(header, body, tz)
    if len(grouped) > most_events:
        message = _("%(events)d events are too many for one file; %(most)d is the most.") % {
            "events": len(grouped),
            "most": most_events,
        }
        return EventFile(problems=(Problem(0, "event", message),))
    events, more = _events(grouped, broken, tz)
    return EventFile(tuple(events), tuple(problems + more), tuple(warnings))


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


def _group(
    header: list[str], body: Iterable[tuple[int, list[str]]], tz: tzinfo
) -> tuple[dict[str, _Rows], list[Problem], set[str]]:
    """Rows by event, and the events of which a row could not be read ("": nobody knows whose)."""
    grouped: dict[str, _Rows] = {}
    problems, broken = [], set()
    for line, row in body:
        cells = dict(zip(header, (cell.strip() for cell in row), strict=False))
        try:
            _add_row(grouped, line, cells, tz, n_extra=len(row) - len(header))
        except BadCell as error:
            who = ", ".join(
                filter(None, (clean_name(cells.get(name, ""))[:80] for name in ("event", "player")))
            )
            problems.append(Problem(line, error.column, f"{error} ({who})" if who else str(error)))
            broken.add(clean_name(cells.get("event", "")))
    return grouped, problems, broken


def _add_row(
    grouped: dict[str, _Rows], line: int, cells: Mapping[str, str], tz: tzinfo, *, n_extra: int
) -> None:
    if n_extra > 0:
        raise BadCell("", _("more cells than the first line has columns"))
    key = clean_name(cells.get("event", ""))
    if not key or len(key) > 80:  # noqa: PLR2004  the column's width
        raise BadCell("event", _("an identifier of 1 to 80 characters is needed"))
    rows = grouped.setdefault(key, _Rows(line))
    for column in ("date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size"):
        if (value := cells.get(column, "")) and rows.cells.setdefault(column, value) != value:
            raise BadCell(
                column, _("“%(value)s” differs from the line above of the same event") % {"value": value}
            )
    rows.entries.append((line, _entry(cells, rows.cells, tz)))


def _entry(cells: Mapping[str, str], event_cells: Mapping[str, str], tz: tzinfo) -> EntryInput:
    name = clean_name(cells.get("player", ""))
    if problem := name_problem(name):
        raise BadCell("player", problem)
    start = _start(event_cells, tz)
    times = {
        column: _moment(column, cells.get(column, ""), start, tz) for column in ("registered_at", "busted_at")
    }
    if times["registered_at"] and times["busted_at"] and times["busted_at"] < times["registered_at"]:
        raise BadCell("busted_at", _("%(name)s is out before registering") % {"name": name})
    return EntryInput(
        name,
        _whole("place", cells.get("place", ""), 1, 1_000_000),
        _whole("number", cells.get("number", "") or "1", 1, MAX_ENTRIES_OF_ONE),
        times["registered_at"],
        times["busted_at"],
        balance=_balance(cells.get("balance", "")),
        knockouts=_whole("knockouts", text, 0, MAX_KNOCKOUTS)
        if (text := cells.get("knockouts", ""))
        else None,
        cost=_cost(cells.get("cost", "")),
    )


def _balance(text: str) -> float | None:
    if not text:
        return None
    number = text.translate(MINUS)
    if not BALANCE.fullmatch(number) or abs(float(number)) > MAX_BALANCE:
        raise BadCell(
            "balance",
            _("“%(value)s” is no number from %(least)d to %(most)d")
            % {"value": text, "least": -MAX_BALANCE, "most": MAX_BALANCE},
        )
    return float(number)


def _cost(text: str) -> Decimal | None:
    if not text:
        return None
    if not COST.fullmatch(text):
        raise BadCell(
            "cost", _("“%(value)s” is no amount from 0 to 999999999, like 60 or 12.50") % {"value": text}
        )
    return Decimal(text)


def _whole(column: str, text: str, least: int, most: int) -> int:
    if not text.isdecimal() or len(text) > 12 or not least <= int(text) <= most:  # noqa: PLR2004  int() has a limit
        raise BadCell(
            column,
            _("“%(value)s” is no whole number from %(least)d to %(most)d")
            % {"value": text, "least": least, "most": most},
        )
    return int(text)


def _start(cells: Mapping[str, str], tz: tzinfo) -> datetime:
    day = _iso("date", cells.get("date", ""), tz)
    start = cells.get("starts_at", "")
    return _moment("starts_at", start, day, tz) or day


def _iso(column: str, text: str, tz: tzinfo) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadCell(
            column, _("“%(value)s” is no date like 2026-01-13 or 2026-01-13T19:30") % {"value": text}
        ) from None
    if not date(1900, 1, 1) <= moment.date() <= date(2200, 1, 1):
        raise BadCell(column, _("“%(value)s” is too far away") % {"value": text})
    # In UTC from here on: clocks of one zone do not compare by age where it changes its time.
    return (moment if moment.tzinfo else moment.replace(tzinfo=tz)).astimezone(UTC)


def _moment(column: str, text: str, start: datetime, tz: tzinfo) -> datetime | None:
    """An ISO date and time, or minutes from the start."""
    if not text:
        return None
    if text.replace(".", "", 1).isdecimal() and len(text) < 8:  # noqa: PLR2004  20260113 is a date
        return start + timedelta(minutes=float(text))
    return _iso(column, text, tz)


def _events(
    grouped: Mapping[str, _Rows], broken: set[str], tz: tzinfo
) -> tuple[list[FileEvent], list[Problem]]:
    events, problems = [], []
    for key, rows in grouped.items():
        if broken & {key, ""}:
            continue  # what is left of it would only seem wrong
        try:
            details = _details(rows.cells, tz)
        except BadCell as error:
            problems.append(Problem(rows.line, error.column, str(error)))
            continue
        found = _entry_problems(key, rows.entries) or _time_problems(key, details, rows.entries)
        problems += found
        if not found:
            lines, entries = zip(*rows.entries, strict=True)
            events.append(FileEvent(key, details, entries, rows.line, lines))
    return events, problems


def _details(cells: Mapping[str, str], tz: tzinfo) -> EventDetails:
    start = _start(cells, tz)
    ends_at = _moment("ends_at", cells.get("ends_at", ""), start, tz)
    if ends_at and ends_at < start:
        raise BadCell("ends_at", _("the event ends before it starts"))
    return EventDetails(
        starts_at=start,
        ends_at=ends_at,
        closes_at=_moment("closes_at", cells.get("closes_at", ""), start, tz),
        table_size=_whole("table_size", cells.get("table_size", "9"), 2, 10),
        final_table_size=_whole("final_table_size", cells.get("final_table_size", "9"), 2, 10),
    )


def _entry_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    problems = []
    numbers: dict[str, set[int]] = {}
    for line, entry in entries:
        seen = numbers.setdefault(name_key(entry.name), set())
        if entry.number in seen:
            message = _("%(name)s has entry %(n)d twice in the event %(event)s") % {
                "name": entry.name, "n": entry.number, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "player", message))
        seen.add(entry.number)
    for line, entry in entries:
        if entry.number > 1 and entry.number - 1 not in numbers[name_key(entry.name)]:
            message = _("%(name)s has entry %(n)d, but no entry %(before)d in the event %(event)s") % {
                "name": entry.name, "n": entry.number, "before": entry.number - 1, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "number", message))
    return problems or _place_problems(key, entries) or _order_problems(key, entries)


def _time_problems(key: str, details: EventDetails, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    """Nobody registers after registration has closed, or is out before the event begins."""
    problems = []
    for line, entry in entries:
        if entry.registered_at and details.closes_at and entry.registered_at > details.closes_at:
            message = _("%(name)s registered after registration closed in the event %(event)s") % {
                "name": entry.name, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "registered_at", message))
        if entry.busted_at and entry.busted_at < details.starts_at:
            message = _("%(name)s is out before the event %(event)s starts") % {
                "name": entry.name, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "busted_at", message))
    return problems


def _order_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    """Who enters again has gone out before: each entry finishes above the ones before it."""
    places = {(name_key(entry.name), entry.number): entry.place for _line, entry in entries}
    problems = []
    for line, entry in entries:
        before = places.get((name_key(entry.name), entry.number - 1))
        if before is not None and before < entry.place:
            message = _("entry %(n)d of %(name)s finishes below entry %(before)d in the event %(event)s") % {
                "n": entry.number, "name": entry.name, "before": entry.number - 1, "event": key,
            }  # fmt: skip
            problems.append(Problem(line, "place", message))
    return problems


def _place_problems(key: str, entries: list[tuple[int, EntryInput]]) -> list[Problem]:
    """Places run 1 to n; equal ones are a tie, after which as many are left out (1-2-2-4)."""
    in_order = sorted(entries, key=lambda item: item[1].place)
    if in_order[0][1].place != 1:
        return [Problem(in_order[0][0], "place", _("the event %(event)s has no place 1") % {"event": key})]
    if len({name_key(entry.name) for _line, entry in entries}) == 1:
        return [
            Problem(in_order[0][0], "player", _("the event %(event)s has one player only") % {"event": key})
        ]
    for position, ((_l, above), (line, entry)) in enumerate(pairwise(in_order), start=2):
        if entry.place not in {above.place, position}:
            message = _("place %(place)d should be %(right)d in the event %(event)s") % {
                "place": entry.place, "right": position, "event": key,
            }  # fmt: skip
            return [Problem(line, "place", message)]
    return []
