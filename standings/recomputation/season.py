"""The standings of a season from its results: who stands where by points, TIER and profit per tourney."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Entry, Player, Season
from payouts.engine.results import whole_points
from payouts.engine.seasons.standings import (
    BroughtForward,
    SeasonResults,
    SeasonRow,
    SeasonRules,
    season_ranks,
    season_rows,
)
from payouts.queries import PlayedEvent, played_events, rules_of, totals_brought_forward
from payouts.services.settling import SettledPoints
from ratings.queries import rates_of
from ratings.services.rows import END, RatedRows
from standings.decimals import POINTS, decimal_of
from standings.recomputation.columns import (
    NOT_RATED,
    EntryColumns,
    RatedColumns,
    event_numbers,
    rated_anew,
    read_entries,
    read_rated,
    read_stored,
)
from standings.recomputation.inactivity import inactive_players
from standings.recomputation.rates import UNRATED, PlayerRates, rates_by_player

if TYPE_CHECKING:
    from django.db.models import QuerySet

MOST_NAMED = 500  # events in one query


@dataclass(frozen=True)
class SeasonInput:
    """A season as it was read, and the stored rows that the recomputation keeps."""

    season_id: int
    rules: SeasonRules
    events: list[PlayedEvent]  # in rating order
    entries: EntryColumns
    rated: RatedColumns  # those before the recomputed ones
    brought_forward: list[BroughtForward]
    names: dict[int, str]
    sort_keys: dict[int, str]  # of the names
    # Indices of the events whose columns are not stored, or out of date.
    to_store: frozenset[int] = frozenset()
    inactive_after: int | None = None  # days of play missed, from the season's rules

    def under(self, rules: SeasonRules) -> "SeasonInput":
        """Copy the season with other rules."""
        return replace(self, rules=rules)

    def rows(self, results: SeasonResults) -> list[SeasonRow]:
        counted_as = [event.counts_as for event in self.events]
        return season_rows(
            results, self.rules, events=counted_as, brought_forward=self.brought_forward, names=self.sort_keys
        )

    @cached_property
    def last_night(self) -> list[int]:
        """Indices of the last event of the season's own pool, if it has one, and of the others of its meet.

        A side game that another pool rates is not what readers of the season wait for.
        """
        indices = range(len(self.events))
        own = [i for i in indices if self.events[i].is_of_season_pool]
        last = (own or indices)[-1]
        meet_id = self.events[last].meet_id
        if meet_id is None:
            return [last]
        return [i for i in indices if self.events[i].meet_id == meet_id]

    @property
    def inactive(self) -> set[int]:
        """The players who have not played for long, after the season's last event."""
        return inactive_players(self.entries, [event.day for event in self.events], self.inactive_after)

    def until(self, n_events: int) -> "SeasonInput":
        """Copy the season as it was after its first `n_events` events."""
        return replace(
            self,
            events=self.events[:n_events],
            entries=self.entries.where(self.entries.event_index < n_events),
            rated=self.rated.where(self.rated.event_index < n_events),
        )


def read_season(season: Season) -> SeasonInput:
    """Read what points are computed from, as it is in the rows of the entries."""
    events = played_events(season)
    entries = read_entries(Entry.objects.filter(event__season=season), event_numbers(events))
    return _season_input(season, events, entries, NOT_RATED)


def read_season_to_rank(
    season: Season, *, changed: Collection[int], since: datetime | None, until: datetime = END
) -> SeasonInput:
    """Read what standings are computed from: the rows of the events in `changed`, the stored columns of all others.

    Ratings are read only before `since` and from `until` on; between them they are computed anew.
    """
    events = played_events(season)
    index = event_numbers(events)
    packed = read_stored(season, without=changed)
    stored = {pk: number for pk, number in index.items() if pk in packed}
    to_read = {pk: number for pk, number in index.items() if pk not in stored}
    entries = read_entries(_of_events(Entry.objects.filter(event__season=season), to_read), to_read)
    is_kept = {event.pk: since is None or not since <= event.starts_at < until for event in events}
    kept, kept_to_read = (
        {pk: number for pk, number in some.items() if is_kept[pk]} for some in (stored, to_read)
    )
    rates = _of_events(rates_of(season.pool, event__season=season), kept_to_read)
    rated = read_rated(rates, kept_to_read)
    read = _season_input(
        season,
        events,
        EntryColumns.unpacked({number: packed[pk][0] for pk, number in stored.items()}).joined(entries),
        RatedColumns.unpacked({number: packed[pk][1] for pk, number in kept.items()}).joined(rated),
    )
    return replace(read, to_store=frozenset(index.values()) - frozenset(kept.values()))


