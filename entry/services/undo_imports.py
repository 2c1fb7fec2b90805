"""Undo an import: events it entered are deleted, events it corrected are restored, and its guests are removed."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.formats import listed
from league.models import Change, Event, Import, ImportedEvent, PlayerAlias
from league.services.changes import lock_pools
from league.services.errors import Refused
from league.services.events import delete_event
from league.services.kept_rows import KeptRows
from league.services.players import remove_idle_guests
from league.services.versions import restore_result
from league.vocabulary import gettext as _

RESULTS = (
    Change.Kind.RESULT_ENTERED,
    Change.Kind.RESULT_CORRECTED,
    Change.Kind.RESULT_DELETED,
    Change.Kind.RATINGS_TOUCHED,
)


@dataclass(frozen=True)
class Undone:
    n_deleted: int = 0
    n_restored: int = 0
    n_players: int = 0


def is_built_on(record: Import) -> bool:
    """Tell whether results have changed in the import's pools since the import."""
    return Change.objects.filter(_later(record), kind__in=RESULTS).exists()


def changed_since(record: Import) -> list[ImportedEvent]:
    """List the events of an import that somebody has changed since; what is deleted is not among them."""
    rows = [row for row in _events(record) if row.event]
    events = [row.event_id for row in rows]
    touched = set(Change.objects.filter(_later(record), event__in=events).values_list("event", flat=True))
    return [row for row in rows if row.event_id in touched or _is_changed(row)]


def _is_changed(row: ImportedEvent) -> bool:
    assert row.event is not None
    before = KeptRows.from_json(row.before) if row.before else KeptRows()
    meet_ids = before.table(Event).column("meet_id") or [None]
    return row.event.version != row.version or row.event.meet_id != meet_ids[0]


def _later(record: Import) -> Q:
    """Select the changes of its pools after an import."""
    later = Q(pk=None)
    for pool_id, version in record.versions.items():
        later |= Q(pool=int(pool_id), version__gt=version)
    return later


def _events(record: Import) -> Iterable[ImportedEvent]:
    return record.events.select_related("event__season__club", "event__pool").order_by("-pk")


@transaction.atomic
def undo_import(record: Import, *, actor: User | None, leaves: Collection[int] = ()) -> Undone:
    """Undo an import, all of it but the events `leaves` (by id); do nothing if it was undone before.

    Raise Refused that names the other events which have changed since.
    """
    lock_pools(record.club)
    record = Import.objects.select_for_update(of=("self",)).select_related("club").get(pk=record.pk)
    if record.undone_at:
        return Undone()
    _require_unchanged([row for row in changed_since(record) if row.event_id not in leaves])
    rows = [row for row in _events(record) if row.event and row.event_id not in leaves]
    PlayerAlias.objects.filter(club=record.club, pk__in=record.aliases).delete()
    n_players = 0
    for row in rows:
        _undo_event(row, actor)
        # One by one: an event that is restored next may need a guest of the same name who was there before.
        n_players += remove_idle_guests(record.club, record.players)
    Import.objects.filter(pk=record.pk).update(undone_at=timezone.now(), undone_by=actor)
    n_deleted = sum(row.before is None for row in rows)
    return Undone(n_deleted, len(rows) - n_deleted, n_players)


def _require_unchanged(changed: Collection[ImportedEvent]) -> None:
    if changed:
        raise Refused(
            _("Changed since this import, and so not undone: %(events)s.")
            % {"events": listed(str(row) for row in changed)}
        )


def _undo_event(row: ImportedEvent, actor: User | None) -> None:
    event: Event | None = row.event
    assert event is not None
    if row.before is None:
        delete_event(event, version=event.version, actor=actor)
    else:
        restore_result(event, KeptRows.from_json(row.before), actor=actor)
