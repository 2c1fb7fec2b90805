"""A newer Django hashes an unchanged password anew when its owner signs in: the keys stay."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import pre_save
from django.dispatch import receiver

from api.services import keep_keys
from people.accounts.passwords import is_hashed_anew, stored_password


@receiver(pre_save, sender=User)
def keep_keys_of_hashed_password(
    instance: User, update_fields: Collection[str] | None, **_kwargs: Any
) -> None:
    if is_hashed_anew(instance, update_fields):
        keep_keys(instance, old_password=stored_password(instance) or "")
