"""The top of a leaderboard for a frame on the club's own site."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.site.hosts import frame_hosts
from standings.models import Standing
from standings.queries import leader_rows, rating_terms

N_ROWS = 10


@require_safe
@club_view()
def embed(request: ClubRequest) -> HttpResponse:
    season = request.season
    rows = Standing.objects.filter(season=season, points_position__lte=N_ROWS) if season else None
    context = {
        "season": season,
        "rows": leader_rows(rows, "points", ()) if rows is not None else [],
        "has_badges": bool(season and (terms := rating_terms(season)) and terms.has_badges),
    }
    return _framed(render(request, "noticeboard/embed.html", context), frame_hosts(request.club.embed_hosts))


def _framed(response: HttpResponse, hosts: list[str]) -> HttpResponse:
    """Allow these hosts to frame the response; without any, keep the ban on framing."""
    if hosts:
        response._csp_replace = {"frame-ancestors": hosts}  # type: ignore[attr-defined]
        response.xframe_options_exempt = True
    return response
