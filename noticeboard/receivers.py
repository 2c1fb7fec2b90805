"""What the core asks of this app."""

from typing import Any

from django.dispatch import receiver

from league.access import ClubRequest
from league.hooks.signals import waiting_counted
from noticeboard.tray import keys_of


@receiver(waiting_counted)
def count_waiting(request: ClubRequest, **_kwargs: Any) -> int:
    return len(keys_of(request.club, request.user, request.role))
