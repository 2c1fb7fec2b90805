"""The standings of a season from its results: who stands where by points, TIER and profit per tourney."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from fractions import Fraction
from itertools import chain
from math import inf
from typing import Any, TypedDict

import numpy as np
from django.db.models import F, Min, Q, QuerySet
from numpy.typing import NDArray

from league.models import Entry, Player, Season
from payouts.engine.results import Ints, ints, whole_points
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
from ratings.engine.tier import BADGES
from ratings.models import RatedEntry
from ratings.services.rerating import Rerating
from standings.decimals import POINTS, decimal_of
from standings.models import SeasonSummary, Standing

N_LAST_RATES = 9
N_MOVERS = 3  # up, and as many down
N_NEWCOMERS = 10
# Columns of rated entries that the standings read.
RATED = ("event_id", "player_id", "prior_rate", "posterior_rate", "badge", "is_provisional")


@dataclass(frozen=True)
class EntryColumns:
    """Entries of a season, in any order; `denominator` is 0 where no points are stored."""

    pk: Ints
    event_index: Ints
    player_id: Ints
    place: Ints
    is_last: NDArray[np.bool_]
    numerator: Ints
    denominator: Ints

    def __len__(self) -> int:
        return len(self.pk)

    def where(self, chosen: NDArray[np.bool_]) -> "EntryColumns":
        return EntryColumns(*(getattr(self, field.name)[chosen] for field in fields(self)))


def read_entries(entries: QuerySet[Entry], events: Sequence[PlayedEvent]) -> EntryColumns:
    """Read entries in one query. Those of other events are left out: they were saved since `events` were read."""
    index = {event.pk: i for i, event in enumerate(events)}
    rows = entries.order_by().values_list(
        "pk", "event_id", "player_id", "place", "is_last", "points__numerator", "points__denominator"
    )
    columns = list(zip(*(row for row in rows if row[1] in index), strict=True)) or [()] * 7
    pk, event, player, place, is_last, numerator, denominator = columns
    return EntryColumns(
        pk=ints(pk),
        event_index=ints(map(index.__getitem__, event)),
        player_id=ints(player),
        place=ints(place),
        is_last=np.array(is_last, dtype=bool),
        numerator=ints(value or 0 for value in numerator),
        denominator=ints(value or 0 for value in denominator),
    )


@dataclass(frozen=True)
class SeasonInput:
    """A season as it was read, and the stored rows that the recomputation keeps."""

    season_id: int
    rules: SeasonRules
    events: list[PlayedEvent]  # in rating order
    entries: EntryColumns
    brought_forward: list[BroughtForward]
    stored_rated: list[tuple[Any, ...]]  # RATED of the entries before the recomputed ones, in order
    names: dict[int, str]
    sort_keys: dict[int, str]  # of the names

    def under(self, rules: SeasonRules) -> "SeasonInput":
        """The same season with other rules."""
        return replace(self, rules=rules)

    def rows(self, results: SeasonResults) -> list[SeasonRow]:
        counted_as = [event.counts_as for event in self.events]
        return season_rows(
            results, self.rules, events=counted_as, brought_forward=self.brought_forward, names=self.sort_keys
        )

    def ranks_before_last(self, results: SeasonResults) -> dict[int, int]:
        """Points rank by player before the last event."""
        last = len(self.events) - 1
        counted_as = [event.counts_as for event in self.events[:last]]
        before = results.where(results.event_index < last)
        return points_ranks(
            before, self.rules, events=counted_as, brought_forward=self.brought_forward, names=self.sort_keys
        )


@dataclass(slots=True)
class _Rated:
    """A player's ratings through the season: after each event, and before the first and the last."""

    last_event: int
    first_before: float | None
    before: float
    after: list[float]
    badge: str
    is_provisional: bool


def read_season(season: Season, *, since: datetime | None, is_rated: bool = True) -> SeasonInput:
    """Read what standings are computed from; without `is_rated`, no ratings."""
    events = played_events(season)
    rated = RatedEntry.objects.filter(event__season=season)
    if since:
        rated = rated.filter(starts_at__lt=since)
    players = players_in(season)
    return SeasonInput(
        season_id=season.pk,
        rules=rules_of(season).scoring,
        events=events,
        entries=read_entries(Entry.objects.filter(event__season=season), events),
        brought_forward=totals_brought_forward(season),
        stored_rated=list(rated.order_by("starts_at", "event_id", "number").values_list(*RATED))
        if is_rated
        else [],
        names={pk: name for pk, name, _key in players},
        sort_keys={pk: key for pk, _name, key in players},
    )


def newcomers_of(season_id: int) -> set[int]:
    """Players whose first event in the season's pool is one of this season."""
    firsts = Entry.objects.filter(event__season__pool__seasons=season_id).values("player_id")
    firsts = firsts.annotate(
        first=Min("event__starts_at"), first_here=Min("event__starts_at", filter=Q(event__season=season_id))
    )
    return set(firsts.filter(first=F("first_here")).values_list("player_id", flat=True))


def players_in(season: Season) -> list[tuple[int, str, str]]:
    """Id, name and key of all players with entries or totals brought forward."""
    columns = ("pk", "name", "key")
    played = Player.objects.filter(entries__event__season=season).order_by().values_list(*columns)
    brought_forward = Player.objects.filter(totals_brought_forward__season=season).order_by()
    return list(played.union(brought_forward.values_list(*columns)))


