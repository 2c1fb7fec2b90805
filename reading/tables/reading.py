"""Read the tables of a file as events: any list of results becomes rows of docs/event-files.md."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reading.event_files.column_reader import read_columns_of
from reading.event_files.json_files import BadJson, is_json, is_list_of_records, rows_of_json
from reading.event_files.reader import (
    COLUMNS,
    MAX_EVENTS,
    MAX_ROWS,
    REQUIRED,
    EventFile,
    FileEvent,
    read_rows,
)
from reading.names.near import Known
from reading.problems import Problem
from reading.questions import Choice, Question
from reading.tables.asked import Asked
from reading.tables.columns import guess
from reading.tables.days import day_in, day_of
from reading.tables.doubts import corrected
from reading.tables.formats.clock_logs import COLUMNS as LOG_ROW
from reading.tables.formats.clock_logs import LogError, is_clock_log, read_clock_log, rows_of
from reading.tables.formats.decoding import Decoded, Unreadable, candidates
from reading.tables.formats.web_pages import is_web_page, read_web_page
from reading.tables.formats.workbooks import is_workbook, read_workbook
from reading.tables.game_rows import entries_of_games, game_rows
from reading.tables.grids import BadGrid, Grid, grid_of_records, read_grid
from reading.tables.layouts import Layout, Unused
from reading.tables.meanings import Meaning
from reading.tables.overlong import with_whole_names, with_whole_numbers
from reading.tables.records import Basis, Found, canonical
from reading.tables.rivals import settle
from reading.tables.sheets import (
    STEP,
    Sheets,
    answers_about,
    chosen_meanings,
    mended,
    numbered,
    prefix_of,
)
from reading.tables.wide import melted, wide_columns

SHEETS, LIKELY, ALL = "sheets", "likely", "all"


@dataclass(frozen=True)
class TableRead:
    """One table of a file with its layout; answers about it begin with its prefix, which the first sheet has not."""

    grid: Grid
    layout: Layout
    prefix: str = ""


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
    header: tuple[str, ...] = ()  # of a file in the form of docs/event-files.md
    has_rows: bool = False  # whether it could be divided into rows and cells

    @property
    def n_open(self) -> int:
        return sum(not question.is_answered for question in self.questions)


class Bounds(NamedTuple):
    """The time zone of a file and the most that it may hold."""

    tz: tzinfo
    most_rows: int
    most_events: int

    def check(self, header: list[str], body: list[tuple[int, list[str]]]) -> EventFile:
        return read_rows(header, body, **self._asdict())


def read_file(
    data: bytes,
    name: str,
    *,
    tz: tzinfo,
    answers: Mapping[str, str] | None = None,
    remembered: Mapping[str, Meaning] | None = None,
    known: Known | None = None,
    most_rows: int = MAX_ROWS,
    most_events: int = MAX_EVENTS,
) -> FileRead:
    """Read a file of any kind: CSV and text, XLSX and ODS, JSON, logs of a tournament clock.

    Parameters
    ----------
    data : bytes
        The file. `name` gives the date of a log and of a table without one, like 2026-01-13.csv.
    answers : mapping
        Answers by the id of a question; `encoding`; `meaning:COLUMN` for the meaning that was chosen for a column;
        `cell:LINE:COLUMN` for a cell that was mended and `row:LINE` = out for a row that is left out. Those about the
        second sheet begin with `2!`.
    remembered : mapping
        Meanings of columns by heading, as the club chose them before.
    known : mapping
        Id and name of the club's players by name key.

    Returns
    -------
    FileRead
        With a problem or an open question nothing of the file may be saved.
    """
    bounds = Bounds(tz, most_rows, most_events)
    reading = _Reading(name, answers or {}, remembered or {}, known or {}, tz)
    read = FileRead()
    try:
        if is_workbook(data):
            book = read_workbook(data)
            reading.found.unused += [Unused(0, name, "sheet") for name in book.unread]
            return reading.read(book.grids, bounds, read)
        encodings = candidates(data)
        decoded = _chosen(encodings, reading.answers)
        read = FileRead(encodings=encodings, encoding=decoded.encoding)
        if own := _by_columns(data, bounds) if not answers else None:
            return replace(_with_file(read, own), has_rows=True)
        if is_json(decoded.text) and not is_list_of_records(decoded.text):
            return _json(decoded.text, bounds, read)
        return reading.read(_grids(decoded.text, name), bounds, read)
    except (Unreadable, BadJson, BadGrid) as error:
        problem = Problem(getattr(error, "line", 0), "", str(error))
        return replace(read, problems=(problem,))


def rows_of_file(data: bytes, name: str, answers: Mapping[str, str]) -> dict[str, Grid]:
    """Read the tables of a file without any meaning, by the prefix of answers about them; mended as these say.

    Empty for what has no rows: a file of the JSON format, and one that cannot be read.
    """
    try:
        if is_workbook(data):
            grids = read_workbook(data).grids
        else:
            text = _chosen(candidates(data), answers).text
            grids = () if is_json(text) and not is_list_of_records(text) else _grids(text, name)
    except (Unreadable, BadJson, BadGrid):
        return {}
    # In the form of exports nothing is guessed, as whether a comma divides a number.
    is_own = len(grids) == 1 and _our_own(grids[0]) is not None
    whole = grids if is_own else tuple(map(with_whole_numbers, grids))
    prefixed = {prefix_of(number): grid for number, grid in enumerate(whole, start=1)}
    return {prefix: mended(grid, answers_about(answers, prefix)) for prefix, grid in prefixed.items()}


def _chosen(encodings: tuple[Decoded, ...], answers: Mapping[str, str]) -> Decoded:
    return next((d for d in encodings if d.encoding == answers.get("encoding")), encodings[0])


def _grids(text: str, name: str) -> tuple[Grid, ...]:
    """Divide a text into tables: those of a web page, a list of records in JSON, or lines with delimiters."""
    if is_web_page(text):
        return read_web_page(text, name)
    if is_json(text):
        return (grid_of_records(json.loads(text), name),)
    return (read_grid(text, name),)


def _with_file(read: FileRead, file: EventFile) -> FileRead:
    return replace(read, events=file.events, problems=file.problems, warnings=file.warnings)


def _by_columns(data: bytes, bounds: Bounds) -> EventFile | None:
    """Read a file in the form of docs/event-files.md fast; None if anything about it is wrong or unusual."""
    columns = read_columns_of(data, tz=bounds.tz)
    if columns is None or len(columns.place) > bounds.most_rows or columns.n_events > bounds.most_events:
        return None
    return EventFile(tuple(map(columns.file_event, range(columns.n_events))), warnings=columns.warnings)


def _json(text: str, bounds: Bounds, read: FileRead) -> FileRead:
    header, body, paths = rows_of_json(text)
    file = bounds.check(header, body)
    problems = tuple(
        replace(problem, line=0, message=f"{paths[problem.line]}.{problem.column}: {problem.message}")
        if problem.line
        else problem
        for problem in file.problems
    )
    return _with_file(read, replace(file, problems=problems))


class _Reading:
    """What is read of the tables of a file so far."""

    def __init__(
        self,
        name: str,
        answers: Mapping[str, str],
        remembered: Mapping[str, Meaning],
        known: Known,
        tz: tzinfo,
    ) -> None:
        self.name, self.answers, self.remembered, self.known, self.tz = name, answers, remembered, known, tz
        self.asked, self.found = Asked(answers, {}), Found()
        self.tables: list[TableRead] = []

    def read(self, grids: tuple[Grid, ...], bounds: Bounds, read: FileRead) -> FileRead:
        """Read all tables, and check what they hold as the rows of an event file."""
        read = replace(read, has_rows=True)
        if len(grids) == 1 and not chosen_meanings(self.answers):
            own = _our_own(mended(grids[0], self.answers))
            if own:
                return replace(_with_file(read, bounds.check(*own)), header=tuple(own[0]))
        wanted = self._wanted(grids)
        for number, grid in enumerate(grids, start=1):
            if grid in wanted:
                self._read_sheet(grid, number, is_alone=len(grids) == 1)
        file, sheets = self._checked(bounds), Sheets([grid.name for grid in grids])
        return replace(
            read,
            events=tuple(map(sheets.event, file.events)),
            problems=tuple(map(sheets.problem, file.problems)),
            questions=tuple(self.asked.questions.values()),
            unused=tuple(
                map(sheets.unused, sorted(self.found.unused, key=lambda unused: unused.line)),
            ),
            tables=tuple(self.tables),
            warnings=file.warnings,
        )

    def _wanted(self, grids: tuple[Grid, ...]) -> tuple[Grid, ...]:
        """Choose the sheets to read: ask if only some of them look like results."""
        if len(grids) == 1:
            return grids
        likely = tuple(grid for grid in grids if self._looks_like_results(grid))
        if not likely or len(likely) == len(grids):
            return grids
        answer = self.asked.ask(
            SHEETS,
            _("Which sheets hold results?"),
            ngettext("The workbook has %(n)d sheet.", "The workbook has %(n)d sheets.", len(grids))
            % {"n": len(grids)},
            [
                Choice(LIKELY, ", ".join(grid.name for grid in likely), _("they look like results")),
                Choice(ALL, _("All of them")),
            ],
        )
        if answer == ALL:
            return grids
        self.found.unused += [Unused(0, grid.name, "sheet") for grid in grids if grid not in likely]
        return likely

    def _looks_like_results(self, grid: Grid) -> bool:
        if is_clock_log(grid) or wide_columns(grid):
            return True
        meanings = self._guess(grid, {}).meanings
        return Meaning.PLAYER in meanings and bool(meanings & {Meaning.PLACE, Meaning.SCORE, Meaning.BALANCE})

    def _guess(self, grid: Grid, chosen: Mapping[int, Meaning]) -> Layout:
        return guess(grid, known=self.known, remembered=self.remembered, chosen=chosen)

    def _read_sheet(self, sheet: Grid, number: int, *, is_alone: bool) -> None:
        """Read a sheet, with the answers about it."""
        prefix = prefix_of(number)
        answers = answers_about(self.answers, prefix)
        grid, chosen = mended(with_whole_numbers(sheet), answers), chosen_meanings(answers)
        if not is_alone:
            grid = numbered(grid, number)
        names = (grid.name, self.name)
        if is_clock_log(grid):
            self._read_log(grid, next(filter(None, map(day_in, names)), None))
        elif (wide := wide_columns(grid)) and not chosen:
            self.tables.append(TableRead(grid, wide.layout, prefix))
            self.found.unused += wide.unused
            self.found.rows += canonical(
                melted(wide, self.asked), Basis(self.asked, None, wide.layout, self.tz), self.found
            )
        elif (games := game_rows(grid)) and not chosen:
            self.tables.append(TableRead(grid, games.layout, prefix))
            self.found.unused += games.layout.unused
            day = day_of(games.layout, names, prefix, self.asked)
            basis = Basis(self.asked, day, games.layout, self.tz)
            self.found.rows += canonical(entries_of_games(games), basis, self.found)
        else:
            layout = self._guess(grid, chosen)
            whole = with_whole_names(grid, layout, prefix, self.asked)
            if whole is not grid:
                grid, layout = whole, self._guess(whole, chosen)
            settled = settle(layout, prefix, self.asked)
            self.found.problems += settled.problems
            if settled.chosen:
                layout = self._guess(grid, {**settled.chosen, **chosen})
            layout = corrected(layout, prefix, self.asked)
            day = day_of(layout, names, prefix, self.asked)
            self._read_list(TableRead(grid, layout, prefix), day, 0 if is_alone else number * STEP)

    def _read_list(self, table: TableRead, day: date | None, top: int) -> None:
        """Read a table with a row for each entry; `top` is the line of what concerns it as a whole."""
        layout = table.layout
        self.tables.append(table)
        self.found.unused += [replace(unused, line=unused.line or top) for unused in layout.unused]
        if problems := _problems_of_layout(layout, day):
            self.found.problems += [replace(problem, line=problem.line or top) for problem in problems]
            return
        records = [(row, layout.cells(row)) for row in layout.body]
        self.found.rows += canonical(records, Basis(self.asked, day, layout, self.tz), self.found)

    def _read_log(self, grid: Grid, day: date | None) -> None:
        if day is None:
            message = _("The name of a log is its date, like 2026-01-13.csv.")
            self.found.problems.append(Problem(0, "", message))
            return
        try:
            tournament = read_clock_log(grid, day)
        except LogError as error:
            self.found.problems.append(Problem(error.line, error.column, _(error.template) % error.values))
            return
        rows = enumerate(rows_of(tournament), start=2)
        self.found.rows += [(n, dict(zip(LOG_ROW, row, strict=True))) for n, row in rows]

    def _checked(self, bounds: Bounds) -> EventFile:
        """Check the rows as those of an event file, and list what else was found."""
        used = {*REQUIRED, *(column for _line, values in self.found.rows for column in values)}
        header = [column for column in COLUMNS if column in used]
        body = [(line, [values.get(column, "") for column in header]) for line, values in self.found.rows]
        file = bounds.check(header, body) if body else EventFile()
        problems = sorted((*self.found.problems, *file.problems), key=lambda problem: problem.line)
        if not problems and not file.events:
            problems = [Problem(0, "", _("The file holds no results."))]
        return replace(file, problems=tuple(problems))


def _our_own(grid: Grid) -> tuple[list[str], list[tuple[int, list[str]]]] | None:
    """Take a table that names its columns as docs/event-files.md does as it is: then nothing is guessed."""
    rows = [row for row in grid.rows if not row.is_empty]
    header = [head.casefold() for head in rows[0].cells] if rows else []
    if not set(REQUIRED) <= set(header):
        return None
    return header, [(row.line, list(row.cells)) for row in rows[1:]]


def _problems_of_layout(layout: Layout, day: date | None) -> list[Problem]:
    """List what keeps a table from being read: no rows, a meaning that is missing or that two columns have."""
    if not layout.body:
        return [Problem(0, "", _("The table has no rows of results."))]
    problems = [Problem(0, meaning.value, layout.doubled_message(meaning)) for meaning in layout.doubled]
    if line := layout.begins_again:
        remedy = _("Put each event into a file or sheet of its own, or give all rows a date.")
        problems.append(
            Problem(line, "", _("Another table begins here, with a title of its own."), remedy=remedy)
        )
    if Meaning.PLAYER not in layout.meanings:
        remedy = _("Choose it above its column.")
        problems.append(Problem(0, Meaning.PLAYER.value, _("No column holds the players."), remedy=remedy))
    if Meaning.DATE not in layout.meanings and day is None:
        remedy = _("Type the day here, choose its column, or name the file by it: 2026-01-13.csv.")
        problems.append(Problem(0, Meaning.DATE.value, _("No column holds the dates."), remedy=remedy))
    return problems
