"""The pages of a club and its changes, and the page about points and ratings."""

from math import isinf

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from ratings.engine.tier import TierParams, badge_bounds
from standings.queries import last_events_of, seasons_of

N_RECENT = 8
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
