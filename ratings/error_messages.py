"""Messages for parameters and events that the engine refuses, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from league.vocabulary import gettext_lazy as _
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
    # Of events.
    "infinite": _("It must be finite."),
    "no_entries": _("There must be at least one entry."),
    "not_in_order": _("The %(events_word)s are not in the order of time."),
    "before_last_event": _("The %(event_word)s is before the player's last one."),
    "negative": _("It must be 0 or more."),
    "unknown_player": _("This player is not one of the %(n_players)s in the pool."),
    "no_number": _("Entries are numbered from 1, not %(got)s."),
    "entry_twice": _("Entry %(got)s of the player is there twice."),
    "entry_missing": _("Entry %(got)s of the player is there without entry %(missing)s."),
    "place_outside_field": _("Place %(got)s is not from 1 to the number of entries."),
    "wrong_place": _("Place %(got)s should be %(right)s: ties are counted 1, 2, 2, 4."),
    "bust_before_start": _("The player is out before the %(event_word)s starts."),
    "bust_before_registration": _("The player is out before registering."),
    "registered_too_late": _("The player registered after registration closed."),
    "too_few_players": _("A table has at least two players, not %(got)s."),
    "player_twice": _("The player is at this table twice."),
    "not_a_ranking": _("The places are no ranking: ties are counted 1, 2, 2, 4."),
    "no_balance": _("The balance is missing: profit ratings need one of every player."),
    "wrong_sum": _("The balances sum to %(got)s and must sum to %(right)s."),
    "wrong_sums": _(
        "The balances sum to %(got)s and must sum to %(right)s. Later %(events_word)s with a wrong sum: %(n_later)s."
    ),
    "unbounded": _("The rating grows beyond all bounds: f or place_first is far too large."),
}


def message_of(error: EngineError) -> str:
    """Translate an error whose code is in `MESSAGES`; parameters are named by the labels of the page."""
    return str(MESSAGES[error.code]) % {name: _for_readers(value) for name, value in error.values.items()}


def _for_readers(value: object) -> object:
    if isinstance(value, float):
        return digits(value)
    return PARAMETERS[value].label if isinstance(value, str) and value in PARAMETERS else value
