"""Read a table that was pasted into the form of an event; a finishing order typed line by line is none."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from reading.amounts import Amounts
from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE, Finisher, Line
from reading.finishing_order.order import FinishingOrder, order_of_lines
from reading.names.near import Known
from reading.names.rules import clean_name, name_problem
from reading.names.sentences import PREFIX
from reading.names.understanding import CountEvenings, no_evenings
from reading.problems import Problem
from reading.questions import Choice, Question
from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.columns import guess, unused_columns
from reading.tables.doubts import corrected
from reading.tables.grids import BadGrid, Grid, Row, find_delimiter, read_grid
from reading.tables.layouts import Column, Layout, Unused
from reading.tables.meanings import Meaning
from reading.tables.moments import clock
from reading.tables.overlong import with_whole_names, with_whole_numbers
from reading.tables.places import Written, finishing_places
from reading.tables.records import ORDERING
from reading.tables.spaced import Spaced, read_spaced
from reading.tables.values import number

MOST_ROWS = 5_000
HEADING, AS_HEADING, AS_PLAYER = "heading", "heading", "player"
# What a column of one event can mean, in the order of the menu above it.
OFFERED = (
    Meaning.PLACE, Meaning.PLAYER, Meaning.SECOND_NAME, Meaning.KNOCKOUTS, Meaning.SCORE, Meaning.BALANCE,
    Meaning.POINTS, Meaning.COST, Meaning.OUT_AT, Meaning.IN_AT, Meaning.N_ENTRIES, Meaning.REBUYS,
    Meaning.BUY_IN, Meaning.CHIP_REBUYS, Meaning.ADD_ONS, Meaning.FEE, Meaning.BOUNTIES, Meaning.PRIZE,
    Meaning.UNUSED,
)  # fmt: skip
MONEY = (Meaning.BUY_IN, Meaning.FEE, Meaning.BOUNTIES, Meaning.PRIZE)
MOST_KNOCKOUTS, MOST_COST, MOST_SCORE = 999, 999_999_999, 999_999_999
TIE_IN_CELL = re.compile(r"\S\s+=\s+\S")


@dataclass(frozen=True)
class PastedTable(FinishingOrder):
    """A finishing order that was pasted as a table: how its columns were read, and what was not used."""

    columns: tuple[Column, ...] = ()
    delimiter: str = ""
    rows: tuple[Row, ...] = ()
    unused: tuple[Unused, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def is_ready(self) -> bool:
        return super().is_ready and not self.problems

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions about the table, without those about names."""
        asked = self.understood.questions
        return tuple(question for question in asked if not question.id.startswith(PREFIX))

    @property
    def n_open(self) -> int:
        """The number of questions about the table that wait for an answer."""
        return sum(not question.is_answered for question in self.questions)


def read_pasted(
    text: str,
    *,
    known: Known,
    starts_at: datetime,
    closes_at: datetime | None = None,
    chosen: Mapping[int, Meaning] | None = None,
    answers: Mapping[str, str] | None = None,
    name_answers: Mapping[str, str] | None = None,
    count_evenings: CountEvenings = no_evenings,
) -> PastedTable | None:
    """Read a text as a table.

    Parameters
    ----------
    chosen : mapping
        Meanings of columns by index, as a person chose them.
    answers, name_answers : mapping
        Answers to questions about the table by their id, and about names (reading.names.understanding).

    Returns
    -------
    PastedTable or None
        None: the text is a finishing order typed line by line.
    """
    answers, chosen = answers or {}, chosen or {}
    try:
        divided = _divide(text, known, answers.get(HEADING))
    except BadGrid as error:
        problem = Problem(error.line, "", str(error))
        return PastedTable(lines=(), error=str(problem), problems=(problem,))
    if divided is None:
        return None
    grid, asks_heading = divided.grid, divided.has_headings
    if len(grid.rows) > MOST_ROWS:
        return None  # the finishing order says that there are too many lines
    has_none = answers.get(HEADING) == AS_PLAYER
    layout = guess(grid, known=known, chosen=chosen, heading_line=0 if has_none else None)
    if not chosen and not _is_table(layout):
        return None
    asked = Asked(answers, {})
    whole = with_whole_names(grid, layout, "", asked)
    if whole is not grid:
        grid, layout = whole, guess(whole, known=known, chosen=chosen)
    if asks_heading or has_none:
        _ask_about_heading(grid, asked)
    reading = _Reading(_of_one_event(corrected(layout, "", asked)), asked)
    lines = reading.lines()
    order = order_of_lines(
        lines,
        known=known,
        starts_at=starts_at,
        closes_at=closes_at,
        answers=name_answers or {},
        count_evenings=count_evenings,
    )
    everything = (*asked.questions.values(), *order.understood.questions)
    return PastedTable(
        order.lines,
        order.error or reading.error,
        order.finishers,
        replace(order.understood, questions=everything),
        columns=reading.layout.columns,
        delimiter=grid.delimiter,
        rows=grid.rows,
        unused=tuple(sorted((*reading.unused, *divided.unused), key=lambda unused: unused.line)),
        problems=tuple(sorted((*reading.problems, *_found_by_order(lines, order)), key=lambda one: one.line)),
    )


