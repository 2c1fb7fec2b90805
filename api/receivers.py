"""A newer Django hashes an unchanged password anew when its owner signs in: the keys stay."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import pre_save
from django.dispatch import receiver

from api.services import keep_keys


@receiver(pre_save, sender=User)
def keep_keys_of_hashed_password(
    instance: User, update_fields: Collection[str] | None, **_kwargs: Any
) -> None:
    """`check_password` saves the new hash and nothing else, and forgets the password, unlike `set_password`."""
    if update_fields and set(update_fields) == {"password"} and getattr(instance, "_password", None) is None:
        old = User.objects.filter(pk=instance.pk).values_list("password", flat=True).first()
        keep_keys(instance, old_password=old or "")
