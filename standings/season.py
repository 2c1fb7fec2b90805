"""The standings of a season from its results: who stands where by points, TIER and profit per tourney."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import Any, TypedDict

from league.models import Entry, Event, Player, Season
from payouts.engine.standings import EventResult, SeasonRow, SeasonRules, season_rows
from payouts.models import EntryPoints
from payouts.queries import rules_of
from payouts.services import Awards
from ratings.engine.tier import BADGES
from ratings.models import RatedEntry
from ratings.services.rerating import Rerating
from standings.models import SeasonSummary, Standing

N_LAST_RATES = 9
N_MOVERS = 3  # up, and as many down
N_NEWCOMERS = 10
# What the standings read of rated entries.
RATED = ("event_id", "player_id", "prior_rate", "posterior_rate", "badge", "is_provisional")


@dataclass(frozen=True)
class SeasonInput:
    """A season as it was read: entries in rating order, and the stored rows that the recomputation keeps."""

    season_id: int
    rules: SeasonRules
    event_ids: list[int]  # in rating order
    entries: list[tuple[int, int, int, int, bool]]  # entry, event, player, place, is_last
    stored_points: dict[int, Fraction]  # by entry
    stored_rated: list[tuple[Any, ...]]  # RATED of the entries before the recomputed ones, in order
    names: dict[int, str]
    sort_keys: dict[int, str]  # of the names
    last_starts_at: str  # ISO time of the last event, empty without one


@dataclass
class _Rated:
    """A player's ratings through the season: before and after each event, in order."""

    events: list[int]
    before: list[float]
    after: list[float]
    badge: str
    is_provisional: bool


def read_season(season: Season, *, since: datetime | None) -> SeasonInput:
    stored = rules_of(season)
    entries = list(
        Entry.objects.filter(event__season=season)
        .order_by("event__starts_at", "event_id", "place", "pk")
        .values_list("pk", "event_id", "player_id", "place", "is_last")
    )
    rated = RatedEntry.objects.filter(event__season=season)
    if since:
        rated = rated.filter(starts_at__lt=since)
    players = list(
        Player.objects.filter(entries__event__season=season).distinct().values_list("pk", "name", "key")
    )
    events = list(Event.objects.filter(season=season).in_rating_order().values_list("pk", "starts_at"))
    return SeasonInput(
        season_id=season.pk,
        rules=SeasonRules(attendance_points=Fraction(stored.attendance_points), min_events=stored.min_events),
        event_ids=[pk for pk, _starts_at in events],
        entries=entries,
        stored_points={
            entry_id: Fraction(numerator, denominator)
            for entry_id, numerator, denominator in EntryPoints.objects.filter(
                entry__event__season=season
            ).values_list("entry_id", "numerator", "denominator")
        },
        stored_rated=list(rated.order_by("starts_at", "event_id", "number").values_list(*RATED)),
        names={pk: name for pk, name, _key in players},
        sort_keys={pk: key for pk, _name, key in players},
        last_starts_at=events[-1][1].isoformat() if events else "",
    )


def season_standings(season: SeasonInput, awards: Awards, rerating: Rerating | None) -> list[Standing]:
    """A row for each player of the season, with ranks and positions in the three orders."""
    if not season.entries:
        return []
    results = _results(season, awards)
    rows = season_rows(results, season.rules)
    rated = _rated_by_player(season, rerating)
    moved = _moves(results, rows, season)
    standings = [_standing(season, row, rated[row.player_id], moved.get(row.player_id)) for row in rows]
    _number(standings, "points", season.sort_keys, lambda row: row.points_rank or 0)
    _number(standings, "profit", season.sort_keys, lambda row: row.profit_rank or -float(row.profit))
    _rank_by_rate(standings)
    _number(standings, "tier", season.sort_keys, lambda row: row.tier_rank or -row.rate)
    return standings


def _results(season: SeasonInput, awards: Awards) -> list[EventResult]:
    """One result for each player and event: the points of all his entries, the place of his last."""
    points = season.stored_points | awards.points
    index = {event_id: i for i, event_id in enumerate(season.event_ids)}
    total: dict[tuple[int, int], Fraction] = {}
    n_entries: dict[tuple[int, int], int] = defaultdict(int)
    place: dict[tuple[int, int], int] = {}
    for entry_id, event_id, player_id, entry_place, is_last in season.entries:
        pair = (index[event_id], player_id)
        won = points[entry_id]
        total[pair] = total[pair] + won if pair in total else won  # adding Fractions takes time
        n_entries[pair] += 1
        if is_last:
            place[pair] = entry_place
    return [
        EventResult(
            player_id=player_id,
            event_index=event_index,
            points=total[event_index, player_id],
            n_entries=n_entries[event_index, player_id],
            place=last_place,
        )
        for (event_index, player_id), last_place in place.items()
    ]


