"""A night of the demo club, run live by three simulated phones: the last evening of its season again, in minutes."""

import time
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.utils import timezone

from league.models import Club, Entry, Event
from live.models import Device, Night, Role
from live.services.log import Batch, take_in
from live.services.nights import begin_night, now_ms

NAME = "Live"
PHONES = ("Marta", "Till", "Finn")
SECONDS_PER_HOUR = 60  # an hour of the evening takes a minute
LEAST_SECONDS = 0.3  # a phone sends no more than five batches a second
PRICE, STACK = 20, 6_500


class Tap(NamedTuple):
    """What a phone records, and when after the start of the evening."""

    after: timedelta
    phone: str
    kind: str
    body: dict[str, Any]
    id: str


def play(club: Club, organizer: User, *, wait: Callable[[float], None] = time.sleep) -> Night:
    """Begin a night and play the club's last evening in it; return when it is over."""
    night = begin(club, organizer)
    clock = timedelta(0)
    phones = {name: _phone(night, name) for name in PHONES}
    for tap in taps_of(_last_evening(club)):
        wait(max(LEAST_SECONDS, (tap.after - clock).total_seconds() * SECONDS_PER_HOUR / 3600))
        clock = tap.after
        _record(phones[tap.phone], tap)
    return night


def begin(club: Club, organizer: User) -> Night:
    """Begin a friendly night, or find the one that runs already."""
    running = Night.objects.filter(club=club, name=NAME, stage=Night.Stage.OPEN).first()
    return running or begin_night(
        club,
        starts_at=timezone.now(),
        season=None,
        planned_event=None,
        name=NAME,
        setup={"stack": STACK, "cost": PRICE},
        form_token=uuid.uuid4(),
        actor=organizer,
    )


def _last_evening(club: Club) -> Event:
    return Event.objects.filter(season__club=club).order_by("-starts_at")[0]


def taps_of(event: Event) -> list[Tap]:
    """Turn a result into the taps by which it could have come about, in their order."""
    entries = list(event.entries.select_related("player").order_by("-place"))
    ids = {entry.pk: str(uuid.uuid4()) for entry in entries}
    ends = {entry.pk: _end(event, entry, i) for i, entry in enumerate(entries)}
    taps = [*_entering(event, entries, ids, ends), *_going_out(entries, ids, ends)]
    return sorted(taps, key=lambda tap: tap.after)


def _end(event: Event, entry: Entry, i: int) -> timedelta:
    """Find when an entry went out, counted from the start; without a time, one after the other."""
    return entry.busted_at - event.starts_at if entry.busted_at else timedelta(minutes=30 + 12 * i)


def _entering(
    event: Event, entries: list[Entry], ids: dict[int, str], ends: dict[int, timedelta]
) -> Iterator[Tap]:
    """Enter everybody in the first minutes or when they came, and a re-entry after the entry before it was out."""
    by_number = {(entry.player_id, entry.number): entry for entry in entries}
    for i, entry in enumerate(entries):
        came = entry.registered_at - event.starts_at if entry.registered_at else timedelta(seconds=10 * i)
        if before := by_number.get((entry.player_id, entry.number - 1)):
            came = max(came, ends[before.pk] + timedelta(minutes=1))
        body = {"name": entry.player.name, "player": entry.player_id, "number": entry.number}
        body |= {"cost": PRICE, "paid": PRICE, "stack": STACK}
        yield Tap(came, PHONES[0], "enter", body, ids[entry.pk])


def _going_out(entries: list[Entry], ids: dict[int, str], ends: dict[int, timedelta]) -> Iterator[Tap]:
    for i, entry in enumerate(entries[:-1]):
        groups = {"groups": [[ids[entry.pk]]]}
        yield Tap(ends[entry.pk], PHONES[1 + i % 2], "out", groups, str(uuid.uuid4()))


def _phone(night: Night, name: str) -> Device:
    role = Role.ORGANIZER if name == PHONES[0] else Role.HELPER
    return night.devices.filter(name=name).first() or Device.objects.create(night=night, name=name, role=role)


def _record(phone: Device, tap: Tap) -> None:
    phone.refresh_from_db()
    now = now_ms()
    raw = {
        "id": tap.id,
        "counter": phone.last_counter + 1,
        "kind": tap.kind,
        "body": tap.body,
        "tap_ms": now,
        "offset_ms": 0,
    }
    take_in(phone.pk, Batch(now, phone.night.head, [raw]), now_ms=now)
