"""A cache of pages by the version of their data: never stale, and most requests draw no template."""

import hashlib
from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from standings.queries import public_page_version

View = Callable[..., HttpResponse]
VARIES = ("Accept-Language", "Cookie")
SECONDS = 3_600  # for memory alone: a new version has a new key
HTTP_OK = 200
# Cookies that choose among versions of a page. Any other could mean a session, or a message for one reader alone.
DISPLAY_COOKIES = {"theme", settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME}


def cached_for_readers(view: View) -> View:
    """For pages at <club_slug>, <season_slug> that readers without a session all see alike."""

    @wraps(view)
    def wrapped(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
        key = _key(request, club_slug, season_slug)
        pages = caches["pages"]
        if key and (html := pages.get(key)):
            response = HttpResponse(html)
            patch_vary_headers(response, VARIES)
            return response
        response = view(request, club_slug=club_slug, season_slug=season_slug)
        if key and response.status_code == HTTP_OK:
            pages.set(key, response.content, SECONDS)
            patch_vary_headers(response, VARIES)
        return response

    return wrapped


def _key(request: HttpRequest, club_slug: str, season_slug: str) -> str | None:
    """The version is read before the page: a result saved in between makes the page newer than its key, never older."""
    if not DISPLAY_COOKIES.issuperset(request.COOKIES) or request.GET.get("q"):
        return None
    version = public_page_version(club_slug, season_slug)
    if version is None:
        return None
    theme = request.COOKIES.get("theme", "")[:10]
    parts = (version, get_language(), theme, request.get_full_path())
    return hashlib.sha256(repr(parts).encode()).hexdigest()
