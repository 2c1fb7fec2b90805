"""Set the bonus points of an event's entries."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Event
from league.services.changes import lock_pool, record_change
from league.services.errors import Refused
from league.vocabulary import gettext as _
from payouts.models import MAX_BONUS, MAX_BONUS_REASON, EntryBonus
from payouts.services.rules import require_open
from reading.names.rules import visible


class Bonus(NamedTuple):
    """Points that an entry gets beside those of its place, and what for."""

    points: int
    reason: str = ""


@transaction.atomic
def set_bonuses(event: Event, bonuses: Mapping[int, Bonus], *, actor: User | None) -> None:
    """Make the bonus points of an event equal to these, by entry; others lose theirs. Idempotent.

    Raise Refused if points are more than anybody could mean.
    """
    if any(abs(bonus.points) > MAX_BONUS for bonus in bonuses.values()):
        raise Refused(_("Bonus points must be from −%(most)d to %(most)d.") % {"most": MAX_BONUS})
    pool = lock_pool(event.season.pool_id)
    require_open(event.season)
    stored = list(
        EntryBonus.objects.filter(entry__event=event).select_related("entry__player").order_by("entry")
    )
    chosen = {
        pk: Bonus(each.points, visible(each.reason)[:MAX_BONUS_REASON])
        for pk, each in bonuses.items()
        if each.points
    }
    if {row.entry_id: Bonus(row.points, row.reason) for row in stored} == chosen:
        return
    before = _summary(stored)
    EntryBonus.objects.filter(entry__event=event).delete()
    EntryBonus.objects.bulk_create(
        EntryBonus(entry_id=pk, points=each.points, reason=each.reason) for pk, each in sorted(chosen.items())
    )
    rows = EntryBonus.objects.filter(entry__event=event).select_related("entry__player").order_by("entry")
    record_change(
        pool,
        kind=Change.Kind.TERMS_CHANGED,
        actor=actor,
        event=event,
        season=event.season,
        before=before,
        after=_summary(list(rows)),
    )


def _summary(rows: Sequence[EntryBonus]) -> dict[str, Any]:
    """Write bonus points for the history, by player."""
    return {"bonuses": [[row.entry.player.name, row.points, row.reason] for row in rows]}
