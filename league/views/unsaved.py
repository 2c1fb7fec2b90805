"""The answer to a save that the database could not take: what was typed is shown and can be sent again."""

import logging
from collections.abc import Callable

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from league.services.health import CANNOT_SAVE

log = logging.getLogger(__name__)
SECRETS = ("csrfmiddlewaretoken", "password")


class KeepWhatWasTyped:
    """Middleware that answers a POST with 503 and its own text if the database could not save it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if request.method != "POST" or not isinstance(exception, CANNOT_SAVE):
            return None
        log.error("%s could not be saved: %s", request.path, exception)
        request.session.modified = False  # saving what the view has put into it would fail again
        try:
            return render(request, "unsaved.html", {"typed": typed(request)}, status=503)
        except DatabaseError:  # the names of account and club cannot be read either
            return HttpResponse(render_to_string("500.html"), status=503)


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Every field of the form with its value, except secrets."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if not any(secret in name for secret in SECRETS)
    ]
