"""Uploaded files between upload and saving: read by what is answered, at once or, of large ones, by the worker."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, prefetch_related_objects
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language, override

from entry.services.import_places import find_places, pools_of_places
from entry.services.import_previews import Preview, preview_of
from entry.services.import_reading import DraftRead, read_draft
from entry.services.imports import Imported, NotImported, Verdict, import_events, import_verdict
from league.access import admitted
from league.models import Asked, ImportDraft, ImportFile, Season, Step, Use
from league.rights import Act
from league.services.changes import lock_all
from league.services.errors import Refused
from league.services.health import CANNOT_SAVE
from league.services.quotas import count_use
from league.vocabulary import gettext as _
from league.vocabulary import in_words_of
from reading.tables.formats.workbooks import is_workbook, unpacked_size

DRAFT_LIFETIME = timedelta(days=2)
LARGE = 60_000  # bytes of text: reading more takes a second, which no thread of the web server has
MARKUP = 5  # bytes of a workbook for each of its text
MOST_TRIES = 3
MAX_HEADING = 80


@dataclass(frozen=True)
class Look:
    """Hold what is shown of an upload, None if it was not read, and whether something has changed since."""

    preview: Preview | None
    is_outdated: bool = False


def forget_old_uploads() -> None:
    """Delete the uploaded files that nobody has saved for long."""
    ImportDraft.objects.filter(created_at__lt=timezone.now() - DRAFT_LIFETIME).delete()


def stage_import(season: Season, *, user: User, files: Sequence[tuple[str, bytes]]) -> ImportDraft:
    """Store uploaded files, given by name and content, and read them or have them read."""
    with transaction.atomic():
        count_use(user, Use.UPLOADS, len(files))
        draft = ImportDraft.objects.create(season=season, user=user)
        ImportFile.objects.bulk_create(
            ImportFile(draft=draft, name=name[:200], data=data) for name, data in files
        )
    answer_draft(draft, answers=[])
    return draft


def answer_draft(draft: ImportDraft, *, answers: Sequence[str]) -> None:
    """Store the answers to the questions about uploaded files, and read them by these or have them read."""
    draft.answers = list(answers)
    ImportDraft.objects.filter(pk=draft.pk).update(answers=draft.answers)
    if is_large(draft):
        ask_for(draft, Asked.READ)
    else:
        _all, preview, basis = _read(draft)
        _keep(draft, preview, basis)


def is_large(draft: ImportDraft) -> bool:
    """Tell whether the worker reads the files of a draft."""
    prefetch_related_objects([draft], "files")  # they are read next
    return sum(n_bytes_to_read(bytes(file.data)) for file in draft.files.all()) > LARGE


def n_bytes_to_read(data: bytes) -> int:
    """Estimate how much text a file holds: a workbook is packed, and its text is a fifth of what is unpacked."""
    return max(len(data), unpacked_size(data) // MARKUP) if is_workbook(data) else len(data)


def look_at(draft: ImportDraft) -> Look:
    """Show an upload as it was read; a small one that is outdated is read again. Nothing is written.

    The draft is read with season, club and pool.
    """
    kept = draft.preview
    if kept and kept["basis"] == _basis(draft):
        return Look(Preview.from_json(kept["shown"]))
    if not is_large(draft):
        return Look(_read(draft)[1])
    return Look(Preview.from_json(kept["shown"]) if kept else None, is_outdated=True)


def _read(
    draft: ImportDraft, tell: Callable[[Step], None] = lambda _step: None
) -> tuple[DraftRead, Preview, Any]:
    """Read a draft; return what it says, what is shown of it, and what that depends on."""
    basis = _basis(draft)  # before the check, so that a change during it outdates the preview
    tell(Step.READ)
    read = read_draft(draft)
    tell(Step.CHECK)
    verdict = import_verdict(draft.season, read.events)
    return read, preview_of(draft.season, read, verdict), basis


def _keep(draft: ImportDraft, preview: Preview, basis: dict[str, Any]) -> None:
    draft.preview = {"basis": basis, "shown": preview.to_json()}
    ImportDraft.objects.filter(pk=draft.pk).update(preview=draft.preview)


def _basis(draft: ImportDraft) -> dict[str, Any]:
    """Collect what a preview depends on besides the files: answers, data of the pools, the club's day, language."""
    club = draft.season.club
    return {
        "answers": draft.answers,
        "version": sum(club.pools.values_list("data_version", flat=True)),
        "day": timezone.localdate(timezone=club.tz).isoformat(),
        "language": get_language(),
    }


# --- the worker -------------------------------------------------------------------------------------------------------


