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
    """The unit in which all points of the season are whole numbers, times each event's multiplier."""

    def __init__(
        self,
        results: Sequence[EventResult],
        rules: SeasonRules,
        events: Sequence[SeasonEvent] | None,
        brought: Collection[BroughtForward],
    ) -> None:
        multipliers = [event.multiplier for event in events or ()]
        # Empty where there are none but 1: most seasons, and the quicker way.
        self._multipliers = multipliers if any(multiplier != 1 for multiplier in multipliers) else []
        self._is_plain = [multiplier == 1 for multiplier in self._multipliers]
        denominators = {result.points.denominator for result in results}
        denominators |= {totals.points.denominator for totals in brought}
        of_events = lcm(*{multiplier.denominator for multiplier in self._multipliers})
        self.unit = lcm(rules.attendance_points.denominator, lcm(*denominators) * of_events)
        self._factors: dict[tuple[int, int], int] = {}

    def whole(self, points: Fraction) -> int:
        return points.numerator * (self.unit // points.denominator)

    def multiplier(self, event_index: int) -> Fraction:
        return self._multipliers[event_index] if self._multipliers else ONE

    def scored(self, result: EventResult) -> int:
        """Points times multiplier."""
        points = result.points
        key = (points.denominator, result.event_index if self._multipliers else 0)
        factor = self._factors.get(key)
        if factor is None:
            factor = self.whole(self.multiplier(key[1]) / points.denominator)
            self._factors[key] = factor
        return points.numerator * factor

    def paid(self, result: EventResult, scored: int) -> int:
        """Points without multiplier."""
        if not self._multipliers or self._is_plain[result.event_index]:
            return scored
        return self.whole(result.points)


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
    scored = [(result.event_index, scale.scored(result)) for result in tally.results]
    if rules.keeps_all and events is None:
        tally.verdicts = [Verdict.COUNTED] * len(scored)
    else:
        tally.verdicts = select(scored, rules, events, n_events_missed(scored, events, n_held))
    for result, (_, points), verdict in zip(tally.results, scored, tally.verdicts, strict=True):
        if verdict is Verdict.COUNTED or verdict is Verdict.FINAL:
            tally.points += points
            tally.n_counted += 1
        tally.all_points += scale.paid(result, points)
        tally.n_entries += result.n_entries
        tally.wins += result.place == 1
    tally.n_events = len(scored)


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
