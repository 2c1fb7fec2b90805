"""Hide the name of a player, or replace it for good."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_view
from league.models import Player
from league.rights import Act
from league.services.errors import Refused
from people.services.hidden_names import forget_name, hide_name, show_name


@require_POST
@club_view(Act.EDIT_PLAYERS)
def player_hide(request: ClubRequest, player_id: int) -> HttpResponse:
    """Hide the name of a player, or show it again."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    change = show_name if "show" in request.POST else hide_name
    try:
        change(player, actor=request.user)
    except Refused as error:
        messages.error(request, str(error))
    return redirect("league:player-edit", request.club.slug, player_id)


@club_view(Act.EDIT_PLAYERS)
def player_forget(request: ClubRequest, player_id: int) -> HttpResponse:
    """Replace a player's name by a pseudonym for good, after confirmation."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    if request.method == "POST":
        try:
            return redirect(forget_name(player, actor=request.user))
        except Refused as error:
            messages.error(request, str(error))
    return render(request, "people/player_forget.html", {"player": player})
