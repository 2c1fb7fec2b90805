"""The one recomputation, used by task, sweep, watchdog and command alike (docs/decisions/0002).

Read everything at one moment, compute, write everything in one transaction: a reader sees the old numbers or the
new ones. Whatever kills it in between leaves the old rows, and rated_version behind data_version says there is
work to do.
"""

import gc
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from league.bulk import insert_rows
from league.models import Change, Event, Pool, Season
from league.services.changes import BEGINNING, lock_pool
from league.snapshots import snapshot
from payouts.services.settling import SettledPoints, settle_events, write_points
from ratings.services.rerating import Rerating, rate_pool, read_pool, write_rerating
from standings.models import Recomputation, SeasonSummary, Standing
from standings.queries import stale_pools
from standings.recomputation.locks import pool_lock
from standings.recomputation.season import (
    SeasonInput,
    newcomers_of,
    read_season,
    season_standings,
    season_summary,
)

log = logging.getLogger(__name__)
PROGRESS_SECONDS = 0.5
LONGEST_BACK_OFF = timedelta(minutes=5)
Progress = Callable[[int, int], None]
ChangeSet = QuerySet[Change]


def recompute(
    pool_id: int,
    *,
    from_scratch: bool = False,
    since: datetime | None = None,
    wait_seconds: float = 1.0,
    progress: Progress | None = None,
) -> bool:
    """Bring the rows of a pool up to its data version. False if another process is at it and did not let go.

    The wait is for a process that has just looked for work for the last time and still holds the lock.
    """
    since = BEGINNING if from_scratch else since
    with pool_lock(pool_id, wait_seconds=wait_seconds) as held:
        if not held:
            return False
        while _recompute_once(pool_id, since, progress):
            since = None
    return True


def _recompute_once(pool_id: int, forced_since: datetime | None, progress: Progress | None) -> bool:
    """One pass; whether there was anything to do."""
    state, _created = Recomputation.objects.get_or_create(pool_id=pool_id)
    try:
        with snapshot():
            pool = Pool.objects.get(pk=pool_id)
            if forced_since is None and state.rated_version >= pool.data_version:
                return False
            work = _Work(pool, state.rated_version, forced_since)
        work.compute(_reporting(state, progress))
        with transaction.atomic():
            is_written = work.write()
    except Exception as error:
        if isinstance(error, IntegrityError) and _has_moved_on(work.pool):
            return (
                True  # an entry was deleted while its points were computed: once more, from what is there now
            )
        Recomputation.objects.filter(pk=state.pk).update(
            error=repr(error)[:2_000], n_failures=F("n_failures") + 1, progressed_at=timezone.now()
        )
        raise
    return is_written or _recompute_once(pool_id, forced_since, progress)


