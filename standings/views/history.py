"""The history of a club: every change in words, chosen by person, kind, event and time; also as CSV."""

import zlib
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.downloads import csv_attachment, csv_text
from league.models import Player, shown_account
from league.queries import WholeHistory, changes_of, renames_of
from league.rights import Act, may
from league.vocabulary import gettext as _
from standings.goals.memory import remembered
from standings.pages.history.access_history import history_lines
from standings.pages.history.changes import OF_PLAYERS, ChangeLine
from standings.pages.history.filter import HistoryFilterForm

N_CHANGES = 50
MOST_IN_FILE = 20_000


@require_safe
@club_view()
def changes(request: ClubRequest) -> HttpResponse:
    form = _form(request)
    page = Paginator(_history(request, form), N_CHANGES).get_page(request.GET.get("page"))
    lines = history_lines(page.object_list, renames_of(request.club))
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        "page": page,
        "lines": lines,
        "form": form,
        "query": query.urlencode(),
        "is_chosen": any(query.values()),
        "players": _stored_players(request, lines),
    }
    return render(request, "standings/history/changes.html", context)


@require_safe
@club_view()
def changes_csv(request: ClubRequest) -> HttpResponse:
    if may(request.role, Act.USE_AS_MEMBER) or request.GET:
        text = _as_csv(request)
    else:
        # What everybody reads follows from the results, names and words of the club, and is written once for all.
        versions = tuple(request.club.pools.order_by("pk").values_list("pk", "data_version"))
        club = {name: str(value) for name, value in vars(request.club).items() if not name.startswith("_")}
        key = ("changes", *versions, *sorted(club.items()), get_language())
        text = zlib.decompress(remembered(key, lambda: zlib.compress(_as_csv(request).encode()))).decode()
    return csv_attachment(request, text, "history")


def _as_csv(request: ClubRequest) -> str:
    newest = _history(request, _form(request))[:MOST_IN_FILE]
    names = may(request.role, Act.USE_AS_MEMBER)
    rows = [_row(line, shows_names=names) for line in history_lines(newest, renames_of(request.club))]
    columns = [_("when"), _("what"), _("concerns"), _("by"), _("in words"), _("reason")]
    return csv_text(columns, rows)


def _row(line: ChangeLine, *, shows_names: bool) -> list[str]:
    change = line.change
    return [
        change.at.isoformat(timespec="seconds"),
        line.kind,
        line.subject,
        shown_account(change.actor.username) if shows_names and change.actor else "",
        "; ".join(line.descriptions),
        getattr(change, "reason", ""),
    ]


def _form(request: ClubRequest) -> HistoryFilterForm:
    return HistoryFilterForm(
        request.GET,
        club=request.club,
        shows_people=may(request.role, Act.USE_AS_MEMBER),
        shows_rights=may(request.role, Act.CHANGE_CLUB),
    )


def _history(request: ClubRequest, form: HistoryFilterForm) -> Any:
    """Select the history lines that the form chooses; include changes of rights for owners only."""
    chosen = form.chosen()
    if may(request.role, Act.CHANGE_CLUB):
        return WholeHistory(request.club, chosen.changes, chosen.rights)
    return changes_of(request.club).filter(chosen.changes)


def _stored_players(request: ClubRequest, lines: list[ChangeLine]) -> set[int]:
    """Find which players that the lines are about are still there, to link to them."""
    about = [
        (line.change.after or line.change.before)["player"]
        for line in lines
        if line.change.kind in OF_PLAYERS
    ]
    return set(Player.objects.filter(club=request.club, pk__in=about).values_list("pk", flat=True))
