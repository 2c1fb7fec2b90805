"""Page of totals brought forward."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from entry.forms.results import MAX_TEXT
from league.access import ClubRequest, open_season_form, season_view
from league.guests import guests_text
from league.queries import count_evenings, players_by_key
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from payouts.brought_forward import (
    MAX_POINTS,
    Attendance,
    BroughtForwardReading,
    ReadLine,
    brought_forward_text,
    read_brought_forward,
)
from payouts.forms.brought_forward import BroughtForwardForm
from payouts.queries import brought_forward_version, rules_of
from payouts.services.brought_forward import bring_forward
from reading.names.keys import name_key
from reading.names.understanding import Understood, read_answers, understand
from reading.questions import kept_answers


@season_view(Act.CHANGE_RULES, related=("rules",))
@open_season_form
def brought_forward_edit(request: ClubRequest) -> HttpResponse:
    stored = request.season.totals_brought_forward.select_related("player")
    initial = {"text": brought_forward_text(stored), "version": brought_forward_version(request.season)}
    if initial["text"]:  # Totals are stored without attendance.
        initial["attendance"] = "added"
    form = BroughtForwardForm(request.POST or None, initial=initial)
    known = players_by_key(request.club)
    rules = rules_of(request.season)
    text = (form["text"].value() or "")[:MAX_TEXT]
    read = read_brought_forward(
        text,
        known,
        least_points=-MAX_POINTS if rules.points_structure.uses_balance else 0,
        attendance=Attendance(rules.scoring.attendance_points, form.is_contained),
    )
    answers = kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))
    names = [totals.name for totals in read.totals]
    understood = understand(names, known, read_answers(answers), count_evenings=count_evenings)
    if request.method == "POST" and "save" in request.POST and form.is_valid():
        is_ready = read.is_ready and not understood.n_open
        if is_ready and _save(request, form, read, understood):
            return redirect(request.season)
        if read.asks_attendance:
            form.add_error("attendance", _("Say whether the points contain those for attendance."))
    template = (
        "payouts/_brought_forward_reading.html" if request.htmx else "payouts/brought_forward_form.html"
    )
    shown = replace(read, lines=[_as_understood(line, understood) for line in read.lines])
    context = {"form": form, "read": shown, "season": request.season}
    context |= {"asks": understood.questions, "answers": answers, "guests": guests_text(understood.guests)}
    return render(request, template, context)


def _as_understood(line: ReadLine, understood: Understood) -> ReadLine:
    """Name whom the name of a line means, as answered."""
    if line.totals is None:
        return line
    person = understood.people[name_key(line.totals.name)]
    return replace(line, totals=replace(line.totals, name=person.name), is_new=person.player_id is None)


def _save(
    request: ClubRequest, form: BroughtForwardForm, read: BroughtForwardReading, understood: Understood
) -> bool:
    """Save the totals; return False and add the error to the form if they are refused."""
    lines = [replace(totals, name=understood.name_of(totals.name)) for totals in read.totals]
    try:
        n = bring_forward(
            request.season,
            lines,
            version=form.cleaned_data["version"],
            actor=request.user,
            aliases=understood.aliases,
        )
    except Refused as error:
        form.add_error(None, str(error))
        if isinstance(error, Stale):
            form.data = {**request.POST.dict(), "version": str(brought_forward_version(request.season))}
        return False
    text = ngettext("The totals of %(n)d player are saved.", "The totals of %(n)d players are saved.", n)
    messages.success(request, text % {"n": n})
    return True
