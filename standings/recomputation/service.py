"""The one recomputation, used by task, sweep, watchdog and command alike (docs/decisions/0002).

If it is killed, the old rows stay, and rated_version behind data_version shows that there is work to do.
"""

import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from league.database.snapshots import snapshot
from league.models import BEGINNING, Pool
from ratings.engine.tier.params import REVISION
from standings.models import Recomputation
from standings.queries import stale_pools
from standings.recomputation.costs import mark_done, note_cost
from standings.recomputation.locks import pool_lock
from standings.recomputation.work import Progress, Work, compute, read_work, write

PROGRESS_SECONDS = 0.5
LONGEST_BACK_OFF = timedelta(minutes=5)


def recompute(
    pool_id: int,
    *,
    from_scratch: bool = False,
    since: datetime | None = None,
    wait_seconds: float = 1.0,
    progress: Progress | None = None,
) -> bool:
    """Bring the rows of a pool up to its data version; False if another process keeps its lock.

    The wait is for a process that finished its last check before this change and is about to release the lock.
    """
    since = BEGINNING if from_scratch else since
    with pool_lock(pool_id, wait_seconds=wait_seconds) as held:
        if not held:
            return False
        Recomputation.objects.get_or_create(pool_id=pool_id)
        while _recompute_once(pool_id, since, progress):
            since = None
        mark_done(pool_id)
    return True


def _recompute_once(pool_id: int, forced_since: datetime | None, progress: Progress | None) -> bool:
    """Do one pass; True if there may be more to do."""
    try:
        is_written = False
        while not is_written:
            work = _read(pool_id, forced_since)
            if work is None:
                return False
            is_written = _compute_and_write(work, progress)
    except Exception as error:
        Recomputation.objects.filter(pool=pool_id).update(
            error=repr(error)[:2_000], n_failures=F("n_failures") + 1, progressed_at=timezone.now()
        )
        raise
    return True


def _read(pool_id: int, forced_since: datetime | None) -> Work | None:
    """Read the work of a pool; None if its rows are up to date."""
    with snapshot():
        state = Recomputation.objects.select_related("pool").get(pool=pool_id)
        pool = state.pool
        if state.engine_revision != REVISION:
            forced_since = BEGINNING
        if forced_since is None and not state.is_behind(pool):
            return None
        return read_work(pool, state.rated_version, forced_since)


def _compute_and_write(work: Work, progress: Progress | None) -> bool:
    """Compute and write the rows; False if the results have changed so that they must be read again."""
    began = time.process_time()
    result = compute(work, _storing_progress(work.pool, progress))
    try:
        with transaction.atomic():
            if not write(work, result):
                return False
    except IntegrityError:
        if _has_newer_data(work.pool):  # an entry was deleted while its points were computed
            return False
        raise
    note_cost(work.pool, rated_events=result.rated_events, seconds=time.process_time() - began)
    return True


def _has_newer_data(pool: Pool) -> bool:
    return Pool.objects.filter(pk=pool.pk, data_version__gt=pool.data_version).exists()


def _storing_progress(pool: Pool, progress: Progress | None) -> Progress:
    """Make a progress callback that also stores the progress, for pages and the watchdog."""
    stored_at = time.monotonic()

    def report(n_done: int, n_events: int) -> None:
        nonlocal stored_at
        if progress:
            progress(n_done, n_events)
        if time.monotonic() - stored_at >= PROGRESS_SECONDS:
            stored_at = time.monotonic()
            Recomputation.objects.filter(pool=pool).update(
                n_done=n_done, n_events=n_events, progressed_at=timezone.now()
            )

    return report


def invalidate_pool(pool_id: int) -> None:
    """Mark a pool for recomputation from scratch. Idempotent."""
    Recomputation.objects.filter(pool_id=pool_id).update(engine_revision=0, published_at=None)


def claim_stale_pools() -> list[int]:
    """Claim each stale pool that nobody has published within its window.

    The window grows with the failures of the pool's recomputation.
    """
    now = timezone.now()
    claimed = []
    for pool_id in stale_pools().values_list("pk", flat=True):
        state, _created = Recomputation.objects.get_or_create(pool_id=pool_id)
        window = timedelta(seconds=settings.SWEEP_SECONDS * 0.8)
        window = min(window * 2 ** min(state.n_failures, 10), LONGEST_BACK_OFF)
        # The clock may have been set back: nobody has claimed anything in the future.
        free = Q(published_at=None) | ~Q(published_at__range=(now - window, now + window))
        if Recomputation.objects.filter(free, pk=state.pk).update(published_at=now):
            claimed.append(pool_id)
    return claimed
