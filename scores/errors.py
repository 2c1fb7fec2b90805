"""Errors of scores and their rules: a field, a code and values; the site has a message for each code."""

from collections.abc import Mapping
from types import MappingProxyType

# English text of each code, for developers. Names in braces are filled from the error's values.
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        # Rules.
        "unknown_rule": "unknown rule, one of: {known}",
        "not_a_number": "{got!r} is not a number",
        "not_a_whole_number": "a whole number is needed, got {got!r}",
        "too_many_decimals": "at most {most} decimals, got {got}",
        "out_of_range": "must be {least} to {most}, got {got}",
        "not_hundreds": "must be a multiple of 100, got {got}",
        "unknown_choice": "{got!r} is unknown, one of: {known}",
        "wrong_length": "{n} numbers are needed, got {got}",
        "uma_not_zero": "must add up to 0, not to {got}",
        "uma_rises": "place {place} gets {got}, more than the {before} of the place before",
        "back_below_start": "must be at least the start of {start}, got {got}",
        # A table.
        "wrong_table": "a table of {n} players is needed, got {got}",
        "too_few_players": "at least {least} players are needed, got {got}",
        "player_twice": "{name} is at this table twice",
        "no_name": "seat {seat} has no name",
        "no_score": "{name} has no score",
        "mixed": "{name} has points and others have scores",
        "no_chips": "{name} has no chips, others do",
        "chips_not_zero": "chips add up to {got}, not to 0",
        "score_out_of_range": "the score of {name} must be {least} to {most}, got {got}",
        "points_out_of_range": "the points of {name} must be {least} to {most}, got {got}",
        "chips_out_of_range": "the chips of {name} must be {least} to {most}, got {got}",
        "penalty_out_of_range": "the penalty of {name} must be {least} to {most}, got {got}",
        "sticks_out_of_range": "the sticks left must be 0 to {most}, got {got}",
        "chips_not_used": "these rules have no chips",
        "wrong_sum": "adds up to {got} of {right}",
        # Pasted text.
        "no_number": "no score in {line!r}",
        "several_scores": "more than one score in {line!r}",
        "no_player": "no name in {line!r}",
        "mixed_tables": "some tables have scores and others points",
        "too_many_tables": "{got} more tables do not fit",
        "too_many_lines": "at most {most} lines, got {got}",
    }
)


class ScoreError(ValueError):
    """Error for invalid rules or scores.

    Parameters
    ----------
    field : str
        Name of the invalid rule, or of the part of a table.
    code : str
        Key of `TEXTS`.
    **values
        Values for the names in the text of the code.

    Examples
    --------
    >>> str(ScoreError("chips", "chips_not_zero", got=3))
    'chips: chips add up to 3, not to 0'
    """

    def __init__(self, field: str, code: str, **values: object) -> None:
        super().__init__(f"{field}: {TEXTS[code].format(**values)}")
        self.field = field
        self.code = code
        self.values: Mapping[str, object] = values
