"""Pages: how good the ratings of a club are, who may win a season, whom a player has met."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from forecasts.models import PoolQuality
from forecasts.opponents import opponents_in
from forecasts.pages import quality, titles
from forecasts.pages import skill as skill_words
from forecasts.pages.calibration import calibration_plots, shape_in_words
from forecasts.pages.fits import fit_page
from forecasts.pages.opponents import opponents_in_words
from forecasts.pages.tables import OpponentTable
from forecasts.queries import fit_of, quality_of, season_odds, season_skill, title_scores_of, totals_of
from forecasts.services import ask_for_fit
from forecasts.skill import share_of
from league.access import ClubRequest, club_view, season_view
from league.models import Player, Pool, PoolKind
from league.queries import typed_id
from league.rights import Act, may
from league.tables import configure
from league.vocabulary import gettext as _
from standings.games.queries import rating_pools_of
from standings.goals.seasons import places_left
from standings.queries import chosen_pool, rated_pools

MOST_SEASONS = 12  # to choose from


@require_safe
@club_view()
def ratings_quality(request: ClubRequest) -> HttpResponse:
    pools = rated_pools(request.club)
    pool = chosen_pool(pools, request.GET.get("pool"))
    computed = quality_of(pool) if pool else None
    context: dict[str, Any] = {"pools": pools, "pool": pool, "computed": computed}
    if pool and computed:
        context |= _quality_context(computed)
        may_fit = may(request.role, Act.CHANGE_RULES) and pool.kind == PoolKind.TIER
        context["fit"] = fit_page(fit_of(pool), computed.figures["n_events"]) if may_fit else None
    return render(request, "forecasts/quality.html", context)


def _quality_context(computed: PoolQuality) -> dict[str, Any]:
    figures = computed.figures
    return {
        "figures": figures,
        "coin": quality.COIN,
        "verdict": quality.verdict_of(figures),
        "places": quality.places_in_words(figures),
        "percent": 100 * figures["pairs"]["accuracy"][0],
        "plots": calibration_plots(figures["pairs"]["bins"]),
        "shape": shape_in_words(figures["pairs"]["bins"]),
        "rows": quality.bin_rows(figures["pairs"]["bins"]),
        "corrected": quality.bin_rows(figures["calibrated"]["bins"]),
        "skill": skill_words.in_words(found) if (found := share_of(figures.get("skill", {}))) else None,
    }


@require_POST
@club_view(Act.CHANGE_RULES)
def fit(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = get_object_or_404(Pool, club=request.club, pk=pool_id, kind=PoolKind.TIER)
    ask_for_fit(pool)
    messages.success(request, _("The history is rated again under other settings. Look again in a minute."))
    return redirect(f"{reverse('forecasts:quality', args=[request.club.slug])}?pool={pool.pk}")


@require_safe
@season_view(related=("rules", "pool__recomputation"))
def title(request: ClubRequest) -> HttpResponse:
    season = request.season
    odds = season_odds(season, timezone.now())
    context: dict[str, Any] = {"odds": odds, "section": "forecast", "season": season}
    if odds:
        context["left"] = titles.left_in_words(odds)
    if odds and odds.contenders:
        n, places = len(odds.contenders), places_left(season, odds.left)
        context |= {
            "headline": titles.title_headline(odds),
            "out": titles.out_in_words(odds, places),
            "drawn": titles.drawn_in_words(odds),
            "favourites": titles.favourites(odds),
            "charts": titles.title_charts(odds),
            "course": titles.course_in_words(odds),
            "rows": titles.position_rows(odds, totals_of(season), places),
            "left_out": titles.left_out_in_words(odds),
            "n_positions": n,
            "positions": range(1, n + 1) if n <= titles.MOST_FIGURES else [],
        }
    scores = title_scores_of(request.club)
    return render(
        request,
        "forecasts/title.html",
        context | {"scores": scores, "scored": titles.scores_in_words(scores)},
    )


@require_safe
@season_view()
def skill(request: ClubRequest) -> HttpResponse:
    found = season_skill(request.season)
    estimate = found.estimate if found else None
    context: dict[str, Any] = {"season": request.season, "section": "season", "found": found}
    if found:
        context["words"] = skill_words.in_words(found)
    if estimate:
        context |= {
            "estimate": estimate,
            "charts": skill_words.charts(estimate),
            "meaning": skill_words.meaning(estimate),
        }
    return render(request, "forecasts/skill.html", context)


@require_safe
@club_view()
def opponents(request: ClubRequest, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, club=request.club, pk=player_id)
    pools = rating_pools_of(player)
    pool = chosen_pool(pools, request.GET.get("pool"))
    season_id = typed_id(request.GET.get("season", ""))
    seasons, rows = opponents_in(player, pool, season_id) if pool else ({}, [])
    table = OpponentTable(request.club, rows)
    configure(table, request)
    context = {"player": player, "pools": pools, "pool": pool, "table": table, "section": "players"}
    context |= {
        "seasons": list(seasons.items())[::-1][:MOST_SEASONS],
        "season_id": season_id if season_id in seasons else None,
    }
    return render(request, "forecasts/opponents.html", context | {"said": opponents_in_words(player, rows)})
