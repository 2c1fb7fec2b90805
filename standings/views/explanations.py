"""The page that explains why a rate changed at an event."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.access import ClubRequest, event_view
from league.models import Event, Player, Season
from ratings.engine.tier import badge_bounds
from standings.explanations import figures, sentences
from standings.explanations.steps import ExplainedEntry, ExplainedEvent, explained_event
from standings.explanations.waterfall import SIZES, Waterfall, waterfall
from standings.pages.headlines import event_kicker
from standings.queries import work_state


@require_safe
@event_view()
def explanation(request: ClubRequest, event: Event, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, pk=player_id, club=request.club)
    result = explained_event(event, player)
    if result is None:
        raise Http404
    season = Season.objects.select_related("club", "pool__recomputation").get(pk=event.season_id)
    context = {
        "event": event,
        "explained": result,
        "kicker": event_kicker(event),
        "headline": sentences.headline(result) if result.entries else "",
        "summary": sentences.summary(result) if len(result.entries) > 1 else "",
        "sections": [_section(explained, result) for explained in result.entries],
        "formula": figures.formula(result.params),
        "season": season,
        "work": work_state(season),
        "section": "players",
    }
    return render(request, "standings/explanation.html", context)


def _section(explained: ExplainedEntry, result: ExplainedEvent) -> dict[str, Any]:
    """What the page shows of one entry."""
    table = figures.lines(explained, result)
    steps = [(line.name, line.change or 0.0) for line in table[1:-1]]
    ends = table[0].name, table[-1].name
    charts = [waterfall(table[0].rate, steps, ends, badge_bounds(result.params), size=size) for size in SIZES]
    return {
        "number": explained.entry.number,
        "sentences": sentences.sentences(explained, result),
        "lines": table,
        "charts": charts,
        "caption": _caption(charts[0]),
        "title": figures.chart_title(explained),
        "times": [*figures.times(explained, result), figures.floors(explained, result.params)],
    }


def _caption(chart: Waterfall) -> list[str]:
    """Say how to read a waterfall."""
    drawn = _("Solid: a gain. Hollow: a loss. The axis does not begin at zero.")
    dashed = _("Dashed: %(letters)s begins at %(bound)s.")
    return [drawn, *(dashed % {"letters": letters, "bound": bound} for _x, letters, bound in chart.edges)]
