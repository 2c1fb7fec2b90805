"""The page that explains why a rate changed at an event."""

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, event_view
from league.models import Entry, Event, Player, PoolKind, Season
from league.vocabulary import gettext as _
from ratings.engine.tier.badges import badge_bounds
from ratings.queries import badge_bounds_of
from standings.explanations import figures, games, sentences
from standings.explanations.steps import ExplainedEntry, ExplainedEvent, explained_event
from standings.explanations.waterfall import SIZES, Waterfall, waterfall
from standings.pages.headlines import event_kicker
from standings.queries import work_state


@require_safe
@event_view(related=("pool",))
def explanation(request: ClubRequest, event: Event, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, pk=player_id, club=request.club)
    explained = EXPLAINED_BY[PoolKind(event.pool.kind)](event, player)
    if explained is None:
        raise Http404
    season = Season.objects.select_related("club", "pool__recomputation").get(pk=event.season_id)
    context = {
        "event": event,
        "player": player,
        "kicker": event_kicker(event),
        "season": season,
        "work": work_state(season),
        "section": "players",
    }
    return render(request, "standings/explanation/explanation.html", context | explained)


def _entries_context(event: Event, player: Player) -> dict[str, Any] | None:
    """Build the context of the entries of a player that TIER rates; None without any."""
    result = explained_event(event, player)
    if result is None:
        return None
    return {
        "explained": result,
        "headline": sentences.headline(result) if result.entries else "",
        "summary": sentences.summary(result) if len(result.entries) > 1 else "",
        "sections": [_section(explained, result) for explained in result.entries],
        "formula": figures.formula(result.params),
        "rate_name": _("Rate"),
    }


def _game_context(event: Event, player: Player) -> dict[str, Any] | None:
    """Build the context of a game that R follows; None if the player was not there."""
    explained = games.explained_game(event, player)
    if explained is None:
        return None
    return {
        "explained": explained,
        "headline": games.headline(explained) if explained.rated else "",
        "sections": [_game_section(explained)] if explained.rated else [],
        "formula": games.formula(explained.params),
        "rate_name": "R",
    }


def _unrated_context(event: Event, player: Player) -> dict[str, Any] | None:
    """Build the context of an event that counts for points only; None if the player was not there."""
    if not Entry.objects.filter(event=event, player=player).exists():
        return None
    return {
        "headline": _("%(name)s at %(event)s") % {"name": player.name, "event": event},
        "counts_for_points_only": True,
    }


EXPLAINED_BY = {
    PoolKind.TIER: _entries_context,
    PoolKind.PROFIT: _game_context,
    PoolKind.NONE: _unrated_context,
}


def _section(explained: ExplainedEntry, result: ExplainedEvent) -> dict[str, Any]:
    """Build the context of one entry."""
    return _drawn(figures.lines(explained, result), badge_bounds(result.params)) | {
        "number": explained.entry.number,
        "sentences": sentences.lead(explained, result),
        "details": sentences.details(explained, result),
        "split": figures.split(explained, result.params),
        "unused": figures.unused(explained),
        "title": figures.chart_title(explained),
        "notes": [*figures.times(explained, result), figures.floors(explained, result.params)],
    }


def _game_section(explained: games.ExplainedGame) -> dict[str, Any]:
    """Build the context of a game."""
    return _drawn(games.lines(explained), badge_bounds_of(explained.settings)) | {
        "number": explained.entry.number,
        "sentences": games.sentences(explained),
        "title": games.chart_title(explained),
        "notes": games.notes(explained),
    }


def _drawn(table: list[figures.Line], badges: Sequence[tuple[str, float]]) -> dict[str, Any]:
    """The table of the steps, and its waterfall with how to read it."""
    steps = [(line.name, line.change or 0.0) for line in table[1:-1]]
    ends = table[0].name, table[-1].name
    charts = [waterfall(table[0].rate, steps, ends, badges, size=size) for size in SIZES]
    return {"lines": table, "charts": charts, "caption": _caption(charts[0])}


def _caption(chart: Waterfall) -> list[str]:
    """Say how to read a waterfall."""
    drawn = _("Solid: a gain. Hollow: a loss. The axis does not begin at zero.")
    dashed = _("Dashed: %(letters)s begins at %(bound)s.")
    return [drawn, *(dashed % {"letters": letters, "bound": bound} for _x, letters, bound in chart.edges)]
