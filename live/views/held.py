"""Taps that wait: what did not go into the log by itself, and what a phone can only show as text."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from league.access import ClubRequest, club_view
from league.queries import typed_id
from league.rights import Act
from league.services.errors import Refused
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from live.models import Night
from live.sentences import described, why_held
from live.services.held import admit, bring_in, leave_out, waiting
from live.stored_log import state_of
from live.views.nights import night_of


@club_view(Act.ENTER_RESULTS)
def held(request: ClubRequest, night_id: int) -> HttpResponse:
    """List the taps that wait; put one into the log, leave it out, or read the text of a phone."""
    night = night_of(request, night_id)
    if request.method != "POST":
        return _page(request, night)
    try:
        if "text" in request.POST:
            _say_brought(request, bring_in(night, request.POST["text"], actor=request.user))
        else:
            _decide(request, night)
    except Refused as error:
        return _page(request, night, error=str(error))
    return redirect("live:held", request.club.slug, night.pk)


def _decide(request: ClubRequest, night: Night) -> None:
    chosen = request.POST.get("admit") or request.POST.get("leave") or ""
    row = get_object_or_404(night.held.select_related("night", "device"), pk=typed_id(chosen))
    act = admit if "admit" in request.POST else leave_out
    act(row, actor=request.user)


def _say_brought(request: ClubRequest, n: int) -> None:
    text = ngettext("%(n)d tap was new. It waits below.", "%(n)d taps were new. They wait below.", n)
    messages.success(request, text % {"n": n} if n else _("Everything in this text was known already."))


def _page(request: ClubRequest, night: Night, **said: Any) -> HttpResponse:
    state = state_of(night)
    context = {
        "night": night,
        "rows": [(row, described(row.kind, row.body, state), why_held(row.why)) for row in waiting(night)],
        "silent": night.devices.filter(unsent__gt=0),
        "typed": request.POST.get("text", ""),
        **said,
    }
    return render(request, "live/held.html", context)
