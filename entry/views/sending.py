"""Save a form that was sent, and answer; a preview saves it too, and answers by itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse

from league.services.errors import Refused


@dataclass(frozen=True)
class FormSubmission:
    """Hold what saves a form, and what answers then.

    `save` writes and nothing else; it raises Refused. `published` answers once it has, with messages and cookies, and
    `refused` if it could not. So a preview can save in a transaction that is rolled back, and nothing else happens.
    """

    save: Callable[[], Any]
    published: Callable[[Any], HttpResponse]
    refused: Callable[[Refused], HttpResponse]


def answered(read: FormSubmission | HttpResponse) -> HttpResponse:
    """Save a form and respond; return `read` unchanged if it is a response already."""
    if isinstance(read, HttpResponse):
        return read
    try:
        saved = read.save()
    except Refused as error:
        return read.refused(error)
    return read.published(saved)
