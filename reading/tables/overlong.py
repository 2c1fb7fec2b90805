"""Cells that were divided at a comma of their own: names like "Lee, Ann", and numbers like 31,200."""

import re
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from reading.names.rules import name_problem
from reading.questions import Choice
from reading.tables.asked import Asked
from reading.tables.grids import Grid, Row
from reading.tables.layouts import Layout
from reading.tables.meanings import Meaning

BEGINNING = re.compile(r"[+-]?[¥￥$€£]?\d{1,3}")  # of a number, before the comma
GROUP = re.compile(r"\d{3}")
DIVIDED, JOIN, KEEP = "divided", "join", "keep"


def with_whole_names(grid: Grid, layout: Layout, prefix: str, asked: Asked) -> Grid:
    """Join names that were split at a comma, if the answer says so; `prefix` is the sheet's."""
    heading = next((row for row in grid.rows if row.line == layout.heading_line), None)
    player = layout.index_of(Meaning.PLAYER)
    if heading is None or player is None or grid.delimiter != ",":
        return grid
    width = max(i for i, cell in enumerate(heading.cells, start=1) if cell)
    divided = {row.line for row in grid.rows if row.line > heading.line and _is_divided(row, width, player)}
    if not divided:
        return grid
    first = next(row for row in grid.rows if row.line in divided)
    answer = asked.ask(
        f"{prefix}{DIVIDED}",
        _("Is “%(name)s” one name?") % {"name": _joined(first, player).cells[player]},
        _("Rows have more cells than there are headings."),
        [
            Choice(JOIN, _("Yes"), _("the comma is a part of the name")),
            Choice(KEEP, _("No"), _("the last cell of these rows is not used")),
        ],
    )
    if answer == KEEP:
        return grid
    return replace(
        grid, rows=tuple(_joined(row, player) if row.line in divided else row for row in grid.rows)
    )


def _is_divided(row: Row, width: int, player: int) -> bool:
    """Tell whether a row has one filled cell too many, and two that could be the parts of a name."""
    n_filled = max((i for i, cell in enumerate(row.cells, start=1) if cell), default=0)
    if n_filled != width + 1 or player + 2 > n_filled:
        return False
    return all(
        part and not any(map(str.isdigit, part)) and not name_problem(part)
        for part in row.cells[player : player + 2]
    )


def _joined(row: Row, player: int) -> Row:
    last, first = row.cells[player : player + 2]
    return replace(row, cells=(*row.cells[:player], f"{last}, {first}", *row.cells[player + 2 :]))


def with_whole_numbers(grid: Grid) -> Grid:
    """Join numbers that were divided at the comma between their groups: 31,200 is one cell.

    That is so where rows are longer than the headings, and in a table without headings where the second parts are
    whole hundreds; both are three figures in all rows.
    """
    rows = [row for row in grid.rows if not row.is_empty]
    if grid.delimiter != "," or len(rows) < 2:  # noqa: PLR2004
        return grid
    at = next((i for i in range(1, grid.width) if _is_divided_number(rows, i)), 0)
    if not at:
        return grid
    return replace(grid, rows=tuple(_with_number(row, at) for row in grid.rows))


def _is_divided_number(rows: Sequence[Row], at: int) -> bool:
    """Tell whether the cell at this index is the end of the number before it in all rows that have both."""
    both = [
        row.cells[at - 1 : at + 1] for row in rows if len(row.cells) > at and GROUP.fullmatch(row.cells[at])
    ]
    is_number = bool(both) and all(BEGINNING.fullmatch(before) for before, _after in both)
    heading = rows[0].cells
    if not is_number:
        return False
    has_heading = not any(map(str.isdigit, "".join(heading)))
    if has_heading:
        return at >= len(heading) or not heading[at]
    return len(both) == len([row for row in rows if len(row.cells) > at]) and all(
        after.endswith("00") for _before, after in both
    )


def _with_number(row: Row, at: int) -> Row:
    if (
        len(row.cells) <= at
        or not GROUP.fullmatch(row.cells[at])
        or not BEGINNING.fullmatch(row.cells[at - 1])
    ):
        return row
    return replace(row, cells=(*row.cells[: at - 1], row.cells[at - 1] + row.cells[at], *row.cells[at + 1 :]))