def _rated_by_player(season: SeasonInput, rerating: Rerating | None) -> dict[int, _Rated]:
    rows: Iterable[Any] = season.stored_rated
    if rerating:
        events = set(season.event_ids)
        computed = zip(*(rerating.rated[name] for name in RATED), strict=True)
        rows = chain(rows, (row for row in computed if row[0] in events))
    by_player: dict[int, _Rated] = {}
    for event_id, player_id, before, after, letters, is_provisional in rows:
        if (rated := by_player.get(player_id)) is None:
            rated = by_player[player_id] = _Rated([], [], [], "", is_provisional=True)
        if rated.events and rated.events[-1] == event_id:
            rated.after[-1] = after  # a re-entry: one change for the event
        else:
            rated.events.append(event_id)
            rated.before.append(before)
            rated.after.append(after)
        rated.badge, rated.is_provisional = letters, is_provisional
    return by_player


def _moves(results: Sequence[EventResult], rows: Sequence[SeasonRow], season: SeasonInput) -> dict[int, int]:
    """Places gained since the season's event before the last."""
    last = max(result.event_index for result in results)
    before = season_rows([result for result in results if result.event_index < last], season.rules)
    rank_before = {row.player_id: row.points_rank for row in before}
    return {
        row.player_id: rank_before[row.player_id] - row.points_rank
        for row in rows
        if row.player_id in rank_before
    }


def _standing(season: SeasonInput, row: SeasonRow, rated: _Rated, moved: int | None) -> Standing:
    played_last = rated.events[-1] == season.event_ids[-1]
    return Standing(
        season_id=season.season_id,
        player_id=row.player_id,
        points=_decimal(row.points, 4),
        total=_decimal(row.total, 4),
        profit=_decimal(row.profit_per_tourney, 6),
        n_events=row.n_events,
        n_entries=row.n_entries,
        n_wins=row.wins,
        rate_before=rated.before[0],
        rate=rated.after[-1],
        badge=rated.badge,
        is_provisional=rated.is_provisional,
        last_change=rated.after[-1] - rated.before[-1] if played_last else None,
        last_rates=" ".join(f"{value:.0f}" for value in rated.after[-N_LAST_RATES:]),
        points_rank=row.points_rank,
        points_moved=moved,
        profit_rank=row.profit_rank,
    )


def _decimal(value: Fraction, places: int) -> Decimal:
    scale: int = 10**places
    return Decimal(round(value * scale)).scaleb(-places)


def _rank_by_rate(standings: Iterable[Standing]) -> None:
    """Competition ranks by the exact rate; a player in placement has none and cannot lead the table."""
    ranked = sorted((row for row in standings if not row.is_provisional), key=lambda row: -row.rate)
    for i, row in enumerate(ranked):
        is_tie = i > 0 and row.rate == ranked[i - 1].rate
        row.tier_rank = ranked[i - 1].tier_rank if is_tie else i + 1


def _number(
    standings: Sequence[Standing], order: str, names: dict[int, str], key: Callable[[Standing], float]
) -> None:
    """Positions 1 to n: the ranked first, then the others; equals by name."""
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
    """`winners` are names; more than one if they tied."""

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
    """What is said about a season as a whole, stored so that no page has to read every row of it."""

    last_event: LastEvent
    leaders: list[tuple[str, str]]  # name and total of the first two
    badges: list[
        tuple[str, int]
    ]  # players outside placement, C3 to S; PostgreSQL would not keep a dict in order
    movers: list[SideRow]  # of the last event: up the most, down the most
    newcomers: list[SideRow]


def season_summary(season: SeasonInput, standings: Sequence[Standing]) -> SeasonSummary:
    return SeasonSummary(
        season_id=season.season_id,
        n_players=len(standings),
        n_events=len(season.event_ids),
        facts=_facts(season, standings) if standings else {},
    )


def _facts(season: SeasonInput, standings: Sequence[Standing]) -> SeasonFacts:
    settled = [row for row in standings if row.last_change is not None and not row.is_provisional]
    settled.sort(key=lambda row: (-(row.last_change or 0.0), row.points_position))
    movers = settled if len(settled) <= 2 * N_MOVERS else settled[:N_MOVERS] + settled[-N_MOVERS:]
    by_points = sorted(standings, key=lambda row: row.points_position)
    newcomers = [row for row in by_points if row.is_provisional][:N_NEWCOMERS]
    counts = Counter(row.badge for row in standings if not row.is_provisional)
    return {
        "last_event": _last_event(season),
        "leaders": [(season.names[row.player_id], str(row.total)) for row in by_points[:2]],
        "badges": [(letters, counts[letters]) for letters in reversed(BADGES)],
        "movers": [_side_row(row, season) for row in movers],
        "newcomers": [_side_row(row, season) for row in newcomers],
    }


def _last_event(season: SeasonInput) -> LastEvent:
    entries = [entry for entry in season.entries if entry[1] == season.event_ids[-1]]
    return {
        "event_id": season.event_ids[-1],
        "starts_at": season.last_starts_at,
        "winners": [
            season.names[player_id] for _pk, _event, player_id, place, _last in entries if place == 1
        ],
        "n_players": sum(is_last for *_rest, is_last in entries),
        "n_entries": len(entries),
    }


def _side_row(row: Standing, season: SeasonInput) -> SideRow:
    return {
        "player_id": row.player_id,
        "name": season.names[row.player_id],
        "badge": row.badge,
        "rate": row.rate,
        "change": row.last_change or 0.0,
        "total": str(row.total),
    }
