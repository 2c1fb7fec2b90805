"""Sums of each player of a season, in whole numbers: half a million Fraction additions would take seconds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from payouts.engine.season import ONE, BroughtForward, EventResult, SeasonEvent, SeasonRules
from payouts.engine.selection import Verdict, n_events_missed, select


@dataclass(slots=True)
class Tally:
    """Sums of a player; `points`, `all_points`, `total` and `profit` in whole numbers of a unit all players share.

    `points` are those that count, times the multipliers; `all_points` what the events paid, dropped or not.
    """

    player_id: int
    results: list[EventResult] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
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
    """The unit in which all points of the season are whole numbers, times each event's multiplier.

    What a Fraction comes to is kept by its identity: a large season has half a million results and few different
    objects. They live as long as the results this is made from.
    """

    def __init__(
        self,
        results: Sequence[EventResult],
        rules: SeasonRules,
        events: Sequence[SeasonEvent] | None,
        brought: Collection[BroughtForward],
    ) -> None:
        self._multipliers = [event.multiplier for event in events or ()]
        distinct = {id(result.points): result.points for result in results}.values()
        denominators = {points.denominator for points in distinct}
        denominators |= {totals.points.denominator for totals in brought}
        of_events = lcm(*{multiplier.denominator for multiplier in self._multipliers})
        self.unit = lcm(rules.attendance_points.denominator, lcm(*denominators) * of_events)
        self._paid: dict[int, int] = {}
        self._scored = [self._paid if multiplier == 1 else {} for multiplier in self._multipliers]

    def whole(self, points: Fraction) -> int:
        return points.numerator * (self.unit // points.denominator)

    def multiplier(self, event_index: int) -> Fraction:
        return self._multipliers[event_index] if self._multipliers else ONE

    def scored(self, results: Sequence[EventResult]) -> list[int]:
        """Points times multiplier, of each result."""
        if not self._scored:
            return self.paid(results)
        found = []
        for result in results:
            of_event = self._scored[result.event_index]
            points = result.points
            value = of_event.get(id(points))
            if value is None:
                value = of_event[id(points)] = self.whole(points * self._multipliers[result.event_index])
            found.append(value)
        return found

    def paid(self, results: Sequence[EventResult]) -> list[int]:
        """Points without multiplier, of each result."""
        found = []
        for result in results:
            points = result.points
            value = self._paid.get(id(points))
            if value is None:
                value = self._paid[id(points)] = self.whole(points)
            found.append(value)
        return found


def tallies_of(
    results: Sequence[EventResult],
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    brought: Collection[BroughtForward],
    scale: Scale,
) -> list[Tally]:
    """Sums of every player who has a result or totals brought forward."""
    tallies: dict[int, Tally] = {}
    for result in results:
        tally = tallies.get(result.player_id)
        if tally is None:
            tally = tallies[result.player_id] = Tally(result.player_id)
        tally.results.append(result)
    n_held = len({result.event_index for result in results}) if events is None else len(events)
    for tally in tallies.values():
        _count(tally, rules, events, n_held, scale)
    for totals in brought:
        _bring(tallies.setdefault(totals.player_id, Tally(totals.player_id)), totals, scale)
    _complete(list(tallies.values()), scale.whole(rules.attendance_points), scale.unit)
    return list(tallies.values())


def _count(
    tally: Tally, rules: SeasonRules, events: Sequence[SeasonEvent] | None, n_held: int, scale: Scale
) -> None:
    results = tally.results
    scored = scale.scored(results)
    tally.verdicts = _verdicts(results, scored, rules, events, n_held)
    if rules.keeps_all:
        tally.points, tally.n_counted = sum(scored), len(scored)
    else:
        counted = [
            points
            for points, verdict in zip(scored, tally.verdicts, strict=True)
            if verdict is Verdict.COUNTED or verdict is Verdict.FINAL
        ]
        tally.points, tally.n_counted = sum(counted), len(counted)
    tally.all_points = sum(scale.paid(results))
    tally.n_entries = sum([result.n_entries for result in results])
    tally.wins = [result.place for result in results].count(1)
    tally.n_events = len(results)


def _verdicts(
    results: Sequence[EventResult],
    scored: Sequence[int],
    rules: SeasonRules,
    events: Sequence[SeasonEvent] | None,
    n_held: int,
) -> list[Verdict]:
    if rules.keeps_all:
        if events is None:
            return [Verdict.COUNTED] * len(results)
        return [
            Verdict.FINAL if events[result.event_index].is_final else Verdict.COUNTED for result in results
        ]
    pairs = [(result.event_index, points) for result, points in zip(results, scored, strict=True)]
    return select(pairs, rules, events, n_events_missed(pairs, events, n_held))


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
