"""Cache pages by the version of their data. They are never stale, and most requests render no template."""

import gzip
import hashlib
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from league.languages import activate_club_language
from league.site.cookies import THEME, VISITS, chosen_theme
from standings.pages.readers import FOLLOWED, ME
from standings.queries import public_page_version

View = Callable[..., HttpResponse]
VARIES = ("Accept-Encoding", "Accept-Language", "Cookie")
GZIP_LEVEL = 5
SECONDS = 3_600  # frees memory; a new version has a new key anyway
HTTP_OK = 200
# Cookies that choose a look or a language, and those that only a script reads here (readers.py). With any other the
# reader may be signed in or have a message: no cache.
DISPLAY_COOKIES = {
    THEME, settings.LANGUAGE_COOKIE_NAME, settings.CSRF_COOKIE_NAME, ME, FOLLOWED, VISITS,
    "theme", "django_language", "me", "followed", "visits",  # of a browser from before names had prefixes
}  # fmt: skip


def cached_for_readers(*names: str, **choices: Collection[str]) -> Callable[[View], View]:
    """Cache a page at <club_slug>, <season_slug> for readers without a session, who all see the same.

    `names` are parameters that take any value; `choices` maps others to their known values. All other parameters are
    removed first, so that they make no copies in the cache.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapped(request: HttpRequest, club_slug: str, season_slug: str) -> HttpResponse:
            known = _known(request.GET, names, choices)
            key = _key(request, known, club_slug, season_slug)
            request.is_for_all = key is not None  # type: ignore[attr-defined]
            if key is None:
                return view(request, club_slug=club_slug, season_slug=season_slug)
            pages = caches["pages"]
            response = HttpResponse()
            packed = pages.get(key)
            if packed is None:
                _reduce(request, known)
                response = view(request, club_slug=club_slug, season_slug=season_slug)
                if response.status_code != HTTP_OK:
                    return response
                packed = gzip.compress(response.content, GZIP_LEVEL, mtime=0)
                pages.set(key, packed, SECONDS)
            accepted = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
            _fill(response, packed, is_packed=accepted is not None)
            return response

        wrapped.parameters = {*names, *choices}  # type: ignore[attr-defined]
        return wrapped

    return decorate


def is_for_all(request: HttpRequest) -> bool:
    """Tell whether all readers without a session see the same here."""
    return getattr(request, "is_for_all", False)


def _fill(response: HttpResponse, packed: bytes, *, is_packed: bool) -> None:
    """Answer with a compressed page, or decompress it for the few readers who do not accept that.

    All other pages are compressed by middleware, which hides their length (BREACH). These contain no secrets.
    """
    if is_packed:
        response.content = packed
        response.headers["Content-Encoding"] = "gzip"
    elif not response.content:
        response.content = gzip.decompress(packed)
    patch_vary_headers(response, VARIES)


def _known(
    query: QueryDict, names: Collection[str], choices: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """Select the known parameters, in a fixed order."""
    known = [name for name in names if name in query]
    known += [name for name, values in choices.items() if query.get(name) in values]
    return {name: str(query[name]) for name in known}


def _reduce(request: HttpRequest, known: Mapping[str, str]) -> None:
    """Leave only these parameters in the address, since links to the same page repeat them."""
    request.META["QUERY_STRING"] = urlencode(known)
    request.GET = QueryDict(request.META["QUERY_STRING"])


def _key(request: HttpRequest, known: Mapping[str, str], club_slug: str, season_slug: str) -> str | None:
    """Make the key of a page; None if it is not cached."""
    if not DISPLAY_COOKIES.issuperset(request.COOKIES) or known.get("q"):
        return None
    # Read before the page, so that a result saved meanwhile can only make the page newer than its key.
    read = public_page_version(club_slug, season_slug)
    if read is None:
        return None
    version, club_language = read
    activate_club_language(request, club_language)
    return key_for(request, version, known)


def key_for(request: HttpRequest, *parts: object) -> str:
    """Build a cache key from these parts and the path, language and theme of a request."""
    shown = (request.path, get_language(), chosen_theme(request), *parts)
    return hashlib.sha256(repr(shown).encode()).hexdigest()
