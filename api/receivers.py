"""Receive what the core tells this app: passwords hashed anew, after which keys stay, and what is to be forgotten."""

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db.models.signals import pre_save
from django.dispatch import receiver
from django.utils import timezone

from api.models import KEPT, SentWrite
from api.services import keep_keys
from league.hooks.signals import name_forgotten, purging
from league.models import Club
from people.accounts.passwords import is_hashed_anew, stored_password


@receiver(pre_save, sender=User)
def keep_keys_of_hashed_password(
    instance: User, update_fields: Collection[str] | None, **_kwargs: Any
) -> None:
    if is_hashed_anew(instance, update_fields):
        keep_keys(instance, old_password=stored_password(instance) or "")


@receiver(purging)
def forget_old_answers(**_kwargs: Any) -> None:
    SentWrite.objects.filter(at__lt=timezone.now() - KEPT).delete()


@receiver(name_forgotten)
def forget_answers_with_names(club: Club, **_kwargs: Any) -> None:
    """Delete the stored answers of members of a club, which may have a name that was forgotten for good."""
    SentWrite.objects.filter(user__in=club.memberships.values("user")).delete()
