"""Receive what the core tells this app."""

from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from league.hooks.signals import answer_given, purging
from league.models import Rsvp
from webhooks.models import KEPT
from webhooks.services.sending import forget_old
from webhooks.services.telling import tell_answer


@receiver(answer_given)
def tell_who_comes(rsvp: Rsvp, **_kwargs: Any) -> None:
    tell_answer(rsvp)


@receiver(purging)
def forget_old_messages(**_kwargs: Any) -> None:
    forget_old(timezone.now() - KEPT)
