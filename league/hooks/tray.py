"""The number of items in the tray of a club's reader: the masthead asks, an app above answers."""

from typing import cast

from django.http import HttpRequest

from league.hooks.signals import waiting_counted


def n_waiting(request: HttpRequest) -> int:
    """Count what waits for the reader of a club's page; 0 if no app keeps a tray."""
    answers = waiting_counted.send(sender=HttpRequest, request=request)
    return sum(cast("int", n) for _receiver, n in answers)
