"""Take in what phones have recorded: each action once, in one transaction with its reply."""

import hashlib
import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from league.services.errors import Refused
from live.engine.actions import Action, BadActionError, canonical, read_action
from live.engine.order import is_unsure, recorded_at
from live.models import LONGEST_ID, LONGEST_REASON, Device, HeldAction, Night
from live.models import Action as StoredAction
from live.roles import may_record, undoes_only_its_own

MOST_OF_A_BATCH, MOST_RETURNED, MOST_OF_A_NIGHT = 100, 500, 5_000
BATCHES_A_SECOND = 5
MOST_DEPTH = 20  # of lists and objects inside each other
IN, AGAIN, HELD, GAP = "in", "again", "held", "gap"
# Why an action is held, in the words that are stored; pages translate them (live.sentences).
OTHER_CONTENT = "other content under a known id"
REVOKED = "the device was taken off"
NOT_THEIRS = "not for a device of this role"
PUBLISHED = "the night is published"
TOO_MANY = f"more than {MOST_OF_A_NIGHT} actions"
BROUGHT_AS_TEXT = "brought in as text"
TAKEN_NUMBER = "a number of its device that is taken"


class TooOftenError(Exception):
    """A device that sends more batches in a second than any page of ours."""


@dataclass
class Batch:
    """Hold what a phone sends: its clock now, the last number it has seen, what is unsent, and its actions in order."""

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


class Decision(NamedTuple):
    """An action that is made on a page: its id, kind and body."""

    id: str
    kind: str
    body: dict[str, Any]


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
    stage: str
    replies: list[Reply] = field(default_factory=list)
    actions: list[StoredAction] = field(default_factory=list)


@transaction.atomic
def take_in(device_id: Any, batch: Batch, *, now_ms: int) -> Taken:
    """Store a batch of a device. Sent again, it changes nothing and is answered alike."""
    device = Device.objects.get(pk=device_id)
    night = Night.objects.select_for_update().get(pk=device.night_id)
    device.refresh_from_db()  # as it is since the night is locked
    _count(device, now_ms)
    taken = Taken(now_ms, night.head, night.stage)
    for raw in batch.actions[:MOST_OF_A_BATCH]:
        reply = _take(night, device, raw, batch, now_ms)
        taken.replies.append(reply)
        if reply.status == GAP:
            break
    _note_seen(device, batch)
    device.save()
    night.save(update_fields=["head"])
    taken.head = night.head
    if device.revoked_at is None:  # a device that was taken off reads nothing any more
        unseen = night.actions.filter(seq__gt=batch.seen).select_related("device")
        taken.actions = list(unseen.order_by("seq")[:MOST_RETURNED])
    return taken


def _count(device: Device, now_ms: int) -> None:
    """Count a batch. Raise TooOftenError for one too many in this second."""
    second = now_ms // 1000
    device.n_in_second = device.n_in_second + 1 if device.second == second else 1
    device.second = second
    if device.n_in_second > BATCHES_A_SECOND:
        raise TooOftenError


def _note_seen(device: Device, batch: Batch) -> None:
    """Note when a device was seen, and what it says it has not sent."""
    device.last_seen_at = timezone.now()
    if (batch.unsent, batch.unsent_kind) != (device.unsent, device.unsent_kind):
        device.unsent, device.unsent_kind = batch.unsent, batch.unsent_kind
        device.unsent_at = device.last_seen_at


@transaction.atomic
def decide(device: Device, decision: Decision, *, now_ms: int) -> Reply:
    """Put what an organizer decides on a page at the end of the log, also after publishing. Idempotent by its id."""
    night = Night.objects.select_for_update().get(pk=device.night_id)
    device.refresh_from_db()
    if known := night.actions.filter(name=decision.id).first():
        return Reply(decision.id, AGAIN, known.seq, known.at_ms)
    raw = {
        "id": decision.id,
        "device": str(device.token),
        "counter": device.last_counter + 1,
        "kind": decision.kind,
        "body": storable(decision.body),
        "at_ms": 0,
    }
    action = read_action(raw)
    if night.head >= MOST_OF_A_NIGHT:
        raise Refused(TOO_MANY)
    reply = _store(night, device, action, Clock(now_ms, 0, night.head), now_ms, now_ms)
    device.save(update_fields=["last_counter", "last_at_ms"])
    night.save(update_fields=["head"])
    return reply


