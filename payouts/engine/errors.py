"""Errors of the engine: a field, a code and values; the site has a message for each code."""

from collections.abc import Mapping
from types import MappingProxyType

# English text of each code, for developers and the command line. Names in braces are filled from the error's values.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        # Typed numbers, texts and lists.
        "not_a_number": "{text!r} is not a number",
        "not_a_number_at_place": "place {place}: {text!r} is not a number",
        "not_a_whole_number": "a whole number is needed, got {got}",
        "not_a_text": "a text is needed, got {got}",
        "not_a_list": "a list is needed, got {got}",
        "too_many_decimals": "at most {most} decimals, got {got}",
        "negative": "must not be negative, got {got}",
        "not_positive": "must be positive, got {got}",
        "too_small": "must be at least {least}, got {got}",
        "too_large": "must be at most {most}, got {got}",
        "out_of_range": "must be {least} to {most}, got {got}",
        "out_of_positive_range": "must be more than 0, at most {most}, got {got}",
        # Lists by place.
        "no_places": "at least one place is needed",
        "too_many_places": "at most {most} places can be listed, got {got}",
        "votes_not_positive": "place {place} has {vote}, votes must be positive",
        "percentages_not_positive": "place {place} has {vote}, percentages must be positive",
        "points_negative": "place {place} has {vote}, points must not be negative",
        "payouts_not_positive": "place {place} has {vote}, payouts must be positive",
        "prizes_negative": "place {place} has {vote}, prizes must not be negative",
        "more_than_place_before": (
            "place {place} has {vote}, more than the {vote_before} of place {place_before}"
        ),
        "not_100_percent": "the percentages sum to {total}, must be 100",
        # Structures and their settings.
        "unknown_structure": "unknown structure {name!r}, one of: {known}",
        "unknown_tie_rule": "unknown tie rule {name!r}, one of: {known}",
        "unknown_tail": "unknown tail {name!r}, one of: {known}",
        "unknown_setting": "unknown setting, one of: {known}",
        "no_such_setting": "{structure} has no such setting",
        "not_a_tail": "{text!r} is not a tail, write none, 100/n or power 1.05",
        "formula_without_votes": "{structure} is a formula and has no votes and no seats",
        "formula_without_seats": "{structure} is a formula and has no seats",
        "formula_without_total": "{structure} is a formula and shares out no total",
        "too_many_seats": "at most {most} can be put in order, got {got}",
        "no_seats_for_total": "a total of {total} needs at least one seat, got 0",
        # Tie-breaks of a season.
        "unknown_in_list": "number {number} is unknown: {name!r}, one of: {known}",
        "twice_in_list": "number {number} repeats {name!r}",
        # Invalid formulas.
        "no_formula": "a formula is needed",
        "formula_too_long": "at most {most} characters, got {got}",
        "formula_too_large": "at most {most} numbers, names and signs, got {got}",
        "not_a_formula": "this is not a formula",
        "not_arithmetic": "only numbers, names and arithmetic can be used",
        "not_part_of_formula": "{sign!r} is not part of a formula",
        "no_sign_before_name": "put a sign between number and name in {text!r}, as in 2*n",
        "no_sign_between_brackets": "put a sign between brackets, as in (n+1)*(k)",
        "unknown_function": "{name!r} is not a function, one of: {known}",
        "unknown_name": "{name!r} is not known, one of: {known}",
        "takes_one_number": "{name} takes one number",
        "takes_two_numbers": "{name} takes two numbers or more",
        # Cases without points.
        "division_by_zero": "division by zero for {n} entries, place {place}{others}",
        "result_too_large": "the result is too large for {n} entries, place {place}{others}",
        "no_root_or_logarithm": "a root or logarithm has no value for {n} entries, place {place}{others}",
        "negative_points": "negative points for {n} entries, place {place}{others}",
        "rising_points": "more points than the place before for {n} entries, place {place}{others}",
        "no_balance": "no balance is recorded for place {place}",
        "too_many_points": "{points} points are more than the {most} that an entry can have",
        "too_long_a_fraction": "{points} points are too long a fraction: use fewer decimals",
        # Money.
        "payouts_not_the_pool": "the payouts sum to {total}, the prize pool is {pool}",
        "not_one_prize_each": "{prizes} prizes for {players} players, must be as many",
        "stack_not_positive": "player {number} has {got} chips, must be positive",
        # Results.
        "no_entries": "at least one entry is needed",
        "not_a_ranking": "place {place} where place {expected} is expected (competition ranking 1-2-2-4)",
    }
)


class EngineError(ValueError):
    """Error for invalid input.

    Parameters
    ----------
    field : str
        Name of the invalid setting or argument.
    code : str
        Key of `TEXTS`.
    **values
        Values for the names in the text of the code; exact numbers are given as text.

    Examples
    --------
    >>> str(EngineError("seats", "negative", got=-1))
    'seats: must not be negative, got -1'
    """

    def __init__(self, field: str, code: str, **values: object) -> None:
        super().__init__(f"{field}: {TEXTS[code].format(**values)}")
        self.field = field
        self.code = code
        self.values: Mapping[str, object] = values
