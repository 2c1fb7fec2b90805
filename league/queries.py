"""Reads shared by pages, API and tasks."""

from collections.abc import Collection, Iterable
from datetime import date, datetime, timedelta
from operator import itemgetter
from typing import Any, NamedTuple

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import timezone

from league.models import (
    AccessChange,
    Change,
    Club,
    Event,
    FormerAddress,
    Game,
    Membership,
    Player,
    PlayerAlias,
    PlayerMerge,
    Pool,
    Role,
    Rsvp,
    Season,
)
from reading.names.keys import name_key

MAX_SUGGESTED = 2_000
LATELY = timedelta(days=183)
MAX_RECENT = 500
ID_DIGITS = 18  # of the database's 64 bits


def present_slugs(user: User | AnonymousUser, club_slug: str, season_slug: str) -> dict[str, str]:
    """Resolve present or former slugs of a club and a season to the present ones, as URL parameters.

    What the user may not know of, or is nowhere, is left out.
    """
    clubs = Club.objects.visible_to(user)
    club = (
        clubs.filter(slug=club_slug).first()
        or clubs.filter(former_addresses__slug=club_slug, former_addresses__season=None).first()
    )
    if club is None:
        return {}
    season = (
        club.seasons.filter(slug=season_slug).first()
        or club.seasons.filter(former_addresses__slug=season_slug).first()
    )
    return {"club_slug": club.slug} | ({"season_slug": season.slug} if season else {})


def seasons_by_name(club: Club) -> dict[str, Season]:
    """Map names of seasons and their addresses, the former ones too, to them; a present one counts first."""
    seasons = list(club.seasons.select_related("club", "pool").order_by("starts_on", "pk"))
    former = FormerAddress.objects.filter(club=club).exclude(season=None).values_list("slug", "season_id")
    by_id = {season.pk: season for season in seasons}
    named = {name_key(slug): by_id[season_id] for slug, season_id in former}
    return named | {name_key(text): each for each in seasons for text in (each.slug, each.name)}


def slugs_of_club(club: Club) -> list[str]:
    """List the address of a club and those it had before."""
    former = club.former_addresses.filter(season=None).values_list("slug", flat=True)
    return [club.slug, *former]


def season_of_today(club: Club) -> Season | None:
    """Find the running season, else the last that has begun, else the newest."""
    return nearest_season(club.seasons.all(), timezone.now().astimezone(club.tz).date())


def nearest_season(seasons: Iterable[Season], today: date) -> Season | None:
    """Choose among seasons the one running today, else the last that has begun, else the newest."""

    def nearness(season: Season) -> tuple[bool, bool, date, int]:
        return season.holds(today), season.starts_on <= today, season.starts_on, season.pk

    return max(seasons, key=nearness, default=None)


def pools_with_events(club: Club) -> QuerySet[Pool]:
    """List the club's rating pools with the number of their events."""
    return club.pools.annotate(n_events=Count("events")).order_by("pk")


def players_by_key(club: Club) -> dict[str, tuple[int, str]]:
    """Map the keys of names and of other names of players to (player id, name); a player's own name counts first."""
    others = PlayerAlias.objects.filter(club=club).values_list("key", "player_id", "player__name", Value(0))
    own = Player.objects.filter(club=club).values_list("key", "pk", "name", Value(1))
    rows = others.order_by().union(own.order_by(), all=True)
    return {key: (pk, name) for key, pk, name, _is_own in sorted(rows, key=itemgetter(3))}


def count_evenings(player_ids: Collection[int]) -> dict[int, int]:
    """Count the events that players took part in, by the ids of the players."""
    played = Player.objects.filter(pk__in=player_ids).annotate(n=Count("entries__event", distinct=True))
    return dict(played.values_list("pk", "n")) if player_ids else {}


def games_by_key(club: Club) -> dict[str, Game]:
    """Map name keys to the games of a club, the shut ones too."""
    return {name_key(game.name): game for game in club.games.all()}


def nights_of(season: Season) -> dict[tuple[int, str], list[int]]:
    """Map the nights of a season, as (id and name of the meet), to the ids of their games, the first night first."""
    games = (
        season.events.exclude(meet=None)
        .exclude(round=None)
        .order_by("meet__day", "meet_id", "starts_at", "pk")
    )
    nights: dict[tuple[int, str], list[int]] = {}
    for event_id, meet_id, name in games.values_list("pk", "meet_id", "meet__name"):
        nights.setdefault((meet_id, name), []).append(event_id)
    return nights


def regulars(club: Club) -> list[str]:
    """List names to offer while typing, the most recent players first."""
    rows = (
        Player.objects.filter(club=club)
        .annotate(seen_at=Max("entries__event__starts_at"))
        .order_by(F("seen_at").desc(nulls_last=True), "key")
        .values_list("name", flat=True)
    )
    return list(rows[:MAX_SUGGESTED])


class RecentPlayer(NamedTuple):
    """Somebody who played lately; `away_since` is the last event, None if it is the club's last one."""

    name: str
    away_since: datetime | None


def recent_players(club: Club, until: datetime) -> list[RecentPlayer]:
    """List likely players of a day: those who said they come, recent players, and members without entries."""
    offered = [RecentPlayer(name, None) for name in _coming_players(club, until)]
    offered += _played_lately(club, until)
    members = Player.objects.filter(club=club, is_guest=False, entries=None).order_by("key")
    offered += [RecentPlayer(name, None) for name in members.values_list("name", flat=True)[:MAX_RECENT]]
    first: dict[str, RecentPlayer] = {}
    for player in offered:
        first.setdefault(player.name, player)
    return list(first.values())[:MAX_RECENT]


