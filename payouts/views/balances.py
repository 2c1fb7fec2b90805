"""Pages of balances: one's own year, that of a player, and everybody's for organizers."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Club, Player
from league.queries import typed_id
from league.rights import Act
from payouts.balances import balance_of, balances, years_of_money
from payouts.queries import club_money

FIRST_YEAR, LAST_YEAR = 1900, 2200


@require_safe
@club_view(Act.USE_AS_MEMBER)
def my_money(request: ClubRequest) -> HttpResponse:
    """Show the year of the player that the reader's account has claimed."""
    player = Player.objects.filter(club=request.club, user=request.user).first()
    return _year_of(request, player)


@require_safe
@club_view(Act.KEEP_MONEY)
def player_money(request: ClubRequest, player_id: int) -> HttpResponse:
    return _year_of(request, get_object_or_404(Player, pk=player_id, club=request.club))


def _year_of(request: ClubRequest, player: Player | None) -> HttpResponse:
    context = _years(request)
    if player:
        player.club = context["club"]
        context |= {"player": player, "balance": balance_of(player, context["year"])}
    return render(request, "payouts/money/money_year.html", context)


@require_safe
@club_view(Act.KEEP_MONEY)
def all_balances(request: ClubRequest) -> HttpResponse:
    context = _years(request)
    context["balances"] = balances(context["club"], context["year"])
    return render(request, "payouts/balances.html", context)


def _years(request: ClubRequest) -> dict[str, Any]:
    """Choose the year: the one in the address, else the newest of which money is recorded."""
    club = Club.objects.select_related("money").get(pk=request.club.pk)
    years = years_of_money(club)
    year = typed_id(request.GET.get("year", "")) or next(iter(years), timezone.localdate().year)
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise Http404
    return {"club": club, "money": club_money(club), "years": years, "year": year}
