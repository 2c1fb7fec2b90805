from collections.abc import Sequence
from typing import Any

from django.dispatch import receiver

from league.hooks.signals import results_planned
from league.services.plans import PlannedResult
from ratings.services.balances import plans_without_balances


@receiver(results_planned)
def refuse_results_that_cannot_be_rated(plans: Sequence[PlannedResult], **_kwargs: Any) -> dict[int, str]:
    return plans_without_balances(plans)
