"""Facts about a season as a whole, from its standings."""

from collections import Counter
from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from ratings.engine.tier import BADGES
from standings.models import SeasonSummary
from standings.recomputation.season import SeasonInput, StandingRow

N_MOVERS = 3  # up, and as many down
N_NEWCOMERS = 10


class LastEvent(TypedDict):
    """The season's last event. `winners` are names; more than one if they tied."""

    event_id: int
    starts_at: str
    winners: list[str]
    n_players: int
    n_entries: int


class SideRow(TypedDict):
    """A line of the lists beside the leaderboard."""

    player_id: int
    name: str
    badge: str
    rate: float
    change: float
    total: str


class SeasonFacts(TypedDict):
    """Facts about a season as a whole, stored so that no page has to read all its rows."""

    last_event: LastEvent | None  # None while there are only totals brought forward
    leaders: list[tuple[str, str]]  # name and total of the first two
    n_first: int  # players who share the first rank
    # Players outside placement, C3 to S; a list, since PostgreSQL does not keep the order of a JSON object.
    badges: list[tuple[str, int]]
    movers: list[SideRow]  # of the last event: up the most, down the most
    newcomers: list[SideRow]


def season_summary(season: SeasonInput, standings: Sequence[StandingRow]) -> SeasonSummary:
    return SeasonSummary(
        season_id=season.season_id,
        n_players=len(standings),
        n_events=len(season.events),
        facts=_facts(season, standings) if standings else {},
    )


def _facts(season: SeasonInput, standings: Sequence[StandingRow]) -> SeasonFacts:
    rated = [row for row in standings if row.last_change is not None and not row.is_provisional]
    rated.sort(key=lambda row: (-(row.last_change or 0.0), row.points_position))
    movers = rated if len(rated) <= 2 * N_MOVERS else rated[:N_MOVERS] + rated[-N_MOVERS:]
    by_points = sorted(standings, key=lambda row: row.points_position)
    newcomers = [row for row in by_points if row.is_provisional and row.rate is not None][:N_NEWCOMERS]
    counts = Counter(row.badge for row in standings if not row.is_provisional)
    return {
        "last_event": _last_event(season) if season.events else None,
        "leaders": [(season.names[row.player_id], str(row.total)) for row in by_points[:2]],
        "n_first": sum(row.points_rank == 1 for row in standings),
        "badges": [(letters, counts[letters]) for letters in reversed(BADGES)],
        "movers": [_side_row(row, season) for row in movers],
        "newcomers": [_side_row(row, season) for row in newcomers],
    }


def _last_event(season: SeasonInput) -> LastEvent:
    entries = season.entries.where(season.entries.event_index == len(season.events) - 1)
    won = entries.where(entries.place == 1)
    return {
        "event_id": season.events[-1].pk,
        "starts_at": season.events[-1].starts_at.isoformat(),
        "winners": [season.names[player_id] for player_id in won.player_id[np.argsort(won.pk)].tolist()],
        "n_players": int(entries.is_last.sum()),
        "n_entries": len(entries),
    }


def _side_row(row: StandingRow, season: SeasonInput) -> SideRow:
    return {
        "player_id": row.player_id,
        "name": season.names[row.player_id],
        "badge": row.badge,
        "rate": row.rate or 0.0,
        "change": row.last_change or 0.0,
        "total": str(row.total),
    }
