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

    # Column by column, most of the work is done in C. All rows at once would keep the garbage collector busy.
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    places = dict(zip(table.columns, map(_places, columns), strict=True))
    rows = zip(*map(_values, columns), strict=True)
    out = io.BytesIO()
    write_worksheet(
        # Without a row the library would write no header either.
        (dict(zip(table.columns, row, strict=True)) for row in rows)
        if table.rows
        else [dict.fromkeys(table.columns)],
        out,
        sheet_name=table.name,
        freeze_row=1,
        header_format=Format().set_bold().set_border_bottom("thin"),
        column_widths=list(map(_width, table.columns, columns)),
        column_formats={
            name: Format().set_num_format(f"0.{'0' * n_places}")
            for name, n_places in places.items()
            if n_places
        },
        dedupe_strings=True,
    )
    return out.getvalue()


def _values(cells: Sequence[Cell]) -> Sequence[str | float | None]:
    """Turn the decimals of a column into floats, as the file holds them."""
    if Decimal not in map(type, cells):
        return cells  # type: ignore[return-value]  # no cell is a decimal
    return [float(cell) if isinstance(cell, Decimal) else cell for cell in cells]


def _places(cells: Sequence[Cell]) -> int:
    """Count the decimal places that all decimals of a column have; 0 if they differ."""
    decimals = [cell for cell in cells if isinstance(cell, Decimal)]
    if not decimals or not all(map(decimals[0].same_quantum, decimals)):
        return 0
    return max(-int(decimals[0].as_tuple().exponent), 0)


def _width(name: str, cells: Sequence[Cell]) -> float:
    return 2.0 + min(max(map(len, (name, *map(str, cells)))), WIDEST)
