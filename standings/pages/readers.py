"""Resolve which player the visitor is: the claimed one, else that of the `me` cookie.

Whom the reader follows is kept by the account, or else by the browser.

Pages are cached for all readers, so nothing of one reader is in them: a script marks the rows (static/js/me.js).
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from league.access import ClubRequest
from league.models import Club, Player, PlayerMerge, Season
from league.queries import typed_id
from league.site.cookies import cookie_name
from standings.models import Following, Standing
from standings.queries import COUNTED, PER_PAGE, counted_place

# Of a club's pages: the own player, and followed ones.
ME, FOLLOWED = (cookie_name(name, has_path=True) for name in ("me", "followed"))
MOST_FOLLOWED = 30
YEAR = 365 * 86_400


@dataclass(frozen=True)
class Reader:
    """The id of the reader's player, whether an account has claimed it, and the ids of those the reader follows."""

    player_id: int | None
    is_claimed: bool
    followed: tuple[int, ...]


def reader_of(request: ClubRequest) -> Reader:
    """Identify the reader's player and the followed players; replace merged players by the kept ones."""
    own, is_claimed = typed_id(request.COOKIES.get(ME, "")), False
    followed = list(filter(None, map(typed_id, request.COOKIES.get(FOLLOWED, "").split(".")[:MOST_FOLLOWED])))
    if request.user.is_authenticated:
        of_account = Following.objects.filter(user=request.user, club=request.club)
        followed += of_account.values_list("players", flat=True).first() or []
        claimed = Player.objects.filter(club=request.club, user=request.user).values_list("pk", flat=True)
        if player_id := claimed.first():
            own, is_claimed = player_id, True
    stayed = _stayed(request.club, [*followed, *([own] if own else [])])
    return Reader(
        stayed.get(own, own) if own else None,
        is_claimed=is_claimed,
        followed=tuple(dict.fromkeys(stayed.get(each, each) for each in followed)),
    )


def _stayed(club: Club, player_ids: Collection[int]) -> dict[int, int]:
    """Map merged players to the players they were merged into."""
    if not player_ids:
        return {}
    merges = PlayerMerge.objects.filter(club=club, merged_id__in=player_ids)
    return dict(merges.values_list("merged_id", "kept_id"))


def keep(response: HttpResponse, club: Club, name: str, *ids: int, is_secure: bool) -> None:
    """Keep player ids in a cookie of the club's pages, or take it away. Scripts read whether there is one."""
    path = club.get_absolute_url()
    if not ids:
        response.delete_cookie(name, path=path, samesite="Lax")
        return
    value = ".".join(map(str, ids[-MOST_FOLLOWED:]))
    response.set_cookie(name, value, max_age=YEAR, path=path, samesite="Lax", secure=is_secure)


def follow(user: User, player: Player) -> None:
    """Follow a player with an account; drop the oldest players beyond MOST_FOLLOWED."""
    _keep_followed(user, player, lambda others: [*others, player.pk][-MOST_FOLLOWED:])


def unfollow(user: User, player: Player) -> None:
    """Remove a player from those that the account follows. Idempotent."""
    _keep_followed(user, player, lambda others: others)


@transaction.atomic
def _keep_followed(user: User, player: Player, chosen: Callable[[list[int]], list[int]]) -> None:
    """Store the result of `chosen`, applied to the other followed players of the club."""
    kept, _is_new = Following.objects.select_for_update().get_or_create(user=user, club=player.club)
    stayed = _stayed(player.club, kept.players)
    kept.players = chosen([each for each in kept.players if stayed.get(each, each) != player.pk])
    kept.save(update_fields=["players"])


@dataclass(frozen=True)
class Row:
    """Locate a player in an order of a leaderboard: the rank, if there is one, the page, the address of the row."""

    by: str
    rank: int | None
    page: int
    address: str


def row_of(season: Season, by: str, player_id: int) -> Row | None:
    """Find the row of a player in an order of the leaderboard; None if the player is not on it."""
    standing = Standing.objects.filter(season=season, player=player_id).first()
    if standing is None:
        return None
    rank, position = (
        counted_place(standing, by)
        if by in COUNTED
        else (getattr(standing, f"{by}_rank"), getattr(standing, f"{by}_position"))
    )
    page = (position - 1) // PER_PAGE + 1
    query = {"by": by} | ({"page": page} if page > 1 else {})
    leaderboard = reverse("standings:leaderboard", args=[season.club.slug, season.slug])
    return Row(by, rank, page, f"{leaderboard}?{urlencode(query)}#p{player_id}")
