"""Devices join a night by a secret that is nowhere stored, and are taken off again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.services.errors import Refused
from live.models import Device, HeldAction, Night, Pass
from live.services import passes
from live.services.log import HELD
from tests.factories import ClubFactory, UserFactory
from tests.live.test_log import raw, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return Night.objects.create(club=ClubFactory(), starts_at=timezone.now())


def made(night, **fields):
    return passes.make_pass(night, role=Pass.Role.HELPER, actor=UserFactory(), **fields)


def test_the_secret_becomes_a_key_and_neither_is_stored(night):
    found, secret = made(night)
    device, key = passes.join(secret, name="Till", now=timezone.now())
    assert (device.joined_by, device.night, device.name) == (found, night, "Till")
    assert passes.device_of(key) == device
    assert passes.device_of(secret) is None
    stored = [*Pass.objects.values_list("secret_sha256", flat=True), *Device.objects.values_list("key_sha256", flat=True)]
    assert not {secret, key} & {*stored}


def test_a_pass_that_ended_was_taken_back_or_is_full_lets_nobody_in(night):
    one, secret = made(night, max_devices=1)
    now = timezone.now()
    passes.join(secret, name="Till", now=now)
    with pytest.raises(Refused):
        passes.join(secret, name="Ines", now=now)
    _two, late = made(night)
    with pytest.raises(Refused):
        passes.join(late, name="Ines", now=now + passes.LONGEST + timedelta(seconds=1))
    passes.revoke_pass(one)
    for wrong in (secret, "", "nonsense", "\ud800"):
        with pytest.raises(Refused):
            passes.join(wrong, name="Ines", now=now)


def test_what_a_device_sends_after_it_was_taken_off_is_held(night):
    found, secret = made(night)
    device, _key = passes.join(secret, name="Till", now=timezone.now())
    send(device, raw(1))
    for _again in range(2):
        passes.revoke_pass(found)
        (reply,) = send(device, raw(2, name="late")).replies
        assert reply.status == HELD
    assert HeldAction.objects.count() == 1
    assert night.actions.count() == 1
