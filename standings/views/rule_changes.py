"""What a change of a season's rules would move, before it is saved."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from entry.views.sending import answered
from league.access import ClubRequest, open_season_form, season_view
from league.rights import Act
from league.services.errors import Refused
from payouts.queries import rules_of, structures_of_events
from payouts.sentences import structure_in_words
from payouts.views.seasons import read_season_form
from standings.recomputation.previews import preview

MARKS = ("csrfmiddlewaretoken", "sure")  # of the form, which the next form has anew


@require_POST
@season_view(Act.CHANGE_RULES, related=("rules",))
@open_season_form
def rule_change(request: ClubRequest) -> HttpResponse:
    """Preview which players move by the posted rules; save the rules after confirmation."""
    before = rules_of(request.season).points_structure
    read = read_season_form(request)
    n_events = request.season.events.count()
    if isinstance(read, HttpResponse) or "sure" in request.POST or not n_events:
        return answered(read)
    structures = structures_of_events(request.season)
    try:
        found = preview(request.season, read.save)
    except Refused as error:
        return read.refused(error)
    request.season.refresh_from_db()
    context = {
        "found": found,
        "movers": [mover for mover in found.movers if mover.is_shown],
        "others": [mover for mover in found.movers if not mover.is_shown],
        "n_events": n_events,
        "settles_again": "settle_again" in request.POST,
        "structures": [(structure_in_words(structure), n) for structure, n in structures],
        "before": structure_in_words(before),
        "typed": [
            (name, value) for name, values in request.POST.lists() if name not in MARKS for value in values
        ],
        "section": "season",
    }
    return render(request, "standings/history/rule_change.html", context)
