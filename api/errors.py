"""What a request is answered that cannot be done: 400 names the field, 409 says who or what stands against it."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, RequestDataTooBig
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from lab.error_messages import message_of
from league.services.errors import BadDay, BadResult, Refused
from league.services.health import CANNOT_SAVE
from payouts.error_messages import field_and_message
from ratings.engine.errors import EngineError

log = logging.getLogger(__name__)


class Conflict(APIException):
    status_code = status.HTTP_409_CONFLICT


class NotSaved(APIException):
    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_detail = _("The site cannot save anything at the moment: nothing was saved. Try again later.")


class TooLong(APIException):
    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = _("The request is too long.")


def handle_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    if isinstance(error, Refused):
        error = Conflict(str(error))
    elif isinstance(error, Http404):
        error = NotFound()  # the same for what is private and for what is not there
    elif isinstance(error, ObjectDoesNotExist) and context["request"].method not in SAFE_METHODS:
        error = NotFound()  # deleted after this request had found it, and before it had the lock
    elif isinstance(error, RequestDataTooBig):
        error = TooLong()
    elif isinstance(error, CANNOT_SAVE) and context["request"].method not in SAFE_METHODS:
        log.error("a program's request could not be saved: %s", error)
        error = NotSaved()
    return exception_handler(error, dict(context))


@contextmanager
def bad_results_named(field: str, *, of_day: str = "starts_at") -> Iterator[None]:
    """Convert an invalid result into a 400 that names the field of the entries, tables or seats, or of the day."""
    try:
        yield
    except BadResult as error:
        raise ValidationError({field: [str(error)]}) from error
    except BadDay as error:
        raise ValidationError({of_day: [str(error)]}) from error


@contextmanager
def engine_errors_named() -> Iterator[None]:
    """Convert an engine's error into a 400 response in the reader's language."""
    try:
        yield
    except ValueError as error:
        if isinstance(error, EngineError):
            field, text = error.field, message_of(error)
        else:
            field, text = field_and_message(error)
        raise ValidationError({field or api_settings.NON_FIELD_ERRORS_KEY: [text]}) from error
