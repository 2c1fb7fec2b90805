"""Read the tables of a file as events: any list of results becomes rows of docs/event-files.md, checked like those."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from pathlib import PurePath

from django.utils.translation import gettext as _

from league.event_files.reader import COLUMNS, REQUIRED, EventFile, FileEvent, read_event_file, read_rows
from league.names.rules import clean_name
from league.problems import Problem
from league.questions import Question
from league.tables import asked as questions
from league.tables.asked import Asked
from league.tables.clock_logs import COLUMNS as LOG_ROW
from league.tables.clock_logs import LogError, is_clock_log, read_clock_log, rows_of
from league.tables.columns import Layout, Unused, guess
from league.tables.decoding import Decoded, Unreadable, candidates
from league.tables.grids import BadGrid, Grid, Row, read_grid
from league.tables.json_files import BadJson, is_json, rows_of_json
from league.tables.meanings import LABELS, Meaning
from league.tables.places import Written, finishing_places
from league.tables.values import clock, dates, number
from league.tables.wide import melted, wide_columns
from league.tables.workbooks import is_workbook, read_workbook

Known = Mapping[str, tuple[int, str]]
DAY_IN_NAME = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d{2})[-_.]?(\d{2})(?!\d)")
MOST_FINISHERS = 20  # entries of one player in one event
NUMBERS = (Meaning.SCORE, Meaning.POINTS, Meaning.BALANCE, Meaning.COST, Meaning.PENALTY, Meaning.HOUSE)
OF_EVENT = (
    Meaning.GAME, Meaning.ROUND, Meaning.TABLE, Meaning.HOUSE, Meaning.TABLE_SIZE, Meaning.FINAL_TABLE_SIZE,
)  # fmt: skip
OF_ENTRY = {
    Meaning.SCORE, Meaning.BALANCE, Meaning.COST, Meaning.PENALTY, Meaning.NUMBER, Meaning.KNOCKOUTS, Meaning.CHIPS,
    Meaning.N_ENTRIES,
}  # fmt: skip
WINDS = {"東": "1", "南": "2", "西": "3", "北": "4", "e": "1", "s": "2", "w": "3", "n": "4"}


@dataclass(frozen=True)
class TableRead:
    """One table of a file with its layout."""

    grid: Grid
    layout: Layout


@dataclass(frozen=True)
class FileRead:
    """What a file holds, as it is read under the answers given so far."""

    events: tuple[FileEvent, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()
    unused: tuple[Unused, ...] = ()
    tables: tuple[TableRead, ...] = ()
    encodings: tuple[Decoded, ...] = ()
    encoding: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def n_open(self) -> int:
        return sum(not question.answer for question in self.questions)


@dataclass
class _Rows:
    """Rows under the names of docs/event-files.md, and what was found on the way."""

    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unused: list[Unused] = field(default_factory=list)


def read_file(
    data: bytes,
    name: str,
    *,
    tz: tzinfo,
    answers: Mapping[str, str] | None = None,
    chosen: Mapping[int, Meaning] | None = None,
    remembered: Mapping[str, Meaning] | None = None,
    known: Known | None = None,
    most_rows: int = 50_000,
    most_events: int = 400,
) -> FileRead:
    """Read a file of any kind: CSV and text, XLSX and ODS, JSON, logs of a tournament clock.

    Parameters
    ----------
    data : bytes
        The file. `name` gives the date of a log and of a table without one, like 2026-01-13.csv.
    answers : mapping
        Answers by the id of a question; `encoding`; `cell:LINE:COLUMN` for a cell that was mended and `row:LINE` = out
        for a row that is left out.
    chosen, remembered : mapping
        Meanings of columns by index, as chosen now, and by heading, as the club chose them before.
    known : mapping
        Id and name of the club's players by name key.

    Returns
    -------
    FileRead
        With a problem or an open question nothing of the file may be saved.
    """
    answers = answers or {}
    encodings: tuple[Decoded, ...] = ()
    encoding = ""
    bounds = {"tz": tz, "most_rows": most_rows, "most_events": most_events}
    try:
        if is_workbook(data):
            grids = read_workbook(data)
        else:
            encodings = candidates(data)
            decoded = next((d for d in encodings if d.encoding == answers.get("encoding")), encodings[0])
            encoding = decoded.encoding
            if is_json(decoded.text):
                return _json(decoded.text, bounds)
            grids = (read_grid(decoded.text, name),)
    except (Unreadable, BadJson) as error:
        return FileRead(problems=(Problem(0, "", str(error)),))
    except BadGrid as error:
        return FileRead(problems=(Problem(error.line, "", str(error)),), encodings=encodings)
    if len(grids) == 1 and not is_workbook(data) and _is_our_own(grids[0], chosen):
        own = read_event_file(decoded.text, **bounds)  # type: ignore[arg-type]
        return _of_event_file(own, FileRead(encodings=encodings, encoding=encoding))
    asked = Asked(answers, {})
    rows, tables = _Rows(), []
    for grid in grids:
        tables += _read_grid(_mended(grid, answers), name, asked, rows, chosen, remembered, known or {})
    file = _checked(rows, bounds)
    read = FileRead(
        questions=tuple(asked.questions.values()),
        unused=tuple(rows.unused),
        tables=tuple(tables),
        encodings=encodings,
        encoding=encoding,
    )
    return _of_event_file(file, read)


def _of_event_file(file: EventFile, read: FileRead) -> FileRead:
    return replace(read, events=file.events, problems=file.problems, warnings=file.warnings)


def _json(text: str, bounds: Mapping[str, object]) -> FileRead:
    header, body, paths = rows_of_json(text)
    file = read_rows(header, body, **bounds)  # type: ignore[arg-type]
    problems = tuple(
        replace(problem, line=0, message=f"{paths[problem.line]}.{problem.column}: {problem.message}")
        if problem.line
        else problem
        for problem in file.problems
    )
    return _of_event_file(replace(file, problems=problems), FileRead())


def _is_our_own(grid: Grid, chosen: Mapping[int, Meaning] | None) -> bool:
    """Whether the first line names the columns as docs/event-files.md does: then nothing is guessed."""
    heads = next((row.cells for row in grid.rows if not row.is_empty), ())
    return not chosen and set(REQUIRED) <= {head.casefold() for head in heads}


def _mended(grid: Grid, answers: Mapping[str, str]) -> Grid:
    """Put in the cells that were mended, and leave out the rows that are not wanted."""
    cells = {key: value for key, value in answers.items() if key.startswith("cell:")}
    rows = []
    for row in grid.rows:
        if answers.get(f"row:{row.line}") == "out":
            continue
        mended = [cells.get(f"cell:{row.line}:{i}", cell) for i, cell in enumerate(row.cells)]
        rows.append(replace(row, cells=tuple(mended)))
    return replace(grid, rows=tuple(rows))


def _read_grid(
    grid: Grid,
    name: str,
    asked: Asked,
    rows: _Rows,
    chosen: Mapping[int, Meaning] | None,
    remembered: Mapping[str, Meaning] | None,
    known: Known,
) -> list[TableRead]:
    """Read one table into `rows`; return its layout, or nothing for a sheet without results."""
    day = day_in(grid.name) or day_in(name)
    if is_clock_log(grid):
        _read_log(grid, day, rows)
        return []
    wide = wide_columns(grid)
    if wide:
        rows.unused += wide.unused
        rows.rows += _canonical(melted(wide, asked), _Dated(asked, None, wide.layout), rows)
        return [TableRead(grid, wide.layout)]
    layout = guess(grid, known=known, remembered=remembered, chosen=chosen)
    if not layout.body:
        rows.problems.append(Problem(0, "", _("The table has no rows of results.")))
        return []
    if Meaning.PLAYER not in layout.meanings:
        rows.problems.append(
            Problem(0, "", _("No column holds the players."), remedy=_("Choose it above its column."))
        )
        return [TableRead(grid, layout)]
    rows.unused += layout.unused
    if layout.index_of(Meaning.DATE) is None and day is None:
        rows.problems.append(
            Problem(
                0,
                str(LABELS[Meaning.DATE]),
                _("No column holds the dates."),
                remedy=_("Choose it above its column, or name the file by its day: 2026-01-13.csv."),
            )
        )
        return [TableRead(grid, layout)]
    records = [
        (row, {meaning: layout.cell(row, meaning) for meaning in layout.meanings}) for row in layout.body
    ]
    rows.rows += _canonical(records, _Dated(asked, day, layout), rows)
    _list_cells_beyond(layout, rows)
    return [TableRead(grid, layout)]


def _list_cells_beyond(layout: Layout, rows: _Rows) -> None:
    """List cells of rows that are longer than the headings."""
    width = len(layout.columns)
    rows.unused += [
        Unused(row.line, " ".join(row.cells[width:]), "cell") for row in layout.body if any(row.cells[width:])
    ]


def day_in(name: str) -> date | None:
    """Read the date in the name of a file or a sheet."""
    stem = PurePath(name).name.rpartition(".")[0] or name
    if match := DAY_IN_NAME.search(stem):
        return next(iter(dates("-".join(match.groups()))), None)
    return next(iter(dates(stem)), None)


def _read_log(grid: Grid, day: date | None, rows: _Rows) -> None:
    if day is None:
        message = _("The name of a log is its date, like 2026-01-13.csv.")
        rows.problems.append(Problem(0, "", message))
        return
    try:
        tournament = read_clock_log(grid, day)
    except LogError as error:
        rows.problems.append(Problem(error.line, error.column, _(error.template) % error.values))
        return
    rows.rows += [
        (n, dict(zip(LOG_ROW, row, strict=True))) for n, row in enumerate(rows_of(tournament), start=2)
    ]


class _Dated:
    """What is decided once for a table: the order of day and month, the decimal mark, a date outside the table."""

    def __init__(self, asked: Asked, day: date | None, layout: Layout) -> None:
        self.asked, self.day, self.layout = asked, day, layout
        column = layout.index_of(Meaning.DATE)
        of_dates = (
            [row.cells[column] for row in layout.body if column < len(row.cells)]
            if column is not None
            else []
        )
        self.day_order = questions.day_order(of_dates, asked)
        self.mark = questions.decimal_mark(
            [layout.cell(row, meaning) for row in layout.body for meaning in NUMBERS], asked
        )

    def date_of(self, text: str) -> date | None:
        found = dates(text)
        if len(found) == 2:  # noqa: PLR2004
            return found[0 if self.day_order == questions.DAY_FIRST else 1]
        return found[0] if found else None


Record = tuple[Row, dict[Meaning, str]]


def _canonical(records: Sequence[Record], dated: _Dated, found: _Rows) -> list[tuple[int, dict[str, str]]]:
    """Write records in the form of docs/event-files.md, event by event."""
    events: dict[tuple[str, ...], list[tuple[Record, date, time | None]]] = {}
    for record in records:
        row, cells = record
        day, start = _day_and_time(cells, dated)
        if day is None:
            found.problems.append(_no_date(row, cells))
            continue
        parts = tuple(
            clean_name(cells.get(meaning, ""))
            for meaning in (
                Meaning.SEASON,
                Meaning.EVENT,
                Meaning.NAME,
                Meaning.GAME,
                Meaning.ROUND,
                Meaning.TABLE,
            )
        )
        events.setdefault((*parts, day.isoformat()), []).append((record, day, start))
    keys = _keys(list(events))
    rows: list[tuple[int, dict[str, str]]] = []
    for parts, members in events.items():
        rows += _event_rows(keys[parts], parts, members, dated, found)
    return rows


def _day_and_time(cells: Mapping[Meaning, str], dated: _Dated) -> tuple[date | None, time | None]:
    text = cells.get(Meaning.DATE, "")
    if not text:
        return dated.day, None
    if day := dated.date_of(text):
        return day, None
    head, _blank, tail = text.replace("T", " ").rpartition(" ")
    at = clock(tail)
    return (dated.date_of(head), at[0]) if at else (None, None)


def _no_date(row: Row, cells: Mapping[Meaning, str]) -> Problem:
    text = cells.get(Meaning.DATE, "")
    message = _("“%(value)s” is no date") % {"value": text} if text else _("a date is missing")
    return Problem(row.line, "date", message, text, _("Write it like 2026-01-13."))


def _keys(events: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Name events as shortly as keeps them apart: by the event, by its day, or by both with round and table."""
    for choose in (lambda p: p[1], lambda p: p[-1], lambda p: f"{p[1] or p[2]} {p[-1]}".strip()):
        keys = [choose(parts) for parts in events]
        if all(keys) and len(set(keys)) == len(keys):
            break
    else:
        keys = [" ".join(filter(None, parts)) for parts in events]
    return {parts: key[:80] for parts, key in zip(events, keys, strict=True)}


