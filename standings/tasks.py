"""Celery tasks. The database records what is to be done, so a lost message only delays it."""

from celery import shared_task

from standings.archive.erasing import erase_expired
from standings.recomputation.service import claim_stale_pools, recompute


@shared_task
def recompute_pool(pool_id: int) -> None:
    recompute(pool_id)


@shared_task
def sweep() -> None:
    """Publish stale pools again whose message was lost, or whose worker or broker was down."""
    for pool_id in claim_stale_pools():
        recompute_pool.delay(pool_id)


@shared_task
def purge() -> None:
    """Erase the clubs that were deleted 30 days ago, and uploaded archives that nobody has used for a day."""
    erase_expired()
