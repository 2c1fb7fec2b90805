"""The answer to a save that the database could not take: what was typed is shown and can be sent again."""

import logging
from collections.abc import Callable
from itertools import compress
from operator import not_
from typing import NamedTuple

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from league.services.health import CANNOT_SAVE

log = logging.getLogger(__name__)
SECRETS = ("csrfmiddlewaretoken", "password")
MARKS = ("form_token", "version", "revision", "save")  # of a form: nobody types them


class UnsavedFormMiddleware:
    """Middleware that answers a POST with 503 and its own text if the database could not save it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if request.method != "POST" or not isinstance(exception, CANNOT_SAVE):
            return None
        log.error("%r could not be saved: %s", request.path, exception)
        return not_saved(request)


def not_saved(request: HttpRequest) -> HttpResponse:
    """Say that the site cannot save, and show what was typed."""
    request.session.modified = False  # saving what the view has put into it would fail again
    try:
        return render(request, "unsaved.html", typed(request), status=503)
    except DatabaseError:  # the names of account and club cannot be read either
        return HttpResponse(render_to_string("500.html"), status=503)


class Field(NamedTuple):
    name: str
    value: str

    @property
    def has_lines(self) -> bool:
        return "\n" in self.value


def typed(request: HttpRequest) -> dict[str, list[Field]]:
    """Divide the fields of the form into those to show and those to keep hidden: marks of the form, and empty ones."""
    fields = [
        Field(name, str(value))
        for name, values in request.POST.lists()
        for value in values
        if not any(secret in name for secret in SECRETS)
    ]
    is_shown = [bool(field.value) and field.name not in MARKS for field in fields]
    return {
        "typed": list(compress(fields, is_shown)),
        "hidden": list(compress(fields, map(not_, is_shown))),
    }
