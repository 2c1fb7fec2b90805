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
    "out_of_half_open_range": _("It must be more than %(least)s and at most %(most)s."),
    "unknown_choice": _("“%(got)s” does not exist. There are: %(known)s."),
    # Simulated players and tournaments.
    "no_whole_number_in_range": _("It must be a whole number from %(least)s to %(most)s."),
    # Scenarios of the season laboratory.
    "not_an_object": _("It must be an object with names and values, not %(got)s."),
    "not_a_list": _("A list is needed, not %(got)s."),
    "not_a_number": _("A number is needed, and a whole one for people, nights and points, not %(got)s."),
    "out_of_range": _("It must be from %(least)s to %(most)s, not %(got)s."),
    "unknown_field": _("This is not known here. There are: %(known)s."),
    "one_kind_of_players": _("Choose players either by type or by their ratings."),
    "wrong_length": _("%(right)s numbers are needed, not %(got)s."),
    "not_best_first": _("The best player must come first."),
    "no_attendance": _("Say how likely a player is to come, or how many come."),
    "no_re_entries": _("Players who play hand by hand do not buy in again."),
    "needs_balances": _("%(structure)s counts balances, which are not simulated."),
    "points_too_large": _("%(structure)s gives points that are too large to be summed."),
    "too_many_seasons": _(
        "%(got)s seasons would take about %(seconds)s s. %(enough)s answer the same question to half a percent."
    ),
}


def message_of(error: errors.EngineError) -> str:
    """Translate an error of this engine, or of the ratings' engine, which has the model of VPIP."""
    if not isinstance(error, EngineError):
        return ratings_message(error)
    return str(MESSAGES[error.code]) % error.values
