"""Rows with more cells than headings: a name like "Lee, Ann" was divided at its comma."""

from dataclasses import replace

from django.utils.translation import gettext as _

from league.questions import Choice
from league.reading.names.rules import name_problem
from league.reading.tables.asked import Asked
from league.reading.tables.grids import Grid, Row
from league.reading.tables.layouts import Layout
from league.reading.tables.meanings import Meaning

DIVIDED, JOIN, KEEP = "divided", "join", "keep"


def with_whole_names(grid: Grid, layout: Layout, prefix: str, asked: Asked) -> Grid:
    """Join names that were divided at a comma, if that is what is answered; `prefix` is that of the sheet."""
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
    """Whether a row has one filled cell too many, and two that could be the parts of a name."""
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
