"""Let devices into a night: passes by link or code, keys of devices, and their end."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.models import Device, Night, Pass

SECRET_BYTES = 16  # 128 bits
LONGEST = timedelta(hours=24)  # after the start of a night
MOST_DEVICES = 200  # of a night


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@transaction.atomic
def make_pass(
    night: Night, *, role: Pass.Role, label: str = "", max_devices: int = 10, actor: User
) -> tuple[Pass, str]:
    """Make a pass; its secret is told once and only its hash is stored."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    made = Pass.objects.create(
        night=night,
        secret_sha256=hash_of(secret),
        role=role,
        label=label,
        max_devices=max_devices,
        expires_at=night.starts_at + LONGEST,
        created_by=actor,
    )
    return made, secret


@transaction.atomic
def join(secret: str, *, name: str, now: datetime) -> tuple[Device, str]:
    """Swap the secret of a pass for the key of a new device, which is told once.

    Raise Refused for a pass that has ended, was taken back or is full: all are answered alike.
    """
    found = Pass.objects.select_related("night").filter(secret_sha256=hash_of(secret)).first()
    if found is None or found.revoked_at or found.expires_at <= now:
        raise Refused(_("This code is not valid any more. Ask for a new one."))
    Night.objects.select_for_update().get(pk=found.night_id)
    if found.devices.count() >= found.max_devices or found.night.devices.count() >= MOST_DEVICES:
        raise Refused(_("This code has been used by as many devices as it is for. Ask for a new one."))
    return _add(found.night, name=name, joined_by=found)


@transaction.atomic
def join_as(night: Night, user: User, *, name: str) -> tuple[Device, str]:
    """Give an account that may run the night a device of its own."""
    Night.objects.select_for_update().get(pk=night.pk)
    if night.devices.count() >= MOST_DEVICES:
        raise Refused(_("This night has as many devices as it can have."))
    return _add(night, name=name, user=user)


def _add(night: Night, **fields: object) -> tuple[Device, str]:
    key = secrets.token_urlsafe(SECRET_BYTES)
    return Device.objects.create(night=night, key_sha256=hash_of(key), **fields), key


def device_of(key: str) -> Device | None:
    """Find the device with a key, revoked ones included: what they still send is held."""
    return Device.objects.select_related("night", "joined_by").filter(key_sha256=hash_of(key)).first()


def revoke_device(device: Device) -> None:
    """Take a device off the night. Idempotent; what it had not sent is held when it comes."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def revoke_pass(found: Pass) -> None:
    """Take a pass back, with all its devices. Idempotent."""
    now = timezone.now()
    Pass.objects.filter(pk=found.pk, revoked_at=None).update(revoked_at=now)
    Device.objects.filter(joined_by=found, revoked_at=None).update(revoked_at=now)
