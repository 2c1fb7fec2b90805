"""Choose a game to enter, and the rules by which its scores become balances."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from entry.night_sheets.forms import RulesForm, rules_initial
from entry.night_sheets.stored import rules_of_game
from league.access import ClubRequest, club_view, season_view
from league.models import EntryForm, Game
from league.rights import Act
from league.services.pools import save_game
from league.vocabulary import gettext as _


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
    return render(request, "league/form.html", {"form": form, "title": title, "action": _("Save")})


@season_view(Act.ENTER_RESULTS)
@require_safe
def enter(request: ClubRequest) -> HttpResponse:
    """Go to the form of the club's game; ask which one if there are several."""
    games = request.club.games.filter(is_shut=False, pool__is_shut=False).select_related("pool")
    if not games:
        return redirect("entry:event-create", request.club.slug, request.season.slug)
    if len(games) == 1:
        return redirect(_address(request, games[0]))
    addresses = [(game, _address(request, game)) for game in games]
    return render(request, "entry/enter.html", {"games": addresses, "section": "entry"})


def _address(request: ClubRequest, game: Game) -> str:
    name = "entry:event-create" if game.entry_form == EntryForm.ORDER else "entry:night-create"
    return f"{reverse(name, args=[request.club.slug, request.season.slug])}?game={game.pk}"
