"""Nights for tests: with devices, and with a log that is written through the service that phones use."""

import uuid
from datetime import UTC, datetime

from live.models import Device, Role
from live.services.log import Batch, decide, take_in
from live.services.nights import begin_night
from live.services.passes import page_device
from live.services.storing import Decision
from tests.factories import SeasonFactory, UserFactory

START = datetime(2026, 3, 10, 19, 5, tzinfo=UTC)
START_MS = int(START.timestamp() * 1000)


class LiveNight:
    """A night of a season, and phones that record at given minutes after its start."""

    def __init__(self, season=None, **setup):
        self.season = season or SeasonFactory(starts_on="2026-01-01")
        self.actor = UserFactory()
        self.night = begin_night(
            self.season.club,
            starts_at=START,
            season=self.season,
            planned_event=None,
            name="",
            setup=setup,
            form_token=uuid.uuid4(),
            actor=self.actor,
        )
        self.phones = {}

    def phone(self, name="desk", role=Role.ORGANIZER):
        if name not in self.phones:
            self.phones[name] = Device.objects.create(
                night=self.night, key_sha256=uuid.uuid4().hex, name=name, role=role
            )
        return self.phones[name]

    def record(self, kind, /, *, minute=0, phone="desk", **body):
        """Record an action at a minute of the night; return its id."""
        device = self.phone(phone)
        device.refresh_from_db()
        at_ms = START_MS + int(minute * 60_000)
        raw = {
            "id": str(uuid.uuid4()),
            "counter": device.last_counter + 1,
            "kind": kind,
            "body": body,
            "tap_ms": at_ms,
            "offset_ms": 0,
        }
        self.night.refresh_from_db()
        now_ms = at_ms + 1_000 + 300 * device.last_counter  # no more than five batches a second
        (self.reply,) = take_in(device.pk, Batch(now_ms, 0, [raw]), now_ms=now_ms).replies
        return raw["id"]

    def record_by_page(self, kind, /, **body):
        """Record a decision of the organizer on a page."""
        decision = Decision(str(uuid.uuid4()), kind, body)
        decide(page_device(self.night, self.actor), decision, now_ms=START_MS + 7_200_000)
        return decision.id

    def enter(self, *names, minute=-5, **more):
        return [self.record("enter", minute=minute, name=name, **more) for name in names]

    def out(self, *groups, minute):
        groups = [[group] if isinstance(group, str) else group for group in groups]
        return self.record("out", minute=minute, groups=groups)

    def head(self):
        self.night.refresh_from_db()
        return self.night.head
