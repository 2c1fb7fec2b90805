"""Downloads of a season: CSV and XLSX."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from standings.exports import BYTE_ORDER_MARK, Table, awards_table, csv_text, standings_table
from standings.queries import ORDERS
from standings.workbooks import CONTENT_TYPE, workbook


@require_safe
@season_view()
def standings_csv(request: ClubRequest) -> HttpResponse:
    by = _order(request)
    return _csv(request, standings_table(request.season, by=by), by)


@require_safe
@season_view()
def standings_xlsx(request: ClubRequest) -> HttpResponse:
    by = _order(request)
    return _xlsx(request, standings_table(request.season, by=by), by)


@require_safe
@season_view()
def awards_csv(request: ClubRequest) -> HttpResponse:
    return _csv(request, awards_table(request.season), "awards")


@require_safe
@season_view()
def awards_xlsx(request: ClubRequest) -> HttpResponse:
    return _xlsx(request, awards_table(request.season), "awards")


def _order(request: ClubRequest) -> str:
    by = request.GET.get("by", "")
    return by if by in ORDERS else ORDERS[0]


def _csv(request: ClubRequest, table: Table, what: str) -> HttpResponse:
    """With a byte order mark, unless the address says ?bom=0."""
    mark = "" if request.GET.get("bom") == "0" else BYTE_ORDER_MARK
    return attachment(request, mark + csv_text(table), f"{what}.csv", "text/csv; charset=utf-8")


def _xlsx(request: ClubRequest, table: Table, what: str) -> HttpResponse:
    return attachment(request, workbook(table), f"{what}.xlsx", CONTENT_TYPE)


def attachment(request: ClubRequest, content: str | bytes, what: str, content_type: str) -> HttpResponse:
    name = f"{request.club.slug}-{request.season.slug}-{what}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
