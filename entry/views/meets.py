"""Make, change and dissolve a meet."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from entry.forms.meets import MeetForm
from entry.services.meets import change_meet, dissolve_meet, form_meet
from league.access import ClubRequest, open_season_form, season_view
from league.models import Meet
from league.rights import Act
from league.services.errors import Refused
from league.vocabulary import gettext as _


@season_view(Act.ENTER_RESULTS)
@open_season_form
def meet_create(request: ClubRequest) -> HttpResponse:
    form = MeetForm(request.POST or None, season=request.season)
    if request.method == "POST" and form.is_valid():
        try:
            data = form.cleaned_data
            chosen = {"event_ids": data["events"], "ordered_by": data["ordered_by"]}
            meet = form_meet(request.season, name=data["name"], **chosen, actor=request.user)
            return redirect(meet)
        except Refused as error:
            form.add_error(None, str(error))
    context = {"form": form, "title": _("Make a meet"), "action": _("Make the meet"), "section": "events"}
    return render(request, "entry/meet_form.html", context)


@season_view(Act.ENTER_RESULTS)
@open_season_form
def meet_edit(request: ClubRequest, meet_id: int) -> HttpResponse:
    meet = get_object_or_404(Meet, pk=meet_id, season=request.season)
    meet.season = request.season
    event_ids = list(meet.events.values_list("pk", flat=True))
    initial = {"name": meet.name, "events": event_ids, "ordered_by": meet.ordered_by}
    form = MeetForm(request.POST or None, season=request.season, meet=meet, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            data = form.cleaned_data
            chosen = {"event_ids": data["events"], "ordered_by": data["ordered_by"]}
            change_meet(meet, name=data["name"], **chosen, actor=request.user)
            return redirect(meet)
        except Refused as error:
            form.add_error(None, str(error))
    title = _("Meet %(meet)s") % {"meet": initial["name"]}
    context = {"form": form, "meet": meet, "title": title, "action": _("Save"), "section": "events"}
    return render(request, "entry/meet_form.html", context)


@require_POST
@season_view(Act.ENTER_RESULTS)
def meet_dissolve(request: ClubRequest, meet_id: int) -> HttpResponse:
    try:
        dissolve_meet(request.season, meet_id, actor=request.user)
        messages.success(request, _("The meet is dissolved; its %(events_word)s stay."))
    except Refused as error:
        messages.error(request, str(error))
    return redirect("standings:events", request.club.slug, request.season.slug)
