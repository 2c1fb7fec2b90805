"""Typed rows for members' pages, in a constant number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Max,
    Model,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import OrderBy
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.models import Club, Entry, Event, Player, Pool, PoolKind, Season
from payouts.models import BroughtTotals
from ratings.engine.tier.params import REVISION
from ratings.models import PlayerRating, ProfitRating, RatedEntry, RatedGame
from ratings.queries import badge_bounds_of, params_of, profit_params_of, settings_in_force
from standings.models import Recomputation, SeasonSummary, Standing

RANKED = ("points", "tier", "profit")  # with stored ranks and positions
COUNTED = {"wins": "n_wins", "attendance": "n_events"}  # by a column, and among equals by points
ORDERS = (*RANKED, *COUNTED)
PER_PAGE = 50


def orders_of(season: Season) -> tuple[str, ...]:
    """The orders of a season's leaderboard: by rating only where there is one. The season was read with its pool."""
    return tuple(order for order in ORDERS if order != "tier" or season.pool.kind != PoolKind.NONE)


class LeaderRow(NamedTuple):
    """A line of the leaderboard. `leader_queryset` and leaderboard_rows.jinja have the same order."""

    player_id: int
    name: str
    is_guest: bool
    rank: int | None
    moved: int | None
    badge: str
    is_provisional: bool
    rate: float | None
    last_rates: str
    last_change: float | None
    n_events: int
    n_entries: int
    n_wins: int
    profit: Decimal
    points: Decimal
    total: Decimal
    n_brought: int
    is_inactive: bool


@dataclass(frozen=True)
class LeaderPage:
    rows: list[LeaderRow]
    number: int
    n_pages: int
    n_rows: int

    @property
    def has_brought(self) -> bool:
        """Tell whether any of these rows has totals brought forward."""
        return any(row.n_brought for row in self.rows)


