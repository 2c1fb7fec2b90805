"""Messages for parameters that the engine refuses, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from ratings.engine.errors import EngineError
from ratings.parameters import PARAMETERS, digits

# Keys are the codes of EngineError; the names in brackets are its values.
MESSAGES: Mapping[str, Any] = {
    "not_finite": _("Enter a number."),
    "not_positive": _("It must be more than 0."),
    "not_a_whole_number": _("It must be a whole number."),
    "no_whole_number_in_range": _("It must be a whole number from %(least)s to %(most)s."),
    "too_small": _("It must be at least %(least)s."),
    "out_of_range": _("It must be from %(least)s to %(most)s."),
    "out_of_half_open_range": _("It must be more than %(least)s and at most %(most)s."),
    "below_other": _("It must be at least %(value)s (%(name)s)."),
    "above_other": _("It must be at most %(value)s (%(name)s)."),
    "outside_others": _("It must be from %(least)s (%(low)s) to %(most)s (%(high)s)."),
    "unknown_choice": _("“%(got)s” does not exist. There are: %(known)s."),
    "not_used": _("It must be %(default)s: the system %(system)s has no use for it."),
    "too_strong_a_pull": _(
        "It must be smaller: a new player would be taken %(times)s times the way to the table's mean."
    ),
}


def message_of(error: EngineError) -> str:
    """Translate an error whose code is in `MESSAGES`; parameters are named by the labels of the page."""
    return str(MESSAGES[error.code]) % {name: _for_readers(value) for name, value in error.values.items()}


def _for_readers(value: object) -> object:
    if isinstance(value, float):
        return digits(value)
    return PARAMETERS[value].label if isinstance(value, str) and value in PARAMETERS else value
