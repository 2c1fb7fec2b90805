"""Take in what phones have recorded: each action once, in one transaction with its reply."""

import hashlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from live.engine.actions import Action, BadActionError, canonical, read_action
from live.engine.order import is_unsure, recorded_at
from live.models import Action as StoredAction
from live.models import Device, HeldAction, Night

MOST_OF_A_BATCH, MOST_RETURNED, MOST_OF_A_NIGHT = 100, 500, 5_000
IN, AGAIN, HELD, GAP = "in", "again", "held", "gap"


@dataclass
class Batch:
    """What a phone sends: its clock now, the last number it has seen, what is unsent, and its actions in order."""

    sent_ms: int
    seen: int
    actions: list[Any]
    unsent: int = 0
    unsent_kind: str = ""


class Clock(NamedTuple):
    """When an action was tapped, by the phone's clock, and what the phone knew then."""

    tap_ms: int
    offset_ms: int | None
    seen: int


@dataclass
class Reply:
    """What became of an action. A phone takes it from its queue on `in`, `again` and `held`, and on nothing else."""

    id: str
    status: str
    seq: int | None = None
    at_ms: int | None = None
    why: str = ""


@dataclass
class Taken:
    """The answer to a batch: the server's time, the last number of the night, replies, and what others recorded."""

    now_ms: int
    head: int
    replies: list[Reply] = field(default_factory=list)
    actions: list[StoredAction] = field(default_factory=list)


@transaction.atomic
def take_in(device_id: Any, batch: Batch, *, now_ms: int) -> Taken:
    """Store a batch of a device. Sent again, it changes nothing and is answered alike."""
    device = Device.objects.get(pk=device_id)
    night = Night.objects.select_for_update().get(pk=device.night_id)
    device.refresh_from_db()  # as it is since the night is locked
    taken = Taken(now_ms, night.head)
    for raw in batch.actions[:MOST_OF_A_BATCH]:
        reply = _take(night, device, raw, batch, now_ms)
        taken.replies.append(reply)
        if reply.status == GAP:
            break
    device.last_seen_at = timezone.now()
    if batch.unsent != device.unsent or batch.unsent_kind != device.unsent_kind:
        device.unsent, device.unsent_kind, device.unsent_at = (
            batch.unsent,
            batch.unsent_kind,
            device.last_seen_at,
        )
    device.save(
        update_fields=["last_counter", "last_at_ms", "last_seen_at", "unsent", "unsent_kind", "unsent_at"]
    )
    night.save(update_fields=["head"])
    taken.head = night.head
    taken.actions = list(night.actions.filter(seq__gt=batch.seen).order_by("seq")[:MOST_RETURNED])
    return taken


def _take(night: Night, device: Device, raw: Any, batch: Batch, now_ms: int) -> Reply:
    """Take in one action, or say why not."""
    found = raw.get("id") if isinstance(raw, dict) else None
    name = found if isinstance(found, str) else ""
    stated = {"device": str(device.pk), "at_ms": 0}  # the server says both
    try:
        action = read_action({**raw, **stated} if isinstance(raw, dict) else raw)
        clock = _clock_of(raw, batch)
    except BadActionError as error:
        return _hold(night, device, raw, name, str(error), now_ms)
    content = _sha256([action.id, action.counter, action.kind, action.body])
    known = StoredAction.objects.filter(pk=action.id).first()
    if known is not None and (known.device_id, known.content_sha256) == (device.pk, content):
        return Reply(action.id, AGAIN, known.seq, known.at_ms)
    if why := _refusal(night, device, action, is_known=known is not None):
        return _hold(night, device, raw, action.id, why, now_ms)
    if action.counter > device.last_counter + 1:
        return Reply(action.id, GAP, why=f"send from {device.last_counter + 1}")
    return _store(night, device, action, clock, batch.sent_ms, now_ms)


def _store(night: Night, device: Device, action: Action, clock: Clock, sent_ms: int, now_ms: int) -> Reply:
    """Date an action and put it at the end of the log."""
    latest_seen = night.actions.filter(seq__lte=clock.seen).aggregate(at=Max("at_ms"))["at"]
    seen_ms = [device.last_at_ms, -1 if latest_seen is None else latest_seen]
    tap_ms, offset_ms = (clock.tap_ms, clock.offset_ms) if clock.offset_ms is not None else (now_ms, 0)
    at_ms = recorded_at(tap_ms, offset_ms, received_ms=now_ms, seen_ms=seen_ms)
    night.head += 1
    device.last_counter, device.last_at_ms = action.counter, at_ms
    StoredAction.objects.create(
        id=action.id,
        night=night,
        seq=night.head,
        device=device,
        counter=action.counter,
        kind=action.kind,
        body=dict(action.body),
        content_sha256=_sha256([action.id, action.counter, action.kind, action.body]),
        tap_ms=clock.tap_ms,
        offset_ms=clock.offset_ms,
        seen=clock.seen,
        received_ms=now_ms,
        at_ms=at_ms,
        is_unsure=is_unsure(clock.tap_ms, clock.offset_ms, sent_ms=sent_ms, received_ms=now_ms),
    )
    return Reply(action.id, IN, night.head, at_ms)


def _clock_of(raw: dict[str, Any], batch: Batch) -> Clock:
    """Read the clock of the tap, the offset and what the phone had seen."""
    values = [raw.get("tap_ms"), raw.get("offset_ms"), raw.get("seen", batch.seen)]
    for value in values:
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int) or abs(value) > 2**53
        ):
            raise BadActionError("tap_ms, offset_ms and seen must be whole numbers")
    tap_ms, offset_ms, seen = values
    if tap_ms is None or seen is None or seen < 0:
        raise BadActionError("tap_ms and seen are missing")
    return Clock(tap_ms, offset_ms, seen)


def _refusal(night: Night, device: Device, action: Action, *, is_known: bool) -> str:
    """Say why an action may not enter the log; empty if it may."""
    if is_known:
        return "other content under a known id"
    if device.revoked_at is not None:
        return "the device was taken off"
    if night.stage != Night.Stage.OPEN:
        return "the night is published"
    if night.head >= MOST_OF_A_NIGHT:
        return f"more than {MOST_OF_A_NIGHT} actions"
    if action.counter <= device.last_counter:
        return "a number of its device that is taken"
    return ""


def _hold(night: Night, device: Device, raw: Any, name: str, why: str, now_ms: int) -> Reply:
    """Hold an action; its number is used up, so that those after it are no gap."""
    HeldAction.objects.get_or_create(
        night=night,
        device=device,
        content_sha256=_sha256(raw),
        defaults={"raw": raw, "why": why, "received_ms": now_ms},
    )
    counter = raw.get("counter") if isinstance(raw, dict) else None
    if isinstance(counter, int) and not isinstance(counter, bool) and counter == device.last_counter + 1:
        device.last_counter = counter
    return Reply(name, HELD, why=why)


def _sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()
