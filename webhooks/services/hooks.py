"""Make, change, switch and delete hooks, and decide about single deliveries."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import AccessChange, Club
from league.services.errors import Refused, Stale
from people.services.members import lock_club
from webhooks.models import MOST_HOOKS, OPEN, Delivery, Hook, State, Target
from webhooks.services.recording import record_hook
from webhooks.services.telling import begin_telling


class HookFields(NamedTuple):
    """What an owner chooses about a hook."""

    target: Target
    name: str
    url: str
    kinds: Sequence[str]
    chat: str = ""
    asks_first: bool = False


@transaction.atomic
def make_hook(club: Club, *, fields: HookFields, actor: User) -> Hook:
    """Make a hook, which is told what happens from now on. Sending the same form twice makes one."""
    lock_club(club)
    same = Hook.objects.filter(club=club, name=fields.name).first()
    if same and all(getattr(same, name) == value for name, value in _stored(fields).items()):
        return same
    if same:
        raise Refused(_("The club has a webhook “%(name)s”.") % {"name": fields.name})
    if Hook.objects.filter(club=club).count() >= MOST_HOOKS:
        raise Refused(_("A club has at most %(most)d webhooks.") % {"most": MOST_HOOKS})
    if not Hook.objects.filter(club=club, is_on=True).exists():
        begin_telling(club)
    hook = Hook.objects.create(club=club, made_by=actor, **_stored(fields))
    record_hook(hook, AccessChange.Kind.HOOK_MADE, actor)
    return hook


@transaction.atomic
def change_hook(hook: Hook, *, fields: HookFields, version: int, actor: User) -> Hook:
    """Change a hook. Raise Stale if somebody else has changed it since."""
    current = _locked(hook)
    if all(getattr(current, name) == value for name, value in _stored(fields).items()):
        return current
    if current.version != version:
        raise Stale(_("Somebody else has changed this webhook since you opened it."))
    if Hook.objects.filter(club=hook.club_id, name=fields.name).exclude(pk=hook.pk).exists():
        raise Refused(_("The club has a webhook “%(name)s”.") % {"name": fields.name})
    # What was the matter with the address before says nothing of another one.
    fresh = {"failing_since": None, "rests_until": None} if fields.url != current.url else {}
    Hook.objects.filter(pk=hook.pk).update(version=version + 1, **_stored(fields), **fresh)
    current.refresh_from_db()
    record_hook(current, AccessChange.Kind.HOOK_CHANGED, actor)
    return current


@transaction.atomic
def switch_hook(hook: Hook, *, is_on: bool, actor: User) -> None:
    """Switch a hook on or off. What has waited for it is sent once it is on again. Idempotent."""
    current = _locked(hook)
    if current.is_on == is_on:
        return
    if is_on and not Hook.objects.filter(club=hook.club_id, is_on=True).exists():
        begin_telling(current.club)
    fresh = {"failing_since": None, "rests_until": None, "version": F("version") + 1}
    Hook.objects.filter(pk=hook.pk).update(is_on=is_on, on_since=timezone.now(), **fresh)
    current.refresh_from_db()
    record_hook(current, AccessChange.Kind.HOOK_CHANGED, actor)


@transaction.atomic
def delete_hook(hook: Hook, *, actor: User) -> None:
    """Delete a hook with the log of its deliveries. Idempotent."""
    lock_club(hook.club)
    if stored := Hook.objects.filter(pk=hook.pk).first():
        record_hook(stored, AccessChange.Kind.HOOK_REMOVED, actor)
        stored.delete()


def send_again(delivery: Delivery) -> None:
    """Let a delivery that was sent, given up or left out be sent once more, with the same id."""
    settled = Delivery.objects.filter(pk=delivery.pk).exclude(state__in=OPEN)
    settled.update(state=State.WAITING, due_at=timezone.now(), n_tries=0, claimed_at=None)


def release(delivery: Delivery) -> None:
    """Let a message be sent that was to be looked at first. Idempotent."""
    asked = Delivery.objects.filter(pk=delivery.pk, state=State.ASKED)
    asked.update(state=State.WAITING, due_at=timezone.now())


def leave_out(delivery: Delivery) -> None:
    """Decide that a message is not sent. Idempotent."""
    Delivery.objects.filter(pk=delivery.pk, state__in=OPEN).update(state=State.LEFT_OUT)


# By what a form or a program sends.
DECISIONS = {"send": release, "again": send_again, "leave": leave_out}


def _locked(hook: Hook) -> Hook:
    lock_club(hook.club)
    current = Hook.objects.select_related("club").filter(pk=hook.pk).first()
    if current is None:
        raise Stale(_("This webhook was deleted while you had it open."))
    return current


def _stored(fields: HookFields) -> dict[str, object]:
    return fields._asdict() | {"target": str(fields.target), "kinds": list(fields.kinds)}
