"""Page of totals brought forward."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubRequest, season_view
from league.forms import MAX_TEXT
from league.queries import players_by_key
from league.rights import Act
from league.services.errors import Refused, Stale
from payouts.brought_forward import (
    MAX_POINTS,
    Attendance,
    BroughtForwardReading,
    brought_forward_text,
    read_brought_forward,
)
from payouts.forms import BroughtForwardForm
from payouts.queries import brought_forward_version, rules_of
from payouts.services.brought_forward import bring_forward


@season_view(Act.CHANGE_RULES, related=("rules",))
def brought_forward_edit(request: ClubRequest) -> HttpResponse:
    stored = request.season.totals_brought_forward.select_related("player")
    initial = {"text": brought_forward_text(stored), "version": brought_forward_version(request.season)}
    if initial["text"]:  # Totals are stored without attendance.
        initial["attendance"] = "added"
    form = BroughtForwardForm(request.POST or None, initial=initial)
    known = {key: name for key, (_pk, name) in players_by_key(request.club).items()}
    rules = rules_of(request.season)
    text = (form["text"].value() or "")[:MAX_TEXT]
    read = read_brought_forward(
        text,
        known,
        least_points=-MAX_POINTS if rules.points_structure.uses_balance else 0,
        attendance=Attendance(rules.scoring.attendance_points, form.is_contained),
    )
    if request.method == "POST" and "save" in request.POST and form.is_valid():
        if read.is_ready and _save(request, form, read):
            return redirect(request.season)
        if read.asks_attendance:
            form.add_error("attendance", _("Say whether the points contain those for attendance."))
        form.data = {**request.POST.dict(), "version": str(initial["version"])}
    template = (
        "payouts/_brought_forward_reading.html" if request.htmx else "payouts/brought_forward_form.html"
    )
    return render(request, template, {"form": form, "read": read, "season": request.season})


def _save(request: ClubRequest, form: BroughtForwardForm, read: BroughtForwardReading) -> bool:
    """Save the totals; return False and add the error to the form if they are refused."""
    try:
        n = bring_forward(
            request.season, read.totals, version=form.cleaned_data["version"], actor=request.user
        )
    except (Refused, Stale) as error:
        form.add_error(None, str(error))
        return False
    text = ngettext("The totals of %(n)d player are saved.", "The totals of %(n)d players are saved.", n)
    messages.success(request, text % {"n": n})
    return True
