"""Messages for input that the laboratory's engine refuses, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from lab.engine.errors import EngineError
from ratings.engine import errors
from ratings.error_messages import message_of as ratings_message

# Keys are the codes of EngineError; the names in brackets are its values.
MESSAGES: Mapping[str, Any] = {
    "not_finite": _("Enter a number."),
    "not_a_whole_number": _("It must be a whole number."),
    "out_of_range": _("It must be from %(least)s to %(most)s."),
    "out_of_half_open_range": _("It must be more than %(least)s and at most %(most)s."),
    "unknown_choice": _("“%(got)s” does not exist. There are: %(known)s."),
}


def message_of(error: errors.EngineError) -> str:
    """Translate an error of this engine, or of the ratings' engine, which has the model of VPIP."""
    if not isinstance(error, EngineError):
        return ratings_message(error)
    values = {
        name: f"{value:g}" if isinstance(value, float) else value for name, value in error.values.items()
    }
    return str(MESSAGES[error.code]) % values
