"""Pages of a club's settings and players."""

from django.contrib import messages
from django.db.models import Count, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_view, season_view
from league.forms.players import PlayerForm
from league.models import PlannedEvent, Player, Rsvp, Season
from league.rights import Act
from league.services.errors import Refused
from league.services.players import add_player, remove_alias, update_player
from league.services.seasons import close_season, reopen_season


@club_view(Act.EDIT_PLAYERS)
def player_create(request: ClubRequest) -> HttpResponse:
    form = PlayerForm(request.POST or None)
    del form.fields["is_guest"]
    if request.method == "POST" and form.is_valid():
        try:
            player = add_player(request.club, name=form.cleaned_data["name"], actor=request.user)
            messages.success(request, _("%(name)s is a player now.") % {"name": player})
            return redirect("standings:players", request.club.slug)
        except Refused as error:
            form.add_error("name", str(error))
    context = {"form": form, "title": _("Add a player"), "action": _("Add")}
    return render(request, "league/form.html", context)


@club_view(Act.EDIT_PLAYERS)
def player_edit(request: ClubRequest, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    stored_name = player.name
    form = PlayerForm(request.POST or None, instance=player)
    if request.method == "POST" and form.is_valid():
        try:
            update_player(
                Player.objects.select_related("club").get(pk=player_id),
                **form.cleaned_data,
                actor=request.user,
            )
            return redirect("standings:player", request.club.slug, player_id)
        except Refused as error:
            form.add_error("name", str(error))
    context = {
        "form": form,
        "title": _("Player %(name)s") % {"name": stored_name},
        "action": _("Save"),
        "player": player,
        "stored_name": stored_name,
        "others": player.aliases.all(),
    }
    return render(request, "league/player_edit.html", context)


@require_POST
@club_view(Act.EDIT_PLAYERS)
def alias_remove(request: ClubRequest, player_id: int, alias_id: int) -> HttpResponse:
    """Remove another name of a player; nothing happens if it was removed before."""
    player = get_object_or_404(Player.objects.select_related("club"), pk=player_id, club=request.club)
    remove_alias(player, alias_id=alias_id, actor=request.user)
    return redirect("league:player-edit", request.club.slug, player_id)


@season_view(Act.CHANGE_RULES)
def season_close(request: ClubRequest) -> HttpResponse:
    """Close a season after a confirmation page; reopen one without it."""
    if request.method != "POST":
        return render(request, "league/season_close.html", {"planned": _planned_with_answers(request.season)})
    is_closed = request.POST.get("closed") == "1"
    try:
        (close_season if is_closed else reopen_season)(request.season, actor=request.user)
        message = _("%(season)s is closed.") if is_closed else _("%(season)s is open again.")
        messages.success(request, message % {"season": request.season})
    except Refused as error:
        messages.error(request, str(error))
        return redirect(request.season)
    if "then" in request.POST:
        return redirect("payouts:season-create", request.club.slug)
    return redirect(request.season)


def _planned_with_answers(season: Season) -> list[PlannedEvent]:
    """List the future planned events of a season, each with the number of acceptances."""
    planned = season.planned_events.filter(starts_at__gt=timezone.now())
    yes = Count("rsvps", filter=Q(rsvps__answer=Rsvp.Answer.YES))
    return list(planned.select_related("season__club").annotate(n_yes=yes))
