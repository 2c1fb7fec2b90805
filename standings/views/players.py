"""The players of a club, and the page of one: a section for each pool that rates the player."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.models import Player, PlayerMerge, Pool, PoolKind
from league.rights import Act, may
from league.tables import configure
from league.vocabulary import gettext as _
from live.queries import has_rivals, rivals_of
from payouts.queries import club_money, net_by_season
from ratings.engine.tier.params import TierParams
from ratings.queries import params_of, profit_params_of, settings_in_force
from reading.names.keys import name_key
from standings.games.queries import games_of, rating_pools_of
from standings.goals.queries import goals_of
from standings.models import Standing
from standings.pages.forms.awards import DayForm
from standings.pages.player_games import games_context
from standings.pages.readers import reader_of
from standings.pages.tables import PlayerTable
from standings.players.curve import LONG_FROM, long_curve, rating_curve
from standings.players.figures import best_results, figures_of, profit_interval
from standings.players.history import RatedEvent, Scored, points_by_event, rated_events
from standings.players.places import has_nights, place_histogram, places_chart
from standings.players.positions import position_chart, positions_of
from standings.players.sentences import (
    curve_in_words,
    places_in_words,
    positions_in_words,
    records,
    summary,
)
from standings.queries import (
    chosen_pool,
    has_results,
    players_of,
    rated_pools,
    standings_of,
)

NARROW, WIDE = 340, 720
N_EVENTS, N_EVENTS_A_PAGE, N_RIVALS = 20, 100, 8
SPANS = ("season", "year", "all")
YEAR = timedelta(days=365)
PROFIT_STEP = Fraction(1, 10**5)  # stored profits are rounded


@require_safe
@club_view()
def players(request: ClubRequest) -> HttpResponse:
    query = request.GET.get("q", "")[:60].replace("\0", "")  # PostgreSQL refuses a null character
    form = DayForm(request.GET)
    day = form.cleaned_data["on"] if form.is_valid() else None
    pools = rated_pools(request.club)
    pool = chosen_pool(pools, request.GET.get("pool"))
    rows = players_of(request.club, pool, on=day)
    if not may(request.role, Act.EDIT_PLAYERS):
        rows = rows.filter(has_results())
    if query:
        rows = rows.filter(key__contains=name_key(query))
    empty = None if query else _("No player has been entered yet.")
    table = PlayerTable.rated_by(pool.kind if pool else PoolKind.NONE, rows, empty_text=empty)
    configure(table, request)
    context = {"table": table, "query": query, "form": form, "day": day, "section": "players"}
    context |= {"pools": pools, "pool": pool}
    return render(request, "standings/player/players.html", context | {"sort": ",".join(table.order_by)})


@require_safe
@club_view()
def player(request: ClubRequest, player_id: int) -> HttpResponse:
    people = Player.objects.select_related("club__money").annotate(has_rivals=has_rivals())
    person = people.filter(pk=player_id, club=request.club).first()
    if person is None:
        merges = PlayerMerge.objects.select_related("kept__club")
        return redirect(get_object_or_404(merges, merged_id=player_id, club=request.club).kept)
    money = club_money(person.club)
    pools = rating_pools_of(person)
    pool = chosen_pool(pools, request.GET.get("pool"))
    seasons = standings_of(person)
    of_pool = [line for line in seasons if pool is None or line.season.pool_id == pool.pk]
    standing = of_pool[0] if of_pool else None
    context = {
        "player": person,
        "pools": pools,
        "pool": pool,
        "seasons": seasons,
        "standing": standing,
        "has_brought_forward": any(line.n_brought for line in seasons),
        "money": money,
        "net": net_by_season(person) if money.shows_net else [],
        "section": "players",
        "reader": reader_of(request),
        "goals": goals_of(person, pool, seasons, timezone.now()),
    }
    if pool and pool.kind == PoolKind.PROFIT and (games := games_of(person, pool)):
        return render(
            request,
            "standings/player/player_games.html",
            context | games_context(person, pool, games, request.GET),
        )
    shown = _events_context(request, person, pool, standing) if pool else _unrated_context(request)
    return render(request, "standings/player/player.html", context | shown)


def _unrated_context(request: ClubRequest) -> dict[str, Any]:
    """Build the context with the initial R, if all rated pools of the club use R."""
    pools = rated_pools(request.club)
    if not pools or any(pool.kind != PoolKind.PROFIT for pool in pools):
        return {}
    return {"r0": profit_params_of(settings_in_force(pools[0].pk)).r0}


def _events_context(
    request: ClubRequest, person: Player, pool: Pool, standing: Standing | None
) -> dict[str, Any]:
    """Build the context of the events that TIER rates."""
    history = rated_events(person, pool)
    if not history:
        return {}
    params = params_of(settings_in_force(pool.pk))
    figures, scored = figures_of(history), points_by_event(person, history)
    page = request.GET.get("page")
    shown = Paginator(history[::-1], N_EVENTS_A_PAGE).get_page(page) if page else None
    best = best_results(history)
    return {
        "figures": figures,
        "summary": summary(person.name, history, figures),
        "interval": _interval(history, scored, standing),
        "n_placement": params.provisional_entries,
        **_curve_context(history, params, request.GET.get("span", "all")),
        **(_positions_context(person, pool) if request.GET.get("show") == "position" else {}),
        "comparisons": [("wide", places_chart(history, WIDE)), ("narrow", places_chart(history, NARROW))],
        "comparison_words": places_in_words(history),
        "has_nights": has_nights(history),
        "places": place_histogram(history),
        "rivals": rivals_of(person, N_RIVALS) if person.has_rivals else [],  # type: ignore[attr-defined]  # annotated
        "best": [(row, scored.get(row.event_id)) for row in best],
        "records": records(history),
        "rows": [(row, scored.get(row.event_id)) for row in (shown or reversed(history[-N_EVENTS:]))],
        "page": shown,
        "page_query": f"pool={pool.pk}",
    }


def _curve_context(history: Sequence[RatedEvent], params: TierParams, span: str) -> dict[str, Any]:
    """Build the context of the curve: the season of the last event, the last year, or everything."""
    chosen = span if span in SPANS else "all"
    now = history[-1]
    part = {
        "all": history,
        "year": [row for row in history if row.starts_at > now.starts_at - YEAR],
        "season": [row for row in history if row.season_id == now.season_id],
    }
    spans = [each for each in SPANS if each == "all" or len(part[each]) < len(history)]
    drawn, is_long = part[chosen], len(part[chosen]) >= LONG_FROM
    draw = long_curve if is_long else rating_curve
    return {
        "curves": [("wide", draw(drawn, params, WIDE)), ("narrow", draw(drawn, params, NARROW))],
        "curve_words": curve_in_words(drawn, figures_of(drawn)),
        "is_long": is_long,
        "span": chosen,
        "spans": spans if len(spans) > 1 else [],
    }


def _positions_context(person: Player, pool: Pool) -> dict[str, Any]:
    """The position over time in place of the rate; why there is none, if there is none."""
    positions = positions_of(person, pool)
    if positions is None:
        return {"position_note": _("There are too many entries to work out positions over time.")}
    if not positions:
        return {"position_note": _("A position follows once placement is over.")}
    charts = [("wide", position_chart(positions, WIDE)), ("narrow", position_chart(positions, NARROW))]
    return {"position_charts": charts, "curve_words": positions_in_words(positions), "span": ""}


def _interval(
    history: Sequence[RatedEvent], scored: Mapping[int, Scored], standing: Standing | None
) -> tuple[float, float] | None:
    """Find where the season's profit per tourney lies; None if other totals are part of it."""
    if standing is None:
        return None
    of_season = [row.event_id for row in history if row.season_id == standing.season_id]
    profits = [scored[event_id].profit for event_id in of_season if event_id in scored]
    if not profits or abs(sum(profits, Fraction(0)) / len(profits) - Fraction(standing.profit)) > PROFIT_STEP:
        return None
    return profit_interval(profits)
