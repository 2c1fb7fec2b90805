"""The points race of a season: totals of the first players after each event, by the rules of the standings."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from payouts.engine.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.standings import season_rows
from standings.recomputation.columns import EntryColumns
from standings.recomputation.season import results_of

LEAST_EVENTS = 2  # A line needs two points.
MOST_EVENTS = 300  # The totals are computed anew for each event, while the reader waits.


class RaceLine(NamedTuple):
    """A player's totals after each event."""

    player_id: int
    name: str
    totals: list[Fraction]


class Race(NamedTuple):
    """A line for each player, the highest total first."""

    n_events: int
    lines: list[RaceLine]

    @property
    def leads_since(self) -> int:
        """Find the number of the event from which the first player was never behind another of these."""
        behind = [
            number
            for number, totals in enumerate(zip(*(line.totals for line in self.lines), strict=True), start=1)
            if max(totals) > totals[0]
        ]
        return behind[-1] + 1 if behind else 1


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
    return Race(len(events), sorted(lines, key=lambda line: -line.totals[-1]))
