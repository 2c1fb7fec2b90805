"""Typed rows for members' pages, in a constant number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from django.core.paginator import Paginator
from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import OrderBy

from league.models import Change, Club, Entry, Event, Player, Pool, Season
from ratings.engine.tier import REVISION
from ratings.models import PlayerRating, RatedEntry
from ratings.queries import params_of, settings_in_force
from standings.decimals import POINTS, decimal_of, places_of
from standings.filters import StandingFilter
from standings.models import Recomputation, SeasonSummary, Standing

if TYPE_CHECKING:
    from payouts.models import EntryPoints

ORDERS = ("points", "tier", "profit")
PER_PAGE = 50
ENTRIES_PER_PAGE = 300


class LeaderRow(NamedTuple):
    """A line of the leaderboard. `leader_queryset` and templates/jinja/leaderboard.jinja have the same order."""

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


@dataclass(frozen=True)
class LeaderPage:
    rows: list[LeaderRow]
    number: int
    n_pages: int
    n_rows: int


def leader_page(
    season: Season, *, by: str, page: int, filters: StandingFilter | None = None, sort: Sequence[str] = ()
) -> LeaderPage:
    """A page of the leaderboard: by a range of positions in stored order, otherwise by offset."""
    rows = Standing.objects.filter(season=season)
    if filters is None and not sort:
        n_rows = season.summary.n_players if hasattr(season, "summary") else 0
        n_pages = max(1, -(-n_rows // PER_PAGE))
        number = min(max(page, 1), n_pages)
        first = (number - 1) * PER_PAGE + 1
        in_range = {f"{by}_position__range": (first, first + PER_PAGE - 1)}
        return LeaderPage(leader_rows(rows.filter(**in_range), by, ()), number, n_pages, n_rows)
    chosen = leader_queryset(filters.filter_queryset(rows) if filters else rows, by, sort)
    pages = Paginator(chosen, PER_PAGE)
    current = pages.get_page(page)
    return LeaderPage(
        [LeaderRow(*row) for row in current.object_list], current.number, pages.num_pages, pages.count
    )


def leader_queryset(
    rows: QuerySet[Standing], by: str, sort: Sequence[str]
) -> QuerySet[Standing, tuple[Any, ...]]:
    return rows.order_by(*map(_unknown_last, sort), f"{by}_position").values_list(
        "player_id", "player__name", "player__is_guest", f"{by}_rank", "points_moved", "badge", "is_provisional",
        "rate", "last_rates", "last_change", "n_events", "n_entries", "n_wins", "profit", "points", "total",
        "n_brought",
    )  # fmt: skip


def _unknown_last(order: str) -> OrderBy:
    """Sort players without a rate last in both directions, on every database."""
    column = F(order.removeprefix("-"))
    return column.desc(nulls_last=True) if order.startswith("-") else column.asc(nulls_last=True)


def leader_rows(rows: QuerySet[Standing], by: str, sort: Sequence[str]) -> list[LeaderRow]:
    return [LeaderRow(*row) for row in leader_queryset(rows, by, sort)]


def summary_of(season: Season) -> SeasonSummary | None:
    return getattr(season, "summary", None)


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
    state: Recomputation | None = getattr(season.pool, "recomputation", None)
    if state is None:
        return WorkState(season.pool.data_version > 0, has_failed=False, n_done=0, n_events=0, rated_at=None)
    is_behind = state.is_behind(season.pool)
    return WorkState(
        is_behind, is_behind and state.n_failures > 0, state.n_done, state.n_events, state.rated_at
    )


def placement_entries(season: Season) -> int | None:
    """Entries of a placement by the settings in force; None if nothing is rated.

    The season was read with select_related("pool__recomputation").
    """
    state: Recomputation | None = getattr(season.pool, "recomputation", None)
    return _placement_entries(season.pool_id, state.rated_version, state.rated_at) if state else None


@lru_cache(maxsize=256)
def _placement_entries(pool_id: int, _rated_version: int, _rated_at: datetime | None) -> int:
    """Settings come into force with new ratings only: most leaderboards need no query for this."""
    return params_of(settings_in_force(pool_id)).provisional_entries


def public_page_version(club_slug: str, season_slug: str) -> str | None:
    """Read a version that changes with everything on a season's pages; None if the club is not public."""
    sql, names = _version_query()
    slugs = {CLUB: club_slug, SEASON: season_slug}
    with connection.cursor() as cursor:
        cursor.execute(sql, [slugs.get(name, name) for name in names])
        row = cursor.fetchone()
    return row and ".".join(map(str, row))


