"""Season awards: who has won what, and the organizer's choice of them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, season_view, unsealed_season_form
from league.queries import regulars
from league.rights import Act
from league.services.errors import Refused
from league.views.undo import say_deleted
from payouts.queries import rules_of
from standings.awards.services import add_award, change_award, move_award, remove_award
from standings.awards.text import award_reason, award_rule, awards_stand
from standings.awards.winners import AwardPlace, WonAward, season_awards
from standings.models import Award
from standings.pages.cache import cached_for_readers
from standings.pages.forms.seasons import AwardChangeForm, AwardForm, award_initial
from standings.queries import has_ended, summary_of, work_state


@require_safe
@cached_for_readers()
@season_view(related=("summary", "rules", "pool__recomputation"))
def awards(request: ClubRequest) -> HttpResponse:
    season, summary = request.season, summary_of(request.season)
    won = season_awards(season)
    context = {
        "season": season,
        "awards": [_award_in_words(award) for award in won],
        "has_rows": bool(summary and summary.n_players),
        "stand": awards_stand(
            won,
            summary,
            is_closed=season.is_closed,
            has_ended=has_ended(season, timezone.localdate()),
        ),
        "work": work_state(season),
        "section": "awards",
    }
    return render(request, "standings/awards/awards.html", context)


def _award_in_words(won: WonAward) -> dict[str, Any]:
    """An award in words, for its page."""
    kind = won.award.kind
    places = [(place.place, place.winners, _reasons(kind, place)) for place in won.places]
    return {"pk": won.award.pk, "title": str(won.award), "rule": award_rule(won.award), "places": places}


def _reasons(kind: str, place: AwardPlace) -> list[str]:
    """Say what a place was won with; the same figures of several winners once."""
    reasons = [award_reason(kind, winner.line) for winner in place.winners if winner.line]
    return list(filter(None, dict.fromkeys(reasons)))


@season_view(Act.CHANGE_RULES, related=("rules",))
@unsealed_season_form
def award_edit(request: ClubRequest) -> HttpResponse:
    season = request.season
    initial = {"min_events": rules_of(season).min_events or 1}
    form = AwardForm(request.POST or None, season=season, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            add_award(season, **form.cleaned_data, actor=request.user)
            return redirect("standings:award-edit", request.club.slug, season.slug)
        except Refused as error:
            form.add_error(None, str(error))
    chosen = Award.objects.filter(season=season).select_related("player")
    context = {
        "form": form,
        "awards": [(award, award_rule(award)) for award in chosen],
        "names": regulars(request.club),
        "section": "awards",
    }
    return render(request, "standings/awards/edit.html", context)


@season_view(Act.CHANGE_RULES)
@unsealed_season_form
def award_change(request: ClubRequest, award_id: int) -> HttpResponse:
    award = _award(request, award_id)
    form = AwardChangeForm(request.POST or None, season=request.season, initial=award_initial(award))
    if request.method == "POST" and form.is_valid():
        try:
            change_award(request.season, award_id, **form.cleaned_data, actor=request.user)
            return redirect("standings:award-edit", request.club.slug, request.season.slug)
        except Refused as error:
            form.add_error(None, str(error))
            award = _award(request, award_id)
            # The form gets the current version, so that it can be saved after comparing.
            form.data = request.POST.dict() | {"version": str(award.version)}
    context = {
        "form": form,
        "award": award,
        "rule": award_rule(award),
        "names": regulars(request.club),
        "section": "awards",
    }
    return render(request, "standings/awards/change.html", context)


def _award(request: ClubRequest, award_id: int) -> Award:
    return get_object_or_404(Award.objects.select_related("player"), pk=award_id, season=request.season)


@require_POST
@season_view(Act.CHANGE_RULES)
def award_move(request: ClubRequest, award_id: int) -> HttpResponse:
    is_up = request.POST.get("to") == "up"
    return _apply(request, lambda: move_award(request.season, award_id, is_up=is_up, actor=request.user))


@require_POST
@season_view(Act.CHANGE_RULES)
def award_remove(request: ClubRequest, award_id: int) -> HttpResponse:
    try:
        if item := remove_award(request.season, award_id, actor=request.user):
            say_deleted(request, item)
    except Refused as error:
        messages.error(request, str(error))
    return redirect("standings:award-edit", request.club.slug, request.season.slug)


def _apply(request: ClubRequest, change: Callable[[], object]) -> HttpResponse:
    try:
        change()
    except Refused as error:
        messages.error(request, str(error))
    return redirect("standings:award-edit", request.club.slug, request.season.slug)
