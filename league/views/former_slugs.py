"""Former addresses of clubs and seasons lead to the present ones."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import ResolverMatch, reverse

from league.database.snapshots import READS
from league.queries import present_slugs


class FormerSlugMiddleware:
    """Middleware that redirects from an address of a club that is not found to the one that took its place.

    What was sent from a form is sent again to the new address.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        match = request.resolver_match
        if response.status_code != HTTPStatus.NOT_FOUND or match is None or "club_slug" not in match.kwargs:
            return response
        return _redirect(request, match) or response


def _redirect(request: HttpRequest, match: ResolverMatch) -> HttpResponse | None:
    present = present_slugs(request.user, match.kwargs["club_slug"], match.kwargs.get("season_slug", ""))
    named = {name: slug for name, slug in present.items() if name in match.kwargs}
    if named.items() <= match.kwargs.items():
        return None
    path = reverse(match.view_name, kwargs={**match.kwargs, **named})
    query = request.META.get("QUERY_STRING", "")
    answer = HttpResponsePermanentRedirect(
        f"{path}?{query}" if query else path, preserve_request=request.method not in READS
    )
    # A browser that kept it would turn in a circle once the club has its old address again.
    answer.headers["Cache-Control"] = "no-store"
    return answer