def _of_events(rows: "QuerySet[Any]", event_ids: Collection[int]) -> "QuerySet[Any]":
    """Limit rows to these events, unless there are too many to name."""
    return rows if len(event_ids) > MOST_NAMED else rows.filter(event__in=event_ids)


def _season_input(
    season: Season, events: list[PlayedEvent], entries: EntryColumns, rated: RatedColumns
) -> SeasonInput:
    brought_forward = totals_brought_forward(season)
    present = set(np.unique(entries.player_id).tolist()) | {totals.player_id for totals in brought_forward}
    named = Player.objects.filter(club=season.club_id).values_list("pk", "name", "key")
    players = [row for row in named if row[0] in present]
    return SeasonInput(
        season_id=season.pk,
        rules=rules_of(season).scoring,
        inactive_after=rules_of(season).inactive_after,
        events=events,
        entries=entries,
        rated=rated,
        brought_forward=brought_forward,
        names={pk: name for pk, name, _key in players},
        sort_keys={pk: key for pk, _name, key in players},
    )


@dataclass(slots=True)
class StandingRow:
    """The values of a Standing. Making an object of the model takes as long as computing them."""

    season_id: int
    player_id: int
    points: Decimal
    total: Decimal
    profit: Decimal
    n_events: int
    n_entries: int
    n_wins: int
    n_brought: int
    rate_before: float | None
    rate_from_third: float | None
    rate: float | None
    badge: str
    is_provisional: bool
    is_newcomer: bool
    last_change: float | None
    last_rates: str
    points_rank: int
    points_moved: int | None
    profit_rank: int | None
    profit_moved: int | None
    tier_rank: int | None = None
    points_position: int = 0
    profit_position: int = 0
    tier_position: int = 0
    tier_moved: int | None = None
    is_inactive: bool = False


def completed(season: SeasonInput, settled: SettledPoints, rerating: RatedRows | None) -> SeasonInput:
    """Add the points and rates that have been computed to what was read."""
    rated = rated_anew(rerating, event_numbers(season.events)) if rerating else NOT_RATED
    return replace(
        season, entries=season.entries.with_points(settled.points), rated=season.rated.joined(rated)
    )


def season_standings(season: SeasonInput) -> list[StandingRow]:
    """A row for each player of a completed season, with ranks and positions in the three orders."""
    if not len(season.entries) and not season.brought_forward:
        return []
    # A season of totals brought forward alone has no rates and no last night.
    rated = rates_by_player(season.rated, since=season.last_night[0]) if season.events else {}
    results = results_of(season.entries)
    rows = season.rows(results)
    before = _ranks_before_last_night(season, results, rated)
    standings = [_standing(season, row, rated.get(row.player_id, UNRATED), before) for row in rows]
    _rank_by_rate(standings, season.inactive, before.tier)
    _set_positions(standings, season.sort_keys)
    return standings


def packed_columns(season: SeasonInput) -> dict[int, tuple[bytes, bytes]]:
    """Pack the results and rates of the events that are not stored, by id of the event."""
    indices = sorted(season.to_store)
    packed = zip(season.entries.packed(indices), season.rated.packed(indices), strict=True)
    return {season.events[index].pk: both for index, both in zip(indices, packed, strict=True)}


def _rate_key(rate: float | None) -> float:
    """A sort key by rate: the highest first, players without one last."""
    return inf if rate is None else -rate


def results_of(entries: EntryColumns) -> SeasonResults:
    """Merge the entries of each player and event; raise LookupError if one has no points."""
    if not entries.denominator.all():
        raise LookupError(f"entry {entries.pk[entries.denominator == 0][0]} has no points")
    wholes, unit = whole_points(entries.numerator, entries.denominator)
    return SeasonResults.of_entries(
        entries.player_id, entries.event_index, entries.place, entries.is_last, wholes, unit
    )


@dataclass(frozen=True)
class _Ranks:
    """Ranks by player in each order."""

    points: Mapping[int, int]
    profit: Mapping[int, int]
    tier: Mapping[int, int]


