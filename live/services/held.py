"""Decide about taps that are held: put them into the log, or leave them out; and read those that came as text."""

import json
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.engine.actions import BadActionError, is_count, is_text, read_action
from live.models import HeldAction, Night
from live.services.log import BROUGHT_AS_TEXT, decide
from live.services.nights import now_ms
from live.services.passes import page_device
from live.services.storing import Decision, sha256_of, storable
from live.stored_log import standing_actions

MOST_LINES = 1_000
LEFT_OUT = "leave"


def waiting(night: Night) -> list[HeldAction]:
    """List the held actions about which nothing stands in the log, the first tapped first."""
    decided = {
        action.body.get("held") if action.kind == "admit" else action.body["question"].removeprefix("held:")
        for action in standing_actions(night)
        if action.kind == "admit" or (action.kind == "settle" and action.body["choice"] == LEFT_OUT)
    }
    rows = [row for row in night.held.select_related("device") if row.content_sha256 not in decided]
    return sorted(rows, key=lambda row: (row.tapped_ms, row.pk))


def admit(row: HeldAction, *, actor: User) -> None:
    """Put a held action into the log at the time of its tap. Raise Refused if its form is none that a log has."""
    name, device = row.name or str(row.pk), str(row.device.token)
    carried = {"kind": row.kind, "body": row.body, "at_ms": row.tapped_ms, "device": device}
    with _refusing():
        read_action({"id": name, "counter": 1, **carried})
    _record(row, "admit", {"action": name, "held": row.content_sha256, **carried}, actor)


def leave_out(row: HeldAction, *, actor: User) -> None:
    """Decide that a held action is none; it stays stored."""
    _record(row, "settle", {"question": f"held:{row.content_sha256}", "choice": LEFT_OUT}, actor)


def _record(row: HeldAction, kind: str, body: dict[str, Any], actor: User) -> None:
    """Record a decision about a row; one that stands already is not made twice."""
    night = row.night
    if row.pk not in {each.pk for each in waiting(night)}:
        return
    with _refusing():
        decide(page_device(night, actor), Decision(str(uuid.uuid4()), kind, body), now_ms=now_ms())


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise Refused with the reason where the log cannot take an action."""
    try:
        yield
    except BadActionError as error:
        raise Refused(
            _("This cannot be put into the log: %(reason)s. It stays here.") % {"reason": error}
        ) from error


@transaction.atomic
def bring_in(night: Night, text: str, *, actor: User) -> int:
    """Hold the taps that a phone showed as text; return how many were new. What is known already is left out.

    Raise Refused if no line is one of a phone.
    """
    Night.objects.select_for_update().get(pk=night.pk)
    raws = list(_read(text.splitlines()[:MOST_LINES]))
    if not raws:
        raise Refused(_("There is no tap in this text. Copy the whole text from the phone."))
    known = {*night.actions.values_list("name", flat=True), *(row.name for row in night.held.all())}
    devices = {str(device.token): device for device in night.devices.all()}
    new = [raw for raw in raws if raw["id"] not in known]
    for raw in new:
        HeldAction.objects.get_or_create(
            night=night,
            device=devices.get(str(raw.get("device"))) or page_device(night, actor),
            content_sha256=sha256_of(raw),
            defaults={"raw": raw, "why": BROUGHT_AS_TEXT, "received_ms": now_ms()},
        )
    return len(new)


def _read(lines: Iterable[str]) -> Iterable[dict[str, Any]]:
    """Read the JSON at the end of each line of a phone; other lines are its heading."""
    for line in lines:
        start = line.find("{")
        try:
            raw = storable(json.loads(line[start:])) if start >= 0 else None
        except (ValueError, RecursionError):
            continue
        if isinstance(raw, dict) and is_text(raw.get("id")) and is_count(raw.get("tap_ms")):
            yield raw