def leader_page(
    season: Season,
    *,
    by: str,
    page: int,
    chosen: QuerySet[Standing] | None = None,
    sort: Sequence[str] = (),
    per_page: int = PER_PAGE,
) -> LeaderPage:
    """Read a page of the leaderboard, or of its chosen rows, by positions if they are all and in stored order."""
    if chosen is None and not sort and by in RANKED:
        n_rows = season.summary.n_players if hasattr(season, "summary") else 0
        n_pages = max(1, -(-n_rows // per_page))
        number = min(max(page, 1), n_pages)
        first = (number - 1) * per_page + 1
        positions = {f"{by}_position__range": (first, first + per_page - 1)}
        shown = Standing.objects.filter(season=season, **positions)
        return LeaderPage(leader_rows(shown, by, ()), number, n_pages, n_rows)
    rows = Standing.objects.filter(season=season) if chosen is None else chosen
    pages = Paginator(leader_queryset(rows, by, sort), per_page)
    current = pages.get_page(page)
    return LeaderPage(
        [LeaderRow(*row) for row in current.object_list], current.number, pages.num_pages, pages.count
    )


def leader_queryset(
    rows: QuerySet[Standing], by: str, sort: Sequence[str]
) -> QuerySet[Standing, tuple[Any, ...]]:
    """Order rows of standings, by columns first that a reader sorts by, and read the values of LeaderRow."""
    order, rank, moved = [f"{by}_position"], f"{by}_rank", f"{by}_moved"
    if by in COUNTED:
        rows = _with_counted_rank(rows, COUNTED[by])
        order, rank, moved = [f"-{COUNTED[by]}", "points_position"], "counted_rank", "counted_moved"
    return rows.order_by(*map(unknown_last, sort), *order).values_list(
        "player_id", "player__name", "player__is_guest", rank, moved, "badge", "is_provisional",
        "rate", "last_rates", "last_change", "n_events", "n_entries", "n_wins", "profit", "points", "total",
        "n_brought", "is_inactive",
    )  # fmt: skip


def _with_counted_rank(rows: QuerySet[Standing], column: str) -> QuerySet[Standing]:
    """Rank rows by a column among all of their season, whichever of them are shown; equal ones share a rank."""
    better = Standing.objects.filter(season=OuterRef("season"), **{f"{column}__gt": OuterRef(column)})
    n_better = better.order_by().values("season").annotate(n=Count("pk")).values("n")
    moved = Value(None, output_field=IntegerField())
    return rows.annotate(counted_rank=Coalesce(Subquery(n_better), 0) + 1, counted_moved=moved)


def counted_place(standing: Standing, by: str) -> tuple[int, int]:
    """Find the rank and the position of a row in a counted order."""
    own = {COUNTED[by]: getattr(standing, COUNTED[by])}
    of_season = Standing.objects.filter(season=standing.season_id)
    n_better = of_season.filter(**{f"{name}__gt": value for name, value in own.items()}).count()
    n_equal = of_season.filter(**own, points_position__lt=standing.points_position).count()
    return n_better + 1, n_better + n_equal + 1


def unknown_last(order: str) -> OrderBy:
    """Sort by a column, rows without a value last in both directions, on every database."""
    column = F(order.removeprefix("-"))
    return column.desc(nulls_last=True) if order.startswith("-") else column.asc(nulls_last=True)


def leader_rows(rows: QuerySet[Standing], by: str, sort: Sequence[str]) -> list[LeaderRow]:
    return list(map(LeaderRow._make, leader_queryset(rows, by, sort)))


def summary_of(season: Season) -> SeasonSummary | None:
    return getattr(season, "summary", None)


def results_version(season: Season) -> str:
    """Name the version of the results of a season and of what was computed from them.

    The season was read with select_related("pool__recomputation").
    """
    state: Recomputation | None = getattr(season.pool, "recomputation", None)
    return f"{season.pool.data_version}.{state.rated_version if state else 0}"


@dataclass(frozen=True)
class WorkState:
    """How far a pool's rows are behind its results, for the state line."""

    is_behind: bool
    has_failed: bool
    n_done: int
    n_events: int
    rated_at: datetime | None


def work_state(season: Season) -> WorkState:
    """The work state of a season that was read with select_related("pool__recomputation")."""
    return pool_work_state(season.pool)


def pool_work_state(pool: Pool) -> WorkState:
    """The work state of a pool that was read with select_related("recomputation")."""
    state: Recomputation | None = getattr(pool, "recomputation", None)
    if state is None:
        return WorkState(pool.data_version > 0, has_failed=False, n_done=0, n_events=0, rated_at=None)
    is_behind = state.is_behind(pool)
    return WorkState(
        is_behind, is_behind and state.n_failures > 0, state.n_done, state.n_events, state.rated_at
    )


class RatingTerms(NamedTuple):
    """How many entries or games a placement takes by the settings in force, and whether there are badges."""

    n_placement: int
    has_badges: bool


def rating_terms(season: Season) -> RatingTerms | None:
    """Read the terms of a season's ratings; None if nothing is rated.

    The season was read with select_related("pool__recomputation").
    """
    state: Recomputation | None = getattr(season.pool, "recomputation", None)
    if state is None or season.pool.kind == PoolKind.NONE:
        return None
    return _rating_terms(season.pool_id, season.pool.kind, state.rated_version, state.rated_at)


@lru_cache(maxsize=256)
def _rating_terms(pool_id: int, kind: str, _rated_version: int, _rated_at: datetime | None) -> RatingTerms:
    """Cache the rating terms by rated version, since settings come into force with new ratings only."""
    settings = settings_in_force(pool_id)
    if kind == PoolKind.PROFIT:
        return RatingTerms(profit_params_of(settings).provisional_games, bool(badge_bounds_of(settings)))
    return RatingTerms(params_of(settings).provisional_entries, has_badges=True)


def public_page_version(club_slug: str, season_slug: str) -> tuple[str, str] | None:
    """Read a version that changes with everything on a season's pages, the day included, and the club's language.

    None if the club is not public.
    """
    with connection.cursor() as cursor:
        cursor.execute(PAGE_VERSION, [club_slug, season_slug, True])
        row = cursor.fetchone()
    if row is None:
        return None
    language, time_zone, *version = row
    today = timezone.now().astimezone(ZoneInfo(time_zone)).date()
    return ".".join(map(str, [today, *version])), language


# Each request of a reader asks for it, and the ORM takes longer to write it than a database to answer it. Pages of a
# season show its title odds and its share of skill, which are computed after the standings.
PAGE_VERSION = """
SELECT club.language, club.time_zone, season.id, pool.data_version, state.rated_version, state.rated_at,
    odds.computed_at, quality.version, skill.computed_at
FROM league_season season
JOIN league_club club ON club.id = season.club_id
JOIN league_pool pool ON pool.id = season.pool_id
LEFT JOIN standings_recomputation state ON state.pool_id = pool.id
LEFT JOIN forecasts_poolquality quality ON quality.pool_id = pool.id
LEFT JOIN forecasts_titleodds odds ON odds.season_id = season.id
LEFT JOIN forecasts_seasonskill skill ON skill.season_id = season.id
WHERE club.slug = %s AND season.slug = %s AND club.is_public = %s
"""


def events_of(season: Season) -> QuerySet[Event]:
    return with_counts(season.events.all())


def with_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """Add the numbers of their players and entries and their winners to events, the newest first.

    `winner` is the first of the `winners`, to sort by.
    """
    won = Entry.objects.filter(place=1).select_related("player").order_by("pk")
    winner = Entry.objects.filter(event=OuterRef("pk"), place=1).order_by("pk").values("player__name")[:1]
    counted = events.annotate(
        n_entries=Count("entries"),
        n_players=Count("entries", filter=Q(entries__is_last=True)),
        winner=Subquery(winner),
    )
    return counted.prefetch_related(Prefetch("entries", won, to_attr="winners")).order_by("-starts_at", "-pk")


def standings_of(player: Player) -> list[Standing]:
    """A player's standing in each season, the newest first."""
    related = ("club", "summary", "rules", "pool__recomputation")
    rows = Standing.objects.filter(player=player).select_related(*(f"season__{name}" for name in related))
    return list(rows.order_by("-season__starts_on", "-season_id"))


# Where the ratings of a pool are, by its kind: now, and with the event that each belongs to.
NOW: dict[str, tuple[type[Model], dict[str, str]]] = {
    PoolKind.TIER: (PlayerRating, {"rate": "rate", "n_entries": "n_entries", "last_at": "last_at"}),
    PoolKind.PROFIT: (ProfitRating, {"rate": "r", "n_entries": "n_games", "last_at": "last_at"}),
}
AWAY_AFTER = timedelta(days=365)
THEN: dict[str, tuple[type[Model], dict[str, str]]] = {
    PoolKind.TIER: (RatedEntry, {"rate": "posterior_rate", "n_entries": "n_rated", "last_at": "starts_at"}),
    PoolKind.PROFIT: (RatedGame, {"rate": "r_after", "n_entries": "n_rated", "last_at": "starts_at"}),
}


def rated_pools(club: Club) -> list[Pool]:
    """The club's pools that have ratings, in the order of their making."""
    return list(club.pools.exclude(kind=PoolKind.NONE).order_by("pk"))


def chosen_pool(pools: Sequence[Pool], named: str | None) -> Pool | None:
    """Find the pool whose id the URL names, or else the first one."""
    return next((pool for pool in pools if str(pool.pk) == named), pools[0] if pools else None)


def players_of(club: Club, pool: Pool | None, *, on: date | None = None) -> QuerySet[Player]:
    """Select players with their ratings in a pool, now or on a past day; None omits the ratings.

    `is_away` tells of those who have not played in the year before the pool's last event, or before that day.
    """
    if pool is None:
        return club.players.all()
    model, columns = (NOW if on is None else THEN)[pool.kind]
    rated: QuerySet[Any] = model._default_manager.filter(pool=pool, player=OuterRef("pk"))
    if on is not None:
        end = datetime.combine(on + timedelta(days=1), time(), tzinfo=club.tz)
        rated = (
            rated.filter(starts_at__lt=end).annotate(n_rated=F("n_before") + 1).order_by("-starts_at", "-pk")
        )
    columns = columns | {name: name for name in ("badge", "is_provisional")}
    players = club.players.annotate(
        **{name: Subquery(rated.values(column)[:1]) for name, column in columns.items()}
    )
    return players.annotate(
        is_away=Case(When(last_at__gte=_active_since(pool, on), then=False), default=True)
    )


def _active_since(pool: Pool, on: date | None) -> datetime:
    events = Event.objects.filter(pool=pool)
    if on is not None:
        events = events.filter(
            starts_at__lt=datetime.combine(on + timedelta(days=1), time(), tzinfo=pool.club.tz)
        )
    last: datetime = events.aggregate(last=Max("starts_at"))["last"] or timezone.now()
    return last - AWAY_AFTER


def has_results() -> Q:
    """Choose players who have an entry or totals brought forward."""
    own = [model._default_manager.filter(player=OuterRef("pk")) for model in (Entry, BroughtTotals)]
    return Q(Exists(own[0])) | Q(Exists(own[1]))


def seasons_of(club: Club) -> QuerySet[Season]:
    return Season.objects.filter(club=club).select_related("club", "summary", "rules")


def has_ended(season: Season, today: date) -> bool:
    return season.is_closed or (season.ends_on is not None and season.ends_on < today)


class NearSeason(NamedTuple):
    name: str
    slug: str


def seasons_beside(season: Season) -> tuple[NearSeason | None, NearSeason | None]:
    """The seasons of the club before and after this one, in one query."""
    rows = Season.objects.filter(club=season.club_id).order_by("starts_on", "pk")
    seasons = list(rows.values_list("pk", "name", "slug"))
    place = next(i for i, row in enumerate(seasons) if row[0] == season.pk)
    before, after = seasons[:place][-1:], seasons[place + 1 : place + 2]
    return (NearSeason(*before[0][1:]) if before else None, NearSeason(*after[0][1:]) if after else None)


def stale_pools() -> QuerySet[Pool]:
    """Select pools whose rows are behind their data version or were computed by another engine."""
    behind = Q(recomputation=None) | Q(recomputation__rated_version__lt=F("data_version"))
    behind |= ~Q(recomputation__engine_revision=REVISION)
    return Pool.objects.filter(behind, data_version__gt=0).order_by("pk")
