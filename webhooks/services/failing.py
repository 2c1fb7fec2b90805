"""Hooks that fail: switched off once they have failed for long, and the owners of their club are told."""

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import AccessChange, Role
from people.services.mails import in_language_of, mail
from webhooks.models import Hook
from webhooks.services.recording import record_hook

TOO_LONG, FORGOTTEN = timedelta(days=5), timedelta(days=2)


def note_success(hook: Hook) -> None:
    """Note that a hook takes messages."""
    failing = Hook.objects.filter(pk=hook.pk).exclude(failing_since=None, rests_until=None)
    failing.update(failing_since=None, rests_until=None)


def note_failure(
    hook: Hook, now: datetime, *, rests_for: timedelta = timedelta(0), is_gone: bool = False
) -> None:
    """Note that a hook has failed; switch it off if it has for long, or if it says that it is gone.

    After days without any try the failures begin anew.
    """
    own = Hook.objects.filter(pk=hook.pk)
    is_new = Q(failing_since=None) | Q(failed_at=None) | Q(failed_at__lt=now - FORGOTTEN)
    own.filter(is_new).update(failing_since=now)
    own.update(failed_at=now, rests_until=now + rests_for)
    failing = own.filter(is_on=True)
    if not is_gone:
        failing = failing.filter(failing_since__lt=now - TOO_LONG)
    if failing.update(is_on=False):
        hook.refresh_from_db(fields=["is_on"])
        record_hook(hook, AccessChange.Kind.HOOK_CHANGED, None)
        _tell_owners(hook)


def _tell_owners(hook: Hook) -> None:
    """Mail the owners of the club that a hook is off."""
    club = hook.club
    with in_language_of(club):
        subject = _("%(club)s: the webhook “%(hook)s” is off") % {"club": club, "hook": hook.name}
        text = _(
            "It takes no messages any more, so nothing is sent to it. Mend its address on the page of webhooks and"
            " switch it on again; what waits is sent then."
        )
        for owner in club.memberships.filter(role=Role.OWNER).select_related("user"):
            if owner.user.email:
                mail(club, owner.user.email, subject, text)
