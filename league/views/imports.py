"""Event files: upload, look, save."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, season_view
from league.event_files.reader import EventFile, read_event_file
from league.finishing_order.names import near_miss
from league.forms import UploadForm
from league.models import ImportDraft, Role, name_key
from league.queries import players_by_key
from league.services.imports import NotImported, apply_draft, draft_problems, stage_import

MAX_SHOWN = 200


@season_view(Role.ORGANIZER)
def import_upload(request: ClubRequest) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["file"].name
        draft = stage_import(request.season, user=request.user, file_name=name, text=form.text)
        return redirect("league:import-preview", request.club.slug, draft.pk)
    return render(request, "league/import_upload.html", {"form": form})


@club_view(Role.ORGANIZER)
def import_preview(request: ClubRequest, draft_id: int) -> HttpResponse:
    drafts = ImportDraft.objects.select_related("season__club", "season__pool")
    draft = get_object_or_404(drafts, pk=draft_id, season__club=request.club, user=request.user)
    request.season = draft.season
    read = read_event_file(draft.text, tz=request.club.tz)
    if request.method == "POST" and not read.problems:
        try:
            done = apply_draft(draft, read.events, actor=request.user)
            if done:
                said = _("%(entered)d events entered, %(corrected)d corrected, %(same)d were the same.")
                counts = {"entered": done.n_entered, "corrected": done.n_corrected, "same": done.n_same}
                messages.success(request, said % counts)
            return redirect(draft.season)
        except NotImported as error:
            read = replace(read, problems=error.problems)
    elif not draft.applied_at:
        found = (*read.problems, *draft_problems(draft, read.events))
        read = replace(read, problems=tuple(sorted(found, key=lambda problem: problem.line)))
    return render(request, "league/import_preview.html", _context(request, draft, read))


def _context(request: ClubRequest, draft: ImportDraft, read: EventFile) -> dict[str, object]:
    known = players_by_key(request.club)
    names = {key: name for key, (_id, name) in known.items()}
    new = {name_key(entry.name): entry.name for event in read.events for entry in event.entries}
    unknown = [name for key, name in sorted(new.items()) if key not in known]
    guests = [(name, near_miss(name, names)) for name in unknown[:MAX_SHOWN]]
    stored = set(draft.season.events.exclude(key="").values_list("key", flat=True))
    return {"draft": draft, "read": read, "guests": guests, "stored_keys": stored}