def _found_by_order(lines: Sequence[Line], order: FinishingOrder) -> list[Problem]:
    """List what the order as a whole shows to be wrong: a name that stands twice, times that cannot be."""
    had = {line.number for line in lines if line.error}
    return [
        Problem(line.number, Meaning.PLAYER.value, line.error)
        for line in order.lines
        if line.error and line.number not in had
    ]


def _divide(text: str, known: Known, heading: str | None) -> Spaced | None:
    """Divide a text into cells; only of lines without delimiters the headings are doubtful."""
    if find_delimiter(text):
        return Spaced(with_whole_numbers(read_grid(text)))
    grid = read_grid(text)
    if grid.width > 1 and sum(len(row.cells) == grid.width for row in grid.rows) > len(grid.rows) / 2:
        return Spaced(grid)
    has_heading = None if heading is None else heading == AS_HEADING
    return read_spaced(text, known, has_heading=has_heading)


def _is_table(layout: Layout) -> bool:
    """Tell whether a text is more than names: it has headings, or figures beside the names."""
    if layout.heading_line is not None:
        return Meaning.PLAYER in layout.meanings
    beside = {Meaning.PLACE, *ORDERING, Meaning.KNOCKOUTS}
    return Meaning.PLAYER in layout.meanings and bool(layout.meanings & beside)


def _of_one_event(layout: Layout) -> Layout:
    """Leave out columns that mean nothing within one event, like dates."""
    columns = tuple(
        column if column.meaning in OFFERED else replace(column, meaning=Meaning.UNUSED)
        for column in layout.columns
    )
    kept = [unused for unused in layout.unused if unused.kind != "column"]
    return replace(layout, columns=columns, unused=(*unused_columns(columns), *kept))


def _ask_about_heading(grid: Grid, asked: Asked) -> None:
    first = next(row for row in grid.rows if not row.is_empty)
    asked.ask(
        HEADING,
        _("Is “%(line)s” a heading?") % {"line": first.text},
        _("It is the first line, and its words name columns."),
        [Choice(AS_HEADING, _("Heading of a table")), Choice(AS_PLAYER, _("A player’s name"))],
    )


