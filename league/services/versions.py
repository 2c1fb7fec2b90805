"""Bring an earlier version of a result back, from what its corrections and imports keep."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Change, Event
from league.services.changes import lock_all, record_result_change
from league.services.errors import Refused, Stale
from league.services.kept_merges import follow_merges
from league.services.kept_results import details_of, entries_of, is_same_result, keep_result, write_result
from league.services.kept_rows import KeptRows, restore_players
from league.services.plans import (
    PlannedResult,
    require_day_of_meet,
    require_day_of_season,
    require_open,
    require_usable,
    with_entries,
)
from league.services.summaries import correctable, removed_rows, stored_summary


def restore_version(change: Change, *, actor: User | None) -> Change | None:
    """Restore the result that an event had before a correction; None if the event has it already."""
    whole = change.before.get("whole")
    if change.event is None or whole is None:
        raise Refused(_("This version cannot be brought back: the history does not keep all of it."))
    return restore_result(change.event, KeptRows.from_json(whole), actor=actor)


@transaction.atomic
def restore_result(event: Event, kept: KeptRows, *, actor: User | None) -> Change | None:
    """Restore a kept result of an event as a correction; None if the event has it already."""
    details = details_of(kept.of_event(event.pk))
    pools = lock_all({event.season.pool_id, event.pool_id, details.pool_id or 0})
    current = with_entries(Event.objects.filter(pk=event.pk)).first()
    if current is None:
        raise Stale
    require_open(current.season)
    follow_merges(kept, current)
    if is_same_result(keep_result(current), kept):
        return None
    require_day_of_season(current.season, details.starts_at)
    require_day_of_meet(current, details.starts_at)
    restore_players(kept)
    pool = pools[details.pool_id or current.pool_id]
    require_usable(PlannedResult(current.season, details, entries_of(kept), pool, current))
    before, rated_from, rated_in = correctable(current), current.starts_at, {current.pool_id, pool.pk}
    removed = write_result(current, kept)
    return record_result_change(
        pools,
        current.season,
        rated_in=rated_in,
        kind=Change.Kind.RESULT_CORRECTED,
        actor=actor,
        event=current,
        rated_from=min(rated_from, current.starts_at),
        before=before | removed_rows(removed),
        after=stored_summary(current) | {"is_brought_back": True},
    )
