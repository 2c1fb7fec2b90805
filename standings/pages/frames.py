"""Cache the page shell of season pages. It depends on club, season, rules, language and theme, never on results."""

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from django.core.cache import caches
from django.db.models import Model
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.encoding import iri_to_uri
from django.utils.html import conditional_escape

from league.access import ClubRequest
from payouts.queries import rules_of
from standings.pages.cache import SECONDS, is_for_all, key_for

# What stands in for the parts of a page. Nobody can type it, and it stays the same where text is escaped.
TOKEN = secrets.token_hex(16)
QUERY = f"query{TOKEN}"


def in_frame(request: ClubRequest, template: str, parts: Mapping[str, str], section: str) -> str:
    """Put the parts of a page into its frame, which `template` draws with them.

    A frame is kept for readers who all see the same, under all that club, season and its rules say of themselves. So
    the template may show these, and of anything else only parts. A part is text, or the safe output of a template.
    """
    shown = map(_shown, (request.club, request.season, rules_of(request.season)))
    frames, key = caches["frames"], key_for(request, template, *shown)
    frame = frames.get(key) if is_for_all(request) else None
    if frame is None:
        stand_ins = {name: f"{name}{TOKEN}" for name in parts}
        with _any_query(request):
            frame = render_to_string(template, stand_ins | {"section": section}, request)
        if is_for_all(request):
            frames.set(key, frame, SECONDS)
    query = iri_to_uri(request.META["QUERY_STRING"])
    frame = frame.replace(quote(f"?{QUERY}"), quote(f"?{query}") if query else "")
    for name, part in parts.items():
        frame = frame.replace(f"{name}{TOKEN}", conditional_escape(part))
    return frame


def _shown(row: Model) -> tuple[Any, ...]:
    """List the values of all columns of a row."""
    return tuple(getattr(row, column.attname) for column in row._meta.concrete_fields)


@contextmanager
def _any_query(request: HttpRequest) -> Iterator[None]:
    """Let the address of the page, to which links lead back, end with QUERY."""
    query = request.META["QUERY_STRING"]
    request.META["QUERY_STRING"] = QUERY
    try:
        yield
    finally:
        request.META["QUERY_STRING"] = query
