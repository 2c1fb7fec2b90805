"""Totals brought forward: an old spreadsheet's figures without its events."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from league.access import ClubRequest, season_view
from league.forms import MAX_TEXT
from league.models import Role
from league.queries import players_by_key
from league.services.errors import Refused, Stale
from payouts.brought_lines import ReadBrought, read_brought, text_of_brought
from payouts.forms import BroughtForm
from payouts.queries import brought_version
from payouts.services.brought import bring_forward


@season_view(Role.ORGANIZER)
def brought_edit(request: ClubRequest) -> HttpResponse:
    stored = request.season.brought.select_related("player")
    initial = {"text": text_of_brought(stored), "version": brought_version(request.season)}
    form = BroughtForm(request.POST or None, initial=initial)
    known = {key: name for key, (_pk, name) in players_by_key(request.club).items()}
    read = read_brought((form["text"].value() or "")[:MAX_TEXT], known)
    if request.method == "POST" and "save" in request.POST and form.is_valid() and read.is_ready:
        if _is_saved(request, form, read):
            return redirect(request.season)
        form.data = {**request.POST.dict(), "version": str(initial["version"])}
    template = "payouts/_brought_reading.html" if request.htmx else "payouts/brought_form.html"
    return render(request, template, {"form": form, "read": read, "season": request.season})


def _is_saved(request: ClubRequest, form: BroughtForm, read: ReadBrought) -> bool:
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