def _take(night: Night, device: Device, raw: Any, batch: Batch, now_ms: int) -> Reply:
    """Take in one action, or say why not."""
    found = raw.get("id") if isinstance(raw, dict) else None
    name = found if isinstance(found, str) else ""
    stated = {"device": str(device.token), "at_ms": 0}  # the server says both
    try:
        action = read_action({**raw, **stated} if isinstance(raw, dict) else raw)
        _require_short(action.id)
        clock = _clock_of(raw, batch)
    except BadActionError as error:
        return _hold(night, device, raw, name, str(error), now_ms)
    content = sha256_of([action.id, action.counter, action.kind, action.body])
    known = night.actions.filter(name=action.id).first()
    if known is not None and (known.device_id, known.content_sha256) == (device.pk, content):
        return Reply(action.id, AGAIN, known.seq, known.at_ms)
    if why := _refusal(night, device, action, is_known=known is not None):
        return _hold(night, device, raw, action.id, why, now_ms)
    if action.counter > device.last_counter + 1:
        return Reply(action.id, GAP, why=f"send from {device.last_counter + 1}")
    return _store(night, device, action, clock, batch.sent_ms, now_ms)


def _require_short(name: str) -> None:
    if len(name) > LONGEST_ID:
        raise BadActionError(f"id is longer than {LONGEST_ID} letters")


def _store(night: Night, device: Device, action: Action, clock: Clock, sent_ms: int, now_ms: int) -> Reply:
    """Date an action and put it at the end of the log."""
    latest_seen = night.actions.filter(seq__lte=clock.seen).aggregate(at=Max("at_ms"))["at"]
    seen_ms = [device.last_at_ms, -1 if latest_seen is None else latest_seen]
    tap_ms, offset_ms = (clock.tap_ms, clock.offset_ms) if clock.offset_ms is not None else (now_ms, 0)
    at_ms = recorded_at(tap_ms, offset_ms, received_ms=now_ms, seen_ms=seen_ms)
    night.head += 1
    device.last_counter, device.last_at_ms = action.counter, at_ms
    StoredAction.objects.create(
        night=night,
        name=action.id,
        seq=night.head,
        device=device,
        counter=action.counter,
        kind=action.kind,
        body=dict(action.body),
        content_sha256=sha256_of([action.id, action.counter, action.kind, action.body]),
        tap_ms=clock.tap_ms,
        offset_ms=clock.offset_ms,
        seen=min(clock.seen, night.head - 1),
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
    reasons = (
        (is_known, OTHER_CONTENT),
        (device.revoked_at is not None, REVOKED),
        (not _may_record(device, action), NOT_THEIRS),
        (night.stage != Night.Stage.OPEN, PUBLISHED),
        (night.head >= MOST_OF_A_NIGHT, TOO_MANY),
        (action.counter <= device.last_counter, TAKEN_NUMBER),
    )
    return next((why for is_so, why in reasons if is_so), "")


def _may_record(device: Device, action: Action) -> bool:
    if action.kind == "void" and undoes_only_its_own(device.role) and not _is_own(device, action):
        return False
    return may_record(device.role, action.kind)


def _is_own(device: Device, void: Action) -> bool:
    return device.actions.filter(name=void.body["target"]).exists()


def _hold(night: Night, device: Device, raw: Any, name: str, why: str, now_ms: int) -> Reply:
    """Hold an action; its number is used up, so that those after it are no gap."""
    stored = raw if isinstance(raw, dict) else {"raw": raw}
    HeldAction.objects.get_or_create(
        night=night,
        device=device,
        content_sha256=sha256_of(raw),
        defaults={
            "raw": stored,
            "why": why[:LONGEST_REASON],
            "received_ms": now_ms,
        },
    )
    counter = raw.get("counter") if isinstance(raw, dict) else None
    if isinstance(counter, int) and not isinstance(counter, bool) and counter == device.last_counter + 1:
        device.last_counter = counter
    return Reply(name, HELD, why=why)


def sha256_of(value: Any) -> str:
    """Hash a JSON value as it is written canonically."""
    return hashlib.sha256(canonical(value).encode("utf-8", "surrogatepass")).hexdigest()


def storable(value: Any, depth: int = MOST_DEPTH) -> Any:
    """Replace what a database does not store in JSON: NUL, half characters, and numbers that are none."""
    if depth == 0:
        raise RecursionError
    if isinstance(value, str):
        return value.replace("\0", "�").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [storable(each, depth - 1) for each in value]
    if isinstance(value, dict):
        return {storable(key, depth): storable(each, depth - 1) for key, each in value.items()}
    return value
