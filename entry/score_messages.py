"""Errors of scores and their rules in the reader's language; `scores` itself has only English texts."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from league.formats import MINUS
from league.vocabulary import gettext_lazy as _
from scores.errors import ScoreError

NOT_A_NUMBER = _("“%(got)s” is not a number.")
# Messages by error code; the names in brackets are values of the error.
MESSAGES: Mapping[str, Any] = {
    "unknown_rule": _("There is no such rule. There are: %(known)s."),
    "not_a_number": NOT_A_NUMBER,
    "not_a_whole_number": _("A whole number is needed, not %(got)s."),
    "too_many_decimals": _("At most %(most)s decimals, not %(got)s."),
    "out_of_range": _("It must be from %(least)s to %(most)s, not %(got)s."),
    "not_hundreds": _("%(got)s is no multiple of 100: scores are counted in hundreds."),
    "unknown_choice": _("“%(got)s” does not exist. There are: %(known)s."),
    "wrong_length": _("%(n)s numbers are needed, one for each place, not %(got)s."),
    "uma_not_zero": _("The uma adds up to %(got)s; it must add up to 0."),
    "uma_rises": _("Place %(place)s gets %(got)s, more than the %(before)s of the place before."),
    "back_below_start": _("The return of %(got)s is below the start of %(start)s."),
    "wrong_table": _("A table of this game has %(n)s players, not %(got)s."),
    "too_few_players": _("At least %(least)s players are needed, not %(got)s."),
    "player_twice": _("%(name)s is at this table twice."),
    "no_name": _("Seat %(seat)s has no name."),
    "no_score": _("%(name)s has no score."),
    "mixed": _("%(name)s has points, others have scores: one or the other for a table."),
    "no_chips": _("%(name)s has no chips, others do. Somebody who won and lost none has 0."),
    "chips_not_zero": _("The chips add up to %(got)s; they must add up to 0."),
    "score_out_of_range": _("The score of %(name)s must be from %(least)s to %(most)s, not %(got)s."),
    "points_out_of_range": _("The balance of %(name)s must be from %(least)s to %(most)s, not %(got)s."),
    "chips_out_of_range": _("The chips of %(name)s must be from %(least)s to %(most)s, not %(got)s."),
    "penalty_out_of_range": _("The penalty of %(name)s must be from %(least)s to %(most)s, not %(got)s."),
    "sticks_out_of_range": _("The sticks left must be from 0 to %(most)s, not %(got)s."),
    "chips_not_used": _("The rules of this game have no chips: give a chip its value first."),
    "wrong_sum": _("The sum is %(got)s, it must be %(right)s."),
    "no_number": _("“%(line)s” has no score at its end."),
    "several_scores": _("“%(line)s” has more than one number: write one name and one score on each line."),
    "no_player": _("“%(line)s” has no name in front of the score."),
    "mixed_tables": _("These are points and the sheet has scores, or the other way round."),
    "too_many_tables": _("%(got)s more tables do not fit on this sheet: enter them as another night."),
    "too_many_lines": _("At most %(most)s lines, not %(got)s."),
}


def message_of(error: ScoreError) -> str:
    """Write an error in the reader's language."""
    return str(MESSAGES[error.code]) % {name: _written(value) for name, value in error.values.items()}


def _written(value: object) -> object:
    """Format a number for a message: 45,300, −12.5; return any other value unchanged."""
    if isinstance(value, (int, Decimal)):
        return f"{value:,}".replace("-", MINUS)
    return value
