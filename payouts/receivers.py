from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver

from league.services.plans import PlannedResult
from league.signals import results_planned
from payouts.services.settling import plans_without_points


@receiver(results_planned)
def refuse_results_without_points(plans: Sequence[PlannedResult], **_kwargs: Any) -> dict[int, str]:
    return plans_without_points(plans)