def season_standings(
    season: SeasonInput, settled: SettledPoints, rerating: Rerating | None
) -> list[Standing]:
    """A row for each player of the season, with ranks and positions in the three orders."""
    if not len(season.entries) and not season.brought_forward:
        return []
    results = results_of(season.entries, settled.points)
    rows = season.rows(results)
    rated = _rated_by_player(season, rerating)
    moved = _moves(results, rows, season)
    standings = [_standing(season, row, rated.get(row.player_id), moved.get(row.player_id)) for row in rows]
    _set_positions(standings, "points", season.sort_keys, lambda row: row.points_rank or 0)
    _set_positions(standings, "profit", season.sort_keys, lambda row: row.profit_rank or -float(row.profit))
    _rank_by_rate(standings)
    _set_positions(standings, "tier", season.sort_keys, lambda row: row.tier_rank or _rate_key(row.rate))
    return standings


def _rate_key(rate: float | None) -> float:
    """A sort key by rate: the highest first, players without one last."""
    return inf if rate is None else -rate


def results_of(entries: EntryColumns, computed: Mapping[int, Fraction]) -> SeasonResults:
    """One result for each player and event, with the points `computed` for an entry, else those stored.

    Raise LookupError if an entry has neither.
    """
    numerator, denominator = entries.numerator.copy(), entries.denominator.copy()
    is_computed = np.isin(entries.pk, ints(computed))
    points = [computed[pk] for pk in entries.pk[is_computed].tolist()]
    numerator[is_computed] = [value.numerator for value in points]
    denominator[is_computed] = [value.denominator for value in points]
    if not denominator.all():
        raise LookupError(f"entry {entries.pk[denominator == 0][0]} has no points")
    wholes, unit = whole_points(numerator.tolist(), denominator.tolist())
    return SeasonResults.of_entries(
        entries.player_id, entries.event_index, entries.place, entries.is_last, wholes, unit
    )


def _rated_by_player(season: SeasonInput, rerating: Rerating | None) -> dict[int, _Rated]:
    rows: Iterable[Any] = season.stored_rated
    if rerating:
        events = {event.pk for event in season.events}
        computed = zip(*(rerating.rated[name] for name in RATED), strict=True)
        rows = chain(rows, (row for row in computed if row[0] in events))
    by_player: dict[int, _Rated] = {}
    for event_id, player_id, before, after, letters, is_provisional in rows:
        rated = by_player.get(player_id)
        if rated is None:
            by_player[player_id] = _Rated(event_id, before, before, [after], letters, is_provisional)
            continue
        if rated.last_event == event_id:
            rated.after[-1] = after  # a re-entry: one change for the event
        else:
            rated.last_event, rated.before = event_id, before
            rated.after.append(after)
        rated.badge, rated.is_provisional = letters, is_provisional
    return by_player


def _moves(results: SeasonResults, rows: Sequence[SeasonRow], season: SeasonInput) -> dict[int, int]:
    """Ranks that each player has gained by the season's last event."""
    if not season.events:
        return {}
    rank_before = season.ranks_before_last(results)
    return {
        row.player_id: rank_before[row.player_id] - row.points_rank
        for row in rows
        if row.player_id in rank_before
    }


def _standing(season: SeasonInput, row: SeasonRow, rated: _Rated | None, moved: int | None) -> Standing:
    if rated is None:
        rated = _Rated(0, None, 0.0, [], "", is_provisional=True)
    played_last = bool(rated.after) and rated.last_event == season.events[-1].pk
    return Standing(
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
        rate=rated.after[-1] if rated.after else None,
        badge=rated.badge,
        is_provisional=rated.is_provisional,
        last_change=rated.after[-1] - rated.before if played_last else None,
        last_rates=" ".join(f"{value:.0f}" for value in rated.after[-N_LAST_RATES:]),
        points_rank=row.points_rank,
        points_moved=moved,
        profit_rank=row.profit_rank,
    )


def _rank_by_rate(standings: Iterable[Standing]) -> None:
    """Set competition ranks by the exact rate; a player in placement has none and cannot lead the table."""
    ranked = sorted((row for row in standings if not row.is_provisional), key=lambda row: _rate_key(row.rate))
    for i, row in enumerate(ranked):
        is_tie = i > 0 and row.rate == ranked[i - 1].rate
        row.tier_rank = ranked[i - 1].tier_rank if is_tie else i + 1


def _set_positions(
    standings: Sequence[Standing], order: str, names: dict[int, str], key: Callable[[Standing], float]
) -> None:
    """Set positions 1 to n: the ranked first, then the others; equals by name."""
    in_order = sorted(
        standings,
        key=lambda row: (
            getattr(row, f"{order}_rank") is None,
            key(row),
            names[row.player_id],
            row.player_id,
        ),
    )
    for position, row in enumerate(in_order, start=1):
        setattr(row, f"{order}_position", position)


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


def season_summary(season: SeasonInput, standings: Sequence[Standing]) -> SeasonSummary:
    return SeasonSummary(
        season_id=season.season_id,
        n_players=len(standings),
        n_events=len(season.events),
        facts=_facts(season, standings) if standings else {},
    )


def _facts(season: SeasonInput, standings: Sequence[Standing]) -> SeasonFacts:
    rated = [row for row in standings if row.last_change is not None and not row.is_provisional]
    rated.sort(key=lambda row: (-(row.last_change or 0.0), row.points_position))
    movers = rated if len(rated) <= 2 * N_MOVERS else rated[:N_MOVERS] + rated[-N_MOVERS:]
    by_points = sorted(standings, key=lambda row: row.points_position)
    newcomers = [row for row in by_points if row.is_provisional and row.badge][:N_NEWCOMERS]
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


def _side_row(row: Standing, season: SeasonInput) -> SideRow:
    return {
        "player_id": row.player_id,
        "name": season.names[row.player_id],
        "badge": row.badge,
        "rate": row.rate or 0.0,
        "change": row.last_change or 0.0,
        "total": str(row.total),
    }
