"""Why a rate changed at an event."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.access import ClubRequest, event_view
from league.models import Event, Player, Season
from ratings.engine.tier import badge_bounds
from standings import lines, words
from standings.explanations import ExplainedEntry, ExplainedEvent, explained_event
from standings.headlines import event_kicker
from standings.queries import work_state
from standings.waterfall import SIZES, waterfall


@require_safe
@event_view()
def explanation(request: ClubRequest, event: Event, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, pk=player_id, club=request.club)
    told = explained_event(event, player)
    if told is None:
        raise Http404
    season = Season.objects.select_related("club", "pool__recomputation").get(pk=event.season_id)
    context = {
        "event": event,
        "told": told,
        "kicker": event_kicker(event),
        "headline": words.headline(told) if told.entries else "",
        "summary": words.summary(told) if len(told.entries) > 1 else "",
        "sections": [_section(it, told) for it in told.entries],
        "formula": lines.formula(told.params),
        "season": season,
        "work": work_state(season),
        "section": "players",
    }
    return render(request, "standings/explanation.html", context)


def _section(it: ExplainedEntry, told: ExplainedEvent) -> dict[str, Any]:
    """What the page shows of one entry."""
    table = lines.lines(it, told)
    steps = [(line.name, line.change or 0.0) for line in table[1:-1]]
    ends = table[0].name, table[-1].name
    charts = [waterfall(table[0].rate, steps, ends, badge_bounds(told.params), size=size) for size in SIZES]
    return {
        "number": it.entry.number,
        "sentences": words.sentences(it, told),
        "lines": table,
        "charts": charts,
        "edges": charts[0].edges,
        "title": lines.chart_title(it),
        "times": [*lines.times(it, told), lines.floors(it, told.params)],
    }
