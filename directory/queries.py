"""Read what the front door and the operator's page show."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from directory.models import Listing, ListingKey, Report, State
from league.models import BEGINNING, Club, Game, GameKind, Membership, Role, Season
from league.queries import season_of_today
from reading.names.keys import name_key
from standings.queries import LeaderRow, leader_page, orders_of

PER_PAGE = 20
MOST_LIKE_IT = 5
MOST_FIRST = 5  # players of the leaderboard of the front page
MOST_TRIED = 5  # clubs, until one has a leaderboard
LATEST = 20  # lines of each list of the operator
SHOWN_OF_CLUB = 5  # reports


class Living(NamedTuple):
    """A season whose leaderboard the front page shows."""

    listing: Listing
    season: Season
    rows: list[LeaderRow]


def found_listings(name: str = "", place: str = "", game: str = "") -> QuerySet[Listing]:
    """Find listed clubs by a part of the name, the beginning of the place and a kind of game, if they are given."""
    listings = Listing.objects.shown()
    if key := name_key(name):
        listings = listings.filter(
            Exists(ListingKey.objects.filter(listing=OuterRef("pk"), key__startswith=key))
        )
    if key := name_key(place):
        listings = listings.filter(place_key__startswith=key)
    if game in GameKind.values:
        listings = listings.filter(Exists(Game.objects.filter(club=OuterRef("club"), kind=game)))
    return listings


def listings_like(name: str) -> QuerySet[Listing]:
    """Find listed clubs that share a word of a name."""
    words = [word for word in name_key(name).split() if len(word) > 2]  # noqa: PLR2004  "of" is in too many
    is_like = Q(pk__in=[])
    for word in words[:MOST_LIKE_IT]:
        is_like |= Q(Exists(ListingKey.objects.filter(listing=OuterRef("pk"), key__startswith=word)))
    return Listing.objects.shown().filter(is_like)[:MOST_LIKE_IT]


def with_facts(listings: Iterable[Listing]) -> list[Listing]:
    """Read listings with their place and the kinds of their games as `facts`."""
    found = list(listings)
    kinds: dict[int, list[str]] = {}
    games = Game.objects.filter(club__in=[each.club_id for each in found]).order_by("pk")
    for club_id, kind in games.values_list("club_id", "kind"):
        kinds.setdefault(club_id, []).append(str(GameKind(kind).label))
    for each in found:
        facts = [each.place, *kinds.get(each.club_id, ())]
        each.facts = list(dict.fromkeys(filter(None, facts)))  # type: ignore[attr-defined]
    return found


def living_leaderboard() -> Living | None:
    """Find the leaderboard of the listed club that has played last."""
    for listing in Listing.objects.shown().filter(last_event_at__gt=BEGINNING)[:MOST_TRIED]:
        season = season_of_today(listing.club)
        if season is None:
            continue
        page = leader_page(season, by=orders_of(season)[0], page=1)
        if page.rows:
            return Living(listing, season, page.rows[:MOST_FIRST])
    return None


class Reported(NamedTuple):
    club: Club
    n: int
    reports: list[Report]  # the newest


def open_reports() -> list[Reported]:
    """Read the clubs with the most reports that wait, with the newest of each."""
    waiting = Report.objects.filter(settled_at=None)
    most = waiting.order_by().values("club").annotate(n=Count("pk")).order_by("-n", "club")[:LATEST]
    counts = {row["club"]: row["n"] for row in most}
    clubs = Club.objects.in_bulk(counts)
    newest = Window(RowNumber(), partition_by="club", order_by="-pk")
    shown: dict[int, list[Report]] = {pk: [] for pk in counts}
    for report in waiting.filter(club__in=counts).annotate(number=newest).filter(number__lte=SHOWN_OF_CLUB):
        shown[report.club_id].append(report)
    return [Reported(clubs[pk], n, shown[pk]) for pk, n in counts.items()]


def settled_clubs() -> QuerySet[Club]:
    """Select the clubs whose reports have been settled and none waits, the last first."""
    settled = Club.objects.annotate(settled_at=Max("reports__settled_at")).exclude(settled_at=None)
    return settled.exclude(Exists(Report.objects.filter(club=OuterRef("pk"), settled_at=None))).order_by(
        "-settled_at"
    )


def waiting_listings() -> QuerySet[Listing]:
    """Select the clubs that wait for the directory, the first first."""
    return (
        Listing.objects.filter(state=State.ASKED, club__deleted_at=None).select_related("club").order_by("pk")
    )


def hidden_clubs() -> QuerySet[Club]:
    """Select the hidden clubs, the last first."""
    return Club.objects.exclude(hidden_at=None).filter(deleted_at=None).order_by("-hidden_at")


def sought_clubs(text: str) -> list[Club]:
    """Find clubs for the operator by name, address or owner; without a text the newest."""
    clubs = Club.objects.filter(deleted_at=None).order_by("-pk")
    if text:
        owned = Membership.objects.filter(user__username__iexact=text, role=Role.OWNER).values("club")
        clubs = clubs.filter(Q(name__icontains=text) | Q(slug=text) | Q(pk__in=owned))
    return list(clubs.annotate(n_players=Count("players"))[:LATEST])