def _has_moved_on(pool: Pool) -> bool:
    return Pool.objects.filter(pk=pool.pk, data_version__gt=pool.data_version).exists()


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Standings are a million small objects in no cycles, which the collector would go through again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Work:
    """What one pass reads, computes and writes."""

    def __init__(self, pool: Pool, rated_version: int, forced_since: datetime | None) -> None:
        self.pool = pool
        self.rated_version = rated_version
        self.sealed = self._sealed()
        changes = Change.objects.filter(pool=pool, version__gt=rated_version)
        since = forced_since or changes.aggregate(Min("rated_from"))["rated_from__min"]
        self.pool_input = read_pool(pool.pk, since=since) if since else None
        self.settled: SettledPoints = settle_events(self._events_to_settle(changes, forced_since))
        self.seasons: list[SeasonInput] = [
            read_season(season, since=since) for season in self._seasons_to_rank(changes, since)
        ]
        self.newcomers = {season.season_id: newcomers_of(season.season_id) for season in self.seasons}
        self.rerating: Rerating | None = None
        self.rows: list[Standing] = []
        self.summaries: list[SeasonSummary] = []

    def _events_to_settle(self, changes: "ChangeSet", forced_since: datetime | None) -> list[int]:
        events = Event.objects.filter(season__pool=self.pool).exclude(season__in=self.sealed)
        if forced_since:
            events = events.filter(starts_at__gte=forced_since)
        else:
            again = changes.filter(kind=Change.Kind.RULES_CHANGED, after__settle_again=True).values("season")
            # An event without rules of its own has never been settled.
            events = events.filter(Q(changes__in=changes) | Q(season__in=again) | Q(rules__isnull=True))
        return list(events.order_by("pk").values_list("pk", flat=True).distinct())

    def _seasons_to_rank(self, changes: "ChangeSet", since: datetime | None) -> list[Season]:
        touched = Q(pk__in=changes.exclude(season=None).values("season"))
        renamed = [change.after["player"] for change in changes.filter(kind=Change.Kind.PLAYER_RENAMED)]
        if renamed:
            touched |= Q(events__entries__player__in=renamed) | Q(totals_brought_forward__player__in=renamed)
        if since:
            touched |= Q(events__starts_at__gte=since)
        seasons = Season.objects.filter(pool=self.pool).filter(touched).exclude(pk__in=self.sealed)
        return list(seasons.select_related("rules", "club").order_by("pk").distinct())

    def _sealed(self) -> set[int]:
        """Seasons whose points and standings stay as they are, whatever happens to ratings."""
        return set(Season.objects.filter(pool=self.pool, is_sealed=True).values_list("pk", flat=True))

    def compute(self, progress: Progress) -> None:
        if self.pool_input:
            self.rerating = rate_pool(self.pool_input, progress=progress)
        with _no_garbage_collection():
            for season in self.seasons:
                rows = season_standings(season, self.settled, self.rerating)
                for row in rows:
                    row.is_newcomer = row.player_id in self.newcomers[season.season_id]
                self.rows += rows
                self.summaries.append(season_summary(season, rows))

    def write(self) -> bool:
        """False, and nothing is written, if a season was sealed after it was read."""
        # First, as in every transaction that writes results: deleting an event deletes rows that are replaced here.
        lock_pool(self.pool.pk)
        if not self._sealed() <= self.sealed:
            return False
        if self.rerating:
            write_rerating(self.rerating)
        write_points(self.settled)
        season_ids = [season.season_id for season in self.seasons]
        for model in (Standing, SeasonSummary):
            model._default_manager.filter(season__in=season_ids).delete()
        insert_rows(Standing, self.rows)
        SeasonSummary.objects.bulk_create(self.summaries)
        Recomputation.objects.filter(pool=self.pool).update(
            rated_version=self.pool.data_version,
            rated_at=timezone.now(),
            progressed_at=timezone.now(),
            n_done=0,
            n_events=0,
            n_failures=0,
            error="",
        )
        return True


def _reporting(state: Recomputation, progress: Progress | None) -> Progress:
    """A progress callback that also stores how far it is, so that pages and the watchdog see it."""
    stored_at = time.monotonic()

    def report(n_done: int, n_events: int) -> None:
        nonlocal stored_at
        if progress:
            progress(n_done, n_events)
        if time.monotonic() - stored_at >= PROGRESS_SECONDS:
            stored_at = time.monotonic()
            Recomputation.objects.filter(pk=state.pk).update(
                n_done=n_done, n_events=n_events, progressed_at=timezone.now()
            )

    return report


def claim_stale_pools() -> list[int]:
    """Pools whose rows are behind and that nobody has published in this window; each is claimed once.

    A pool whose recomputation fails is tried again at growing distances.
    """
    now = timezone.now()
    claimed = []
    for pool_id in stale_pools().values_list("pk", flat=True):
        state, _created = Recomputation.objects.get_or_create(pool_id=pool_id)
        window = timedelta(seconds=settings.SWEEP_SECONDS * 0.8)
        window = min(window * 2 ** min(state.n_failures, 10), LONGEST_BACK_OFF)
        free = Q(published_at=None) | Q(published_at__lt=now - window)
        if Recomputation.objects.filter(free, pk=state.pk).update(published_at=now):
            claimed.append(pool_id)
    return claimed
