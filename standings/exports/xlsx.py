"""Tables as XLSX (docs/decisions/0007): a text stays a text whatever it begins with."""

import io
from collections.abc import Sequence
from decimal import Decimal

from league.downloads import Cell
from standings.exports.tables import Table

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
WIDEST = 40  # characters


def workbook(table: Table) -> bytes:
    """One sheet with the columns and rows of the CSV; its first row does not scroll."""
    from rustpy_xlsxwriter import Format, write_worksheet

    columns = dict(zip(table.columns, zip(*table.rows, strict=True), strict=False))
    out = io.BytesIO()
    write_worksheet(
        # Without a row the library would write no header either.
        [dict(zip(table.columns, map(_value, row), strict=True)) for row in table.rows]
        or [dict.fromkeys(table.columns)],
        out,
        sheet_name=table.name,
        freeze_row=1,
        header_format=Format().set_bold().set_border_bottom("thin"),
        column_widths=[_width(name, columns.get(name, ())) for name in table.columns],
        column_formats={
            name: Format().set_num_format(f"0.{'0' * places}")
            for name, cells in columns.items()
            if (places := _places(cells))
        },
        dedupe_strings=True,
    )
    return out.getvalue()


def _value(cell: Cell) -> str | float | None:
    return float(cell) if isinstance(cell, Decimal) else cell


def _places(cells: Sequence[Cell]) -> int:
    """Count the decimal places that all decimals of a column have; 0 if they differ."""
    places = {-int(cell.as_tuple().exponent) for cell in cells if isinstance(cell, Decimal)}
    return max(places.pop(), 0) if len(places) == 1 else 0


def _width(name: str, cells: Sequence[Cell]) -> float:
    return 2.0 + min(max(len(name), *(len(str(cell)) for cell in cells), 0), WIDEST)
