"""Tables as XLSX (docs/decisions/0007): a text stays a text whatever it begins with."""

import io
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from league.downloads import Cell
from standings.exports.tables import Table

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
SAFE = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}
WIDEST = 40  # characters


def workbook(table: Table) -> bytes:
    """One sheet with the columns and rows of the CSV; its first row does not scroll."""
    import xlsxwriter

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, SAFE) as book:
        sheet = book.add_worksheet(table.name)
        head = book.add_format({"bold": True, "bottom": 1})
        formats = {places: book.add_format({"num_format": f"0.{'0' * places}"}) for places in (1, 6)}
        for column, name in enumerate(table.columns):
            sheet.write_string(0, column, name, head)
            sheet.set_column(column, column, _width(table, column))
        for number, row in enumerate(table.rows, start=1):
            for column, cell in enumerate(row):
                _write(sheet, number, column, cell, formats)
        sheet.freeze_panes(1, 0)
    return out.getvalue()


def _write(sheet: "Worksheet", row: int, column: int, cell: Cell, formats: dict[int, Any]) -> None:
    if isinstance(cell, str):
        sheet.write_string(row, column, cell)
    elif cell is not None:
        places = -int(cell.as_tuple().exponent) if isinstance(cell, Decimal) else 0
        sheet.write_number(row, column, float(cell), formats.get(places))


def _width(table: Table, column: int) -> int:
    longest = max((len(str(row[column])) for row in table.rows), default=0)
    return 2 + min(max(longest, len(table.columns[column])), WIDEST)