def _event_rows(
    key: str,
    parts: tuple[str, ...],
    members: Sequence[tuple[Record, date, time | None]],
    dated: _Dated,
    found: _Rows,
) -> list[tuple[int, dict[str, str]]]:
    (first, cells), day, start = members[0][0], members[0][1], members[0][2]
    of_event = _event_cells(key, parts, first, [record[1] for record, _d, _s in members], day, start, found)
    starts_at = datetime.fromisoformat(of_event.get("starts_at") or f"{day.isoformat()}T00:00")
    has_places = any(Meaning.PLACE in cells for (_row, cells), _day, _start in members)
    written, rows, problems = [], [], len(found.problems)
    for (row, cells), _day, _start in members:
        values = _entry_cells(row, cells, starts_at, dated, found)
        name = cells.get(Meaning.PLAYER, "")
        score = next((cells[m] for m in (Meaning.SCORE, Meaning.BALANCE, Meaning.POINTS) if cells.get(m)), "")
        written.append(
            Written(row.line, name, cells.get(Meaning.PLACE, ""), number(score, decimal_mark=dated.mark))
        )
        rows.append((row.line, of_event | values | {"player": name}))
    places, of_places = finishing_places(written, dated.asked, has_places=has_places)
    found.problems += of_places
    if of_places or len(found.problems) > problems:
        return []
    placed = [(line, values, place) for (line, values), place in zip(rows, places, strict=True) if place]
    for (line, values), place in zip(rows, places, strict=True):
        if place is None:
            found.unused.append(Unused(line, values["player"], "row"))
    return _with_earlier_entries(placed)


