"""Players of a club: many members and guests at once, hidden names, and people who leave for good."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_view
from league.forms.players import RosterForm
from league.queries import count_evenings, players_by_key, typed_id
from league.rights import Act
from league.services.quotas import QuotaUsed
from league.services.rosters import Added, add_members, set_guests, take_back_members
from league.views.undo import say_with_undo
from reading.names.keys import name_key
from reading.names.understanding import read_answers, understand
from reading.questions import kept_answers

ADDED = "members_added"  # what to take back, in the session


@club_view(Act.EDIT_PLAYERS)
def roster(request: ClubRequest) -> HttpResponse:
    """Show how the pasted members are read; add them once every name is resolved."""
    known = players_by_key(request.club)
    form = RosterForm(request.POST or None, known=known)
    context: dict[str, Any] = {"form": form, "players": request.club.players.all()}
    if request.method == "POST" and form.is_valid():
        answers = kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))
        names = form.read.names
        understood = understand(names, known, read_answers(answers), count_evenings=count_evenings)
        if "save" in request.POST and form.was_seen and not understood.n_open:
            meant = [understood.name_of(name) for name in names]
            try:
                added = add_members(request.club, meant, aliases=understood.aliases, actor=request.user)
                return _redirect_added(request, added)
            except QuotaUsed as error:
                form.add_error(None, str(error))
        context |= {
            "asks": understood.questions,
            "answers": answers,
            "n_open": understood.n_open,
            "read": [(name, understood.people[name_key(name)]) for name in names],
            "unused": form.read.unused,
            "digest": form.digest,
        }
    return render(request, "league/roster.html", context)


def _redirect_added(request: ClubRequest, added: Added) -> HttpResponse:
    """Say how many players are new, and offer to take them back."""
    request.session[ADDED] = {"club": request.club.pk, **added._asdict()}
    n = len(added.players)
    text = ngettext("%(n)d player is new.", "%(n)d players are new.", n) % {"n": n}
    say_with_undo(request, text, reverse("league:roster-undo", args=[request.club.slug]))
    return redirect("league:roster", request.club.slug)


@require_POST
@club_view(Act.EDIT_PLAYERS)
def roster_undo(request: ClubRequest) -> HttpResponse:
    """Take back the members who were added last in this session."""
    added = request.session.pop(ADDED, None)
    if added is None or added.pop("club") != request.club.pk:
        messages.error(request, _("There is nothing to take back."))
    else:
        n = take_back_members(request.club, Added(**added), actor=request.user)
        text = ngettext("Taken back: %(n)d player is gone.", "Taken back: %(n)d players are gone.", n)
        messages.success(request, text % {"n": n})
    return redirect("league:roster", request.club.slug)


@require_POST
@club_view(Act.EDIT_PLAYERS)
def guests(request: ClubRequest) -> HttpResponse:
    """Make the players with a tick members, or guests."""
    ticked = list(filter(None, map(typed_id, request.POST.getlist("player"))))
    is_guest = "guests" in request.POST
    chosen = list(request.club.players.filter(pk__in=ticked).values_list("pk", flat=True)) if ticked else []
    if not chosen:
        messages.error(request, _("Players: tick at least one."))
    else:
        set_guests(request.club, chosen, is_guest=is_guest, actor=request.user)
        n = len(chosen)
        if is_guest:
            text = ngettext("%(n)d player is a guest.", "%(n)d players are guests.", n)
        else:
            text = ngettext("%(n)d player is a member.", "%(n)d players are members.", n)
        messages.success(request, text % {"n": n})
    return redirect("league:roster", request.club.slug)
