"""Tables as XLSX (docs/decisions/0007): a text stays a text whatever it begins with."""

import io
from collections.abc import Sequence
from decimal import Decimal

from league.downloads import Cell
from standings.exports.tables import Table

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDEST = 40  # characters


OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def workbook(table: Table) -> bytes:
    """Write the table as a workbook of one sheet, whose first row does not scroll."""
    from xlsxwriter import Workbook

    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    out = io.BytesIO()
    with Workbook(out, OPTIONS) as book:
        sheet = book.add_worksheet(table.name)
        sheet.freeze_panes(1, 0)
        sheet.write_row(0, 0, table.columns, book.add_format({"bold": True, "bottom": 1}))
        for at, (name, cells) in enumerate(zip(table.columns, columns, strict=True)):
            n_places = _places(cells)
            form = book.add_format({"num_format": f"0.{'0' * n_places}"}) if n_places else None
            sheet.set_column(at, at, _width(name, cells), form)
            sheet.write_column(1, at, cells, form)
    return out.getvalue()


def _places(cells: Sequence[Cell]) -> int:
    """Count the decimal places that all decimals of a column have; 0 if they differ."""
    decimals = [cell for cell in cells if isinstance(cell, Decimal)]
    if not decimals or not all(map(decimals[0].same_quantum, decimals)):
        return 0
    return max(-int(decimals[0].as_tuple().exponent), 0)


def _width(name: str, cells: Sequence[Cell]) -> float:
    return 2.0 + min(max(map(len, (name, *map(str, cells)))), WIDEST)
