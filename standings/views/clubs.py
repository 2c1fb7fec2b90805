"""The pages of a club, its changes, its players and one player."""

from math import isinf
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Player, Role, name_key
from league.queries import WholeHistory, changes_of, renames_of
from payouts.queries import club_money, net_by_season
from ratings.engine.tier import TierParams, badge_bounds
from ratings.queries import params_of, settings_in_force
from standings.pages.access_history import history_lines
from standings.pages.charts import place_histogram, rating_curve
from standings.pages.forms import DayForm
from standings.pages.tables import PlayerTable, configure
from standings.queries import last_events_of, players_of, rated_events, seasons_of, standings_of

N_RECENT = 8
N_CHANGES = 50
NARROW, WIDE = 340, 800


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    bounds = badge_bounds(TierParams())
    badges = [(letters, None if isinf(bound) else int(bound)) for letters, bound in bounds]
    return render(request, "standings/about.html", {"badges": badges})


@require_safe
@club_view()
def club(request: ClubRequest) -> HttpResponse:
    context = {"seasons": seasons_of(request.club), "recent": last_events_of(request.club, N_RECENT)}
    return render(request, "standings/club.html", context)


@require_safe
@club_view()
def changes(request: ClubRequest) -> HttpResponse:
    """Show the history. The lines about rights are there for owners alone, and counted for them alone."""
    is_owner = request.role >= Role.OWNER
    history: Any = WholeHistory(request.club) if is_owner else changes_of(request.club)
    page = Paginator(history, N_CHANGES).get_page(request.GET.get("page"))
    lines = history_lines(page.object_list, renames_of(request.club))
    return render(request, "standings/changes.html", {"page": page, "lines": lines})


@require_safe
@club_view()
def players(request: ClubRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:60].replace("\0", "")  # PostgreSQL refuses a null character
    form = DayForm(request.GET)
    day = form.cleaned_data["on"] if form.is_valid() else None
    rows = players_of(request.club, on=day)
    if query:
        rows = rows.filter(key__contains=name_key(query))
    table = PlayerTable(rows, empty_text=None if query else _("No player has been entered yet."))
    configure(table, request)
    context = {"table": table, "query": query, "form": form, "day": day, "section": "players"}
    return render(request, "standings/players.html", context | {"sort": ",".join(table.order_by)})


@require_safe
@club_view()
def player(request: ClubRequest, player_id: int) -> HttpResponse:
    people = Player.objects.select_related("club__money")
    person = get_object_or_404(people, pk=player_id, club=request.club)
    money = club_money(person.club)
    history = rated_events(person)
    seasons = standings_of(person)
    params = params_of(settings_in_force(history[-1].event.season.pool_id)) if history else TierParams()
    context = {
        "player": person,
        "history": history[::-1],
        "now": history[-1] if history else None,
        "seasons": seasons,
        "standing": seasons[0] if seasons else None,
        "has_brought_forward": any(line.n_brought for line in seasons),
        "n_wins": sum(row.place == 1 for row in history),
        "mean_place": sum(row.place / row.n_entries for row in history) / len(history) * 100
        if history
        else None,
        "n_placement": params.provisional_entries,
        "money": money,
        "net": net_by_season(person) if money.shows_net else [],
        "next_badge": _next_badge(history[-1].rate, params) if history else None,
    }
    if history:
        context["curves"] = [
            ("wide", rating_curve(history, params, WIDE)),
            ("narrow", rating_curve(history, params, NARROW)),
        ]
        context["places"] = place_histogram(history)
    return render(request, "standings/player.html", context)


def _next_badge(rate: float, params: TierParams) -> tuple[str, float] | None:
    """The next badge, and how many points of rate are missing."""
    above = [(name, bound - rate) for name, bound in badge_bounds(params) if bound > rate]
    return above[-1] if above else None