def _event_cells(
    key: str,
    parts: tuple[str, ...],
    first: Row,
    members: Sequence[Mapping[Meaning, str]],
    day: date,
    start: time | None,
    found: _Rows,
) -> dict[str, str]:
    """Write what belongs to the event itself, from the first row that says it."""
    season, event, name, *_rest = parts
    cells = {
        "event": key,
        "date": day.isoformat(),
        "season": season,
        "name": name or (event if event != key else ""),
    }
    if not cells["name"] and event and not event.isdecimal():
        cells["name"] = event
    for meaning in (Meaning.START, Meaning.END, Meaning.CLOSES):
        text = next((values[meaning] for values in members if values.get(meaning)), "")
        if text:
            base = cells.get("starts_at") or f"{day.isoformat()}T00:00"
            cells[meaning.value] = _moment(text, datetime.fromisoformat(base), first.line, meaning, found)
    if start and "starts_at" not in cells:
        cells["starts_at"] = f"{day.isoformat()}T{start:%H:%M}"
    for meaning in OF_EVENT:
        if text := next((values[meaning] for values in members if values.get(meaning)), ""):
            cells[meaning.value] = text
    return {column: value for column, value in cells.items() if value}


def _entry_cells(
    row: Row, cells: Mapping[Meaning, str], starts_at: datetime, dated: _Dated, found: _Rows
) -> dict[str, str]:
    """Write the values of one entry; a value that is none is a problem of its line."""
    values: dict[str, str] = {}
    for meaning, text in cells.items():
        if not text:
            continue
        if meaning in OF_ENTRY:
            values[meaning.value] = _plain(text, dated.mark)
        elif meaning in {Meaning.IN_AT, Meaning.OUT_AT}:
            values[meaning.value] = _moment(text, starts_at, row.line, meaning, found)
        elif meaning == Meaning.SEAT:
            values[meaning.value] = WINDS.get(text.casefold()[:1], text)
    return values


