"""Delete a season or a player; events and nights are deleted where they are entered."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from league.access import ClubRequest, club_view, season_view, unsealed_season_form
from league.forms.names import TypedNameForm
from league.models import Player
from league.rights import Act
from league.services.deletions import delete_player, delete_season
from league.services.errors import Refused
from league.views.undo import say_deleted


@season_view(Act.CHANGE_RULES)
@unsealed_season_form
def season_delete(request: ClubRequest) -> HttpResponse:
    season = request.season
    form = TypedNameForm(request.POST or None, expected=season.name)
    if request.method == "POST" and form.is_valid():
        try:
            if item := delete_season(season, actor=request.user):
                say_deleted(request, item)
            return redirect(request.club)
        except Refused as error:
            form.add_error(None, str(error))
    context = {"form": form, "season": season, "n_events": season.events.count()}
    return render(request, "league/season_delete.html", context)


@club_view(Act.EDIT_PLAYERS)
def player_delete(request: ClubRequest, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    if request.method == "POST":
        try:
            if item := delete_player(player, actor=request.user):
                say_deleted(request, item)
            return redirect("standings:players", request.club.slug)
        except Refused as error:
            messages.error(request, str(error))
    context = {"player": player, "n_events": player.entries.values("event").distinct().count()}
    return render(request, "league/player_delete.html", context)
