"""Errors for input that the laboratory's engine refuses: field, code and values."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

from ratings.engine import errors

# English texts by code, for developers and the command line. Names in braces are the field and the values of the error.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "not_finite": "{field} must be a number, got {got}",
        "not_a_whole_number": "{field} must be a whole number, got {got}",
        "out_of_half_open_range": "{field} must be above {least:g} and at most {most:g}, got {got:g}",
        "unknown_choice": "{field} must be one of {known}, got {got}",
        # Simulated players and tournaments.
        "no_whole_number_in_range": "{field} must be a whole number from {least} to {most}, got {got}",
        # Scenarios of the season laboratory.
        "not_an_object": "{field} must be a JSON object, got {got}",
        "not_a_list": "{field} must be a list, got {got}",
        "not_a_number": "{field} must be a number, a whole one for people, nights and points, got {got}",
        "out_of_range": "{field} must be {least} to {most}, got {got}",
        "unknown_field": "{field} is not known here; there are: {known}",
        "one_kind_of_players": "{field} must be given either as counts or as mu and sigma",
        "wrong_length": "{field} must have {right} numbers, got {got}",
        "not_best_first": "{field} must list the best player first",
        "no_attendance": "{field} is needed without a size: the chance of a player to come",
        "no_re_entries": "{field}: players who play hand by hand do not buy in again",
        "needs_balances": "{field} {structure} counts balances, which are not simulated",
        "points_too_large": "{field} {structure} gives points that are too large to be summed",
        "too_many_seasons": "{field}: {got} would take about {seconds} s, {enough} suffice for half a percent",
    }
)


class EngineError(errors.EngineError):
    """Input that the laboratory's engine refuses."""

    texts: ClassVar[Mapping[str, str]] = TEXTS
