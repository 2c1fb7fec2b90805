"""The pages of a club and its changes, and the page about points and ratings."""

from math import isinf
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.queries import WholeHistory, changes_of, renames_of
from league.rights import Act, may
from ratings.engine.tier import TierParams, badge_bounds
from standings.pages.access_history import history_lines
from standings.queries import last_events_of, seasons_of

N_RECENT = 8
N_CHANGES = 50
NARROW, WIDE = 340, 800


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    bounds = badge_bounds(TierParams())
    badges = [(letters, None if isinf(bound) else int(bound)) for letters, bound in bounds]
    return render(request, "standings/about.html", {"badges": badges})


@require_safe
@club_view()
def club(request: ClubRequest) -> HttpResponse:
    context = {"seasons": seasons_of(request.club), "recent": last_events_of(request.club, N_RECENT)}
    return render(request, "standings/club.html", context)


@require_safe
@club_view()
def changes(request: ClubRequest) -> HttpResponse:
    """Show the history. The lines about rights are there for owners alone, and counted for them alone."""
    is_owner = may(request.role, Act.CHANGE_CLUB)
    history: Any = WholeHistory(request.club) if is_owner else changes_of(request.club)
    page = Paginator(history, N_CHANGES).get_page(request.GET.get("page"))
    lines = history_lines(page.object_list, renames_of(request.club))
    return render(request, "standings/changes.html", {"page": page, "lines": lines})
