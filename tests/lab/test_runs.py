"""Runs of the season laboratory: their chunks are the queue, and nothing that happens to a worker changes a number."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from lab import tasks
from lab.engine.errors import EngineError
from lab.engine.seasons.chunks import simulate
from lab.models import LabChunk, LabRun
from lab.models.run import KEPT, RunState
from lab.queries import field_of, progress_of
from lab.services import runs
from lab.services.runs import LOST_AFTER, cancel_run, claim_chunks, compute_chunk, purge_runs
from league.models import Pool
from league.services.errors import Refused
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter, names
from tests.lab.conftest import SMALL, compute_all
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
WHOLE = 40


def totals():
    return simulate(SMALL, 7, 0, WHOLE).to_dict()


def test_a_run_keeps_the_totals_of_all_its_seasons_in_one_row(start):
    run = start()
    assert [(chunk.first, chunk.n_seasons) for chunk in run.chunks.all()] == [
        (0, 10),
        (10, 10),
        (20, 10),
        (30, 10),
    ]
    compute_all(run)
    assert (run.state, run.n_done) == (RunState.DONE, WHOLE)
    assert run.totals == totals()
    assert not LabChunk.objects.exists()
    assert run.expires_at - run.created_at >= KEPT


def test_sending_a_form_twice_starts_one_run(start):
    assert start() == start()
    assert LabRun.objects.count() == 1
    assert LabChunk.objects.count() == 4


def test_a_club_has_one_run_at_a_time_and_another_club_its_own(start, messages):
    run = start()
    with pytest.raises(Refused):
        start(token=2)
    start(token=3, of=ClubFactory())
    cancel_run(run)
    assert start(token=2).is_running


def test_too_many_seasons_are_refused_and_nothing_is_stored(start):
    with pytest.raises(EngineError):
        start(1_000_000)
    assert not LabRun.objects.exists()


def test_a_chunk_computed_twice_counts_once(start):
    run = start()
    chunk = run.chunks.first()
    compute_chunk(chunk.pk)
    first = LabChunk.objects.get(pk=chunk.pk).result
    compute_chunk(chunk.pk)
    assert LabChunk.objects.get(pk=chunk.pk).result == first
    assert compute_all(run).totals == totals()
    compute_chunk(chunk.pk)
    assert LabRun.objects.get().totals == totals()


def test_few_chunks_are_published_at_a_time_and_each_makes_room_for_the_next(
    start, messages, django_capture_on_commit_callbacks, settings
):
    run = start()
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert len(messages) == settings.LAB_CHUNKS_AT_ONCE == 2
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert len(messages) == 2
    for chunk_id in messages:  # grows while it is read
        with django_capture_on_commit_callbacks(execute=True):
            tasks.compute_chunk(chunk_id)
    run.refresh_from_db()
    assert len(messages) == 4
    assert run.totals == totals()


def test_runs_of_several_clubs_take_turns(start):
    first, second = start(), start(token=2, of=ClubFactory())
    claimed = LabChunk.objects.filter(pk__in=claim_chunks())
    assert {chunk.run for chunk in claimed} == {first, second}


def test_a_lost_chunk_is_published_again(start):
    start()
    with time_machine.travel(timezone.now(), tick=False) as clock:
        lost = claim_chunks()
        assert claim_chunks() == []
        clock.shift(LOST_AFTER + timedelta(seconds=1))
        assert claim_chunks() == lost


def test_what_a_worker_had_done_of_a_chunk_when_it_broke_is_gone(start, monkeypatch):
    run = start()
    chunk = run.chunks.first()
    with monkeypatch.context() as patch:
        patch.setattr(runs, "_end", lambda *_args: (_ for _ in ()).throw(KeyboardInterrupt))
        for other in run.chunks.exclude(pk=chunk.pk):
            compute_chunk(other.pk)
        with pytest.raises(KeyboardInterrupt):
            compute_chunk(chunk.pk)
    run.refresh_from_db()
    assert run.is_running
    assert LabChunk.objects.get(pk=chunk.pk).result is None
    assert compute_all(run).totals == totals()


def test_a_cancelled_run_keeps_nothing_and_a_late_chunk_changes_nothing(start, monkeypatch):
    run = start()
    first, second = run.chunks.all()[:2]
    compute_chunk(first.pk)
    slow = runs._simulate

    def cancelled_meanwhile(chunk):
        cancel_run(run)
        return slow(chunk)

    monkeypatch.setattr(runs, "_simulate", cancelled_meanwhile)
    compute_chunk(second.pk)
    run.refresh_from_db()
    assert (run.state, run.n_done, run.totals) == (RunState.CANCELLED, 10, None)
    assert not LabChunk.objects.exists()
    assert cancel_run(run).finished_at == run.finished_at


def test_a_finished_run_cannot_be_cancelled(start):
    run = compute_all(start())
    assert cancel_run(run).state == RunState.DONE
    assert LabRun.objects.get().totals == totals()


def test_a_chunk_that_keeps_failing_ends_the_run_with_the_error(start, monkeypatch):
    run = start()

    def broken(_chunk):
        raise ArithmeticError("broken")

    monkeypatch.setattr(runs, "_simulate", broken)
    chunk = run.chunks.first()
    for _time in range(runs.MOST_FAILURES):
        with pytest.raises(ArithmeticError):
            compute_chunk(chunk.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.FAILED, "ArithmeticError('broken')")
    assert not LabChunk.objects.exists()


def test_runs_are_deleted_after_half_a_year(start):
    compute_all(start())
    assert purge_runs() == 0
    with time_machine.travel(timezone.now() + KEPT + timedelta(days=1)):
        assert purge_runs() == 1
    assert not LabRun.objects.exists()


def test_progress_says_what_is_done_and_what_it_shows_so_far(start, django_assert_num_queries):
    run = start()
    assert progress_of(run).figures is None
    compute_chunk(run.chunks.first().pk)
    with django_assert_num_queries(2):
        progress = progress_of(run)
    assert progress.n_done == 10
    assert progress.figures.n_seasons == 10
    assert progress.seconds_left > 0


def test_the_players_of_a_season_come_best_first_with_their_attendance():
    season = SeasonFactory(club=ClubFactory())
    field = names(5)
    enter(season, "\n".join(field))
    enter(season, "\n".join(field[:4]), day=7)
    recompute(season.pool_id)
    found = field_of(season)
    assert sorted(found.attendance) == [0.5, 1.0, 1.0, 1.0, 1.0]
    assert list(found.mu) == sorted(found.mu, reverse=True)
    assert (found.n_events, found.mean_size) == (2, 4.5)
    Pool.objects.update(kind="profit")
    assert field_of(type(season).objects.select_related("pool").get(pk=season.pk)) is None


def test_a_season_of_too_few_players_is_none():
    season = SeasonFactory(club=ClubFactory())
    assert field_of(season) is None


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_the_same_chunks_store_each_once(start, tmp_path):
    run = start(4)
    chunk_ids = list(run.chunks.values_list("pk", flat=True))

    def work():
        for chunk_id in chunk_ids:
            compute_chunk(chunk_id)

    _answers, ended = at_once([work, work], LabRun.objects.get, tmp_path)
    assert (ended.state, ended.totals) == (RunState.DONE, simulate(SMALL, 7, 0, 4).to_dict())
