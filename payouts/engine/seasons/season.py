"""Input of a season's standings besides results: events, totals brought forward and rules, with their checks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

import numpy as np

from payouts.engine.errors import EngineError
from payouts.engine.results import SeasonResults, begins

ONE = Fraction(1)
TieBreak: TypeAlias = Literal[
    "points", "wins", "best_places", "head_to_head", "events", "profit", "alphabetical"
]
MAX_MULTIPLIER = 1000


@dataclass(frozen=True)
class SeasonEvent:
    """An event of the season; results refer to it by its index among all events.

    `month` is any label, such as "1999-03"; points are multiplied by `multiplier`; a final always counts.
    """

    month: str = ""
    multiplier: Fraction = ONE
    is_final: bool = False


@dataclass(frozen=True)
class BroughtForward:
    """A player's totals from events that are not in the records. They count in full and are never dropped."""

    player_id: int
    points: Fraction
    n_events: int
    n_entries: int
    wins: int = 0


@dataclass(frozen=True)
class SeasonRules:
    """Rules that turn results into standings.

    Parameters
    ----------
    attendance_points : Fraction
        Added for each event played, dropped or not.
    min_events : int
        Events needed to be ranked on profit per tourney.
    best_n, best_n_per_month : int, optional
        How many of a player's best results count, in the season and in each month; all if None.
    drop_worst : int
        How many of a player's worst results do not count.
    missed_count_as_zero : bool
        Whether missed events are among the worst that are dropped.
    tie_breaks : tuple of str
        What decides between equal totals, in order.
    stake : int
        Points that an entry is taken to stake: 1, and 0 where the points are balances, so that the profit is the mean
        balance a game.
    """

    attendance_points: Fraction = ONE
    min_events: int = 3
    best_n: int | None = None
    best_n_per_month: int | None = None
    drop_worst: int = 0
    missed_count_as_zero: bool = False
    tie_breaks: tuple[TieBreak, ...] = ("wins", "profit")
    stake: int = 1

    @property
    def keeps_all(self) -> bool:
        """Tell whether no result is ever dropped."""
        return self.best_n is None and self.best_n_per_month is None and not self.drop_worst


DEFAULT_RULES = SeasonRules()


def check_season(
    results: SeasonResults,
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    brought_forward: Collection[BroughtForward],
) -> None:
    """Refuse invalid results, rules, events or totals of a season.

    Raises
    ------
    ValueError
        Naming the invalid field, the player and the event.

    Examples
    --------
    >>> check_season(SeasonResults.of([]), SeasonRules(best_n=0), None, ())
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: best_n: must be at least 1, got 0
    """
    check_rules(rules)
    if rules.best_n_per_month is not None and events is None:
        raise ValueError("events: best_n_per_month needs the month of each event")
    for index, event in enumerate(events or ()):
        if not 0 <= event.multiplier <= MAX_MULTIPLIER:
            raise ValueError(
                f"multiplier: must be 0 to {MAX_MULTIPLIER}, got {event.multiplier} (event {index})"
            )
    _check_results(results, None if events is None else len(events))
    _check_brought_forward(brought_forward)


def check_rules(rules: SeasonRules) -> None:
    """Refuse invalid rules of a season.

    Parameters
    ----------
    rules : SeasonRules
        Counts in events and results, attendance in points.

    Raises
    ------
    EngineError
        Naming the invalid field, and the position in the tie-breaks.

    Examples
    --------
    >>> check_rules(SeasonRules(tie_breaks=("wins", "wins")))
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: tie_breaks: number 2 repeats 'wins'
    """
    if rules.attendance_points < 0:
        raise EngineError("attendance_points", "negative", got=rules.attendance_points)
    for name, value in (("min_events", rules.min_events), ("drop_worst", rules.drop_worst)):
        if value < 0:
            raise EngineError(name, "negative", got=value)
    for name, best in (("best_n", rules.best_n), ("best_n_per_month", rules.best_n_per_month)):
        if best is not None and best < 1:
            raise EngineError(name, "too_small", least=1, got=best)
    for position, tie_break in enumerate(rules.tie_breaks, start=1):
        if tie_break not in get_args(TieBreak):
            known = ", ".join(get_args(TieBreak))
            raise EngineError("tie_breaks", "unknown_in_list", number=position, name=tie_break, known=known)
        if tie_break in rules.tie_breaks[: position - 1]:
            raise EngineError("tie_breaks", "twice_in_list", number=position, name=tie_break)


def _check_results(results: SeasonResults, n_events: int | None) -> None:
    """Raise ValueError for the first invalid result."""
    order = np.lexsort((np.arange(len(results)), results.event_index, results.player_id))
    is_repeat = np.zeros(len(results), dtype=bool)
    is_repeat[order] = ~(begins(results.player_id[order]) | begins(results.event_index[order]))
    is_known = np.full(len(results), fill_value=True)
    if n_events is not None:
        is_known = (results.event_index >= 0) & (results.event_index < n_events)
    faults = (
        (~is_known, "event_index: no such event in the season", None),
        (results.n_entries < 1, "n_entries: must be at least 1", results.n_entries),
        (results.place < 1, "place: must be at least 1", results.place),
        (is_repeat, "event_index: a second result of the player in the event", None),
    )
    wrong = np.flatnonzero(np.any([mask for mask, _message, _values in faults], axis=0))
    if not len(wrong):
        return
    first = wrong[0]
    message, values = next((message, values) for mask, message, values in faults if mask[first])
    if values is not None:
        message += f", got {values[first]}"
    raise ValueError(f"{message} (player {results.player_id[first]}, event {results.event_index[first]})")


def _check_brought_forward(brought_forward: Iterable[BroughtForward]) -> None:
    seen: set[int] = set()
    for totals in brought_forward:
        if fault := _brought_forward_fault(totals):
            raise ValueError(f"{fault} (brought forward, player {totals.player_id})")
        if totals.player_id in seen:
            raise ValueError(f"player_id: totals brought forward twice (player {totals.player_id})")
        seen.add(totals.player_id)


def _brought_forward_fault(totals: BroughtForward) -> str:
    if totals.n_events < 1:
        return f"n_events: must be at least 1, got {totals.n_events}"
    if totals.n_entries < totals.n_events:
        return f"n_entries: must be at least the {totals.n_events} events, got {totals.n_entries}"
    if not 0 <= totals.wins <= totals.n_events:
        return f"wins: must be 0 to the {totals.n_events} events, got {totals.wins}"
    return ""
