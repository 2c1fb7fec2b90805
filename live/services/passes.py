"""Let devices into a night: passes by link or code, keys of devices, and their end."""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league.models import Player, Pool
from league.models import Role as ClubRole
from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.models import Device, Night, Pass, Role

SECRET_BYTES = 16  # 128 bits
LONGEST = timedelta(hours=24)  # after the start of a night, or after now if that is later
AFTER_THE_FINISH = timedelta(hours=12)
MOST_DEVICES = 200  # of a night
MOST_PLAYERS = 150  # phones of players: some are left for helpers and screens


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def secret_of(found: Pass) -> str:
    """Derive the secret of a pass from the key of the site, so that an organizer can show it again.

    Without that key, nobody finds it: the database has its hash alone. Once the key is another one, the secret does
    not fit the hash any more, and a new pass is needed.
    """
    digest = salted_hmac("live.pass", str(found.pk), algorithm="sha256").digest()
    return base64.urlsafe_b64encode(digest[:SECRET_BYTES]).decode().rstrip("=")


@transaction.atomic
def make_pass(night: Night, *, role: Role, max_devices: int = 10, actor: User) -> Pass:
    """Make a pass; it ends the earlier ones of its role, whose devices stay."""
    Night.objects.select_for_update().get(pk=night.pk)
    now = timezone.now()
    night.passes.filter(role=role, revoked_at=None).update(revoked_at=now)
    made = Pass(night=night, role=role, max_devices=max_devices, created_by=actor)
    made.secret_sha256 = hash_of(secret_of(made))
    made.expires_at = max(night.starts_at, now) + LONGEST
    made.save(force_insert=True)
    return made


def open_pass(night: Night, role: Role) -> Pass | None:
    """Find the pass that still lets devices of a role in."""
    now = timezone.now()
    return night.passes.filter(role=role, revoked_at=None, expires_at__gt=now).order_by("-created_at").first()


def end_passes(night: Night) -> None:
    """Let the passes of a night that is over end half a day later, at latest when they would have ended anyway."""
    end = timezone.now() + AFTER_THE_FINISH
    night.passes.filter(expires_at__gt=end).update(expires_at=end)


def pass_of(secret: str, now: datetime) -> Pass:
    """Find the pass with a secret. Raise Refused for one that has ended or never was: both are answered alike."""
    found = Pass.objects.select_related("night__club").filter(secret_sha256=hash_of(secret)).first()
    if found is None or found.revoked_at or found.expires_at <= now or found.night.club.deleted_at:
        raise Refused(_("This code is not valid any more. Ask for a new one."))
    return found


@transaction.atomic
def join(
    secret: str, *, name: str, replaces: str = "", player: Player | None = None, now: datetime
) -> tuple[Device, str]:
    """Swap the secret of a pass for the key of a new device, which is told once.

    `player` is whom the account of a player's phone has claimed.

    `replaces` is the token of a device that has lost what it kept, and that this one takes over from. Raise Refused
    if the pass has ended or is full.
    """
    found = pass_of(secret, now)
    night = Night.objects.select_for_update().get(pk=found.night_id)
    before = _replaced(found, replaces)
    n = found.devices.filter(revoked_at=None).count()
    if n - (before is not None) >= found.max_devices:
        raise Refused(_("This code has been used by as many devices as it is for. Ask for a new one."))
    require_room(night)
    if before:
        Device.objects.filter(pk=before.pk).update(revoked_at=now)
    claimed = None if player is None else player.pk
    return add_device(night, name=name, role=found.role, joined_by=found, replaces=before, claimed_id=claimed)


def _replaced(found: Pass, token: str) -> Device | None:
    devices = found.devices.filter(revoked_at=None)
    return next((each for each in devices if str(each.token) == token), None)


@transaction.atomic
def join_as(night: Night, user: User, *, name: str) -> tuple[Device, str]:
    """Give an account that may enter results a device of its own."""
    Night.objects.select_for_update().get(pk=night.pk)
    require_room(night)
    return add_device(night, name=name, role=Role.ORGANIZER, user=user)


def require_room(night: Night) -> None:
    """Raise Refused if a night has as many devices as it can have."""
    if night.devices.count() >= MOST_DEVICES:
        raise Refused(_("This night has as many devices as it can have."))


def page_device(night: Night, user: User) -> Device:
    """Find or make the device in whose name an account decides on pages; nobody has a key of it."""
    found = night.devices.filter(user=user, key_sha256=None).first()
    return found or Device.objects.create(
        night=night, user=user, role=Role.ORGANIZER, name=user.get_username()
    )


def add_device(night: Night, **fields: object) -> tuple[Device, str]:
    key = secrets.token_urlsafe(SECRET_BYTES)
    return Device.objects.create(night=night, key_sha256=hash_of(key), **fields), key


_VERSIONS = Pool.objects.filter(club=OuterRef("night__club")).order_by("-data_version")
WITH_NIGHT = Device.objects.select_related("night").annotate(
    club_deleted_at=F("night__club__deleted_at"),
    club_closed_at=F("night__club__closed_at"),
    club_version=Subquery(_VERSIONS.values("data_version")[:1]),
)


def device_of(key: str) -> Device | None:
    """Find the device with a key, revoked ones included: what they still send is held.

    The device of an account that may not enter results any more counts as revoked, and so does every device of a club
    that was closed or deleted; nothing is written here.
    It takes one query, and one more for a device of an account.
    """
    try:
        # The columns of a club would double the time that a poll takes.
        found = WITH_NIGHT.get(key_sha256=hash_of(key))
    except Device.DoesNotExist:
        return None
    is_shut = found.club_deleted_at is not None or found.club_closed_at is not None
    if is_shut or (found.user_id is not None and not _may_enter(found.user_id, found.night.club_id)):
        found.revoked_at = found.revoked_at or timezone.now()
    return found


def _may_enter(user_id: int, club_id: int) -> bool:
    """Tell whether an account may still enter results in a club."""
    is_member = Q(memberships__club=club_id, memberships__role__gte=ClubRole.HELPER)
    return User.objects.filter(is_member | Q(is_superuser=True), pk=user_id, is_active=True).exists()


def revoke_device(device: Device) -> None:
    """Take a device off the night. Idempotent; what it had not sent is held when it comes."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def revoke_pass(found: Pass) -> None:
    """Take a pass back, with all its devices. Idempotent."""
    now = timezone.now()
    Pass.objects.filter(pk=found.pk, revoked_at=None).update(revoked_at=now)
    Device.objects.filter(joined_by=found, revoked_at=None).update(revoked_at=now)
