"""Event files: kept between preview and saving, saved as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from league.event_files import FileEvent
from league.models import Event, ImportDraft, Season
from league.services.changes import lock_pool
from league.services.events import correct_result, enter_result

KEPT = timedelta(days=2)  # of an uploaded file


@dataclass(frozen=True)
class Imported:
    n_entered: int
    n_corrected: int
    n_same: int


def stage_import(season: Season, *, user: User, file_name: str, text: str) -> ImportDraft:
    ImportDraft.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return ImportDraft.objects.create(season=season, user=user, file_name=file_name[:200], text=text)


@transaction.atomic
def import_events(season: Season, events: Sequence[FileEvent], *, actor: User | None) -> Imported:
    """Save the events of a file, all or none. An event the season already has is corrected."""
    lock_pool(season.pool_id)
    stored = {event.key: event for event in Event.objects.filter(season=season).exclude(key="")}
    n_entered = n_corrected = 0
    for item in events:
        if event := stored.get(item.key):
            # What the file leaves out stays: it has no column for names, and often none for times.
            details = replace(
                item.details,
                name=event.name,
                ends_at=item.details.ends_at or event.ends_at,
                closes_at=item.details.closes_at or event.closes_at,
            )
            corrected = correct_result(event, details, item.entries, version=event.version, actor=actor)
            n_corrected += corrected.version != event.version
        else:
            enter_result(season, item.details, item.entries, actor=actor, key=item.key)
            n_entered += 1
    return Imported(n_entered, n_corrected, len(events) - n_entered - n_corrected)


@transaction.atomic
def apply_draft(draft: ImportDraft, events: Sequence[FileEvent], *, actor: User) -> Imported | None:
    """Save an uploaded file once; None if that has been done."""
    lock_pool(draft.season.pool_id)
    claimed = ImportDraft.objects.filter(pk=draft.pk, applied_at=None).update(applied_at=timezone.now())
    return import_events(draft.season, events, actor=actor) if claimed else None
