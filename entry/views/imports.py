"""Upload, preview and save files of results; list what was imported, and undo it."""

import re
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from entry.forms.uploads import UploadForm
from entry.services.drafts import Look, answer_draft, ask_for, is_large, look_at, save_draft, stage_import
from entry.services.import_games import START
from entry.services.import_previews import MOST_SHOWN, Preview
from entry.services.undo_imports import Undone, changed_since, is_built_on, undo_import
from entry.tasks import enqueue_asked
from entry.views.import_rows import opened_rows, typed_anew
from league.access import ClubRequest, club_view, open_season_form, season_view
from league.formats import listed
from league.models import Asked, Import, ImportDraft, Season, Step
from league.rights import Act
from league.services.errors import Refused
from league.services.quotas import QuotaUsed
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from reading.questions import accepted, by_question, kept_answers, n_accepted, without_accepted
from reading.tables.meanings import LABELS
from reading.tables.moments import clock

PER_PAGE = 50
ID_DIGITS = 18
MAX_ANSWER, MAX_ANSWERS = 500, 5_000
# Fields with an answer of their own: the encoding of a file, the day of a table, a cell to mend; a start for all.
OWN_FIELD = re.compile(r"(\d+#)?(\d+!)?(encoding|day|cell:\d+:\d+)|start")


@season_view(Act.ENTER_RESULTS)
@open_season_form
def import_upload(request: ClubRequest) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            draft = stage_import(request.season, user=request.user, files=form.cleaned_data["file"])
            enqueue_asked(draft)
            return redirect("entry:import-preview", request.club.slug, draft.pk)
        except QuotaUsed as error:
            form.add_error("file", str(error))
    return render(request, "entry/imports/import_upload.html", {"form": form})


@club_view(Act.ENTER_RESULTS)
def import_preview(request: ClubRequest, draft_id: int) -> HttpResponse:
    drafts = ImportDraft.objects.select_related("season__club", "season__pool", "saved_as")
    draft = get_object_or_404(drafts, pk=draft_id, season__club=request.club, user=request.user)
    request.season = draft.season
    if draft.applied_at or draft.asked_for:
        return _wait_for(request, draft)
    if _is_poll(request):
        return HttpResponseClientRedirect(request.path)
    if request.method == "POST":
        return _take(request, draft)
    return _show(request, draft, look_at(draft))


def _is_poll(request: ClubRequest) -> bool:
    return bool(request.htmx) and request.method == "GET"


def _wait_for(request: ClubRequest, draft: ImportDraft) -> HttpResponse:
    """Say how far the worker is with a large upload, and lead to what was saved."""
    if not draft.applied_at:
        part, page = "entry/imports/_import_progress.html", "entry/imports/import_progress.html"
        steps = [
            (step.label, step == draft.step)
            for step in Step
            if step != Step.SAVE or draft.asked_for == Asked.SAVE
        ]
        return render(request, part if _is_poll(request) else page, {"draft": draft, "steps": steps})
    saved = _redirect_saved(request, draft)
    return HttpResponseClientRedirect(saved.url) if _is_poll(request) else saved


def _take(request: ClubRequest, draft: ImportDraft) -> HttpResponse:
    """Read an upload by the answers of a form, or save it."""
    answers = _answers(request, draft)
    # What is said with the last press shall be seen before it is saved.
    if answers != draft.answers or "save" not in request.POST or "accept" in request.POST:
        answer_draft(draft, answers=answers)
        enqueue_asked(draft)
        return redirect(_address_of_rows(request))
    if is_large(draft):
        ask_for(draft, Asked.SAVE)
        enqueue_asked(draft)
        return redirect(request.path)
    return _save(request, draft)


def _answers(request: ClubRequest, draft: ImportDraft) -> list[str]:
    """Put together the stored answers, those of the form, its mended cells and its encodings; the last ones count."""
    rows = opened_rows(draft, request.GET)
    fields = [
        f"{name}={value}"
        for name, values in request.POST.lists()
        if OWN_FIELD.fullmatch(name)
        and (value := typed_anew(name, values, rows)) is not None
        and (name != START or clock(value))
    ]
    given = [answer for answer in request.POST.getlist("answer") if "=" in answer]
    said = [*draft.answers, *fields, *given]
    if "accept" in request.POST:
        shown = look_at(draft).preview
        said += accepted(shown.questions) if shown else []
    elif "unaccept" in request.POST:
        said = without_accepted(said)
    answers = by_question(kept_answers(said, request.POST.getlist("undo")))
    return [f"{question}={value}"[:MAX_ANSWER] for question, value in answers.items()][:MAX_ANSWERS]


def _address_of_rows(request: ClubRequest) -> str:
    """Find the address of the preview with the rows that `open` names: FILE.SHEET, or FILE.SHEET:PAGE."""
    if "open" not in request.POST:
        return request.get_full_path()
    which, _colon, page = str(request.POST["open"]).partition(":")
    asked = {"rows": which} | ({"page": page} if page else {})
    return f"{request.path}?{urlencode(asked)}#rows" if which else f"{request.path}#rows"


