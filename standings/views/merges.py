"""Merge two players who are one person, after a look at what it changes, and undo it."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from league.access import ClubRequest, club_view
from league.models import Player, PlayerMerge
from league.queries import typed_id
from league.rights import Act
from league.services.errors import Refused
from league.views.undo import say_with_undo
from league.vocabulary import gettext as _
from people.services.merges import PlayedTogether, later_events, merge_players, unmerge
from reading.names.keys import name_key
from standings.pages.history.merges import likely_same, preview_merge


@club_view(Act.EDIT_PLAYERS)
def merge(request: ClubRequest, player_id: int) -> HttpResponse:
    """Choose the other player, show what a merge changes, and make it."""
    player = get_object_or_404(_players(request), pk=player_id)
    typed = request.POST.get("other", "")
    if request.method != "POST":
        return _choose(request, player)
    # No name holds a NUL, and PostgreSQL takes none in a query.
    key = name_key(typed.replace("\0", ""))
    other = _players(request).filter(key=key).exclude(pk=player.pk).first()
    if other is None:
        error = _("No other player of this club has the name “%(name)s”.") % {"name": typed}
        return _choose(request, player, error=error, typed=typed)
    kept, merged = (other, player) if request.POST.get("keep") == str(other.pk) else (player, other)
    accounts = [one.user for one in (player, other) if player.user and other.user]
    is_unanswered = bool(accounts) and "account" not in request.POST
    try:
        if "save" in request.POST and not is_unanswered:
            return _merge(request, kept, merged)
        found = preview_merge(kept, merged, actor=request.user)
    except Refused as error:
        return _choose(
            request,
            player,
            error=str(error),
            typed=typed,
            met=error.events if isinstance(error, PlayedTogether) else (),
        )
    context = {"player": player, "other": other, "kept": kept, "merged": merged}
    context |= {"found": found, "accounts": accounts, "is_unanswered": "save" in request.POST}
    return render(request, "standings/merges/merge.html", context)


def _players(request: ClubRequest) -> Any:
    return Player.objects.filter(club=request.club).select_related("club", "user")


def _choose(request: ClubRequest, player: Player, **context: Any) -> HttpResponse:
    names = Player.objects.filter(club=request.club).exclude(pk=player.pk).values_list("name", flat=True)
    context |= {"player": player, "likely": likely_same(player), "names": names}
    return render(request, "standings/merges/choose.html", context)


def _merge(request: ClubRequest, kept: Player, merged: Player) -> HttpResponse:
    account = request.POST.get("account", "")
    chosen = typed_id(account)
    done = merge_players(kept, merged, actor=request.user, account=chosen)
    say_with_undo(
        request,
        _("%(merged)s is %(kept)s now. Ratings and points are being recomputed.")
        % {"merged": merged, "kept": kept},
        reverse("standings:unmerge", args=[request.club.slug, done.pk]),
    )
    return redirect(kept)


@club_view(Act.EDIT_PLAYERS)
def merge_undo(request: ClubRequest, merge_id: int) -> HttpResponse:
    """Ask which later events are the merged player's, and undo the merge."""
    done = PlayerMerge.objects.filter(club=request.club, pk=merge_id).select_related("kept__club").first()
    if done is None:
        if request.method == "POST":  # it was undone before
            return redirect("standings:players", request.club.slug)
        raise Http404
    context: dict[str, Any] = {
        "merge": done,
        "later": later_events(done),
        "n_events": len(done.data["events"]),
    }
    if request.method == "POST" and ("save" in request.POST or not context["later"]):
        chosen = list(filter(None, map(typed_id, request.POST.getlist("later"))))
        try:
            player = unmerge(request.club, merge_id, actor=request.user, later_events=chosen)
            return redirect(player or done.kept)
        except Refused as error:
            context["error"] = str(error)
    return render(request, "standings/merges/unmerge.html", context)