CLUB, SEASON = "<club>", "<season>"  # replaced by the slugs, which contain no angle brackets


@cache
def _version_query() -> tuple[str, tuple[str, ...]]:
    """Compile the query to SQL once: each request of a reader runs it, and compiling takes longer than running."""
    seasons = Season.objects.filter(club__slug=CLUB, slug=SEASON, club__is_public=True).values_list(
        "pk", "pool__data_version", "pool__recomputation__rated_version", "pool__recomputation__rated_at"
    )
    return seasons.query.sql_with_params()


class EventRow(NamedTuple):
    """An entry on the page of its event. Rates are None until they are computed."""

    place: int
    player_id: int
    name: str
    number: int
    is_last: bool
    busted_at: datetime | None
    knockouts: int | None
    points: Decimal | None
    change: float | None
    rate: float | None
    badge: str
    is_provisional: bool
    is_first_event: bool


@dataclass(frozen=True)
class EventPage:
    """A page of an event's entries, and facts about all of them."""

    rows: list[EventRow]
    number: int
    n_pages: int
    n_players: int
    n_entries: int
    winners: list[str]
    has_times: bool
    has_knockouts: bool
    mean_rate: float | None  # of the players before the event; None if unknown or not all are on this page

    @property
    def places_of_points(self) -> int:
        return places_of(row.points for row in self.rows)


