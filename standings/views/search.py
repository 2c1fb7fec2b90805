"""Search in a club, and the page for an address with nothing at it."""

import re

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, admitted, club_view
from league.models import Club
from league.rights import Act
from standings.pages.search import found_in, typed

OF_CLUB = re.compile(r"/c/([-\w]+)/")


@require_safe
@club_view()
def search(request: ClubRequest) -> HttpResponse:
    query = typed(request.GET.get("q", ""))
    found = found_in(request.club, query) if query else None
    return render(
        request,
        "standings/club/search.html",
        {"section": "search", "query": query, "found": found, "of_club": request.club},
    )


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """Answer for an address that leads nowhere, with a search in its club or among the clubs."""
    return render(request, "404.html", {"of_club": _club_of(request)}, status=404)


def _club_of(request: HttpRequest) -> Club | None:
    """Find the club of a URL; None if the reader may not know that it exists."""
    named = OF_CLUB.match(request.path)
    club = Club.objects.filter(slug=named[1]).first() if named else None
    if club is None:
        return None
    try:
        admitted(club, request.user, Act.READ)
    except (Http404, PermissionDenied):
        return None
    return club
