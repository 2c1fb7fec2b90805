"""Planned events: their list, their form, and the answers of members."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, back_to, club_view, open_season_form, season_view
from league.models import PlannedEvent, Rsvp
from league.rights import Act
from league.schedule import coming_to, planned_events
from league.services.errors import BadDay, Refused
from league.services.schedule import cancel_planned_event, change_planned_event, plan_events, say_coming
from league.vocabulary import gettext as _
from noticeboard.forms import NewPlanForm, PlanForm, plan_initial, stored_plan


@require_safe
@club_view()
def schedule(request: ClubRequest) -> HttpResponse:
    planned = planned_events(request.club, timezone.now())
    first = planned[0] if planned else None
    context = {
        "planned": first,
        "coming": coming_to(first, request.user) if first else None,
        "later": planned[1:],
        "section": "schedule",
        "season": request.season,
    }
    return render(request, "noticeboard/schedule.html", context)


@season_view(Act.PLAN_EVENTS)
@open_season_form
def plan_create(request: ClubRequest) -> HttpResponse:
    form = NewPlanForm(request.POST or None, initial=plan_initial(request.season))
    if request.method == "POST" and form.is_valid():
        try:
            planned = plan_events(request.season, plans=form.plans(), actor=request.user)
        except Refused as error:
            _say(form, error)
        else:
            messages.success(request, _("Planned: %(n)d.") % {"n": len(planned)})
            return redirect("noticeboard:schedule", request.club.slug)
    return _show(request, form, _("Plan %(a_night_word)s"), _("Plan"))


@club_view(Act.PLAN_EVENTS)
def plan_edit(request: ClubRequest, planned_id: int) -> HttpResponse:
    planned = get_object_or_404(_stored(request), pk=planned_id)
    form = PlanForm(request.POST or None, initial=stored_plan(planned))
    if request.method == "POST" and form.is_valid():
        try:
            version = form.cleaned_data["version"] or 0
            change_planned_event(planned, plan=form.plan(), version=version, actor=request.user)
            return redirect("noticeboard:schedule", request.club.slug)
        except Refused as error:
            _say(form, error)
    return _show(request, form, _("Change a planned %(night_word)s"), _("Save"), planned)


@require_POST
@club_view(Act.PLAN_EVENTS)
def plan_cancel(request: ClubRequest, planned_id: int) -> HttpResponse:
    planned = _stored(request).filter(pk=planned_id).first()
    if planned:
        try:
            cancel_planned_event(planned.season, planned_id, actor=request.user)
            messages.success(request, _("The planned %(night_word)s is taken away."))
        except Refused as error:
            messages.error(request, str(error))
    return back_to(request, reverse("noticeboard:schedule", args=[request.club.slug]))


@require_POST
@club_view(Act.SAY_COMING)
def come(request: ClubRequest, planned_id: int) -> HttpResponse:
    """Store whether the reader comes, and lead back to the club."""
    planned = get_object_or_404(_stored(request), pk=planned_id)
    try:
        if request.POST.get("answer") in Rsvp.Answer.values:
            say_coming(planned, user=request.user, answer=Rsvp.Answer(request.POST["answer"]))
    except Refused as error:
        messages.error(request, str(error))
    return redirect(request.club)


def _stored(request: ClubRequest) -> QuerySet[PlannedEvent]:
    return PlannedEvent.objects.select_related("season__club", "season__pool").filter(
        season__club=request.club
    )


def _say(form: PlanForm, error: Refused) -> None:
    form.add_error("day" if isinstance(error, BadDay) else None, str(error))


def _show(
    request: ClubRequest, form: PlanForm, title: str, action: str, planned: PlannedEvent | None = None
) -> HttpResponse:
    context = {"form": form, "title": title, "action": action, "planned": planned}
    return render(request, "noticeboard/plan_form.html", context)
