"""The standings of a season from its results: who stands where by points, TIER and profit per tourney."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from itertools import pairwise
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Entry, Player, Season
from payouts.engine.results import begins, whole_points
from payouts.engine.standings import (
    BroughtForward,
    SeasonResults,
    SeasonRow,
    SeasonRules,
    points_ranks,
    season_rows,
)
from payouts.queries import PlayedEvent, played_events, rules_of, totals_brought_forward
from payouts.services.settling import SettledPoints
from ratings.queries import rates_of
from ratings.services.rows import END, RatedRows
from standings.decimals import POINTS, decimal_of
from standings.recomputation.columns import (
    LETTERS,
    NOT_RATED,
    EntryColumns,
    RatedColumns,
    event_numbers,
    rated_anew,
    read_entries,
    read_rated,
    read_stored,
    stored_events,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet

MOST_NAMED = 500  # events in one query
N_LAST_RATES = 9


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

    def under(self, rules: SeasonRules) -> "SeasonInput":
        """The same season with other rules."""
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

    def ranks_before_last_night(self, results: SeasonResults) -> dict[int, int]:
        """Points rank by player before the first event of the last night."""
        first = self.last_night[0]
        counted_as = [event.counts_as for event in self.events[:first]]
        before = results.where(results.event_index < first)
        return points_ranks(
            before, self.rules, events=counted_as, brought_forward=self.brought_forward, names=self.sort_keys
        )


@dataclass(frozen=True, slots=True)
class _Rated:
    """A player's ratings through the season: after each of the last events, before the first and the last night."""

    first_before: float | None
    night_before: float | None  # None for a player who was not rated that night
    last_rates: list[float]
    badge: str
    is_provisional: bool
    is_newcomer: bool  # without an entry in the pool before


UNRATED = _Rated(None, None, [], "", is_provisional=True, is_newcomer=False)


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
    stored = stored_events(season, {pk: number for pk, number in index.items() if pk not in changed})
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
        read_stored(EntryColumns, season, stored).joined(entries),
        read_stored(RatedColumns, season, kept).joined(rated),
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
    rows = Player.objects.filter(club=season.club_id).values_list("pk", "name", "key")
    players = [row for row in rows if row[0] in present]
    return SeasonInput(
        season_id=season.pk,
        rules=rules_of(season).scoring,
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
    rate: float | None
    badge: str
    is_provisional: bool
    is_newcomer: bool
    last_change: float | None
    last_rates: str
    points_rank: int
    points_moved: int | None
    profit_rank: int | None
    tier_rank: int | None = None
    points_position: int = 0
    profit_position: int = 0
    tier_position: int = 0


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
    rated = _rated_by_player(season.rated, since=season.last_night[0]) if season.events else {}
    results = results_of(season.entries)
    rows = season.rows(results)
    moved = _moves(results, rows, season)
    standings = [
        _standing(season, row, rated.get(row.player_id, UNRATED), moved.get(row.player_id)) for row in rows
    ]
    _rank_by_rate(standings)
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


def _rated_by_player(rated: RatedColumns, *, since: int) -> dict[int, _Rated]:
    """Sum up each player's rates. Entries of one event are one change: before the first, after the last.

    `since` is the index of the first event of the last night.
    """
    order = np.lexsort((rated.event_index, rated.player_id))
    of_player = begins(rated.player_id[order])
    starts = np.flatnonzero(of_player | begins(rated.event_index[order]))
    # The rows of the last entry of each player and event.
    ends = order[np.append(starts, len(order))[1:] - 1]
    # Each player's changes are those from one of these indices to the next.
    firsts = np.append(np.flatnonzero(of_player[starts]), len(starts))
    starts = order[starts]
    first, last = starts[firsts[:-1]], ends[firsts[1:] - 1]
    n_before = np.add.reduceat((rated.event_index[starts] < since).astype(np.int64), firsts[:-1])
    of_night = np.minimum(
        firsts[:-1] + n_before, firsts[1:] - 1
    )  # the first change of the night, or the last of all
    columns = (
        rated.player_id[first],
        rated.event_index[last] >= since,
        rated.prior_rate[first],
        rated.prior_rate[starts[of_night]],
        rated.badge[last],
        rated.is_provisional[last],
        rated.is_first[first],
    )
    rows = zip(pairwise(firsts.tolist()), *(column.tolist() for column in columns), strict=True)
    return {
        player_id: _Rated(
            first_before=first_before,
            night_before=night_before if was_there else None,
            last_rates=rated.posterior_rate[ends[max(start, end - N_LAST_RATES) : end]].tolist(),
            badge=LETTERS[badge],
            is_provisional=is_provisional,
            is_newcomer=is_first,
        )
        for (
            start,
            end,
        ), player_id, was_there, first_before, night_before, badge, is_provisional, is_first in rows
    }


def _moves(results: SeasonResults, rows: Sequence[SeasonRow], season: SeasonInput) -> dict[int, int]:
    """Ranks that each player has gained since the last night began."""
    if not season.events:
        return {}
    rank_before = season.ranks_before_last_night(results)
    return {
        row.player_id: rank_before[row.player_id] - row.points_rank
        for row in rows
        if row.player_id in rank_before
    }


def _standing(season: SeasonInput, row: SeasonRow, rated: _Rated, moved: int | None) -> StandingRow:
    rate = rated.last_rates[-1] if rated.last_rates else None
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
        rate=rate,
        badge=rated.badge,
        is_provisional=rated.is_provisional,
        is_newcomer=rated.is_newcomer,
        last_change=None if rate is None or rated.night_before is None else rate - rated.night_before,
        last_rates=" ".join(f"{value:.0f}" for value in rated.last_rates),
        points_rank=row.points_rank,
        points_moved=moved,
        profit_rank=row.profit_rank,
    )


def _rank_by_rate(standings: Iterable[StandingRow]) -> None:
    """Set competition ranks by the exact rate; a player in placement has none and cannot lead the table."""
    ranked = sorted((row for row in standings if not row.is_provisional), key=lambda row: _rate_key(row.rate))
    for i, row in enumerate(ranked):
        is_tie = i > 0 and row.rate == ranked[i - 1].rate
        row.tier_rank = ranked[i - 1].tier_rank if is_tie else i + 1


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


def _tier_key(row: StandingRow) -> tuple[bool, float]:
    return (True, _rate_key(row.rate)) if row.tier_rank is None else (False, row.tier_rank)
