"""Pages of a club's rating pools and games, and the choice of a game to enter."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view, season_view
from league.forms.games import GameForm, PoolForm, SeasonPoolForm
from league.models import EntryForm, Game, Pool, PoolKind
from league.night_sheets.forms import RulesForm, rules_initial
from league.night_sheets.stored import rules_of_game
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


@club_view(Act.CHANGE_CLUB)
def game_rules(request: ClubRequest, game_id: int) -> HttpResponse:
    """Edit the rules by which scores of new nights become balances."""
    scored = Game.objects.exclude(entry_form=EntryForm.ORDER).select_related("pool")
    game = get_object_or_404(scored, pk=game_id, club=request.club)
    rules = rules_of_game(game)
    is_scored = game.entry_form == EntryForm.SCORES
    form = RulesForm(
        request.POST or None,
        n_players=rules.n_players,
        is_scored=is_scored,
        initial=rules_initial(rules),
    )
    if request.method == "POST" and form.is_valid():
        save_game(request.club, game, scoring=form.rules.to_dict(), actor=request.user)
        messages.success(request, _("Saved. Nights that were entered keep their rules."))
        return redirect("league:pools", request.club.slug)
    title = _("Rules of scoring, %(game)s") % {"game": game.name}
    return _form(request, form, title=title, action=_("Save"))


def _form(request: ClubRequest, form: PoolForm | GameForm | RulesForm, **context: Any) -> HttpResponse:
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


@season_view(Act.ENTER_RESULTS)
@require_safe
def enter(request: ClubRequest) -> HttpResponse:
    """Go to the form of the club's game; ask which one if there are several."""
    games = request.club.games.filter(is_shut=False, pool__is_shut=False).select_related("pool")
    if not games:
        return redirect("league:event-create", request.club.slug, request.season.slug)
    if len(games) == 1:
        return redirect(_address(request, games[0]))
    addresses = [(game, _address(request, game)) for game in games]
    return render(request, "league/enter.html", {"games": addresses, "section": "entry"})


def _address(request: ClubRequest, game: Game) -> str:
    name = "league:event-create" if game.entry_form == EntryForm.ORDER else "league:night-create"
    return f"{reverse(name, args=[request.club.slug, request.season.slug])}?game={game.pk}"
