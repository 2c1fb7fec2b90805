"""Celery tasks. The database records what is to be done, so a lost message only delays it."""

from typing import Any

from celery import shared_task
from celery.signals import worker_init

from standings.recomputation.service import claim_stale_pools, recompute


@worker_init.connect
def warm_up(**_kwargs: Any) -> None:
    """Load the rating engine when the worker starts, so that the first result does not wait half a second for it."""
    from ratings.engine.figures import explain_entries
    from ratings.engine.history import EventHistory
    from ratings.engine.pipeline import replay_events
    from ratings.engine.pool_state import PoolState
    from ratings.engine.tier import TierParams

    params = TierParams()
    explain_entries(replay_events(EventHistory.of_orders([[0, 1]]), PoolState.fresh(2, params), params))


@shared_task
def recompute_pool(pool_id: int) -> None:
    recompute(pool_id)


@shared_task
def sweep() -> None:
    """Publish stale pools again whose message was lost, or whose worker or broker was down."""
    for pool_id in claim_stale_pools():
        recompute_pool.delay(pool_id)
