"""Keep what surrounds the rows of a table, which is the same on each of its pages: only the rows are drawn for each."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote

from django.core.cache import caches
from django.http import HttpRequest
from django.utils.encoding import iri_to_uri

from standings.pages.cache import SECONDS, is_for_all, key_for

# Stand for what differs from page to page. Nobody can type them, and they stay the same where text is escaped.
ROWS, END, QUERY = (f"{name}{secrets.token_hex(16)}" for name in ("rows", "end", "query"))


def in_frame(request: HttpRequest, version: object, render: Callable[[], str], *, rows: str, end: str) -> str:
    """Put the rows of a page and what follows them into the frame, which `render` draws with ROWS and END.

    A frame is kept for readers who all see the same. `version` changes with everything that the frame shows.
    """
    frames, key = caches["frames"], key_for(request, version)
    frame = frames.get(key) if is_for_all(request) else None
    if frame is None:
        with _any_query(request):
            frame = render()
        if is_for_all(request):
            frames.set(key, frame, SECONDS)
    query = iri_to_uri(request.META["QUERY_STRING"])
    frame = frame.replace(quote(f"?{QUERY}"), quote(f"?{query}") if query else "")
    return frame.replace(END, end).replace(ROWS, rows)


@contextmanager
def _any_query(request: HttpRequest) -> Iterator[None]:
    """Let the address of the page, to which links lead back, end with QUERY."""
    query = request.META["QUERY_STRING"]
    request.META["QUERY_STRING"] = QUERY
    try:
        yield
    finally:
        request.META["QUERY_STRING"] = query
