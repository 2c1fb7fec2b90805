"""Errors of the points engine in the reader's language; the engine itself has only English texts."""

from collections.abc import Mapping
from typing import Any

from league.vocabulary import gettext_lazy as _
from payouts.engine.errors import EngineError

UNKNOWN = _("“%(name)s” does not exist. There are: %(known)s.")
NO_SEATS = _("%(structure)s is a formula and has no seats.")
# Messages by error code; the names in brackets are values of the error.
MESSAGES: Mapping[str, Any] = {
    "not_a_number": _("“%(text)s” is not a number."),
    "not_a_number_at_place": _("Place %(place)s: “%(text)s” is not a number."),
    "not_a_whole_number": _("A whole number is needed, not %(got)s."),
    "not_a_text": _("A text is needed, not %(got)s."),
    "not_a_list": _("A list is needed, not %(got)s."),
    "too_many_decimals": _("At most %(most)s decimals, not %(got)s."),
    "negative": _("It must be 0 or more, not %(got)s."),
    "not_positive": _("It must be positive, not %(got)s."),
    "too_small": _("It must be at least %(least)s, not %(got)s."),
    "too_large": _("It must be at most %(most)s, not %(got)s."),
    "out_of_range": _("It must be from %(least)s to %(most)s, not %(got)s."),
    "out_of_positive_range": _("It must be more than 0 and at most %(most)s, not %(got)s."),
    "no_places": _("At least one place is needed."),
    "too_many_places": _("At most %(most)s places can be listed, not %(got)s."),
    "votes_not_positive": _("Place %(place)s has %(vote)s: votes must be positive."),
    "percentages_not_positive": _("Place %(place)s has %(vote)s: percentages must be positive."),
    "points_negative": _("Place %(place)s has %(vote)s: points must not be negative."),
    "payouts_not_positive": _("Place %(place)s has %(vote)s: payouts must be positive."),
    "prizes_negative": _("Place %(place)s has %(vote)s: prizes must not be negative."),
    "more_than_place_before": _(
        "Place %(place)s has %(vote)s, more than the %(vote_before)s of place %(place_before)s."
    ),
    "not_100_percent": _("The percentages sum to %(total)s; they must sum to 100."),
    "unknown_structure": UNKNOWN,
    "unknown_tie_rule": UNKNOWN,
    "unknown_tail": UNKNOWN,
    "unknown_setting": _("There is no such setting. There are: %(known)s."),
    "no_such_setting": _("%(structure)s has no such setting."),
    "not_a_tail": _("“%(text)s” is not an end of the list: write none, 100/n or power 1.05."),
    "formula_without_votes": NO_SEATS,
    "formula_without_seats": NO_SEATS,
    "formula_without_total": _("%(structure)s is a formula and shares out no total."),
    "too_many_seats": _("At most %(most)s seats can be put in order, not %(got)s."),
    "no_seats_for_total": _("There is no seat to share %(total)s points."),
    "unknown_in_list": _("Number %(number)s: “%(name)s” does not exist. There are: %(known)s."),
    "twice_in_list": _("Number %(number)s: “%(name)s” is there twice."),
    "no_formula": _("A formula is needed."),
    "formula_too_long": _("At most %(most)s characters, not %(got)s."),
    "formula_too_large": _("At most %(most)s numbers, names and signs, not %(got)s."),
    "not_a_formula": _("This is not a formula."),
    "not_arithmetic": _("Only numbers, names and arithmetic can be used."),
    "not_part_of_formula": _("“%(sign)s” is not part of a formula."),
    "no_sign_before_name": _("Put a sign between number and name in “%(text)s”, as in 2*n."),
    "no_sign_between_brackets": _("Put a sign between brackets, as in (n+1)*(k)."),
    "unknown_function": _("“%(name)s” is not a function. There are: %(known)s."),
    "unknown_name": _("“%(name)s” is not known. There are: %(known)s."),
    "takes_one_number": _("%(name)s takes one number."),
    "takes_two_numbers": _("%(name)s takes two numbers or more."),
    "division_by_zero": _("It divides by zero for %(n)s entries, place %(place)s%(others)s."),
    "result_too_large": _("The result is too large for %(n)s entries, place %(place)s%(others)s."),
    "no_root_or_logarithm": _(
        "A root or logarithm has no value for %(n)s entries, place %(place)s%(others)s."
    ),
    "negative_points": _("The points are negative for %(n)s entries, place %(place)s%(others)s."),
    "rising_points": _(
        "The place gets more points than the one before it for %(n)s entries, place %(place)s%(others)s."
    ),
    "no_balance": _("No balance is recorded for place %(place)s."),
    "too_many_points": _("%(points)s points are more than the %(most)s that an entry can have."),
    "too_long_a_fraction": _("%(points)s points are too long a fraction: use fewer decimals."),
    "payouts_not_the_pool": _("The payouts sum to %(total)s, but the prize pool is %(pool)s."),
    "not_one_prize_each": _("Prizes: %(prizes)s, players: %(players)s. One prize is needed for each player."),
    "stack_not_positive": _("Player %(number)s has %(got)s chips: it must be more than 0."),
    "no_entries": _("At least one entry is needed."),
    "not_a_ranking": _(
        "Place %(place)s is given where place %(expected)s is due: ties are counted 1, 2, 2, 4."
    ),
}


def field_and_message(error: ValueError) -> tuple[str, str]:
    """Return field and translated message of an engine's error; an error without a code stays in English."""
    if isinstance(error, EngineError) and error.code in MESSAGES:
        return error.field, str(MESSAGES[error.code]) % error.values
    return getattr(error, "field", ""), str(error)
