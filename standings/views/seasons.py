"""Leaderboard, season table and events of a season."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from league.access import ClubRequest, season_view
from league.models import PoolKind
from league.rights import Act, may
from league.services.errors import Refused
from league.tables import configure, draw_rows
from league.vocabulary import gettext as _
from standings.filters import SELECTS
from standings.pages.cache import cached_for_readers
from standings.pages.charts.race import position_race_chart, race_chart
from standings.pages.charts.ratings import badge_histogram
from standings.pages.controls import controls_of
from standings.pages.headlines import (
    season_headline,
    season_kicker,
)
from standings.pages.leaderboard_sentences import as_it_was, placed_after, ranking_rule
from standings.pages.leaderboards import Leaderboard, leaderboard_of, links_of, page_number
from standings.pages.season_story import decision_in_words, race_in_words
from standings.pages.tables import EventTable
from standings.points.breakdowns import COLUMNS, season_table
from standings.points.meets import meets_of
from standings.points.race import Race
from standings.queries import (
    ORDERS,
    LeaderPage,
    events_of,
    has_ended,
    results_version,
    summary_of,
    work_state,
)
from standings.recomputation.summary import SeasonFacts

PICKS = {name: {str(value) for value, _label in field.choices} for name, field in SELECTS.items()}
RELATED = ("rules", "summary", "skill", "pool__recomputation")


@require_safe
@cached_for_readers("page", "sort", "q", "at", by=ORDERS, **PICKS)
@season_view(related=RELATED)
def leaderboard(request: ClubRequest) -> HttpResponse:
    shown = leaderboard_of(request.season, request.GET)
    try:
        summary = shown.summary
    except Refused as error:
        return render(request, "standings/season/too_large.html", {"error": str(error), "section": "table"})
    facts, page = summary.facts if summary else None, shown.page()
    context = _head_context(shown) | _table_context(request, shown, facts, page)
    return render(request, "standings/season/leaderboard.html", context)


def _head_context(shown: Leaderboard) -> dict[str, Any]:
    """Build the context of the head above the table."""
    season, summary = shown.season, shown.summary
    facts = summary.facts if summary else None
    is_over = shown.day is None and has_ended(season, timezone.localdate())
    return {
        "section": "table",
        "kicker": season_kicker(season, summary),
        "headline": season_headline(facts, season.name, has_ended=is_over),
        "version": results_version(season),
        "work": work_state(season),
        "day": shown.day,
        "as_it_was": as_it_was(shown.day) if shown.day else "",
    }


def _table_context(
    request: ClubRequest, shown: Leaderboard, facts: SeasonFacts | None, page: LeaderPage
) -> dict[str, Any]:
    """Build the context of the table and of the parts below and beside it."""
    season, links = request.season, links_of(request.season, facts)
    is_profit = season.pool.kind == PoolKind.PROFIT
    return _aside_context(facts, links | {"has_badges": shown.has_badges}) | {
        "by": shown.by,
        "has_badges": shown.has_badges,
        "table": shown.table.with_rows(page.rows, links),
        "page": page,
        "query": urlencode({name: value for name, value in shown.choice.items() if value and name != "page"}),
        "controls": controls_of(shown),
        "is_search": shown.filters is not None or shown.day is not None,
        "facts": facts,
        "placed_after": placed_after(season),
        "ranking_rule": ranking_rule(season, shown.by),
        "badge_word": _("Badge"),
        "rate_word": "R" if is_profit else _("Rate"),
        "may_enter": may(request.role, Act.ENTER_RESULTS) and not season.is_closed,
        "me_address": reverse("standings:me-row", args=[season.club.slug, season.slug]),
    }


def _aside_context(facts: SeasonFacts | None, links: dict[str, Any]) -> dict[str, Any]:
    """Context of what stands beside the table: who moved, how many have each badge, who is in placement."""
    if not facts:
        return {}
    bars = badge_histogram(facts["badges"])
    return {
        "movers": draw_rows("rated_rows.jinja", links | {"rows": facts["movers"]}),
        "bars": draw_rows("badge_bars.jinja", {"bars": bars}),
        "bars_in_words": ", ".join(f"{bar.label} {bar.count}" for bar in bars),
        "newcomers": draw_rows(
            "rated_rows.jinja", links | {"rows": facts["newcomers"], "is_provisional": True}
        ),
    }


@require_safe
@season_view(related=RELATED)
def state(request: ClubRequest) -> HttpResponse:
    """Render the state line, which a page polls during a recomputation; then reload the page."""
    work = work_state(request.season)
    if not work.is_behind:
        return HttpResponseClientRefresh()
    context = {"work": work, "season": request.season}
    return render(request, "standings/season/_state.html", context)


@require_safe
@cached_for_readers("page", "part", by=COLUMNS, sort=("points", "profit"), race=("position",))
@season_view(related=RELATED)
def table(request: ClubRequest) -> HttpResponse:
    columns_by, sort = request.GET.get("by", ""), request.GET.get("sort", "")
    season_page = season_table(
        request.season,
        page=page_number(request.GET.get("page", "")),
        columns_by=columns_by if columns_by in COLUMNS else "",
        part=page_number(request.GET.get("part", "")),
        sort="profit" if sort == "profit" else "points",
    )
    summary, is_over = summary_of(request.season), has_ended(request.season, timezone.localdate())
    facts = summary.facts if summary else None
    context = {
        "shown": season_page,
        "page": season_page.page,
        "query": urlencode(
            {"by": season_page.columns_by, "sort": season_page.sort, "part": season_page.part}
        ),
        "kicker": season_kicker(request.season, summary),
        "headline": season_headline(facts, request.season.name, has_ended=is_over),
        "work": work_state(request.season),
        "section": "season",
        **_race_parts(season_page.race, by_position=request.GET.get("race") == "position"),
    }
    if is_over and season_page.race:
        context["decision"] = decision_in_words(season_page.race)
    return render(request, "standings/season/season_table.html", context)


def _race_parts(race: Race | None, *, by_position: bool) -> dict[str, Any]:
    """Context of the points race: drawings for narrow and wide screens, and its shape in words."""
    if race is None:
        return {}
    draw = position_race_chart if by_position else race_chart
    return {
        "race_charts": [("only-s", draw(race, 320)), ("from-m", draw(race, 720))],
        "race_words": race_in_words(race),
        "by_position": by_position,
    }


@require_safe
@season_view()
def events(request: ClubRequest) -> HttpResponse:
    event_table = EventTable(events_of(request.season))
    configure(event_table, request)
    context = {"table": event_table, "meets": meets_of(request.season), "section": "events"}
    return render(request, "standings/event/events.html", context)
