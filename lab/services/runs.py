"""Runs of the season laboratory: started, computed chunk by chunk, cancelled, deleted.

The chunks are the queue: a message only says which of them to compute next. A chunk that a killed worker left behind is
claimed again, and gives the same numbers.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from lab.engine.seasons.estimate import check_seasons, chunk_sizes
from lab.engine.seasons.points import tables_of
from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import Totals
from lab.models import LabChunk, LabRun
from lab.models.run import RunState
from league.models import Club, Season, Use
from league.services.errors import Refused
from league.services.quotas import count_use

RUNS_AT_ONCE = 1  # of a club
# A chunk that takes longer belongs to a worker that was killed.
LOST_AFTER = timedelta(seconds=30)
MOST_FAILURES = 3


@transaction.atomic
def start_run(
    club: Club,
    *,
    scenario: Scenario,
    n_seasons: int,
    seed: int,
    token: UUID,
    season: Season | None = None,
    actor: User | None = None,
) -> LabRun:
    """Start a run, or return the one that the same form has started.

    Raise EngineError if too much is asked for, and Refused while the club has another run.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    if started := LabRun.objects.filter(club=club, token=token).first():
        return started
    check_seasons(scenario, n_seasons)
    tables_of(scenario)  # refuses points that cannot be summed
    if LabRun.objects.filter(club=club, state=RunState.RUNNING).count() >= RUNS_AT_ONCE:
        raise Refused(_("Another run of this club is not done yet. Wait for it, or cancel it."))
    if actor:
        count_use(actor, Use.RUNS)
    run = LabRun.objects.create(
        club=club,
        season=season,
        token=token,
        scenario_settings=scenario.to_dict(),
        n_seasons=n_seasons,
        seed=seed,
        created_by=actor,
    )
    first = 0
    for size in chunk_sizes(scenario, n_seasons):
        LabChunk.objects.create(run=run, first=first, n_seasons=size)
        first += size
    return run


def claim_chunks(now: datetime | None = None) -> list[int]:
    """Claim the chunks to compute next, of all clubs in turn; few at a time, so that results of events come between.

    A chunk whose worker was lost is claimed again.
    """
    now = now or timezone.now()
    waiting = LabChunk.objects.filter(result__isnull=True, run__state=RunState.RUNNING)
    # The clock may have been set back: nobody has claimed anything in the future.
    is_lost = Q(claimed_at__isnull=False) & ~Q(claimed_at__range=(now - LOST_AFTER, now + LOST_AFTER))
    n_free = settings.LAB_CHUNKS_AT_ONCE - waiting.exclude(claimed_at=None).exclude(is_lost).count()
    free = Q(claimed_at=None) | is_lost
    candidates = waiting.filter(free).order_by("first", "pk").values_list("pk", flat=True)
    return [
        pk
        for pk in candidates[: max(0, n_free)]
        if LabChunk.objects.filter(free, pk=pk).update(claimed_at=now)
    ]


def compute_chunk(chunk_id: int) -> None:
    """Simulate the seasons of a chunk, and end its run if it was the last. Nothing to do if the run has ended."""
    waiting = LabChunk.objects.filter(result__isnull=True, run__state=RunState.RUNNING)
    chunk = waiting.filter(pk=chunk_id).select_related("run").first()
    if chunk is None:
        return
    try:
        totals = _simulate(chunk)
    except Exception as error:
        _note_failure(chunk, error)
        raise
    _store(chunk, totals)


def _simulate(chunk: LabChunk) -> Totals:
    from lab.engine.seasons.chunks import simulate  # loads numba

    return simulate(chunk.run.scenario, chunk.run.seed, chunk.first, chunk.n_seasons)


@transaction.atomic
def _store(chunk: LabChunk, totals: Totals) -> None:
    run = _locked(chunk.run_id)
    if run is None or not run.is_running:
        return
    run.chunks.filter(pk=chunk.pk).update(result=totals.to_dict())
    if run.chunks.filter(result__isnull=True).exists():
        return
    run.totals = Totals.merged(part.totals for part in run.chunks.all()).to_dict()
    run.n_done = run.n_seasons
    _end(run, RunState.DONE)


@transaction.atomic
def _note_failure(chunk: LabChunk, error: Exception) -> None:
    run = _locked(chunk.run_id)
    if run is None or not run.is_running:
        return
    run.error = repr(error)[:2_000]
    run.save(update_fields=["error"])
    run.chunks.filter(pk=chunk.pk).update(n_failures=chunk.n_failures + 1)
    if chunk.n_failures + 1 >= MOST_FAILURES:
        _end(run, RunState.FAILED)


@transaction.atomic
def cancel_run(run: LabRun) -> LabRun:
    """Cancel a run and drop what it has computed; a run that has ended stays as it is."""
    locked = _locked(run.pk) or run
    if locked.is_running:
        done = locked.chunks.filter(result__isnull=False).aggregate(n=Sum("n_seasons"))
        locked.n_done = done["n"] or 0
        _end(locked, RunState.CANCELLED)
    return locked


def _locked(run_id: int) -> LabRun | None:
    return LabRun.objects.select_for_update().filter(pk=run_id).first()


def _end(run: LabRun, state: RunState) -> None:
    run.state, run.finished_at = state, timezone.now()
    run.save()
    run.chunks.all().delete()


def purge_runs() -> int:
    """Delete runs that are kept no longer; return how many."""
    n_deleted, _by_model = LabRun.objects.filter(expires_at__lt=timezone.now()).delete()
    return n_deleted
