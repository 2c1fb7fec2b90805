"""A cache of pages by the version of their data: never stale, and most requests draw no template."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from standings.queries import public_page_version

View = Callable[..., HttpResponse]
VARIES = ("Accept-Language", "Cookie")
SECONDS = 3_600  # for memory alone: a new version has a new key
HTTP_OK = 200
# Cookies that choose among versions of a page. Any other could mean a session, or a message for one reader alone.
DISPLAY_COOKIES = {"theme", settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def cached_for_readers(*names: str, **choices: Collection[str]) -> Callable[[View], View]:
    """For pages at <club_slug>, <season_slug> that readers without a session all see alike.

    `names` are the parameters such a page reads, `choices` those of which it knows these values alone. It is drawn
    without the others, so that each page is kept once, whatever else stands in the address.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
            known = _known(request.GET, names, choices)
            key = _key(request, known, club_slug, season_slug)
            if key is None:
                return view(request, club_slug=club_slug, season_slug=season_slug)
            pages = caches["pages"]
            if html := pages.get(key):
                response = HttpResponse(html)
            else:
                _reduce(request, known)
                response = view(request, club_slug=club_slug, season_slug=season_slug)
                if response.status_code != HTTP_OK:
                    return response
                pages.set(key, response.content, SECONDS)
            patch_vary_headers(response, VARIES)
            return response

        wrapped.parameters = {*names, *choices}  # type: ignore[attr-defined]
        return wrapped

    return decorate


def _known(
    typed: QueryDict, names: Collection[str], choices: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """The parameters that make a difference, in an order of their own."""
    read = [name for name in names if name in typed]
    read += [name for name, values in choices.items() if typed.get(name) in values]
    return {name: str(typed[name]) for name in read}


def _reduce(request: HttpRequest, known: Mapping[str, str]) -> None:
    """Leave only these parameters in the address, which links back to the page repeat."""
    request.META["QUERY_STRING"] = urlencode(known)
    request.GET = QueryDict(request.META["QUERY_STRING"])


def _key(request: HttpRequest, known: Mapping[str, str], club_slug: str, season_slug: str) -> str | None:
    """The version is read before the page: a result saved in between makes the page newer than its key, never older."""
    if not DISPLAY_COOKIES.issuperset(request.COOKIES) or known.get("q"):
        return None
    version = public_page_version(club_slug, season_slug)
    if version is None:
        return None
    theme = request.COOKIES.get("theme", "")[:10]
    parts = (version, get_language(), theme, request.path, known)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
