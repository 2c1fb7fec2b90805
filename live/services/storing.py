"""Put an action at the end of the log of a night that is locked, dated and counted."""

import hashlib
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Max

from league.services.errors import Refused
from live.engine.actions import Action, canonical, read_action
from live.engine.order import is_unsure, recorded_at
from live.models import Action as StoredAction
from live.models import Device, Night

MOST_OF_A_NIGHT = 5_000
MOST_DEPTH = 20  # of lists and objects inside each other
IN, AGAIN, HELD, GAP = "in", "again", "held", "gap"
TOO_MANY = f"more than {MOST_OF_A_NIGHT} actions"


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
    """Say what became of an action. A phone takes it from its queue on `in`, `again` and `held` alone."""

    id: str
    status: str
    seq: int | None = None
    at_ms: int | None = None
    why: str = ""


def put(night: Night, device: Device, decision: Decision, *, now_ms: int) -> Reply:
    """Put a decision at the end of the log of a locked night. Idempotent by its id."""
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
    reply = store(night, device, action, Clock(now_ms, 0, night.head), now_ms, now_ms)
    device.save(update_fields=["last_counter", "last_at_ms"])
    night.save(update_fields=["head"])
    return reply


def store(night: Night, device: Device, action: Action, clock: Clock, sent_ms: int, now_ms: int) -> Reply:
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
