"""Results: whether they are computed, sealed seasons are as they were sealed, and what has expired is gone."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import F, Min, Q
from django.utils import timezone

from lab.models import LabRun
from league.models import BinItem, Change, Club, Pool, Season
from league.models.bin import KEPT_FOR
from league.models.club import RESTORABLE_FOR
from league.services.health import PROBE
from league.site.cache_table import n_expired
from processes.doctor.findings import Findings, attention, listed, ok, wrong
from processes.watchdog import is_stuck
from ratings.engine.tier.params import REVISION
from standings.archive.erasing import DRAFTS_KEPT_FOR
from standings.models import ArchiveDraft, Recomputation
from standings.queries import stale_pools
from standings.seals.queries import broken_by

LONG = timedelta(minutes=5)
# The purges run hourly and daily: what expired before that should be gone.
HOURLY = timedelta(hours=2)
DAILY = timedelta(days=1, hours=1)


def check_pools() -> Findings:
    """Check the stale pools: which ones fail or wait, and whether the computation is stuck."""
    stale = list(stale_pools().select_related("club", "recomputation"))
    failing = [pool for pool in stale if (state := _state(pool)) and state.n_failures]
    for pool in failing:
        state = pool.recomputation
        yield wrong(
            "pools",
            f"{pool}: computing it has failed {state.n_failures} times. The last error: {state.error}",
            f"manage.py recompute --club {pool.club.slug} shows where. It is tried again by itself.",
        )
    waiting = [pool for pool in stale if pool not in failing]
    if is_stuck(database=connection.settings_dict, folder=Path(settings.VAR_DIR)):
        yield wrong(
            "pools",
            f"Results wait and nobody computes them: {listed([str(pool) for pool in waiting])}.",
            "Start a worker. Until it runs: manage.py recompute --stale",
        )
    elif waiting:
        yield from _look_at_waiting(waiting)
    elif not stale:
        yield ok("pools", f"All {Pool.objects.count()} are computed.")


def _look_at_waiting(pools: list[Pool]) -> Findings:
    old = [
        str(pool) for pool in pools if (state := _state(pool)) and state.engine_revision not in {0, REVISION}
    ]
    if old:
        yield attention(
            "pools",
            f"Computed by another version of the ratings: {listed(old)}.",
            "Nothing: the worker computes them again, one after the other.",
        )
    since = Change.objects.filter(
        Q(pool__recomputation=None) | Q(version__gt=F("pool__recomputation__rated_version")), pool__in=pools
    ).aggregate(since=Min("at"))["since"]
    if since and timezone.now() - since > LONG:
        yield attention(
            "pools",
            f"Results have waited since {since:%Y-%m-%d %H:%M} UTC: {listed([str(pool) for pool in pools])}.",
            "A large league takes minutes. If the time does not change: manage.py recompute --stale",
        )
    elif not old:
        yield ok("pools", f"Being computed: {listed([str(pool) for pool in pools])}.")


def _state(pool: Pool) -> Recomputation | None:
    return getattr(pool, "recomputation", None)


def check_seals() -> Findings:
    sealed = Season.objects.filter(is_sealed=True).select_related("club").order_by("pk")
    n_whole = 0
    for season in sealed.iterator():
        name = f"{season.club.slug}/{season.slug}"
        if problem := broken_by(season):
            yield wrong(
                "seals",
                f"{name} is not as it was sealed: {problem}",
                "Compare it with the backup made after it was sealed (docs/operations.md, Sealed seasons).",
            )
        else:
            n_whole += 1
    if n_whole or not sealed:
        yield ok(
            "seals",
            f"{n_whole} sealed seasons are as they were sealed." if n_whole else "No season is sealed.",
        )


def check_expired() -> Findings:
    """Count what Celery beat should have deleted."""
    now = timezone.now()
    n_left = {
        "sessions": Session.objects.filter(expire_date__lt=now - HOURLY).exclude(session_key=PROBE).count(),
        "counts of sign-ins": n_expired(now - HOURLY),
        "items of bins": BinItem.objects.filter(deleted_at__lte=now - KEPT_FOR - HOURLY).count(),
        "deleted clubs": Club.objects.filter(deleted_at__lte=now - RESTORABLE_FOR - DAILY).count(),
        "uploaded archives": ArchiveDraft.objects.filter(
            uploaded_at__lte=now - DRAFTS_KEPT_FOR - DAILY
        ).count(),
        "laboratory runs": LabRun.objects.filter(expires_at__lt=now - DAILY).count(),
    }
    if left := [f"{n} {name}" for name, n in n_left.items() if n]:
        yield attention(
            "expired",
            f"Not deleted although they have expired: {listed(left)}.",
            "Celery beat deletes these hourly (laboratory runs: nightly). Check the beat line of this report.",
        )
    else:
        yield ok("expired", "What has expired is deleted.")
