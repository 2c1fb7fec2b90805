"""What Celery runs. The record of what there is to do is the database; a lost message is only late."""

from typing import Any

from celery import shared_task
from celery.signals import worker_init

from standings.recomputation.service import claim_stale_pools, recompute


@worker_init.connect
def warm_up(**_kwargs: Any) -> None:
    """Load what rating needs when the worker starts: half a second that the first result need not wait for."""
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
    """Publish again what a lost message, a killed worker or a broker that was down has left behind."""
    for pool_id in claim_stale_pools():
        recompute_pool.delay(pool_id)
