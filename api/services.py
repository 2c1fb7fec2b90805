"""Making and revoking API keys, which the histories of the user's clubs list."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from api.models import ApiKey, Lifetime, mark_of_password
from league.models import AccessChange
from league.services.errors import Refused
from people.services.access_changes import record_in_clubs_of

MAX_KEYS = 20


@transaction.atomic
def make_key(
    user: User,
    *,
    label: str,
    scope: ApiKey.Scope = ApiKey.Scope.WRITE,
    lifetime: Lifetime = Lifetime.FOREVER,
) -> str:
    """Make a key and return its text, which is not stored."""
    user = User.objects.select_for_update().get(pk=user.pk)
    keys = ApiKey.objects.filter(user=user)
    if keys.filter(label=label).exists():
        raise Refused(_("You already have a key with the label “%(label)s”.") % {"label": label})
    if keys.count() >= MAX_KEYS:
        raise Refused(_("You have %(n)d keys: revoke one first.") % {"n": MAX_KEYS})
    key, clear = ApiKey.objects.create(
        user, lifetime.duration, label=label, scope=scope, password_mark=mark_of_password(user)
    )
    record_in_clubs_of(user, kind=AccessChange.Kind.KEY_MADE, actor=user, after=_summary(key))
    return str(clear)


@transaction.atomic
def revoke_key(user: User, *, token_key: str) -> None:
    """Revoke a key; do nothing if it is gone already."""
    for key in ApiKey.objects.select_for_update().filter(user=user, token_key=token_key):
        before = _summary(key)
        key.delete()
        record_in_clubs_of(user, kind=AccessChange.Kind.KEY_REVOKED, actor=user, before=before)


def keep_keys(user: User, *, old_password: str) -> None:
    """Keep API keys valid when Django rehashes an unchanged password."""
    mark = mark_of_password(User(password=old_password))
    ApiKey.objects.filter(user=user, password_mark=mark).update(password_mark=mark_of_password(user))


def _summary(key: ApiKey) -> dict[str, Any]:
    ends_on = f"{key.expiry:%Y-%m-%d}" if key.expiry else None
    return {"label": key.label, "scope": str(key.scope), "ends_on": ends_on}
