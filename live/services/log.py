"""Take in what phones have recorded: each action once, in one transaction with its reply."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from live.engine.actions import Action, BadActionError, read_action
from live.models import LONGEST_ID, LONGEST_REASON, Device, HeldAction, Night, Role
from live.models import Action as StoredAction
from live.roles import READS_THE_LOG, may_record, undoes_only_its_own
from live.services.envelopes import open_envelopes
from live.services.own_entries import check_in_at_once, entry_of
from live.services.seating import seat_those_who_wait
from live.services.storing import (
    AGAIN,
    GAP,
    HELD,
    IN,
    MOST_OF_A_NIGHT,
    TOO_MANY,
    Clock,
    Decision,
    Reply,
    put,
    sha256_of,
    store,
)
from live.stored_log import state_of

MOST_OF_A_BATCH, MOST_RETURNED = 100, 500
BATCHES_A_SECOND = 5
MOST_OF_A_PLAYER = 20  # actions of a player's phone, so that strangers do not fill a night
# Why an action is held, in the words that are stored; pages translate them (live.sentences).
OTHER_CONTENT = "other content under a known id"
REVOKED = "the device was taken off"
NOT_THEIRS = "not for a device of this role"
PUBLISHED = "the night is published"
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
    stored = {reply.id for reply in taken.replies if reply.status == IN}
    kinds = [raw["kind"] for raw in batch.actions if isinstance(raw, dict) and raw.get("id") in stored]
    if "ask_in" in kinds and check_in_at_once(night, device, now_ms=now_ms):
        kinds.append("enter")
    _record_by_site(night, kinds, now_ms)
    taken.head = night.head
    if device.revoked_at is None and device.role in READS_THE_LOG:
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
    reply = put(night, device, decision, now_ms=now_ms)
    if reply.status == IN:
        _record_by_site(night, [decision.kind], now_ms)
    return reply


def _record_by_site(night: Night, kinds: Sequence[str], now_ms: int) -> None:
    """Draw what follows from actions of these kinds: seats, and envelopes."""
    seat_those_who_wait(night, kinds, now_ms=now_ms)
    open_envelopes(night, kinds, now_ms=now_ms)


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
    return store(night, device, action, clock, batch.sent_ms, now_ms)


def _require_short(name: str) -> None:
    if len(name) > LONGEST_ID:
        raise BadActionError(f"id is longer than {LONGEST_ID} letters")


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
        (not _may_record(night, device, action), NOT_THEIRS),
        (night.stage != Night.Stage.OPEN, PUBLISHED),
        (night.head >= MOST_OF_A_NIGHT, TOO_MANY),
        (device.role == Role.PLAYER and device.last_counter >= MOST_OF_A_PLAYER, TOO_MANY),
        (action.counter <= device.last_counter, TAKEN_NUMBER),
    )
    return next((why for is_so, why in reasons if is_so), "")


def _may_record(night: Night, device: Device, action: Action) -> bool:
    if device.role == Role.PLAYER and not _is_about_itself(night, device, action):
        return False
    if action.kind == "void" and undoes_only_its_own(device.role) and not _is_own(device, action):
        return False
    return may_record(device.role, action.kind)


def _is_about_itself(night: Night, device: Device, action: Action) -> bool:
    """Tell whether a player's phone asks in as the player of its account, or records something of its own entry.

    It says to be out only where the club lets players say so.
    """
    if action.kind == "ask_in":
        return action.body.get("player") in {None, device.claimed_id}
    if action.kind == "ask_out" and not state_of(night).setup.get("self_out"):
        return False
    return entry_of(night, device) == action.body.get("entry")


def _is_own(device: Device, void: Action) -> bool:
    return device.actions.filter(name=void.body["target"]).exists()


def _hold(night: Night, device: Device, raw: Any, name: str, why: str, now_ms: int) -> Reply:
    """Hold an action; its number is used up, so that those after it are no gap.

    Of a player's phone no more are kept than it may record, since anybody may join with one.
    """
    stored = raw if isinstance(raw, dict) else {"raw": raw}
    if device.role != Role.PLAYER or device.held.count() < MOST_OF_A_PLAYER:
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
