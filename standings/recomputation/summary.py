"""Facts about a season as a whole, from its standings."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NotRequired, TypedDict

import numpy as np

from league.models import MeetOrder
from payouts.engine.seasons.meets import GameResult, overall_rows
from ratings.engine.tier.badges import BADGES
from standings.models import SeasonSummary
from standings.recomputation.columns import EntryColumns
from standings.recomputation.season import SeasonInput, StandingRow

N_MOVERS = 3  # up, and as many down
N_NEWCOMERS = 10


class LastEvent(TypedDict):
    """The last event of the season's own pool, or all events of the meet that it is in.

    `starts_at` is that of the last event of any pool. `winners` are names; more than one if they tied.
    """

    event_id: int
    starts_at: str
    winners: list[str]
    n_players: int
    n_entries: int
    n_events: NotRequired[int]  # sealed seasons keep their facts, which may be older than this


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
    night = season.last_night
    entries = season.entries.where(np.isin(season.entries.event_index, night))
    winners = _winners_of_meet(entries, season) if len(night) > 1 else _winners_of_event(entries)
    return {
        "event_id": season.events[night[-1]].pk,
        "starts_at": season.events[-1].starts_at.isoformat(),
        "winners": [season.names[player_id] for player_id in winners],
        "n_players": len(np.unique(entries.player_id)),
        "n_entries": len(entries),
        "n_events": len(night),
    }


def _winners_of_event(entries: EntryColumns) -> list[int]:
    won = entries.where(entries.place == 1)
    winners: list[int] = won.player_id[np.argsort(won.pk)].tolist()
    return winners


def _winners_of_meet(entries: EntryColumns, season: SeasonInput) -> list[int]:
    """Find who is first in the overall standings of a meet, in order of names."""
    columns = (entries.event_index, entries.player_id, entries.place, entries.numerator, entries.denominator)
    results = [
        GameResult(event, player_id, place, Fraction(numerator, denominator))
        for event, player_id, place, numerator, denominator in zip(
            *(c.tolist() for c in columns), strict=True
        )
    ]
    by_profit = season.events[season.last_night[0]].meet_order == MeetOrder.PROFIT
    no_columns = 0  # only the places are read
    of_balances = {i for i, event in enumerate(season.events) if event.pays_balances}
    rows = overall_rows(no_columns, results, "profit" if by_profit else "total", of_balances=of_balances)
    return sorted((row.player_id for row in rows if row.place == 1), key=season.sort_keys.__getitem__)


def _side_row(row: StandingRow, season: SeasonInput) -> SideRow:
    return {
        "player_id": row.player_id,
        "name": season.names[row.player_id],
        "badge": row.badge,
        "rate": row.rate or 0.0,
        "change": row.last_change or 0.0,
        "total": str(row.total),
    }