def _coming_players(club: Club, day: datetime) -> list[str]:
    """List the players of the accounts that come to what is planned on this day."""
    start = club.start_of_day(day)
    yes = Rsvp.objects.filter(
        answer=Rsvp.Answer.YES,
        planned_event__season__club=club,
        planned_event__starts_at__gte=start,
        planned_event__starts_at__lt=start + timedelta(days=1),
    )
    coming = Player.objects.filter(club=club, user__in=yes.values("user")).order_by("key")
    return list(coming.values_list("name", flat=True))


def _played_lately(club: Club, until: datetime) -> list[RecentPlayer]:
    """List who played in the half year before the last event until then: the latest, then the most frequent."""
    before = Event.objects.filter(season__club=club, starts_at__lte=until)
    last = before.aggregate(Max("starts_at"))["starts_at__max"]
    if last is None:
        return []
    rows = (
        Player.objects.filter(club=club, entries__event__starts_at__range=(last - LATELY, last))
        .annotate(seen_at=Max("entries__event__starts_at"), n=Count("entries"))
        .order_by("-seen_at", "-n", "key")
        .values_list("name", "seen_at")
    )
    return [RecentPlayer(name, None if seen_at == last else seen_at) for name, seen_at in rows[:MAX_RECENT]]


# Changes that are recorded in each pool of a club.
IN_ALL_POOLS = (
    Change.Kind.PLAYERS_ADDED,
    Change.Kind.PLAYER_RENAMED,
    Change.Kind.PLAYERS_MERGED,
    Change.Kind.PLAYERS_UNMERGED,
    Change.Kind.PLAYER_DELETED,
    Change.Kind.PLAYER_RESTORED,
    Change.Kind.CLUB_CHANGED,
)


def changes_of(club: Club) -> QuerySet[Change]:
    """List changes, the newest first. What is recorded in several pools is listed once."""
    first = Pool.objects.filter(club=club).order_by("pk").values("pk")[:1]
    again = Q(kind__in=IN_ALL_POOLS) & ~Q(pool=Subquery(first))
    shown = Change.objects.filter(pool__club=club).exclude(again | Q(kind=Change.Kind.RATINGS_TOUCHED))
    return shown.select_related("event__season__club", "season", "actor", "in_bin").defer("in_bin__data")


EVERYTHING = Q()


class WholeHistory:
    """A club's changes of results and rules together with those of rights, the newest first, for a Paginator."""

    def __init__(self, club: Club, changes: Q = EVERYTHING, rights: Q = EVERYTHING) -> None:
        self.club = club
        results, of_rights = (
            rows.order_by().annotate(is_access=Value(is_access)).values_list("at", "is_access", "pk")
            for rows, is_access in (
                (changes_of(club).filter(changes).select_related(None).defer(None), False),
                (AccessChange.objects.filter(rights, club=club), True),
            )
        )
        self.keys: QuerySet[Any, Any] = results.union(of_rights, all=True).order_by(
            "-at", "-is_access", "-pk"
        )

    def count(self) -> int:
        return self.keys.count()

    def __getitem__(self, wanted: slice) -> list[Change | AccessChange]:
        keys = list(self.keys[wanted])
        pks = {
            is_access: [pk for _at, is_row, pk in keys if is_row == is_access] for is_access in (False, True)
        }
        results = changes_of(self.club).in_bulk(pks[False])
        rights = AccessChange.objects.select_related("actor").in_bulk(pks[True])
        return [rights[pk] if is_access else results[pk] for _at, is_access, pk in keys]


class Rename(NamedTuple):
    """A player's name before and after a change, and the pool's version after it."""

    pool_id: int
    version: int
    before: str
    after: str


def renames_of(club: Club) -> list[Rename]:
    """List renames in the order of versions, for each of the club's pools.

    A player who is merged has the name of the other one now.
    """
    merged = PlayerMerge.objects.filter(club=club).values_list("merged_id", flat=True)
    renamed = Q(kind=Change.Kind.PLAYER_RENAMED)
    renamed |= Q(kind=Change.Kind.PLAYERS_MERGED, before__player__in=list(merged))
    rows = Change.objects.filter(renamed, pool__club=club).order_by("version")
    return [
        Rename(pool_id, version, before, after)
        for pool_id, version, before, after in rows.values_list(
            "pool_id", "version", "before__name", "after__name"
        )
        if before != after
    ]


def typed_id(text: str) -> int | None:
    """Parse an id from a URL or a form; None for text that cannot be an id."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= ID_DIGITS else None


def clubs_owned_alone(user: User) -> QuerySet[Club]:
    """Select the clubs of which the user is the only owner."""
    owners = Membership.objects.filter(club=OuterRef("pk"), role=Role.OWNER)
    return Club.objects.filter(Exists(owners.filter(user=user)), ~Exists(owners.exclude(user=user)))


def needs_two_factor(user: User | AnonymousUser, club: Club) -> bool:
    """Tell whether the club, or the operator of the site, requires a second factor for more than reading."""
    rule = settings.SECOND_FACTOR
    if club.requires_two_factor or rule in {"organizers", "everybody"}:
        return True
    return rule == "operators" and bool(user.is_superuser)


def has_two_factor(user: User | AnonymousUser) -> bool:
    """Tell whether signing in to the account takes more than the password."""
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]))