def _ranks_before_last_night(
    season: SeasonInput, results: SeasonResults, rated: Mapping[int, PlayerRates]
) -> _Ranks:
    """Compute the ranks before the first event of the last night; empty without events."""
    if not season.events:
        return _Ranks({}, {}, {})
    first = season.last_night[0]
    points, profit = season_ranks(
        results.where(results.event_index < first),
        season.rules,
        events=[event.counts_as for event in season.events[:first]],
        brought_forward=season.brought_forward,
        names=season.sort_keys,
    )
    inactive = season.until(first).inactive
    rates = {
        player_id: own.rate_before_night
        for player_id, own in rated.items()
        if not own.was_provisional and player_id not in inactive
    }
    return _Ranks(points, profit, ranks_by_rate(rates))


def _moved(before: Mapping[int, int], player_id: int, rank: int | None) -> int | None:
    """Ranks gained since the last night began; None without a rank then or now."""
    if rank is None or player_id not in before:
        return None
    return before[player_id] - rank


def _standing(season: SeasonInput, row: SeasonRow, rated: PlayerRates, before: _Ranks) -> StandingRow:
    rate = rated.rate
    return StandingRow(
        season_id=season.season_id,
        player_id=row.player_id,
        points=decimal_of(row.points, POINTS),
        total=decimal_of(row.total, POINTS),
        profit=decimal_of(row.profit_per_tourney, 6),
        n_events=row.n_events,
        n_entries=row.n_entries,
        n_wins=row.wins,
        n_brought=row.n_brought,
        rate_before=rated.first_before,
        rate_from_third=rated.third_before,
        rate=rate,
        badge=rated.badge,
        is_provisional=rated.is_provisional,
        is_newcomer=rated.is_newcomer,
        last_change=None if rate is None or rated.night_before is None else rate - rated.night_before,
        last_rates=" ".join(f"{value:.0f}" for value in rated.last_rates),
        points_rank=row.points_rank,
        points_moved=_moved(before.points, row.player_id, row.points_rank),
        profit_rank=row.profit_rank,
        profit_moved=_moved(before.profit, row.player_id, row.profit_rank),
    )


def _rank_by_rate(
    standings: Iterable[StandingRow], inactive: Collection[int], before: Mapping[int, int]
) -> None:
    """Set ranks by rate. Players in placement and the inactive have none and cannot lead the table."""
    for row in standings:
        row.is_inactive = row.player_id in inactive
    ranks = ranks_by_rate(
        {row.player_id: row.rate for row in standings if not row.is_provisional and not row.is_inactive}
    )
    for row in standings:
        row.tier_rank = ranks.get(row.player_id)
        row.tier_moved = _moved(before, row.player_id, row.tier_rank)


def ranks_by_rate(rates: Mapping[int, float | None]) -> dict[int, int]:
    """Rank players by exact rate; equals share a rank (1-2-2-4)."""
    ranks: dict[int, int] = {}
    ranked = sorted(rates, key=lambda player_id: _rate_key(rates[player_id]))
    for i, player_id in enumerate(ranked):
        is_tie = i > 0 and rates[player_id] == rates[ranked[i - 1]]
        ranks[player_id] = ranks[ranked[i - 1]] if is_tie else i + 1
    return ranks


def _set_positions(standings: Iterable[StandingRow], names: Mapping[int, str]) -> None:
    """Set positions 1 to n in each order: the ranked first, then the others; equals by name."""
    by_name = sorted(standings, key=lambda row: (names[row.player_id], row.player_id))
    # Sorting keeps the order of equals.
    for position, row in enumerate(sorted(by_name, key=attrgetter("points_rank")), start=1):
        row.points_position = position
    for position, row in enumerate(sorted(by_name, key=_profit_key), start=1):
        row.profit_position = position
    for position, row in enumerate(sorted(by_name, key=_tier_key), start=1):
        row.tier_position = position


def _profit_key(row: StandingRow) -> tuple[bool, float]:
    return (True, -float(row.profit)) if row.profit_rank is None else (False, row.profit_rank)


def _tier_key(row: StandingRow) -> tuple[bool, bool, float]:
    """The ranked first, then players in placement, then the inactive."""
    return row.is_inactive, row.tier_rank is None, _rate_key(row.rate)
