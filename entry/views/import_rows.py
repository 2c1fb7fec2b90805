"""Show the rows of an uploaded table as a form: any cell can be typed anew, any row left out."""

import re
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from entry.services.import_reading import rows_of_draft
from league.models import ImportDraft
from league.vocabulary import gettext as _
from reading.tables.sheets import CELL, OUT, ROW

MOST_CELLS = 400  # of a page, which are fields of the form
WHICH = re.compile(r"([1-9]\d{0,2})\.([1-9]\d{0,2})")  # the file and its sheet, as in an address
BREAK = re.compile(r"\s*[\r\n]+\s*")  # a field has one line, and would drop it


@dataclass(frozen=True)
class WorkCell:
    """A cell: the name of its field, its text, and the heading above it."""

    name: str
    value: str
    heading: str


@dataclass(frozen=True)
class WorkRow:
    """A row with its line in the file; `strike` is the answer that leaves it out."""

    line: int
    cells: tuple[WorkCell, ...]
    strike: str


@dataclass(frozen=True)
class WorkRows:
    """A page of the rows of one table."""

    which: str
    name: str
    rows: tuple[WorkRow, ...]
    number: int
    n_pages: int

    @property
    def values(self) -> dict[str, str]:
        """Map the names of the fields to the texts of their cells."""
        return {cell.name: cell.value for row in self.rows for cell in row.cells}


def opened_rows(draft: ImportDraft, asked: QueryDict) -> WorkRows | None:
    """Read the page of rows that an address asks for: `rows=FILE.SHEET` and `page=N`; None if it asks for none."""
    which = WHICH.fullmatch(asked.get("rows", ""))
    found = rows_of_draft(draft, int(which[1]), int(which[2])) if which else None
    if which is None or found is None:
        return None
    prefix, grid = found
    rows = [row for row in grid.rows if not row.is_empty]
    width = max(1, grid.width)
    per_page = max(1, MOST_CELLS // width)
    n_pages = max(1, -(-len(rows) // per_page))
    page = asked.get("page", "")
    number = min(int(page), n_pages) if page.isdecimal() and len(page) < 6 and int(page) else 1  # noqa: PLR2004
    headings = _headings(rows[0].cells if rows else (), width)
    shown = rows[(number - 1) * per_page : number * per_page]
    return WorkRows(
        which[0],
        grid.name,
        tuple(_work_row(prefix, row.line, row.cells, headings) for row in shown),
        number,
        n_pages,
    )


def _headings(cells: tuple[str, ...], width: int) -> list[str]:
    """Name the columns by the cells of the first row, or by their numbers."""
    padded = (*cells, *[""] * (width - len(cells)))
    return [cell or _("Column %(n)d") % {"n": i} for i, cell in enumerate(padded, start=1)]


def _work_row(prefix: str, line: int, cells: tuple[str, ...], headings: list[str]) -> WorkRow:
    padded = (*cells, *[""] * (len(headings) - len(cells)))
    own = tuple(
        WorkCell(f"{prefix}{CELL}{line}:{i}", BREAK.sub(" ", cell), heading)
        for i, (cell, heading) in enumerate(zip(padded, headings, strict=True))
    )
    return WorkRow(line, own, f"{prefix}{ROW}{line}={OUT}")


def typed_anew(name: str, values: list[Any], rows: WorkRows | None) -> str | None:
    """Find the new value typed into a field; None if it equals the known one.

    A cell can have two fields: one beside its problem, which is empty at first, and one among the rows.
    """
    typed = [str(value).strip() for value in values]
    known = rows.values.get(name) if rows else None
    if known is not None and typed[-1] != known:
        return typed[-1]
    return next((value for value in typed if value not in {"", known}), None)
