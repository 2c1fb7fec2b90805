"""Upload, preview and save event files."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, season_view
from league.event_files.reader import EventFile, read_event_file
from league.forms import UploadForm
from league.models import ImportDraft, name_key
from league.names.near import likely
from league.queries import players_by_key
from league.rights import Act
from league.services.imports import NotImported, apply_draft, draft_problems, stage_import

MAX_SHOWN = 200


@season_view(Act.ENTER_RESULTS)
def import_upload(request: ClubRequest) -> HttpResponse:
    form = UploadForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["file"].name
        draft = stage_import(request.season, user=request.user, file_name=name, text=form.text)
        return redirect("league:import-preview", request.club.slug, draft.pk)
    return render(request, "league/import_upload.html", {"form": form})


@club_view(Act.ENTER_RESULTS)
def import_preview(request: ClubRequest, draft_id: int) -> HttpResponse:
    drafts = ImportDraft.objects.select_related("season__club", "season__pool")
    draft = get_object_or_404(drafts, pk=draft_id, season__club=request.club, user=request.user)
    request.season = draft.season
    event_file = read_event_file(draft.text, tz=request.club.tz)
    if request.method == "POST" and not event_file.problems:
        try:
            imported = apply_draft(draft, event_file.events, actor=request.user)
            if imported:
                message = _("%(entered)d events entered, %(corrected)d corrected, %(same)d were the same.")
                counts = {
                    "entered": imported.n_entered,
                    "corrected": imported.n_corrected,
                    "same": imported.n_same,
                }
                messages.success(request, message % counts)
            return redirect(draft.season)
        except NotImported as error:
            event_file = replace(event_file, problems=error.problems)
    elif not draft.applied_at:
        problems = (*event_file.problems, *draft_problems(draft, event_file.events))
        event_file = replace(event_file, problems=tuple(sorted(problems, key=lambda problem: problem.line)))
    return render(request, "league/import_preview.html", _context(request, draft, event_file))


def _context(request: ClubRequest, draft: ImportDraft, event_file: EventFile) -> dict[str, object]:
    known = players_by_key(request.club)
    names = {key: name for key, (_id, name) in known.items()}
    new = {name_key(entry.name): entry.name for event in event_file.events for entry in event.entries}
    unknown = [name for key, name in sorted(new.items()) if key not in known]
    meant = likely([*new.values()], names)
    guests = [(name, meant.get(name_key(name))) for name in unknown[:MAX_SHOWN]]
    stored = set(draft.season.events.exclude(key="").values_list("key", flat=True))
    return {"draft": draft, "read": event_file, "guests": guests, "stored_keys": stored}
