from typing import Any

from django.dispatch import receiver

from league.models import Event
from league.signals import result_saved
from payouts.services.settling import require_points


@receiver(result_saved)
def refuse_a_result_without_points(event: Event, **_kwargs: Any) -> None:
    require_points([event.pk])
