"""The points race of a season: totals of the first players after each event, by the rules of the standings."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from payouts.engine.seasons.prospects import SeasonSoFar, bounds
from payouts.engine.seasons.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.standings import season_rows
from standings.recomputation.columns import EntryColumns
from standings.recomputation.season import results_of

LEAST_EVENTS = 2  # A line needs two points.
MOST_ENTRIES = 20_000
MOST_EVENTS = 300  # The totals are computed anew for each event, while the reader waits.


class RaceLine(NamedTuple):
    """A player's totals after each event."""

    player_id: int
    name: str
    totals: list[Fraction]


class Race(NamedTuple):
    """A line for each player, the highest total first.

    `decided_after` is the event after which nobody could catch up with the first player, if that can be said.
    """

    n_events: int
    lines: list[RaceLine]
    decided_after: int | None = None

    @property
    def leads_since(self) -> int:
        """Find the number of the event from which the first player was never behind another of these."""
        behind = [
            number
            for number, totals in enumerate(zip(*(line.totals for line in self.lines), strict=True), start=1)
            if max(totals) > totals[0]
        ]
        return behind[-1] + 1 if behind else 1

    @property
    def positions(self) -> list[list[int]]:
        """The positions of the lines among each other after each event; equal totals share the better one."""
        after = [
            sorted(totals, reverse=True) for totals in zip(*(line.totals for line in self.lines), strict=True)
        ]
        return [
            [totals.index(total) + 1 for total, totals in zip(line.totals, after, strict=True)]
            for line in self.lines
        ]


def points_race(
    names: Mapping[int, str],
    entries: EntryColumns,
    events: Sequence[SeasonEvent],
    rules: SeasonRules,
    brought_forward: Sequence[BroughtForward],
) -> Race | None:
    """Compute the totals of some players, after each event; None for seasons too short or too long."""
    if not LEAST_EVENTS <= len(events) <= MOST_EVENTS or not names:
        return None
    own = entries.where(np.isin(entries.player_id, list(names)))
    brought = [each for each in brought_forward if each.player_id in names]
    totals: dict[int, list[Fraction]] = {player_id: [] for player_id in names}
    for number in range(1, len(events) + 1):
        rows = season_rows(
            results_of(own.where(own.event_index < number)),
            rules,
            events=events[:number],
            brought_forward=brought,
            names=dict.fromkeys(names, ""),
        )
        now = {row.player_id: row.total for row in rows}
        for player_id, line in totals.items():
            line.append(now.get(player_id, Fraction(0)))
    lines = [RaceLine(player_id, name, totals[player_id]) for player_id, name in names.items()]
    lines.sort(key=lambda line: -line.totals[-1])
    ends = [line.totals[-1] for line in lines[:2]]
    is_shared = len(ends) > 1 and ends[0] == ends[1]
    decided = (
        None if is_shared else decided_after(lines[0].player_id, entries, events, rules, brought_forward)
    )
    return Race(len(events), lines, decided)


def decided_after(
    champion: int,
    entries: EntryColumns,
    events: Sequence[SeasonEvent],
    rules: SeasonRules,
    brought_forward: Sequence[BroughtForward],
) -> int | None:
    """Find the event after which nobody could catch up, not even by winning all that were left.

    None if it cannot be said: where somebody lost points by coming, and in large seasons.
    """
    if len(entries) > MOST_ENTRIES or (entries.numerator < 0).any():
        return None
    results = results_of(entries)
    tops = [Fraction(0)] * len(events)
    for event, points in zip(results.event_index.tolist(), results.points.tolist(), strict=True):
        tops[event] = max(tops[event], Fraction(points, results.unit))
    sizes = np.bincount(entries.event_index, minlength=len(events)).tolist()

    def is_decided(number: int) -> bool:
        played = results.where(results.event_index < number)
        so_far = SeasonSoFar(played, rules, events[:number], brought_forward, {})
        to_come = [[top] * max(size, 1) for top, size in zip(tops[number:], sizes[number:], strict=True)]
        return bounds(so_far, to_come)[champion].worst == 1

    numbers = range(1, len(events))
    return bisect_left(numbers, True, key=is_decided) + 1  # what is decided stays decided
