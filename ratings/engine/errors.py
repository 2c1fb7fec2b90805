"""Errors for input that the engine refuses: field, code and values, from which the site makes its messages."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

# English texts of errors in parameters by code, for developers and the command line. Names in braces are the field
# and the values of the error.
PARAMETER_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "not_finite": "{field} must be finite, got {got}",
        "not_positive": "{field} must be positive, got {got}",
        "not_a_whole_number": "{field} must be a whole number, got {got}",
        "no_whole_number_in_range": "{field} must be a whole number from {least} to {most}, got {got}",
        "too_small": "{field} must be at least {least}, got {got}",
        "out_of_range": "{field} must be {least} to {most}, got {got}",
        "out_of_half_open_range": "{field} must be above {least} and at most {most}, got {got}",
        "below_other": "{field} must be at least {name} = {value}, got {got}",
        "above_other": "{field} must be at most {name} = {value}, got {got}",
        "outside_others": "{field} must be from {low} = {least} to {high} = {most}, got {got}",
        "unknown_choice": "{field} must be one of {known}, got {got}",
        "not_used": (
            "{field} must be {default}, its default, where system is {system}, which does not use {field}, "
            "got {got}"
        ),
        "too_strong_a_pull": (
            "{field} must be smaller: a new player would be taken {times} times the way to the table's mean, got {got}"
        ),
    }
)
# English texts of errors in events by code; only files that the command line reads can cause them.
EVENT_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "no_entries": "there must be at least one entry, got {got}",
        "not_in_order": "{field} must be in order, got {got}",
        "before_last_event": "{field} is before the player's last event",
        "infinite": "{field} must be finite",
        "negative": "{field} must not be negative",
        "unknown_player": "{field} is not one of the pool's {n_players} players",
        "no_number": "{field} must be at least 1, got {got}",
        "entry_twice": "{field} {got}: the player has this entry twice",
        "entry_missing": "{field} {got} without an entry {missing}",
        "place_outside_field": "{field} {got} is not from 1 to the size of the field",
        "wrong_place": "{field} {got} should be {right}: places must be a competition ranking (ties 1-2-2-4)",
        "bust_before_start": "{field} {got:g} min is before the event starts",
        "bust_before_registration": "{field} {got:g} min is before registered_at {registered_at:g} min",
        "registered_too_late": "{field} {got:g} min is after registration closes ({closes_at:g} min)",
        "too_few_players": "a table has at least two players, got {got}",
        "player_twice": "{field} is twice at this table",
        "not_a_ranking": "{field} must be a competition ranking (ties 1-2-2-4)",
        "no_balance": "{field} is missing; the kind profit needs one for every player",
        "wrong_sum": "balances sum to {got:.15g} and must sum to {right:.15g}",
        "wrong_sums": (
            "balances sum to {got:.15g} and must sum to {right:.15g} "
            "({n_later} later events do not have the right sum either)"
        ),
        "unbounded": "{field} is beyond all bounds: f or place_first is far too large",
    }
)
TEXTS: Mapping[str, str] = MappingProxyType({**PARAMETER_TEXTS, **EVENT_TEXTS})


class EngineError(ValueError):
    """Input that the engine refuses.

    Parameters
    ----------
    field : str
        Name of the parameter or column that is wrong.
    code : str
        Key of `texts`.
    **values
        Values that the text of the code names.

    Examples
    --------
    >>> str(EngineError("beta", "not_positive", got=0.0))
    'beta must be positive, got 0.0'
    """

    texts: ClassVar[Mapping[str, str]] = TEXTS

    def __init__(self, field: str, code: str, **values: object) -> None:
        self.field = field
        self.code = code
        self.values: Mapping[str, object] = values
        self.problem = self.texts[code].format(field=field, **values)
        super().__init__(self.problem)


class BadEventError(EngineError):
    """An event that the engine refuses.

    Parameters
    ----------
    event : int
        Its index.
    player, entry : int, optional
        Index of the player and of the entry; None if the whole event is wrong.
    field, code, **values
        As for `EngineError`; `problem` is the text without the event.

    Examples
    --------
    >>> str(BadEventError(3, 7, "player", "player_twice"))
    'event 3, player 7: player is twice at this table'
    """

    def __init__(
        self,
        event: int,
        player: int | None,
        field: str,
        code: str,
        *,
        entry: int | None = None,
        **values: object,
    ) -> None:
        super().__init__(field, code, **values)
        self.event, self.player, self.entry = event, player, entry
        who = "" if player is None else f", player {player}"
        self.args = (f"event {event}{who}: {self.problem}",)


class NotConvergedError(ArithmeticError):
    """Expectation propagation reached its cap on rounds; there is no code, since no input is wrong."""
