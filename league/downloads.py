"""Files to download, and CSV as docs/exports.md has it."""

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.http import HttpResponse

from league.access import ClubRequest

Cell = str | int | Decimal | None
# What a spreadsheet would read as a formula.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
BYTE_ORDER_MARK = "\ufeff"  # lets spreadsheets read names in any script


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, line_end: str = "\r\n") -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow(columns)
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return out.getvalue()


def csv_attachment(request: ClubRequest, text: str, what: str) -> HttpResponse:
    """With a byte order mark, unless the address says ?bom=0."""
    mark = "" if request.GET.get("bom") == "0" else BYTE_ORDER_MARK
    return attachment(request, mark + text, f"{what}.csv", "text/csv; charset=utf-8")


def attachment(request: ClubRequest, content: str | bytes, what: str, content_type: str) -> HttpResponse:
    """A file of the page's season."""
    name = f"{request.club.slug}-{request.season.slug}-{what}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def safe_cell(text: str) -> str:
    """A name that begins like a formula gets an apostrophe, as spreadsheets themselves write it."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def exact_cell(cell: Cell) -> str | int | None:
    """For JSON: decimals as texts, which no reader rounds."""
    return f"{cell:f}" if isinstance(cell, Decimal) else cell


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    return safe_cell(cell) if isinstance(cell, str) else str(exact_cell(cell))
