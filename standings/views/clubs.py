"""The page of a club."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from standings.queries import last_events_of, seasons_of

N_RECENT = 8


@require_safe
@club_view()
def club(request: ClubRequest) -> HttpResponse:
    context = {"seasons": seasons_of(request.club), "recent": last_events_of(request.club, N_RECENT)}
    return render(request, "standings/club.html", context)
