"""Files to download, and CSV as described in docs/exports.md."""

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.http import HttpResponse

from league.access import ClubRequest
from reading.spreadsheets import safe_cell

Cell = str | int | Decimal | None
BYTE_ORDER_MARK = "\ufeff"  # lets spreadsheets read names in any script


def csv_text(
    columns: Sequence[str], rows: Iterable[Sequence[Cell | float]], *, line_end: str = "\r\n"
) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator=line_end)
    writer.writerow(columns)
    writer.writerows([_csv_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def csv_attachment(request: ClubRequest, text: str, what: str) -> HttpResponse:
    """Make a CSV download, with a byte order mark unless the address has ?bom=0."""
    mark = "" if request.GET.get("bom") == "0" else BYTE_ORDER_MARK
    return attachment(request, mark + text, f"{what}.csv", "text/csv; charset=utf-8")


def attachment(request: ClubRequest, content: str | bytes, what: str, content_type: str) -> HttpResponse:
    """Make a download whose file name contains the club and the page's season, if the club has one."""
    parts = [request.club.slug, request.season.slug if request.season else "", what]
    name = "-".join(filter(None, parts))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def exact_cell(cell: Cell) -> str | int | None:
    """Convert a cell for JSON: a decimal becomes text, so that no reader rounds it."""
    return f"{cell:f}" if isinstance(cell, Decimal) else cell


def _csv_cell(cell: Cell | float) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return safe_cell(cell)
    return str(cell if isinstance(cell, float) else exact_cell(cell))