def _plain(text: str, mark: str) -> str:
    """Write a number without groups; what is none stays, so that the check of the cells names it."""
    value = number(text, decimal_mark=mark)
    if value is None:
        return text
    return f"{value.normalize():f}" if value != value.to_integral() else f"{int(value)}"


def _moment(text: str, base: datetime, line: int, meaning: Meaning, found: _Rows) -> str:
    """Write a time: a time of day is the first one from the base on; a plain number is minutes, as in our own files."""
    at = clock(text)
    if at is None:
        if Decimal is type(number(text)) or dates(text) or _is_iso(text):
            return text
        message = _("“%(value)s” is no time like 21:40") % {"value": text}
        found.problems.append(Problem(line, meaning.value, message, text))
        return ""
    moment = datetime.combine(base.date(), at[0]) + timedelta(days=at[1])
    if moment < base:
        moment += timedelta(days=1)
    return moment.isoformat(timespec="minutes")


def _is_iso(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _with_earlier_entries(
    placed: Sequence[tuple[int, dict[str, str], int]],
) -> list[tuple[int, dict[str, str]]]:
    """Add the earlier entries of players with several: they share the place below all others."""
    rows, bottom = [], len(placed) + 1
    earlier: list[tuple[int, dict[str, str]]] = []
    for line, values, place in placed:
        entry = {column: value for column, value in values.items() if column != "n_entries"}
        n_entries = values.get("n_entries", "1")
        count = int(n_entries) if n_entries.isdecimal() and len(n_entries) < 3 else 0  # noqa: PLR2004
        if 1 < count <= MOST_FINISHERS:
            entry["number"] = str(count)
            own = {c: v for c, v in entry.items() if c in _OF_EVENT or c == "player"}
            earlier += [(line, own | {"number": str(n), "place": str(bottom)}) for n in range(1, count)]
        elif count != 1:
            entry["number"] = n_entries  # the check of the cells names it
        rows.append((line, entry | {"place": str(place)}))
    return rows + earlier


_OF_EVENT = {
    "event", "date", "season", "name", "starts_at", "ends_at", "closes_at", "game", "round", "table", "house",
    "table_size", "final_table_size",
}  # fmt: skip


def _checked(found: _Rows, bounds: Mapping[str, object]) -> EventFile:
    """Check the rows as those of an event file, unless something else is wrong with them already."""
    header = [*COLUMNS]
    body = [(line, [values.get(column, "") for column in header]) for line, values in found.rows]
    file = read_rows(header, body, **bounds) if body else EventFile()  # type: ignore[arg-type]
    problems = sorted((*found.problems, *file.problems), key=lambda problem: problem.line)
    if not problems and not file.events:
        problems = [Problem(0, "", _("The file holds no results."))]
    return replace(file, problems=tuple(problems))
