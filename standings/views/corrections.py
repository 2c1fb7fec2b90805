"""Corrections of results: what one would change, before it is saved, and those that were made."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_view, event_view
from league.models import Change, Event
from league.models.change import MAX_REASON
from league.queries import Rename, changes_of, renames_of
from league.rights import Act
from league.snapshots import View
from league.views.events import event_edit
from standings.pages.corrections import correction_in_brief, place_lines
from standings.pages.history import change_line
from standings.previews import Preview, preview

N_CORRECTIONS = 30
MARKS = ("csrfmiddlewaretoken", "reason", "save", "effects")  # of the form, which the next form has anew
EDIT: View = event_edit


class _NotSavedError(Exception):
    """The form was not saved: its answer is shown."""

    def __init__(self, answer: HttpResponse) -> None:
        super().__init__()
        self.answer = answer


@event_view(Act.ENTER_RESULTS)
@require_POST
def correction(request: ClubRequest, event: Event) -> HttpResponse:
    """Show what the form of an event would change if it were saved, and save it with a reason."""
    is_save, reason = "save" in request.POST, request.POST.get("reason", "").strip()
    if request.htmx or not (is_save or "effects" in request.POST) or (is_save and reason):
        return _edit(request, event)
    data = request.POST
    try:
        found, change = _preview(request, event)
    except _NotSavedError as error:
        return error.answer
    return _show(request, event, found, change, data=data, is_missing=is_save and "reason" in data)


def _edit(request: ClubRequest, event: Event) -> HttpResponse:
    return EDIT(request, club_slug=request.club.slug, event_id=event.pk)


def _preview(request: ClubRequest, event: Event) -> tuple[Preview, Change | None]:
    """Let the form save itself in the transaction of a preview; return what it changed."""
    before = event.changes.values_list("pk", flat=True).first() or 0
    made: list[Change] = []

    def save() -> None:
        typed: Any = request.POST
        saving = typed.copy()
        saving["save"] = ""
        request.POST = saving
        answer = _edit(request, event)
        request.POST = typed
        if not _is_redirect(answer):
            raise _NotSavedError(answer)
        corrections = event.changes.filter(pk__gt=before, kind=Change.Kind.RESULT_CORRECTED)
        made.extend(corrections.select_related("season", "event__season__club"))

    found = preview(event.season, save)
    return found, made[0] if made else None


def _is_redirect(answer: HttpResponse) -> bool:
    return answer.status_code == 302  # noqa: PLR2004  what a view that has saved returns


def _show(
    request: ClubRequest,
    event: Event,
    found: Preview,
    change: Change | None,
    *,
    data: Any,
    is_missing: bool,
) -> HttpResponse:
    renames = renames_of(request.club)
    context = {
        "event": event,
        "found": found,
        "movers": [mover for mover in found.movers if mover.is_shown],
        "others": [mover for mover in found.movers if not mover.is_shown],
        "brief": correction_in_brief(change, renames) if change else "",
        "line": change_line(change, renames) if change else None,
        "places": place_lines(change, renames) if change else [],
        "typed": [(name, value) for name, values in data.lists() if name not in MARKS for value in values],
        "reason": data.get("reason", ""),
        "max_reason": MAX_REASON,
        "reasons": [_("Two names mixed up"), _("Wrong order"), _("Entry missing"), _("Wrong time")],
        "is_missing": is_missing,
        "section": "events",
    }
    return render(request, "standings/correction.html", context)


@require_safe
@club_view()
def corrections(request: ClubRequest) -> HttpResponse:
    """List the corrections of results, which everybody may read."""
    made = changes_of(request.club).filter(kind=Change.Kind.RESULT_CORRECTED)
    page = Paginator(made, N_CORRECTIONS).get_page(request.GET.get("page"))
    renames: list[Rename] = renames_of(request.club)
    lines = [
        (change_line(change, renames), correction_in_brief(change, renames)) for change in page.object_list
    ]
    return render(request, "standings/corrections.html", {"page": page, "lines": lines, "section": "events"})
