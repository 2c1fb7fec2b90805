from typing import Any

from django.dispatch import receiver

from league.celery import enqueue_on_commit
from league.signals import results_changed
from standings.tasks import recompute_pool


@receiver(results_changed)
def recompute_after_commit(pool_id: int, **_kwargs: Any) -> None:
    enqueue_on_commit(recompute_pool, pool_id)
