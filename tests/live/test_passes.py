"""Devices join a night by a secret that is nowhere stored, and are taken off again."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Membership
from league.models import Role as ClubRole
from league.services.errors import Refused
from live.models import Device, HeldAction, Night, Pass, Role
from live.services import passes
from live.services.storing import HELD
from tests.factories import ClubFactory, UserFactory
from tests.live.test_log import raw, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return Night.objects.create(club=ClubFactory(), starts_at=timezone.now())


def made(night, **fields):
    """Make a pass of helpers; return it and its secret."""
    found = passes.make_pass(night, role=Role.HELPER, actor=UserFactory(), **fields)
    return found, passes.secret_of(found)


def test_the_secret_becomes_a_key_and_neither_is_stored(night):
    found, secret = made(night)
    device, key = passes.join(secret, name="Till", now=timezone.now())
    assert (device.joined_by, device.night, device.name, device.role) == (found, night, "Till", Role.HELPER)
    assert passes.device_of(key) == device
    assert passes.device_of(secret) is None
    stored = [
        *Pass.objects.values_list("secret_sha256", flat=True),
        *Device.objects.values_list("key_sha256", flat=True),
    ]
    assert not {secret, key} & {*stored}
    assert len(secret) == len(key) == 22  # 128 bits


def test_a_pass_that_ended_was_taken_back_or_is_full_lets_nobody_in(night):
    one, secret = made(night, max_devices=1)
    now = timezone.now()
    passes.join(secret, name="Till", now=now)
    with pytest.raises(Refused):
        passes.join(secret, name="Ines", now=now)
    two, late = made(night)
    with pytest.raises(Refused):
        passes.join(late, name="Ines", now=now + passes.LONGEST + timedelta(minutes=1))
    passes.revoke_pass(two)
    for wrong in (secret, late, "", "nonsense", "\ud800"):
        with pytest.raises(Refused):
            passes.join(wrong, name="Ines", now=now)
    assert one.devices.count() == 1


def test_a_new_link_stops_the_old_one_and_phones_that_have_joined_stay(night):
    _one, secret = made(night)
    device, key = passes.join(secret, name="Till", now=timezone.now())
    made(night)
    with pytest.raises(Refused):
        passes.join(secret, name="Ines", now=timezone.now())
    assert passes.device_of(key).revoked_at is None
    assert send(device, raw(1)).replies[0].status == "in"


def test_a_phone_that_has_lost_what_it_kept_takes_over_from_itself(night):
    _found, secret = made(night, max_devices=1)
    device, _key = passes.join(secret, name="Till", now=timezone.now())
    again, _other = passes.join(secret, name="Till", replaces=str(device.token), now=timezone.now())
    device.refresh_from_db()
    assert (again.replaces, device.revoked_at is None) == (device, False)
    with pytest.raises(Refused):
        passes.join(secret, name="Ines", replaces=str(device.token), now=timezone.now())


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


def test_an_account_that_may_not_enter_results_any_more_counts_as_taken_off(night, django_assert_num_queries):
    user = UserFactory()
    member = Membership.objects.create(club=night.club, user=user, role=ClubRole.HELPER)
    _device, key = passes.join_as(night, user, name="Marta")
    with django_assert_num_queries(2):
        assert passes.device_of(key).revoked_at is None
    member.role = ClubRole.MEMBER
    member.save()
    assert passes.device_of(key).revoked_at is not None
    assert Device.objects.get(key_sha256=passes.hash_of(key)).revoked_at is None  # a poll writes nothing


def test_passes_end_half_a_day_after_the_finish(night):
    found, secret = made(night)
    passes.end_passes(night)
    found.refresh_from_db()
    now = timezone.now()
    passes.join(secret, name="Till", now=now)
    with pytest.raises(Refused):
        passes.join(secret, name="Ines", now=now + passes.AFTER_THE_FINISH + timedelta(minutes=1))
