"""Downloads of a season: CSV and XLSX."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.downloads import attachment, csv_attachment
from league.rights import Act
from standings.exports.tables import Table, awards_table, results_table, standings_table
from standings.exports.xlsx import CONTENT_TYPE, workbook
from standings.queries import ORDERS


@require_safe
@season_view()
def standings_csv(request: ClubRequest) -> HttpResponse:
    by = _order(request)
    return csv_attachment(request, standings_table(request.season, by=by).csv, by)


@require_safe
@season_view()
def standings_xlsx(request: ClubRequest) -> HttpResponse:
    by = _order(request)
    return _xlsx(request, standings_table(request.season, by=by), by)


@require_safe
@season_view()
def awards_csv(request: ClubRequest) -> HttpResponse:
    return csv_attachment(request, awards_table(request.season).csv, "awards")


@require_safe
@season_view()
def awards_xlsx(request: ClubRequest) -> HttpResponse:
    return _xlsx(request, awards_table(request.season), "awards")


@season_view(Act.ENTER_RESULTS)
def results_csv(request: ClubRequest) -> HttpResponse:
    """Write all results; what somebody paid is among them, so they are for those who enter results."""
    return csv_attachment(request, results_table(request.season).csv, "results")


def _order(request: ClubRequest) -> str:
    by = request.GET.get("by", "")
    return by if by in ORDERS else ORDERS[0]


def _xlsx(request: ClubRequest, table: Table, what: str) -> HttpResponse:
    return attachment(request, workbook(table), f"{what}.xlsx", CONTENT_TYPE)
