"""Messages about what has happened, read from the history of a club: its lines are written with the changes themselves.

Nothing has to be told at the moment of a change. A process that is killed right after saving loses no message: the next
sweep finds the line of the history that none was made of.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from league.models import Change, Club, Pool, PoolKind, Rsvp
from ratings.models import PlayerRating, ProfitRating
from webhooks.models import Delivery, Hook, Kind, Message, SeenPool, State

MOST_AT_ONCE = 500  # changes of a pool in one sweep
OF_RESULTS = {
    Change.Kind.RESULT_ENTERED: Kind.RESULT_PUBLISHED,
    Change.Kind.RESULT_CORRECTED: Kind.RESULT_CORRECTED,
    Change.Kind.RESULT_DELETED: Kind.RESULT_CORRECTED,
    Change.Kind.RESULT_RESTORED: Kind.RESULT_CORRECTED,
    Change.Kind.EVENT_MOVED: Kind.RESULT_CORRECTED,
}


def begin_telling(club: Club) -> None:
    """Tell what happens in a club from now on, and nothing of before. The caller holds the lock of the club."""
    for pool in club.pools.select_related("recomputation"):
        SeenPool.objects.update_or_create(pool=pool, defaults=_present(pool))


def _present(pool: Pool) -> dict[str, Any]:
    state = getattr(pool, "recomputation", None)
    return {
        "version": pool.data_version,
        "rated_version": state.rated_version if state else 0,
        "badges": _badges(pool),
    }


def make_messages() -> int:
    """Make messages of whatever has happened since the last time, and return how many."""
    hooked = Hook.objects.filter(is_on=True, club__deleted_at=None).values("club")
    for pool in Pool.objects.filter(club__in=hooked, told=None):
        SeenPool.objects.get_or_create(pool=pool, defaults={"version": 0})  # a pool that was made since
    behind = Q(version__lt=F("pool__data_version")) | Q(
        rated_version__lt=F("pool__recomputation__rated_version")
    )
    waiting = SeenPool.objects.filter(behind, pool__club__in=hooked).values_list("pk", flat=True)
    return sum(map(_make_of_pool, list(waiting)))


@transaction.atomic
def _make_of_pool(seen_id: int) -> int:
    """Make the messages of one pool; nothing if another worker does."""
    rows = SeenPool.objects.select_for_update(skip_locked=True, of=("self",))
    seen = rows.select_related("pool__club", "pool__recomputation").filter(pk=seen_id).first()
    if seen is None:
        return 0
    pool = seen.pool
    changes = list(pool.changes.filter(version__gt=seen.version).order_by("version")[:MOST_AT_ONCE])
    messages = [message for change in changes for message in _messages_of(change, pool.club)]
    seen.version = changes[-1].version if changes else seen.version
    messages += _messages_of_ratings(seen)
    seen.save()
    tell(pool.club, messages)
    return len(messages)


def tell(club: Club, messages: Iterable[Message]) -> None:
    """Store messages that somebody wants, and a delivery to each such hook. The caller is inside a transaction."""
    hooks = list(Hook.objects.filter(club=club, is_on=True))
    wanted = {kind for hook in hooks for kind in hook.kinds}
    stored = Message.objects.bulk_create(message for message in messages if message.kind in wanted)
    Delivery.objects.bulk_create(
        Delivery(
            hook=hook,
            message=message,
            state=State.ASKED if hook.asks_first else State.WAITING,
            due_at=timezone.now(),
        )
        for message in stored
        for hook in hooks
        if hook.wants(message.kind) and message.at >= hook.on_since
    )


def tell_answer(rsvp: Rsvp) -> None:
    """Tell that a member has said whether to come. The caller is inside the transaction of the answer."""
    planned = rsvp.planned_event
    club = planned.season.club
    if not Hook.objects.filter(club=club, is_on=True).exists():
        return
    data = {"planned_event": planned.pk, "season": planned.season_id, "answer": rsvp.answer}
    tell(club, [Message(club=club, kind=Kind.ANSWER_GIVEN, subject=f"planned:{planned.pk}", data=data)])


def _messages_of(change: Change, club: Club) -> Iterator[Message]:
    """Make the message of a line of the history, if it is one that hooks are told about."""
    kind = _kind_of(change)
    if kind is None:
        return
    event = change.event_id or change.before.get("event_id")  # a deleted one has no row any more
    subject = f"event:{event}" if event else f"season:{change.season_id}"
    data = {
        "event": event,
        "season": change.season_id,
        "pool": change.pool_id,
        "version": change.version,
        "change": change.kind,
    }
    yield Message(club=club, kind=kind, subject=subject, data=data, at=change.at)


def _kind_of(change: Change) -> Kind | None:
    if change.kind == Change.Kind.SCHEDULE_CHANGED:
        return Kind.EVENT_PLANNED
    if change.kind == Change.Kind.SEASON_CHANGED:
        is_closing = change.after.get("is_closed") == "True" != change.before.get("is_closed")
        return Kind.SEASON_CLOSED if is_closing else None
    return OF_RESULTS.get(Change.Kind(change.kind))


def _messages_of_ratings(seen: SeenPool) -> list[Message]:
    """Make the messages of ratings and standings that were computed since; note what was told."""
    pool = seen.pool
    state = getattr(pool, "recomputation", None)
    if state is None or state.rated_version <= seen.rated_version:
        return []
    before, now = seen.badges, _badges(pool)
    seen.rated_version, seen.badges = state.rated_version, now
    told: dict[str, Any] = {"pool": pool.pk, "version": state.rated_version}
    subject = f"pool:{pool.pk}"
    seasons = list(pool.seasons.filter(is_closed=False).values_list("pk", flat=True))
    messages = [
        Message(
            club=pool.club, kind=Kind.STANDINGS_CHANGED, subject=subject, data=told | {"seasons": seasons}
        )
    ]
    changed = [
        {"player": int(pk), "before": before[pk], "after": badge}
        for pk, badge in now.items()
        if before.get(pk) and badge != before[pk]
    ]
    if changed:
        data = told | {"players": changed}
        messages.append(Message(club=pool.club, kind=Kind.BADGE_CHANGED, subject=subject, data=data))
    return messages


def _badges(pool: Pool) -> dict[str, str]:
    """Read the badge of each player whose placement is over, by id as JSON has keys."""
    model = ProfitRating if pool.kind == PoolKind.PROFIT else PlayerRating
    rated: QuerySet[Any] = model._default_manager.filter(pool=pool, is_provisional=False)
    return {str(pk): badge for pk, badge in rated.order_by("player").values_list("player_id", "badge")}
