"""Messages for input that the laboratory's engine refuses, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from lab.engine.errors import EngineError

# Keys are the codes of EngineError; the names in brackets are its values.
MESSAGES: Mapping[str, Any] = {
    "not_finite": _("Enter a number."),
    "not_a_whole_number": _("It must be a whole number."),
    "out_of_range": _("It must be from %(least)s to %(most)s."),
    "out_of_half_open_range": _("It must be more than %(least)s and at most %(most)s."),
    "unknown_choice": _("“%(got)s” does not exist. There are: %(known)s."),
    # Simulated players and tournaments.
    "no_whole_number_in_range": _("It must be a whole number from %(least)s to %(most)s."),
}


def message_of(error: EngineError) -> str:
    """Translate an error whose code is in `MESSAGES`."""
    return str(MESSAGES[error.code]) % error.values