def _save(request: ClubRequest, draft: ImportDraft) -> HttpResponse:
    try:
        preview = save_draft(draft, actor=request.user)
    except Refused as error:
        messages.error(request, str(error))
        return _show(request, draft, look_at(draft))
    if preview:
        return _show(request, draft, Look(preview))
    draft.refresh_from_db()
    return _redirect_saved(request, draft)


def _redirect_saved(request: ClubRequest, draft: ImportDraft) -> HttpResponseRedirect:
    if draft.saved_as:
        return redirect("entry:import-saved", request.club.slug, draft.saved_as.pk)
    messages.success(request, _("These results are stored already: nothing has changed."))
    return redirect(draft.season)


def _show(request: ClubRequest, draft: ImportDraft, look: Look) -> HttpResponse:
    shown = look.preview
    if shown is None:
        return render(request, "entry/imports/import_unread.html", {"draft": draft})
    seasons = {season.slug: season for season in Season.objects.filter(club=request.club)}
    context = {
        "draft": draft,
        "read": shown,
        "is_outdated": look.is_outdated,
        "problems": shown.problems,
        "mending": [
            (problem, *fields) for problem, fields in zip(shown.problems, shown.mending, strict=True)
        ],
        "meanings": LABELS.items(),
        "n_more": shown.n_problems - len(shown.problems),
        "events": [(event, seasons.get(event["season"])) for event in shown.events][:MOST_SHOWN],
        "has_seasons": any(event["season"] for event in shown.events),
        "rows": opened_rows(draft, request.GET),
        "asks": shown.questions,
        "n_accepted": n_accepted(draft.answers),
        "can_accept": shown.n_open > 1,
        "save": _counted(shown),
    }
    return render(request, "entry/imports/import_preview.html", context)


def _counted(shown: Preview) -> str:
    n_events, n_entries = shown.n_events, shown.n_entries
    events = ngettext("%(n)d %(event_word)s", "%(n)d %(events_word)s", n_events) % {"n": n_events}
    entries = ngettext("%(n)d entry", "%(n)d entries", n_entries) % {"n": n_entries}
    return listed([events, entries])


@club_view(Act.ENTER_RESULTS)
def imports(request: ClubRequest) -> HttpResponse:
    rows = Import.objects.filter(club=request.club).select_related("actor", "undone_by")
    counted = rows.annotate(
        n_new=Count("events", filter=Q(events__before__isnull=True)),
        n_corrected=Count("events", filter=Q(events__before__isnull=False)),
    ).order_by("-pk")
    page = Paginator(counted, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "entry/imports/imports.html", {"page": page})


@club_view(Act.ENTER_RESULTS)
def import_saved(request: ClubRequest, import_id: int) -> HttpResponse:
    """Show what an import saved, with its way back."""
    return render(request, "entry/imports/import_saved.html", _saved_context(_record(request, import_id)))


@require_POST
@club_view(Act.DELETE_RESULTS)
def import_undo(request: ClubRequest, import_id: int) -> HttpResponse:
    leaves = {pk for pk in request.POST.getlist("leave") if pk.isdecimal() and len(pk) <= ID_DIGITS}
    try:
        undone = undo_import(_record(request, import_id), actor=request.user, leaves=set(map(int, leaves)))
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _undone_text(undone))
    return redirect("entry:import-saved", request.club.slug, import_id)


def _record(request: ClubRequest, import_id: int) -> Import:
    records = Import.objects.select_related("club", "actor", "undone_by")
    return get_object_or_404(records, pk=import_id, club=request.club)


def _saved_context(record: Import) -> dict[str, Any]:
    rows = list(record.events.select_related("event__season__club", "season"))
    changed = [] if record.undone_at else changed_since(record)
    n_new = sum(row.before is None for row in rows)
    return {
        "record": record,
        "rows": rows[:MOST_SHOWN],
        "n_new": n_new,
        "n_corrected": len(rows) - n_new,
        "changed": changed,
        "n_left": sum(row.event_id is not None for row in rows) - len(changed),
        "is_built_on": is_built_on(record),
    }


def _undone_text(undone: Undone) -> str:
    if undone == Undone():
        return _("This import is undone.")
    parts = [
        ngettext("%(n)d %(event_word)s deleted", "%(n)d %(events_word)s deleted", undone.n_deleted)
        % {"n": undone.n_deleted},
        ngettext("%(n)d %(event_word)s as before", "%(n)d %(events_word)s as before", undone.n_restored)
        % {"n": undone.n_restored},
        ngettext("%(n)d guest removed", "%(n)d guests removed", undone.n_players) % {"n": undone.n_players},
    ]
    return _("This import is undone: %(what)s.") % {"what": listed(parts)}
