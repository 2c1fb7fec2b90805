"""Corrections of results: what one would change, before it is saved, and those that were made."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.core.paginator import Paginator
from django.db.models import Max, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from entry.views.events import read_stored_event
from entry.views.nights import read_stored_night, show_deleted_night
from entry.views.sending import FormSubmission, answered
from league.access import ClubRequest, club_view, event_view, season_view
from league.models import Change, Event, Season
from league.models.change import MAX_REASON
from league.queries import Rename, changes_of, renames_of
from league.rights import Act
from league.services.errors import Refused
from league.vocabulary import gettext as _
from standings.pages.history.changes import change_line, change_lines
from standings.pages.history.corrections import changes_in_brief, correction_in_brief, place_lines
from standings.recomputation.previews import Preview, preview

N_CORRECTIONS = 30
MARKS = ("csrfmiddlewaretoken", "reason", "save")  # of the form, which the next form has anew


@dataclass(frozen=True)
class _Form:
    """The form of what is corrected: its title, its season, what reads it, and which changes are its own.

    It is read as what saves it if that was pressed and it can be, else as its page.
    """

    title: str
    season: Season
    read: Callable[[], FormSubmission | HttpResponse]
    changes: QuerySet[Change]


@event_view(Act.ENTER_RESULTS, related=("pool", "game"))
def correction(request: ClubRequest, event: Event) -> HttpResponse:
    """Show what the form of an event would change if it were saved, and save it with a reason."""
    corrections = event.changes.filter(kind=Change.Kind.RESULT_CORRECTED)
    read = partial(read_stored_event, request, event)
    return _answer(request, _Form(str(event), event.season, read, corrections))


@season_view(Act.ENTER_RESULTS, related=("rules",))
def night_correction(request: ClubRequest, meet_id: int) -> HttpResponse:
    """Show what the sheet of a night would change if it were saved, and save it with a reason."""
    season, meet = request.season, request.season.meets.filter(pk=meet_id).first()
    if meet is None and request.method != "POST":
        raise Http404
    if meet is None:
        return show_deleted_night(request)
    read = partial(read_stored_night, request, meet)
    return _answer(request, _Form(meet.name, season, read, changes_of(request.club)))


@require_POST
def _answer(request: ClubRequest, form: _Form) -> HttpResponse:
    is_save, reason = "save" in request.POST, request.POST.get("reason", "").strip()
    if request.htmx or not is_save or reason:
        return answered(form.read())
    sending = form.read()
    if isinstance(sending, HttpResponse):
        return sending
    try:
        found, changes = _preview(form, sending)
    except Refused as error:
        return sending.refused(error)
    return _show(request, form, found, changes, is_missing="reason" in request.POST)


def _preview(form: _Form, sending: FormSubmission) -> tuple[Preview, list[Change]]:
    """Save in the transaction of a preview, which is rolled back; return what that changed."""
    made: list[Change] = []

    def save() -> None:
        before = Change.objects.aggregate(newest=Max("pk", default=0))["newest"]
        sending.save()
        changes = form.changes.filter(pk__gt=before).order_by("pk")
        made.extend(changes.select_related("season", "event__season__club"))

    return preview(form.season, save), made


def _show(
    request: ClubRequest, form: _Form, found: Preview, changes: list[Change], *, is_missing: bool
) -> HttpResponse:
    data = request.POST
    renames = renames_of(request.club)
    only = changes[0] if len(changes) == 1 and changes[0].kind == Change.Kind.RESULT_CORRECTED else None
    context = {
        "title": form.title,
        "found": found,
        "movers": [mover for mover in found.movers if mover.is_shown],
        "others": [mover for mover in found.movers if not mover.is_shown],
        "brief": changes_in_brief(changes, renames),
        "lines": change_lines(changes, renames),
        "places": place_lines(only, renames) if only else [],
        "typed": [(name, value) for name, values in data.lists() if name not in MARKS for value in values],
        "reason": data.get("reason", ""),
        "max_reason": MAX_REASON,
        "reasons": [_("Two names mixed up"), _("Wrong order"), _("Entry missing"), _("Wrong time")],
        "is_missing": is_missing,
        "section": "events",
    }
    return render(request, "standings/history/correction.html", context)


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
    return render(
        request, "standings/history/corrections.html", {"page": page, "lines": lines, "section": "events"}
    )
