"""Event files: kept between preview and saving, saved as a whole."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, tzinfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.event_files.checks import Problem
from league.event_files.reader import FileEvent
from league.models import Event, ImportDraft, Season
from league.results import EventDetails
from league.services.changes import lock_pool
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, enter_result

KEPT = timedelta(days=2)  # of an uploaded file


@dataclass(frozen=True)
class Imported:
    n_entered: int
    n_corrected: int
    n_same: int


class NotImported(Refused):
    """Events of a file that cannot be saved, each with its line."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def stage_import(season: Season, *, user: User, file_name: str, text: str) -> ImportDraft:
    ImportDraft.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    return ImportDraft.objects.create(season=season, user=user, file_name=file_name[:200], text=text)


@transaction.atomic
def import_events(season: Season, events: Sequence[FileEvent], *, actor: User | None) -> Imported:
    """Save the events of a file, all or none. An event the season already has is corrected."""
    lock_pool(season.pool_id)
    season.refresh_from_db(fields=["is_closed", "is_sealed"])
    stored = {event.key: event for event in Event.objects.filter(season=season).exclude(key="")}
    done, problems = Counter[str](), []
    for item in events:
        try:
            done[_save(season, item, stored.get(item.key), actor)] += 1
        except Refused as error:
            if season.is_closed or season.is_sealed:
                raise NotImported([Problem(0, "", str(error))]) from error
            column = "" if isinstance(error, BadResult) else "date"
            problems.append(Problem(item.line, column, f"{error} ({item.key})"))
    if problems:
        raise NotImported(problems)
    return Imported(done["entered"], done["corrected"], done["same"])


def import_problems(season: Season, events: Sequence[FileEvent]) -> tuple[Problem, ...]:
    """What saving these events would be refused for: they are saved, and all of it is undone."""
    try:
        with transaction.atomic():
            import_events(season, events, actor=None)
            transaction.set_rollback(True)
    except NotImported as error:
        return error.problems
    return ()


def _save(season: Season, item: FileEvent, event: Event | None, actor: User | None) -> str:
    _require_begun(item.details, season.club.tz)
    if event is None:
        enter_result(season, item.details, item.entries, actor=actor, key=item.key)
        return "entered"
    # What the file leaves out stays: it has no column for names, and often none for times.
    details = replace(
        item.details,
        name=event.name,
        ends_at=item.details.ends_at or event.ends_at,
        closes_at=item.details.closes_at or event.closes_at,
    )
    corrected = correct_result(event, details, item.entries, version=event.version, actor=actor)
    return "same" if corrected.version == event.version else "corrected"


def _require_begun(details: EventDetails, tz: tzinfo) -> None:
    """As the entry form asks for."""
    if details.starts_at.astimezone(tz).date() > timezone.localdate(timezone=tz) + timedelta(days=1):
        raise Refused(_("This day is still to come: a result is entered when it is over."))


@transaction.atomic
def apply_draft(draft: ImportDraft, events: Sequence[FileEvent], *, actor: User) -> Imported | None:
    """Save an uploaded file once; None if that has been done."""
    lock_pool(draft.season.pool_id)
    claimed = ImportDraft.objects.filter(pk=draft.pk, applied_at=None).update(applied_at=timezone.now())
    return import_events(draft.season, events, actor=actor) if claimed else None
