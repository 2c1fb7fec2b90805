"""Sums of each player's results in a season, in whole numbers of one common unit."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from payouts.engine.results import Ints, SeasonResults, Wholes, begins, ints, whole_dtype
from payouts.engine.seasons.season import ONE, BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.selection import BELOW_MONTH_BEST, select


@dataclass(slots=True)
class Tally:
    """A player's results, in order of events, and their sums; all points are in the unit of a `Scale`.

    The results are parts of the columns of all players, since few readers need them as lists. `points` sums the results
    that count, times the multipliers; `all_points` sums all results, without multipliers.
    """

    player_id: int
    events: Ints = field(default_factory=lambda: ints(()))
    places: Ints = field(default_factory=lambda: ints(()))
    paid: Wholes = field(default_factory=lambda: ints(()))
    verdicts: NDArray[np.int8] = field(default_factory=lambda: np.array((), dtype=np.int8))
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
    """The unit in which all points of the season are whole numbers, even times the multipliers.

    Parameters
    ----------
    results : SeasonResults, length n
        Results of the season, one for each player and event.
    rules : SeasonRules
        `attendance_points` is used.
    events : sequence of SeasonEvent, optional
        All events by index; multipliers are 1 if None.
    brought_forward : collection of BroughtForward
        Totals whose points must be whole numbers of the unit too.

    Attributes
    ----------
    unit : int
        How many units make one point.

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
        events_unit = lcm(*{multiplier.denominator for multiplier in self._multipliers})
        brought_forward_unit = lcm(*{totals.points.denominator for totals in brought_forward})
        self.unit = lcm(rules.attendance_points.denominator, brought_forward_unit, results.unit * events_unit)
        self._factor = self.unit // results.unit

    def whole(self, points: Fraction) -> int:
        return points.numerator * (self.unit // points.denominator)

    def multiplier(self, event_index: int) -> Fraction:
        return self._multipliers[event_index] if self._multipliers else ONE

    def paid(self, results: SeasonResults) -> Wholes:
        """Points of each result, without multiplier."""
        points, weights = _factors(results, [self._factor])
        products: Wholes = points * weights
        return products

    def scored(self, results: SeasonResults) -> Wholes:
        """Points of each result, times multiplier."""
        if not self._multipliers:
            return self.paid(results)
        weights_by_event = [int(multiplier * self._factor) for multiplier in self._multipliers]
        points, weights = _factors(results, weights_by_event)
        products: Wholes = points * weights[results.event_index]
        return products


def _factors(results: SeasonResults, weights: Sequence[int]) -> tuple[Wholes, Wholes]:
    """Convert points and weights to arrays whose products can be summed."""
    # At least 1, because if all points or all weights are 0, the others must still fit.
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
    """Sum the season of every player with a result or totals brought forward.

    Parameters
    ----------
    results : SeasonResults, length n
        Checked by `check_season`, as are the other arguments.
    rules : SeasonRules
        Which results count, and attendance.
    events : sequence of SeasonEvent, optional
        All events held, by index; if None, the events with results.
    brought_forward : collection of BroughtForward
        At most one for each player.
    scale : Scale
        The unit of these results, rules, events and totals.

    Returns
    -------
    list of Tally
        One for each player, in no particular order; points are in 1/unit, profits only comparable with each other.

    Examples
    --------
    >>> results, brought_forward = SeasonResults.of([]), [BroughtForward(7, Fraction(5, 2), 1, 1, wins=1)]
    >>> scale = Scale(results, SeasonRules(), None, brought_forward)
    >>> tally, = tallies_of(results, SeasonRules(), None, brought_forward, scale)
    >>> tally.total, scale.unit, tally.wins
    (7, 2, 1)
    """
    n_held = len(set(results.event_index.tolist())) if events is None else len(events)
    tallies = {tally.player_id: tally for tally in _tallies_of_results(results, rules, events, n_held, scale)}
    for totals in brought_forward:
        _add_brought_forward(tallies.setdefault(totals.player_id, Tally(totals.player_id)), totals, scale)
    _fill_in_totals(list(tallies.values()), scale.whole(rules.attendance_points), scale.unit * rules.stake)
    return list(tallies.values())


def _tallies_of_results(
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
    ends = [*starts[1:].tolist(), len(ordered)]
    tallies = []
    for player, start, end, points, all_points, n_counted, n_entries, wins in zip(
        ordered.player_id[starts].tolist(), starts.tolist(), ends, *sums, strict=True
    ):
        own = slice(start, end)
        tallies.append(
            Tally(
                player_id=player,
                events=ordered.event_index[own],
                places=ordered.place[own],
                paid=paid[own],
                verdicts=verdicts[own],
                points=points,
                all_points=all_points,
                n_counted=n_counted,
                n_events=end - start,
                n_entries=n_entries,
                wins=wins,
            )
        )
    return tallies


def _add_brought_forward(tally: Tally, totals: BroughtForward, scale: Scale) -> None:
    points = scale.whole(totals.points)
    tally.points += points
    tally.all_points += points
    tally.n_events += totals.n_events
    tally.n_counted += totals.n_events
    tally.n_entries += totals.n_entries
    tally.wins += totals.wins
    tally.n_brought = totals.n_events


def _fill_in_totals(tallies: Sequence[Tally], attendance: int, stake: int) -> None:
    """Compute totals in 1/unit points, and profits in 1/(unit x span) points; span is the lcm of all n_events.

    `attendance` is that of an event and `stake` that of an entry, in 1/unit points.
    """
    span = lcm(*{tally.n_events for tally in tallies})
    for tally in tallies:
        tally.total = tally.points + attendance * tally.n_events
        tally.profit = (tally.all_points - stake * tally.n_entries) * (span // tally.n_events)