class _Reading:
    """What is read of a table so far: entries, problems, and what is not used."""

    def __init__(self, layout: Layout, asked: Asked) -> None:
        self.layout, self.asked = layout, asked
        self.unused = list(layout.unused)
        self.problems: list[Problem] = []
        self.error = ""
        numbers = (Meaning.SCORE, Meaning.BALANCE, Meaning.POINTS, Meaning.COST, *MONEY)
        self.mark = questions.decimal_mark(
            [layout.cell(row, meaning) for row in layout.body for meaning in numbers], asked
        )

    def lines(self) -> list[Line]:
        """Read the rows as lines of a finishing order, by place; equal places are ties."""
        self._check_columns()
        finishers = {row.line: self._finisher(row) for row in self.layout.body}
        placed = self._placed(finishers)
        placed.sort(key=lambda item: item[0])
        self._check_gaps(placed)
        messages: dict[int, list[str]] = {}
        for problem in self.problems:
            messages.setdefault(problem.line, []).append(problem.message)
        rows = {row.line: row for row in self.layout.body}
        lines, above = [], 0
        for place, finisher in placed:
            lines.append(
                Line(
                    finisher.line,
                    rows[finisher.line].text,
                    (finisher,),
                    joins_above=place == above,
                    error=" ".join(messages.get(finisher.line, ())),
                )
            )
            above = place
        return lines

    def _check_columns(self) -> None:
        """Report a meaning that two columns have, and that none holds the players."""
        for meaning in self.layout.doubled:
            self._report(0, meaning, self.layout.doubled_message(meaning))
        if Meaning.PLAYER not in self.layout.meanings:
            self._report(0, Meaning.PLAYER, _("No column holds the players."))

    def _report(self, line: int, meaning: Meaning, message: str, value: str = "") -> None:
        self.problems.append(Problem(line, meaning.value, message, value))
        if not line:
            self.error = message

    def _finisher(self, row: Row) -> Finisher:
        """Read the cells of a row; each mistake is a problem of its own."""
        cell = self.layout.cell
        name = clean_name(cell(row, Meaning.PLAYER))
        problem = name_problem(name)
        if not problem and TIE_IN_CELL.search(name):
            problem = _("“%(name)s” looks like a tie: give each player a row and the same place.") % {
                "name": name
            }
        if problem and Meaning.PLAYER in self.layout.meanings:
            self._report(row.line, Meaning.PLAYER, problem, name)
        return Finisher(
            row.line,
            name,
            typed=name,
            spelt=name,
            n_entries=self._n_entries(row),
            clock=self._clock(row, Meaning.OUT_AT),
            arrival=self._clock(row, Meaning.IN_AT),
            knockouts=self._whole(row, Meaning.KNOCKOUTS),
            cost=self._number(row, Meaning.COST, 0, MOST_COST, decimals=3),
            score=self._number(row, Meaning.SCORE, -MOST_SCORE, MOST_SCORE, decimals=1),
            balance=self._number(row, Meaning.BALANCE, -MOST_SCORE, MOST_SCORE, decimals=3),
            amounts=self._amounts(row),
        )

    def _amounts(self, row: Row) -> Amounts | None:
        read = {
            **{meaning: self._whole(row, meaning) for meaning in (Meaning.CHIP_REBUYS, Meaning.ADD_ONS)},
            **{meaning: self._number(row, meaning, 0, MOST_COST, decimals=3) for meaning in MONEY},
        }
        given: dict[str, Any] = {meaning.value: value for meaning, value in read.items() if value is not None}
        return Amounts(**given) if given else None

    def _n_entries(self, row: Row) -> int:
        count = self._number(row, Meaning.N_ENTRIES, 1, MAX_ENTRIES_OF_ONE)
        return int(count or 1 + (self._number(row, Meaning.REBUYS, 0, MAX_ENTRIES_OF_ONE - 1) or 0))

    def _whole(self, row: Row, meaning: Meaning) -> int | None:
        value = self._number(row, meaning, 0, MOST_KNOCKOUTS)
        return None if value is None else int(value)

    def _number(
        self, row: Row, meaning: Meaning, least: int, most: int, *, decimals: int = 0
    ) -> Decimal | None:
        text = self.layout.cell(row, meaning)
        if not text:
            return None
        value = number(text, decimal_mark=self.mark)
        if value is None or not least <= value <= most or value != round(value, decimals):
            values = {"value": text, "least": least, "most": most}
            kind = _("“%(value)s” is no number from %(least)d to %(most)d")
            whole = _("“%(value)s” is no whole number from %(least)d to %(most)d")
            self._report(row.line, meaning, (kind if decimals else whole) % values, text)
            return None
        return value or Decimal(0)  # -0 is 0

    def _clock(self, row: Row, meaning: Meaning) -> time | None:
        text = self.layout.cell(row, meaning)
        if not text:
            return None
        read = clock(text)
        if read is None:
            self._report(row.line, meaning, _("“%(value)s” is no time like 21:40") % {"value": text}, text)
            return None
        return read[0]

    def _placed(self, finishers: Mapping[int, Finisher]) -> list[tuple[int, Finisher]]:
        """Find the place of each entry; rows that are left out are listed, rows without a place come last."""
        written = [
            Written(
                row.line, finishers[row.line].name, self.layout.cell(row, Meaning.PLACE), self._order(row)
            )
            for row in self.layout.body
        ]
        has_places = Meaning.PLACE in self.layout.meanings
        places, problems = finishing_places(written, self.asked, has_places=has_places)
        self.problems += problems
        if problems:
            return list(enumerate(finishers.values(), start=1))
        placed = []
        for row, place in zip(self.layout.body, places, strict=True):
            if place is None:
                self.unused.append(Unused(row.line, row.text, "row"))
            else:
                placed.append((place, finishers[row.line]))
        return placed

    def _order(self, row: Row) -> Decimal | None:
        text = next((text for meaning in ORDERING if (text := self.layout.cell(row, meaning))), "")
        return number(text, decimal_mark=self.mark)

    def _check_gaps(self, placed: Sequence[tuple[int, Finisher]]) -> None:
        """Report the first place that nobody has."""
        if any(problem.column == Meaning.PLACE for problem in self.problems):
            return
        above = 0
        for position, (place, finisher) in enumerate(placed, start=1):
            if place not in {above, position}:
                values = {"place": position, "name": finisher.name, "written": place}
                message = _("%(name)s has place %(written)d, but it should be %(place)d. Is a line missing?")
                self._report(finisher.line, Meaning.PLACE, message % values, str(place))
                return
            above = place


def read_table_answers(fields: Sequence[str]) -> dict[str, str]:
    """Read the answers to questions about a table from fields ID=VALUE; the last one counts."""
    pairs = (field.partition("=") for field in fields if not field.startswith(PREFIX))
    return {identifier: value for identifier, _sign, value in pairs}


def read_chosen(fields: Mapping[str, Any]) -> dict[int, Meaning]:
    """Read the meanings that were chosen above columns: fields `meaning-INDEX`."""
    chosen = {}
    for name, value in fields.items():
        index = name.removeprefix("meaning-")
        if index != name and index.isascii() and index.isdigit() and len(index) < 4 and value in OFFERED:  # noqa: PLR2004
            chosen[int(index)] = Meaning(value)
    return chosen