def event_page(event: Event, *, page: int) -> EventPage:
    entries = Entry.objects.filter(event=event).select_related("player", "points").order_by("place", "pk")
    counts = Entry.objects.filter(event=event).aggregate(
        n_entries=Count("pk"),
        n_players=Count("pk", filter=Q(is_last=True)),
        n_times=Count("busted_at"),
        n_knockouts=Count("knockouts"),
    )
    n_pages = max(1, -(-counts["n_entries"] // ENTRIES_PER_PAGE))
    number = min(max(page, 1), n_pages)
    # A corrected result shows no points and rates until they are computed: the stored ones are of the old result.
    is_waiting = Change.objects.filter(
        event=event, version__gt=F("pool__recomputation__rated_version")
    ).exists()
    page_entries = list(entries[(number - 1) * ENTRIES_PER_PAGE : number * ENTRIES_PER_PAGE])
    rated = {
        (row.player_id, row.number): row
        for row in RatedEntry.objects.filter(
            event=event, player__in=[entry.player_id for entry in page_entries]
        )
    }
    if is_waiting:
        rated = {}
    before = [row.prior_rate for row in rated.values() if row.number == 1]
    return EventPage(
        rows=[
            _event_row(entry, rated.get((entry.player_id, entry.number)), is_waiting)
            for entry in page_entries
        ],
        number=number,
        n_pages=n_pages,
        n_players=counts["n_players"],
        n_entries=counts["n_entries"],
        winners=list(entries.filter(place=1).values_list("player__name", flat=True)),
        has_times=counts["n_times"] > 0,
        has_knockouts=counts["n_knockouts"] > 0,
        mean_rate=fmean(before) if before and n_pages == 1 else None,
    )


def _event_row(entry: Entry, rated: RatedEntry | None, is_waiting: bool) -> EventRow:
    points: EntryPoints | None = None if is_waiting else getattr(entry, "points", None)
    return EventRow(
        place=entry.place,
        player_id=entry.player_id,
        name=entry.player.name,
        number=entry.number,
        is_last=entry.is_last,
        busted_at=entry.busted_at,
        knockouts=entry.knockouts,
        points=decimal_of(points.points, POINTS) if points else None,
        change=rated.posterior_rate - rated.prior_rate if rated else None,
        rate=rated.posterior_rate if rated else None,
        badge=rated.badge if rated else "",
        is_provisional=rated is not None and rated.is_provisional,
        is_first_event=rated is not None and rated.n_before < rated.number,
    )


def events_of(season: Season) -> QuerySet[Event]:
    return _counted(season.events.all())


def last_events_of(club: Club, n: int) -> QuerySet[Event]:
    """The club's last n events. They are selected first, since counting their entries takes longer."""
    newest = Event.objects.filter(season__club=club).order_by("-starts_at", "-pk")[:n]
    return _counted(Event.objects.filter(pk__in=list(newest.values_list("pk", flat=True))))


def _counted(events: QuerySet[Event]) -> QuerySet[Event]:
    """Events with the numbers of their players and entries and their winner, the newest first."""
    winner = Entry.objects.filter(event=OuterRef("pk"), place=1).order_by("pk").values("player__name")[:1]
    return events.annotate(
        n_entries=Count("entries"),
        n_players=Count("entries", filter=Q(entries__is_last=True)),
        winner=Subquery(winner),
    ).order_by("-starts_at", "-pk")


class RatedEvent(NamedTuple):
    """An event in a player's history: all entries together, with the place of the last."""

    event: Event
    place: int
    n_entries: int
    rate_before: float
    rate: float
    sigma: float
    badge: str
    is_provisional: bool

    @property
    def change(self) -> float:
        return self.rate - self.rate_before


def rated_events(player: Player) -> list[RatedEvent]:
    """A player's rated events, the oldest first."""
    rows = (
        RatedEntry.objects.filter(player=player, event__season__club=player.club_id)
        .select_related("event__season__club")
        .order_by("starts_at", "event_id", "number")
    )
    history = []
    for _event_id, entries in groupby(rows, key=lambda row: row.event_id):
        first, *others = entries
        last = others[-1] if others else first
        history.append(
            RatedEvent(
                last.event,
                last.place,
                last.n_entries,
                first.prior_rate,
                last.posterior_rate,
                last.posterior_sigma,
                last.badge,
                last.is_provisional,
            )
        )
    return history


def standings_of(player: Player) -> list[Standing]:
    """A player's standing in each season, the newest first."""
    rows = Standing.objects.filter(player=player).select_related("season__club", "season__summary")
    return list(rows.order_by("-season__starts_on", "-season_id"))


RATING = ("sigma", "rate", "badge", "is_provisional", "n_entries", "last_at")


def players_of(club: Club, *, on: date | None = None) -> QuerySet[Player]:
    """Players with their ratings now, or at the end of a past day."""
    if on is None:
        rated: QuerySet[Any] = PlayerRating.objects.filter(player=OuterRef("pk")).order_by("pool_id")
        columns = dict(zip(RATING, RATING, strict=True))
    else:
        end = datetime.combine(on + timedelta(days=1), time(), tzinfo=club.tz)
        rated = RatedEntry.objects.filter(player=OuterRef("pk"), starts_at__lt=end)
        rated = rated.order_by("pool_id", "-starts_at", "-event_id", "-number")
        rated = rated.annotate(sigma=F("posterior_sigma"), rate=F("posterior_rate"), rated=F("n_before") + 1)
        columns = dict(zip(RATING, RATING, strict=True)) | {"n_entries": "rated", "last_at": "starts_at"}
    annotations = {name: Subquery(rated.values(column)[:1]) for name, column in columns.items()}
    return club.players.annotate(**annotations)


def seasons_of(club: Club) -> QuerySet[Season]:
    return Season.objects.filter(club=club).select_related("club", "summary", "rules")


def stale_pools() -> QuerySet[Pool]:
    """Pools whose computed rows are behind their data version, or were computed by another rating engine."""
    behind = Q(recomputation=None) | Q(recomputation__rated_version__lt=F("data_version"))
    behind |= ~Q(recomputation__engine_revision=REVISION)
    return Pool.objects.filter(behind, data_version__gt=0).order_by("pk")
