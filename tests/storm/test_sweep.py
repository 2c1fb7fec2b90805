"""A message that was never sent loses nothing: the sweep reads from the database what is stale."""

import socket
import sys
from datetime import timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
import time_machine
from django.conf import settings
from django.db import connection
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis import Connection as RedisConnection

from league.celery import app
from league.models import Pool
from processes import watchdog
from processes.watchdog import LONGEST_WRITE_SECONDS, STUCK_SECONDS
from standings.models import Recomputation, Standing
from standings.queries import stale_pools
from standings.recomputation import work
from standings.recomputation.service import claim_stale_pools, recompute
from standings.tasks import sweep
from tests.factories import ClubFactory, SeasonFactory, enter, names
from tests.locks import held_elsewhere
from tests.storm.rows import computed_rows, wrong_leagues

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
RESULT = "\n".join(names(6))
WINDOW = settings.SWEEP_SECONDS * 0.8


@pytest.fixture
def refusing_port():
    """A port that refuses for as long as the test runs: it is taken, and nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.fixture
def behind(season, monkeypatch):
    """A league whose process was killed between commit and publish: the hooks after the commit never ran."""
    with monkeypatch.context() as patch:
        patch.setattr(connection, "run_and_clear_commit_hooks", connection.run_on_commit.clear)
        enter(season, RESULT)
    return season


def test_nothing_is_lost_by_a_kill_between_commit_and_publish(behind, published):
    assert published == []
    assert [pool.pk for pool in stale_pools()] == [behind.pool_id]
    sweep()
    assert published == [behind.pool_id]
    recompute(published[0])
    assert not stale_pools()
    assert Standing.objects.count() == 6
    assert wrong_leagues() == 0


def test_with_nothing_to_do_nothing_is_published(season, enter_event, published):
    enter_event(RESULT)
    published.clear()
    sweep()
    assert published == []


def test_each_league_is_claimed_once_a_window(behind):
    other = SeasonFactory(club=ClubFactory())
    enter(other, RESULT)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        assert claim_stale_pools() == sorted([behind.pool_id, other.pool_id])
        assert claim_stale_pools() == []
        clock.shift(WINDOW - 0.1)
        assert claim_stale_pools() == []
        clock.shift(0.2)
        assert claim_stale_pools() == sorted([behind.pool_id, other.pool_id])


@pytest.mark.parametrize(("n_failures", "window"), [(1, 2 * WINDOW), (3, 8 * WINDOW), (50, 300)])
def test_a_failing_league_is_claimed_at_growing_intervals(behind, n_failures, window):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        claim_stale_pools()
        Recomputation.objects.update(n_failures=n_failures)
        clock.shift(window - 0.1)
        assert claim_stale_pools() == []
        clock.shift(0.2)
        assert claim_stale_pools() == [behind.pool_id]


def raising(*_args, **_kwargs):
    raise ArithmeticError("does not converge")


def test_a_failure_is_recorded_the_old_rows_stay_and_success_clears_it(season, enter_event, monkeypatch):
    enter_event(RESULT)
    before = computed_rows()
    enter(season, RESULT, day=7)
    with monkeypatch.context() as patch:
        patch.setattr(work, "rate_again", raising)
        for n_failures in (1, 2):
            with pytest.raises(ArithmeticError):
                recompute(season.pool_id)
            state = Recomputation.objects.get()
            assert (state.n_failures, state.error) == (n_failures, "ArithmeticError('does not converge')")
            assert computed_rows() == before
    assert [pool.pk for pool in stale_pools()] == [season.pool_id]
    assert recompute(season.pool_id)
    state.refresh_from_db()
    assert (state.n_failures, state.error) == (0, "")
    assert not stale_pools()
    assert wrong_leagues() == 0


@pytest.mark.parametrize("step", ["write_rates", "write_points"])
def test_a_write_that_is_cut_off_leaves_the_old_rows(season, enter_event, monkeypatch, step):
    """An error in the middle of the write is like a SIGKILL: the database undoes it."""
    enter_event(RESULT)
    before = computed_rows()
    enter(season, RESULT, day=7)
    whole = getattr(work, step)

    def cut_off(rows):
        whole(rows)
        raising()

    with monkeypatch.context() as patch:
        patch.setattr(work, step, cut_off)
        with pytest.raises(ArithmeticError):
            recompute(season.pool_id)
    assert computed_rows() == before
    assert recompute(season.pool_id)
    assert wrong_leagues() == 0


def stuck_after(seconds):
    now = timezone.now() + timedelta(seconds=seconds)
    return watchdog.is_stuck(now, database=connection.settings_dict, folder=Path(settings.VAR_DIR))


def test_stuck_while_work_waits_without_progress(behind):
    assert not stuck_after(STUCK_SECONDS - 5)
    assert stuck_after(STUCK_SECONDS + 5)


def test_not_stuck_while_somebody_holds_the_lock_and_writes(behind):
    with held_elsewhere(behind.pool_id):
        assert not stuck_after(STUCK_SECONDS + 5)
        assert stuck_after(LONGEST_WRITE_SECONDS + 5)
    assert stuck_after(STUCK_SECONDS + 5)


def test_not_stuck_while_any_league_makes_progress(behind):
    other = SeasonFactory(club=ClubFactory())
    later = timezone.now() + timedelta(seconds=60)
    Recomputation.objects.create(pool=Pool.objects.get(pk=other.pool_id), progressed_at=later)
    assert not stuck_after(60 + STUCK_SECONDS - 1)
    assert stuck_after(60 + STUCK_SECONDS + 1)


def test_not_stuck_without_work(season, enter_event):
    enter_event(RESULT)
    assert not stuck_after(3_600)


def test_a_page_does_not_wait_for_a_redis_that_is_down(refusing_port):
    options = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.1}
    chosen = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    if settings.CELERY_BROKER_URL.startswith("redis:"):
        assert chosen.items() >= options.items()
    assert settings.CELERY_TASK_PUBLISH_RETRY is False
    url = f"redis://127.0.0.1:{refusing_port}/0"
    with (
        app.connection(url, transport_options=options) as dead,
        patch.object(RedisConnection, "connect", autospec=True, side_effect=RedisConnection.connect) as tries,
        pytest.raises(OperationalError),
    ):
        app.send_task("standings.tasks.sweep", connection=dead)
    assert 1 <= tries.call_count <= 4


def test_the_faulty_wire_of_the_storms_is_not_in_the_tests():
    assert "tests.storm.celery_app" not in sys.modules
    assert app.amqp.send_task_message.__module__ == "celery.app.amqp"
