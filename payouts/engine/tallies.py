"""Sums of each player of a season, in whole numbers of a unit that all players share."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np

from payouts.engine.results import SeasonResults, Wholes, begins, whole_dtype
from payouts.engine.season import ONE, BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.selection import BELOW_MONTH_BEST, select


@dataclass(slots=True)
class Tally:
    """A player's results, in order of events, and their sums; all points in the unit.

    `points` are those that count, times the multipliers; `all_points` what the events paid, dropped or not.
    """

    player_id: int
    events: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    paid: list[int] = field(default_factory=list)
    verdicts: list[int] = field(default_factory=list)
    points: int = 0
    all_points: int = 0
    n_counted: int = 0
    n_events: int = 0
    n_entries: int = 0
    wins: int = 0
    n_brought: int = 0
    total: int = 0
    profit: int = 0


class Scale:
    """The unit in which all points of the season are whole numbers, times each event's multiplier as well.

    Parameters
    ----------
    results : SeasonResults, length n
        Results of the season, one for each player and event.
    rules : SeasonRules
        `attendance_points` is used.
    events : sequence of SeasonEvent, optional
        All events by index; multipliers are 1 if None.
    brought_forward : collection of BroughtForward
        Totals whose points are in the unit as well.

    Attributes
    ----------
    unit : int
        How many of it make a point.

    Examples
    --------
    >>> scale = Scale(SeasonResults.of([]), SeasonRules(Fraction(1, 2)), None, [])
    >>> scale.unit, scale.whole(Fraction(3))
    (2, 6)
    """

    def __init__(
        self,
        results: SeasonResults,
        rules: SeasonRules,
        events: Sequence[SeasonEvent] | None,
        brought_forward: Collection[BroughtForward],
    ) -> None:
        self._multipliers = [event.multiplier for event in events or ()]
        of_events = lcm(*{multiplier.denominator for multiplier in self._multipliers})
        of_brought_forward = lcm(*{totals.points.denominator for totals in brought_forward})
        self.unit = lcm(rules.attendance_points.denominator, of_brought_forward, results.unit * of_events)
        self._factor = self.unit // results.unit

    def whole(self, points: Fraction) -> int:
        return points.numerator * (self.unit // points.denominator)

    def multiplier(self, event_index: int) -> Fraction:
        return self._multipliers[event_index] if self._multipliers else ONE

    def paid(self, results: SeasonResults) -> Wholes:
        """Points without multiplier, of each result."""
        points, weights = _times(results, [self._factor])
        products: Wholes = points * weights
        return products

    def scored(self, results: SeasonResults) -> Wholes:
        """Points times multiplier, of each result."""
        if not self._multipliers:
            return self.paid(results)
        points, weights = _times(results, [int(it * self._factor) for it in self._multipliers])
        products: Wholes = points * weights[results.event_index]
        return products


def _times(results: SeasonResults, weights: Sequence[int]) -> tuple[Wholes, Wholes]:
    """Points and weights as arrays whose products can be summed."""
    # At least 1: where all of one kind are 0, the other kind must fit by itself.
    largest = (
        max((1, *map(abs, (int(results.points.min()), int(results.points.max()))))) if len(results) else 1
    )
    dtype = whole_dtype(largest * max(1, *weights), len(results))
    return results.points.astype(dtype), np.array(weights, dtype=dtype)


def tallies_of(
    results: SeasonResults,
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    brought_forward: Collection[BroughtForward],
    scale: Scale,
) -> list[Tally]:
    """Sums of every player who has a result or totals brought forward.

    Parameters
    ----------
    results : SeasonResults, length n
        Checked by `check_season`, as are the others.
    rules : SeasonRules
        Which results count, and attendance.
    events : sequence of SeasonEvent, optional
        All events held, by index; those with results if None.
    brought_forward : collection of BroughtForward
        At most one for each player.
    scale : Scale
        Of these results, rules, events and totals.

    Returns
    -------
    list of Tally
        One for each player, in no order to rely on; points in 1/unit, profit in 1/(unit x span).

    Examples
    --------
    >>> results, brought_forward = SeasonResults.of([]), [BroughtForward(7, Fraction(5, 2), 1, 1, wins=1)]
    >>> scale = Scale(results, SeasonRules(), None, brought_forward)
    >>> tally, = tallies_of(results, SeasonRules(), None, brought_forward, scale)
    >>> tally.total, scale.unit, tally.wins
    (7, 2, 1)
    """
    n_held = len(set(results.event_index.tolist())) if events is None else len(events)
    tallies = {tally.player_id: tally for tally in _played(results, rules, events, n_held, scale)}
    for totals in brought_forward:
        _bring(tallies.setdefault(totals.player_id, Tally(totals.player_id)), totals, scale)
    _complete(list(tallies.values()), scale.whole(rules.attendance_points), scale.unit)
    return list(tallies.values())


def _played(
    results: SeasonResults,
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    n_held: int,
    scale: Scale,
) -> list[Tally]:
    if not len(results):
        return []
    ordered = results.where(np.lexsort((results.event_index, results.player_id)))
    first = begins(ordered.player_id)
    starts = np.flatnonzero(first)
    scored, paid = scale.scored(ordered), scale.paid(ordered)
    verdicts = select(np.cumsum(first) - 1, ordered.event_index, scored, rules, events, n_held)
    is_counted = verdicts < BELOW_MONTH_BEST
    sums = (
        np.add.reduceat(column, starts).tolist()
        for column in (
            np.where(is_counted, scored, 0), paid, is_counted.astype(np.int64), ordered.n_entries,
            (ordered.place == 1).astype(np.int64),
        )
    )  # fmt: skip
    all_events, all_places = ordered.event_index.tolist(), ordered.place.tolist()
    all_paid, all_verdicts = paid.tolist(), verdicts.tolist()
    ends = [*starts[1:].tolist(), len(ordered)]
    tallies = []
    for player, start, end, points, all_points, n_counted, n_entries, wins in zip(
        ordered.player_id[starts].tolist(), starts.tolist(), ends, *sums, strict=True
    ):
        own = slice(start, end)
        tallies.append(
            Tally(
                player_id=player,
                events=all_events[own],
                places=all_places[own],
                paid=all_paid[own],
                verdicts=all_verdicts[own],
                points=points,
                all_points=all_points,
                n_counted=n_counted,
                n_events=end - start,
                n_entries=n_entries,
                wins=wins,
            )
        )
    return tallies


def _bring(tally: Tally, totals: BroughtForward, scale: Scale) -> None:
    points = scale.whole(totals.points)
    tally.points += points
    tally.all_points += points
    tally.n_events += totals.n_events
    tally.n_counted += totals.n_events
    tally.n_entries += totals.n_entries
    tally.wins += totals.wins
    tally.n_brought = totals.n_events


def _complete(tallies: Sequence[Tally], attendance: int, unit: int) -> None:
    """Fill in total in 1/unit points and profit in 1/(unit x span) points; each n_events divides the span."""
    span = lcm(*{tally.n_events for tally in tallies})
    for tally in tallies:
        tally.total = tally.points + attendance * tally.n_events
        tally.profit = (tally.all_points - unit * tally.n_entries) * (span // tally.n_events)
