"""Pages of a club's rating pools and games, and the choice of a game to enter."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view, season_view
from league.forms.games import GameForm, PoolForm, SeasonPoolForm
from league.models import Game, Pool, PoolKind
from league.queries import pools_with_events
from league.rights import Act
from league.services.errors import Refused
from league.services.pools import open_pool, save_game, set_season_pool, update_pool


@club_view(Act.CHANGE_CLUB)
@require_safe
def pools(request: ClubRequest) -> HttpResponse:
    seasons = [
        (season, SeasonPoolForm(season=season))
        for season in request.club.seasons.select_related("club", "pool")
        if not season.is_closed
    ]
    context = {
        "pools": pools_with_events(request.club),
        "games": request.club.games.select_related("pool"),
        "seasons": seasons,
    }
    return render(request, "league/pools.html", context)


@club_view(Act.CHANGE_CLUB)
def pool_create(request: ClubRequest) -> HttpResponse:
    form = PoolForm(request.POST or None)
    del form.fields["is_shut"]
    if request.method == "POST" and form.is_valid():
        try:
            pool = open_pool(request.club, **form.cleaned_data, actor=request.user)
            messages.success(request, _("The rating pool %(pool)s is made.") % {"pool": pool.name})
            return redirect("league:pools", request.club.slug)
        except Refused as error:
            form.add_error("name", str(error))
    return _form(request, form, title=_("A new rating pool"), action=_("Make the pool"))


@club_view(Act.CHANGE_CLUB)
def pool_edit(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = get_object_or_404(Pool, pk=pool_id, club=request.club)
    title = _("Rating pool %(pool)s") % {"pool": pool.name}
    form = PoolForm(request.POST or None, instance=pool)
    if request.method == "POST" and form.is_valid():
        try:
            update_pool(pool, **form.cleaned_data, actor=request.user)
            messages.success(request, _("Saved."))
            return redirect("league:pools", request.club.slug)
        except Refused as error:
            form.add_error("kind" if "kind" in form.changed_data else "name", str(error))
    return _form(request, form, title=title, action=_("Save"))


@club_view(Act.CHANGE_CLUB)
def game_create(request: ClubRequest) -> HttpResponse:
    return _game(request, None, title=_("A new game"), action=_("Add the game"))


@club_view(Act.CHANGE_CLUB)
def game_edit(request: ClubRequest, game_id: int) -> HttpResponse:
    game = get_object_or_404(Game.objects.select_related("pool"), pk=game_id, club=request.club)
    return _game(request, game, title=_("Game %(game)s") % {"game": game.name}, action=_("Save"))


def _game(request: ClubRequest, game: Game | None, **context: Any) -> HttpResponse:
    form = GameForm(request.POST or None, instance=game, club=request.club)
    if game is None:
        del form.fields["is_shut"]
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_game(request.club, game, **form.cleaned_data, actor=request.user)
        except Refused as error:
            form.add_error("name", str(error))
        else:
            messages.success(request, _("Saved."))
            if form.cleaned_data["pool"] is None and saved.pool.kind == PoolKind.PROFIT:
                return redirect(
                    "ratings:settings-edit", request.club.slug, saved.pool_id
                )  # It asks which game.
            return redirect("league:pools", request.club.slug)
    return _form(request, form, **context)


def _form(request: ClubRequest, form: PoolForm | GameForm, **context: Any) -> HttpResponse:
    return render(request, "league/form.html", {"form": form, **context})


@require_POST
@season_view(Act.CHANGE_CLUB)
def season_pool(request: ClubRequest) -> HttpResponse:
    form = SeasonPoolForm(request.POST, season=request.season)
    if not form.is_valid():
        messages.error(request, _("Rating pool: choose one from the list."))
        return redirect("league:pools", request.club.slug)
    try:
        set_season_pool(request.season, **form.cleaned_data, actor=request.user)
        messages.success(request, _("Saved. Ratings are computed again where they change."))
    except Refused as error:
        messages.error(request, str(error))
    return redirect("league:pools", request.club.slug)
