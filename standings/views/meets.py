"""The page of a meet."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.models import Meet
from standings.event_story.entries import ENTRIES_PER_PAGE
from standings.pages.headlines import kicker, meet_headline
from standings.points.meets import meet_standings
from standings.queries import work_state


@require_safe
@season_view(related=("pool__recomputation",))
def meet(request: ClubRequest, meet_id: int) -> HttpResponse:
    meet = get_object_or_404(Meet, pk=meet_id, season=request.season)
    standings = meet_standings(meet)
    for event in standings.events:
        event.season = request.season
    context = {
        "meet": meet,
        "shown": standings,
        "page": Paginator(standings.lines, ENTRIES_PER_PAGE).get_page(request.GET.get("page")),
        "kicker": kicker([request.season.name, meet.name], date_format(meet.day, "DATE_FORMAT")),
        "headline": meet_headline(standings.winners, meet.name, by_profit=standings.is_by_profit),
        "season": request.season,
        "work": work_state(request.season),
        "section": "events",
    }
    return render(request, "standings/season/meet.html", context)
