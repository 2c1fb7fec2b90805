"""Find the headings of a table and guess what its columns mean, from headings, values and position."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from league.models.player import name_key
from league.names.rules import name_problem
from league.tables.grids import Grid, Row
from league.tables.meanings import Meaning, heading_key, meaning_of_heading
from league.tables.values import clock, dates, number, place

MOST_ABOVE = 12  # lines above the headings: titles
N_SAMPLES = 4
LEAST_NAMED = 2  # columns that a row of headings names, if it has so many
MOST = 0.8  # share of the cells of a column that decides about it
TOTAL = re.compile(
    r"(?:total|sum|summe|gesamt|average|avg|mean|合計|平均|計)\b.*|.*[:：]\s*\d+\s*", re.IGNORECASE
)
HEADING, VALUES, POSITION, REMEMBERED, CHOSEN, NOTHING = (
    "heading",
    "values",
    "position",
    "remembered",
    "chosen",
    "nothing",
)
TITLE, TOTALS, EMPTY, HEADINGS, REPEATED = "title", "total", "empty", "heading", "repeated"
ONCE = set(Meaning) - {Meaning.UNUSED}


@dataclass(frozen=True)
class Column:
    """A column and what it means; `reason` says why: heading, values, position, remembered, chosen or nothing."""

    index: int
    heading: str
    meaning: Meaning
    is_sure: bool
    reason: str
    samples: tuple[str, ...]


@dataclass(frozen=True)
class Unused:
    """A part of the text that is not read: a column, a row or a cell."""

    line: int  # 0: a column
    text: str
    kind: str


@dataclass(frozen=True)
class Layout:
    """How a table is read: where its headings are, what its columns mean, which rows are entries."""

    heading_line: int | None
    columns: tuple[Column, ...]
    body: tuple[Row, ...]
    unused: tuple[Unused, ...]

    def index_of(self, meaning: Meaning) -> int | None:
        return next((column.index for column in self.columns if column.meaning == meaning), None)

    def cell(self, row: Row, meaning: Meaning) -> str:
        """Return the cell of a row in the column of this meaning; "" without one."""
        index = self.index_of(meaning)
        return row.cells[index] if index is not None and index < len(row.cells) else ""

    @property
    def meanings(self) -> set[Meaning]:
        return {column.meaning for column in self.columns} - {Meaning.UNUSED}


def guess(
    grid: Grid,
    *,
    known: Collection[str] = (),
    remembered: Mapping[str, Meaning] | None = None,
    chosen: Mapping[int, Meaning] | None = None,
    heading_line: int | None = None,
) -> Layout:
    """Guess the layout of a table.

    Parameters
    ----------
    known : collection of str
        Name keys of the club's players: a column that holds them is that of the players.
    remembered : mapping of heading keys to meanings
        What the club has chosen for such headings before.
    chosen : mapping of column indices to meanings
        What a person has chosen now; it overrules everything.
    heading_line : int, optional
        The line of the headings if a person has said which it is; 0 says that there are none.
    """
    heading = _heading_row(grid, known, heading_line)
    body, unused = _body(grid, heading)
    columns = _columns(grid, heading, body, known, remembered or {}, chosen or {})
    body, totals = _without_totals(body, columns, known)
    of_columns = [
        Unused(0, column.heading or ", ".join(column.samples), "column")
        for column in columns
        if column.meaning == Meaning.UNUSED and column.samples
    ]
    return Layout(
        heading.line if heading else None, tuple(columns), tuple(body), (*of_columns, *unused, *totals)
    )


def _heading_row(grid: Grid, known: Collection[str], given: int | None) -> Row | None:
    """Find the first row that names columns; a row with a known player is none."""
    if given is not None:
        return next((row for row in grid.rows if row.line == given), None)
    for row in [row for row in grid.rows if not row.is_empty][:MOST_ABOVE]:
        named = [cell for cell in row.cells if cell and meaning_of_heading(cell)]
        filled = [cell for cell in row.cells if cell]
        players = [cell for cell in filled if name_key(cell) in known and not meaning_of_heading(cell)]
        if players:
            return None
        meanings = {meaning_of_heading(cell) for cell in named}
        is_short = len(filled) <= LEAST_NAMED and meanings <= {Meaning.PLAYER, Meaning.PLACE}
        enough = len(named) >= LEAST_NAMED or (named and is_short)
        if enough and meanings & {Meaning.PLAYER, Meaning.PLACE, Meaning.SCORE, Meaning.DATE}:
            return row
    return None


def _body(grid: Grid, heading: Row | None) -> tuple[list[Row], list[Unused]]:
    """Separate rows of entries from titles, empty rows and headings that are repeated."""
    body, unused = [], []
    for row in grid.rows:
        if row.is_empty:
            continue
        if heading and row.line == heading.line:
            unused.append(Unused(row.line, row.text, HEADINGS))
        elif heading and row.line < heading.line:
            unused.append(Unused(row.line, row.text, TITLE))
        elif heading and row.cells == heading.cells:
            unused.append(Unused(row.line, row.text, REPEATED))
        else:
            body.append(row)
    return body, unused


def _columns(
    grid: Grid,
    heading: Row | None,
    body: Sequence[Row],
    known: Collection[str],
    remembered: Mapping[str, Meaning],
    chosen: Mapping[int, Meaning],
) -> list[Column]:
    columns = []
    for index in range(grid.width):
        title = heading.cells[index] if heading and index < len(heading.cells) else ""
        cells = [row.cells[index] for row in body if index < len(row.cells) and row.cells[index]]
        samples = tuple(dict.fromkeys(cells))[:N_SAMPLES]
        columns.append(Column(index, title, Meaning.UNUSED, True, NOTHING, samples))
    for index, meaning in chosen.items():
        if index < len(columns):
            columns[index] = replace(columns[index], meaning=meaning, reason=CHOSEN)
    taken = set(chosen.values())
    _by_heading(columns, remembered, taken)
    _by_values(columns, body, known, taken)
    return columns


def _by_heading(columns: list[Column], remembered: Mapping[str, Meaning], taken: set[Meaning]) -> None:
    for i, column in enumerate(columns):
        if column.reason != NOTHING or not column.heading:
            continue
        past = remembered.get(heading_key(column.heading))
        meaning = past or meaning_of_heading(column.heading)
        if meaning is not None and (meaning not in taken or meaning == Meaning.UNUSED):
            taken.add(meaning)
            is_sure = bool(past) or meaning not in {Meaning.POINTS, Meaning.COST}
            columns[i] = replace(
                column, meaning=meaning, is_sure=is_sure, reason=REMEMBERED if past else HEADING
            )


def _by_values(
    columns: list[Column], body: Sequence[Row], known: Collection[str], taken: set[Meaning]
) -> None:
    """Guess what headings leave open: the players first, then dates and places, by what most cells are."""
    cells = {
        column.index: [row.cells[column.index] for row in body if column.index < len(row.cells)]
        for column in columns
    }

    def give(meaning: Meaning, index: int | None, reason: str = VALUES, *, is_sure: bool = True) -> None:
        if index is not None and meaning not in taken:
            taken.add(meaning)
            columns[index] = replace(columns[index], meaning=meaning, reason=reason, is_sure=is_sure)

    def is_free(index: int) -> bool:
        return columns[index].reason == NOTHING

    free = [index for index in cells if is_free(index) and any(cells[index])]
    give(Meaning.PLAYER, _column_of_names(free, cells, known))
    give(Meaning.DATE, next((i for i in free if is_free(i) and _share(cells[i], _is_date) >= MOST), None))
    places = [i for i in free if is_free(i) and _share(cells[i], _is_place) >= MOST]
    give(Meaning.PLACE, next((i for i in places if _looks_like_places(cells[i])), None))
    for i in free:
        if is_free(i) and not columns[i].heading and _share(cells[i], _is_score) >= MOST:
            give(Meaning.SCORE, i, is_sure=False)


def _column_of_names(
    free: Sequence[int], cells: Mapping[int, Sequence[str]], known: Collection[str]
) -> int | None:
    """Choose the column with most known players, else the first that can be names."""
    hits = {i: sum(name_key(cell) in known for cell in cells[i] if cell) for i in free}
    best = max(free, key=lambda i: hits[i], default=None)
    if best is not None and hits[best]:
        return best
    return next((i for i in free if _share(cells[i], _is_name) >= MOST), None)


def _share(cells: Sequence[str], test: object) -> float:
    filled = [cell for cell in cells if cell]
    return sum(map(test, filled)) / len(filled) if filled else 0.0  # type: ignore[call-overload]


def _is_date(cell: str) -> bool:
    return bool(dates(cell.partition(" ")[0] if cell[:1].isdigit() and ":" in cell else cell)) and not (
        cell.isdecimal() and len(cell) < 5  # noqa: PLR2004
    )


def _is_place(cell: str) -> bool:
    return place(cell) is not None


def _is_score(cell: str) -> bool:
    return number(cell) is not None


def _is_name(cell: str) -> bool:
    return (
        any(char.isalpha() for char in cell)
        and not name_problem(cell)
        and place(cell) is None
        and number(cell) is None
        and clock(cell) is None
        and not dates(cell)
    )


def _looks_like_places(cells: Sequence[str]) -> bool:
    """Whether the numbers begin with 1 and are not larger than the number of rows."""
    numbers = [read.number for cell in cells if (read := place(cell)) and read.number]
    return bool(numbers) and min(numbers) == 1 and max(numbers) <= max(len(cells), 2)


def _without_totals(
    body: list[Row], columns: Sequence[Column], known: Collection[str]
) -> tuple[list[Row], list[Unused]]:
    """Leave out rows of totals and titles: those without a player, or named Total and without a place."""
    player = next((c.index for c in columns if c.meaning == Meaning.PLAYER), None)
    place_at = next((c.index for c in columns if c.meaning == Meaning.PLACE), None)
    if player is None:
        return body, []
    kept, left_out = [], []
    for row in body:
        name = row.cells[player] if player < len(row.cells) else ""
        at = row.cells[place_at] if place_at is not None and place_at < len(row.cells) else ""
        read = place(at)
        has_place = place_at is not None and read is not None and read.number is not None
        is_total = (
            not has_place
            and name_key(name) not in known
            and bool(TOTAL.fullmatch(name) or (not name and TOTAL.match(row.text)))
        )
        is_title = not name and sum(map(bool, row.cells)) == 1 and not has_place
        if is_total or is_title:
            left_out.append(Unused(row.line, row.text, TOTALS if is_total else TITLE))
        else:
            kept.append(row)
    return kept, left_out
