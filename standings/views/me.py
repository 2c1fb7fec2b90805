"""The reader's own page and row, and the players whom the reader follows."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from league import formats
from league.access import ClubRequest, club_view, season_view
from league.models import Player, Season
from league.vocabulary import gettext as _
from standings.pages.leaderboards import far_row
from standings.pages.readers import FOLLOWED, ME, Row, follow, keep, reader_of, row_of, unfollow
from standings.queries import orders_of


@require_safe
@never_cache
@club_view()
def me(request: ClubRequest) -> HttpResponse:
    """Redirect to the reader's player page, or explain how this browser learns who the reader is."""
    person = _own_player(request)
    if person:
        return redirect(person)
    return render(request, "standings/club/me.html", {"section": "me"})


@require_safe
@never_cache
@season_view()
def me_row(request: ClubRequest) -> HttpResponse:
    """Lead to the reader's row of the leaderboard, or else to the reader's page."""
    person = _own_player(request)
    row = row_of(request.season, _order(request, request.season), person.pk) if person else None
    return redirect(row.address) if row else redirect("standings:me", request.club.slug)


@require_safe
@never_cache
@club_view()
def me_marks(request: ClubRequest) -> HttpResponse:
    """Return the reader's player, row and followed players as JSON for the script that marks rows."""
    reader, person = reader_of(request), _own_player(request)
    seasons = Season.objects.select_related("club", "rules", "summary", "pool__recomputation").filter(
        club=request.club
    )
    season = seasons.filter(slug=request.GET.get("season", "")[:50]).first()
    row = row_of(season, _order(request, season), person.pk) if person and season else None
    return JsonResponse(
        {
            "players": reverse("standings:players", args=[request.club.slug]),
            "me": person.pk if person else None,
            "name": person.name if person else "",
            "you": _("you"),
            "followed": reader.followed,
            "row": _row(request, season, row, person) if row and season and person else None,
        }
    )


def _row(request: ClubRequest, season: Season, row: Row, person: Player) -> dict[str, str]:
    """Describe where the reader's row is, with its cells if the page shown by the script is another one."""
    return {
        "text": _row_text(row),
        "address": row.address,
        "far": far_row(season, row, person.pk) if request.GET.get("page", "1") != str(row.page) else "",
    }


@require_POST
@club_view()
def remember(request: ClubRequest, player_id: int) -> HttpResponse:
    """Store or clear that a player is the reader, or that the reader follows the player.

    Whom the reader follows is kept with the account of who is signed in, everything else in this browser.
    """
    person = get_object_or_404(Player, pk=player_id, club=request.club)
    followed = [each for each in reader_of(request).followed if each != person.pk]
    kept = {
        "me": (ME, [person.pk]),
        "not-me": (ME, []),
        "follow": (FOLLOWED, [*followed, person.pk]),
        "unfollow": (FOLLOWED, followed),
    }
    response = redirect(person)
    said = request.POST.get("as")
    if said == "follow" and request.user.is_authenticated:
        follow(request.user, person)
    elif said in kept:
        if said == "unfollow" and request.user.is_authenticated:
            unfollow(request.user, person)
        name, ids = kept[said]
        keep(response, request.club, name, *ids, is_secure=request.is_secure())
    return response


def _own_player(request: ClubRequest) -> Player | None:
    kept = reader_of(request).player_id
    people = Player.objects.select_related("club").filter(club=request.club)
    return people.filter(pk=kept).first() if kept else None


def _order(request: ClubRequest, season: Season) -> str:
    orders = orders_of(season)
    return request.GET["by"] if request.GET.get("by") in orders else orders[0]


def _row_text(row: Row) -> str:
    return _("You: %(place)s, show") % {"place": formats.ordinal(row.rank)} if row.rank else _("You: show")
