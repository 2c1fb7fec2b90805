"""Celery tasks. The rows record what is to be computed, so a lost message only delays it."""

from celery import shared_task

from forecasts import services
from standings.recomputation.costs import mark_done


@shared_task
def compute_pool(pool_id: int) -> None:
    services.compute_pool(pool_id)
    mark_done(pool_id)


@shared_task
def compute_fit(pool_id: int) -> None:
    services.compute_fit(pool_id)
    mark_done(pool_id)


@shared_task
def sweep() -> None:
    """Publish the pools whose ratings are newer than their forecasts, and the fits that were asked for."""
    for pool_id in services.claim_pools():
        compute_pool.delay(pool_id)
    for pool_id in services.claim_fits():
        compute_fit.delay(pool_id)
