"""Wide tables: people down, events across, in the cells places or points."""

from collections import defaultdict
from dataclasses import dataclass, replace

from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.columns import guess
from reading.tables.grids import Grid, Row
from reading.tables.layouts import HEADING, HEADINGS, TITLE, Layout, Unused
from reading.tables.meanings import Meaning
from reading.tables.moments import dates
from reading.tables.values import number, place

LEAST_DATES = 2
MOST_BEFORE = 50  # rows in which the dates are looked for


@dataclass(frozen=True)
class Wide:
    """A wide table: the layout of its first columns, and the columns of its dates."""

    layout: Layout
    header: Row
    date_columns: tuple[int, ...]
    unused: tuple[Unused, ...]


def wide_columns(grid: Grid) -> Wide | None:
    """Recognise a wide table by at least two dates in its headings, and find the players in it."""
    header = next(
        (
            row
            for row in grid.rows[:MOST_BEFORE]
            if sum(bool(_is_date(cell)) for cell in row.cells) >= LEAST_DATES
        ),
        None,
    )
    if header is None or any(
        _is_date(cell) for row in grid.rows if row.line > header.line for cell in row.cells
    ):
        return None
    across = tuple(i for i, cell in enumerate(header.cells) if _is_date(cell))
    rest = guess(_without(grid, across, header), heading_line=header.line)
    player = rest.index_of(Meaning.PLAYER)
    if player is None:
        return None
    columns = tuple(
        replace(column, heading=header.cells[column.index], meaning=Meaning.DATE, reason=HEADING)
        if column.index in across
        else column
        for column in rest.columns
    )
    rows = {row.line: row for row in grid.rows}
    body = tuple(rows[row.line] for row in rest.body)
    kept = {Meaning.PLAYER, Meaning.SECOND_NAME, Meaning.DATE}
    unused = [
        Unused(0, column.heading or ", ".join(column.samples), "column")
        for column in columns
        if column.meaning not in kept and column.samples
    ]
    unused += [one for one in rest.unused if one.kind in {TITLE, HEADINGS, "total"}]
    layout = replace(rest, columns=columns, body=body, unused=tuple(unused))
    return Wide(layout, header, across, tuple(unused))


def melted(wide: Wide, asked: Asked) -> list[tuple[Row, dict[Meaning, str]]]:
    """Make a record of each filled cell: the player, the date and the place or the points."""
    cells = [
        (row, column, row.cells[column])
        for row in wide.layout.body
        for column in wide.date_columns
        if column < len(row.cells) and row.cells[column]
    ]
    answer = questions.wide(
        len(wide.layout.body), len(wide.date_columns), asked, are_places=_are_places(wide, cells)
    )
    dates_of = {column: wide.header.cells[column] for column in wide.date_columns}
    ranks = _ranks(cells) if answer == questions.POINTS else {}
    return [
        (
            row,
            {
                Meaning.PLAYER: wide.layout.cell(row, Meaning.PLAYER),
                Meaning.DATE: dates_of[column],
                Meaning.PLACE: ranks.get((row.line, column), text),
            },
        )
        for row, column, text in cells
    ]


def _are_places(wide: Wide, cells: list[tuple[Row, int, str]]) -> bool:
    """Tell whether the numbers of every date begin with 1 and are not above the number of its cells."""
    for column in wide.date_columns:
        read = [place(text) for _row, at, text in cells if at == column]
        numbers = [one.number for one in read if one and one.number]
        if numbers and (min(numbers) != 1 or max(numbers) > len(read) or numbers.count(1) > len(read) / 2):
            return False
    return True


def _ranks(cells: list[tuple[Row, int, str]]) -> dict[tuple[int, int], str]:
    """Turn points into places for each date; equal points are a tie. What is no number stays for the check."""
    values = defaultdict(list)
    for row, column, text in cells:
        if (value := number(text)) is not None:
            values[column].append((row.line, value))
    return {
        (line, column): str(1 + sum(other > value for _line, other in in_column))
        for column, in_column in values.items()
        for line, value in in_column
    }


def _without(grid: Grid, columns: tuple[int, ...], header: Row) -> Grid:
    """Empty the cells of the dates, so that the other columns are guessed alone."""
    rows = tuple(
        row
        if row.line <= header.line
        else replace(row, cells=tuple("" if i in columns else cell for i, cell in enumerate(row.cells)))
        for row in grid.rows
    )
    return replace(grid, rows=rows)


def _is_date(cell: str) -> bool:
    return bool(dates(cell)) and not cell.isdecimal()
