"""Downloads of a season: CSV, XLSX and JSON."""

from collections.abc import Callable

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.downloads import attachment, csv_attachment
from league.rights import Act
from league.services.errors import Refused
from standings.exports.tables import Table, awards_table, results_table, standings_table
from standings.exports.xlsx import CONTENT_TYPE, workbook
from standings.pages.leaderboards import leaderboard_of

RELATED = ("rules", "pool__recomputation")


@require_safe
@season_view(related=RELATED)
def standings_csv(request: ClubRequest) -> HttpResponse:
    return _answer(request, lambda table, what: csv_attachment(request, table.csv, what))


@require_safe
@season_view(related=RELATED)
def standings_xlsx(request: ClubRequest) -> HttpResponse:
    return _answer(request, lambda table, what: _xlsx(request, table, what))


@require_safe
@season_view(related=RELATED)
def standings_json(request: ClubRequest) -> HttpResponse:
    return _answer(
        request, lambda table, what: attachment(request, table.json, f"{what}.json", "application/json")
    )


def _answer(request: ClubRequest, write: Callable[[Table, str], HttpResponse]) -> HttpResponse:
    """Export all pages of the leaderboard that the query parameters select."""
    shown = leaderboard_of(request.season, request.GET)
    try:
        table = standings_table(shown.rows())
    except Refused as error:
        return HttpResponse(str(error), status=400, content_type="text/plain; charset=utf-8")
    return write(table, f"{shown.by}-{shown.day}" if shown.day else shown.by)


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
    """Download all results as CSV; restricted to those who enter results, since it contains payments."""
    return csv_attachment(request, results_table(request.season).csv, "results")


def _xlsx(request: ClubRequest, table: Table, what: str) -> HttpResponse:
    return attachment(request, workbook(table), f"{what}.xlsx", CONTENT_TYPE)
