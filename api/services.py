"""Making and revoking API keys."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from api.models import ApiKey
from league.services.errors import Refused

MAX_KEYS = 20


@transaction.atomic
def make_key(user: User, *, label: str) -> str:
    """Make a key and return its text, which is not stored."""
    keys = ApiKey.objects.filter(user=User.objects.select_for_update().get(pk=user.pk))
    if keys.filter(label=label).exists():
        raise Refused(_("You already have a key with the label “%(label)s”.") % {"label": label})
    if keys.count() >= MAX_KEYS:
        raise Refused(_("You have %(n)d keys: revoke one first.") % {"n": MAX_KEYS})
    _key, clear = ApiKey.objects.create(user, label=label)
    return str(clear)


def revoke_key(user: User, *, token_key: str) -> None:
    """Revoke a key; do nothing if it is gone already."""
    ApiKey.objects.filter(user=user, token_key=token_key).delete()