def ask_for(draft: ImportDraft, what: Asked) -> None:
    """Note what the worker shall do with a draft; whoever calls publishes the message. Idempotent.

    What was asked for before is done first: what it reads shall be seen before it is saved.
    """
    asked = {
        "asked_for": what,
        "asked_at": timezone.now(),
        "asked_in": get_language() or "",
        "step": Step.WAIT,
        "tries": 0,
        "error": "",
    }
    waiting = ImportDraft.objects.filter(pk=draft.pk, applied_at=None, answers=draft.answers)
    if what == Asked.SAVE:
        waiting = waiting.filter(asked_for="")
    waiting.update(**asked)
    draft.refresh_from_db()


def asked_before(moment: datetime) -> list[int]:
    """Find the drafts that the worker was asked about before a moment, and has not worked on since."""
    asked = ImportDraft.objects.filter(asked_at__lt=moment, applied_at=None).exclude(worked_at__gte=moment)
    return list(asked.exclude(asked_for="").values_list("pk", flat=True))


def do_asked(draft_id: int) -> None:
    """Read or save a draft as was asked, and note why it cannot be saved. Idempotent."""
    drafts = ImportDraft.objects.select_related("season__club", "season__pool", "user")
    draft = drafts.filter(pk=draft_id, applied_at=None).exclude(asked_for="").first()
    if draft is None:
        return
    club = draft.season.club
    ImportDraft.objects.filter(pk=draft.pk).update(tries=F("tries") + 1)
    with override(draft.asked_in or None), timezone.override(club.tz), in_words_of(club):
        failed = _("The site could not read these files. Whoever runs it finds the reason in its log.")
        if draft.tries >= MOST_TRIES:  # they end their worker each time
            _note_done(draft, failed)
            return
        try:
            error = _do(draft)
        except CANNOT_SAVE:
            raise  # it is tried again when the database can
        except Exception:
            _note_done(draft, failed)
            raise
        _note_done(draft, error)


def _do(draft: ImportDraft) -> str:
    """Read a draft and, if that was asked for, save it; return why it cannot be saved."""

    def tell(step: Step) -> None:
        ImportDraft.objects.filter(pk=draft.pk).update(step=step, worked_at=timezone.now())

    read, preview, basis = _read(draft, tell)
    _keep(draft, preview, basis)
    if draft.asked_for != Asked.SAVE or not preview.is_ready:
        return ""
    try:
        admitted(
            draft.season.club, draft.user if draft.user.is_active else AnonymousUser(), Act.ENTER_RESULTS
        )
        tell(Step.SAVE)
        apply_draft(draft, read, actor=draft.user)
    except NotImported as error:
        _keep(draft, preview_of(draft.season, read, Verdict(error.problems)), basis)
    except (PermissionDenied, Http404):
        return _("You may no longer enter results.")
    except Refused as error:
        return str(error)
    return ""


def _note_done(draft: ImportDraft, error: str) -> None:
    """Note that it is done, unless something else has been asked for meanwhile."""
    asked = ImportDraft.objects.filter(pk=draft.pk, asked_at=draft.asked_at)
    asked.update(asked_for="", error=error)


# --- saving -----------------------------------------------------------------------------------------------------------


def save_draft(draft: ImportDraft, *, actor: User) -> Preview | None:
    """Save a small upload; return what is shown of it if something stands against it. Raise Refused as saving does."""
    basis, read, verdict = _basis(draft), read_draft(draft), None
    if not read.problems and not read.n_open:
        try:
            apply_draft(draft, read, actor=actor)
        except NotImported as error:
            verdict = Verdict(error.problems)
        else:
            return None
    verdict = verdict or import_verdict(draft.season, read.events)
    preview = preview_of(draft.season, read, verdict)
    _keep(draft, preview, basis)
    return preview


@transaction.atomic
def apply_draft(draft: ImportDraft, read: DraftRead, *, actor: User) -> Imported | None:
    """Save uploaded files once; None if they were saved before."""
    lock_all(pools_of_places(find_places(draft.season, read.events)))
    claimed = ImportDraft.objects.filter(pk=draft.pk, applied_at=None).update(
        applied_at=timezone.now(), asked_for=""
    )
    if not claimed:
        return None
    imported = import_events(draft.season, read.events, actor=actor, files=str(draft), aliases=read.aliases)
    _remember_meanings(draft, read)
    ImportDraft.objects.filter(pk=draft.pk).update(saved_as=imported.record)
    return imported


def _remember_meanings(draft: ImportDraft, read: DraftRead) -> None:
    """Remember for the club what its columns were said to mean."""
    for file in read.files:
        for heading, meaning in file.chosen_meanings.items():
            draft.season.club.column_meanings.update_or_create(
                heading=heading[:MAX_HEADING], defaults={"meaning": meaning}
            )
