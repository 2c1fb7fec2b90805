"""The clock of a machine is set back by an hour: nothing waits until it is there again."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
import time_machine
from celery.beat import Scheduler
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from lab import tasks
from lab.services.runs import claim_chunks, start_run
from league.celery import app
from league.models import Change
from league.site.limits import consume_quota
from league.site.scheduler import SteadyScheduler
from people.accounts.waits import LONGEST_SECONDS, begin_attempt, failures_of
from processes.watchdog import is_stuck
from standings.models import Recomputation
from standings.recomputation.service import claim_stale_pools
from tests.factories import enter
from tests.lab.conftest import SMALL

pytestmark = pytest.mark.django_db
AHEAD = datetime(2026, 6, 1, 13, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def clock():
    with time_machine.travel(AHEAD, tick=False) as clock:
        yield clock


@pytest.mark.parametrize(("scheduler", "goes_on"), [(SteadyScheduler, True), (Scheduler, False)])
def test_beat_goes_on(clock, scheduler, goes_on):
    """Celery's own scheduler sends nothing for an hour."""
    beat = scheduler(app)
    entry = beat.Entry(name="sweep", task="league.tasks.beat_heart", schedule=30, app=app)
    clock.shift(-HOUR)
    assert not beat.is_due(entry)[0]
    clock.shift(31)
    assert beat.is_due(entry)[0] is goes_on


def test_a_pool_whose_message_was_lost_is_claimed_again(clock, season):
    enter(season, "Ada\nBoris")
    Recomputation.objects.all().delete()
    assert claim_stale_pools() == [season.pool_id]
    clock.shift(-HOUR)
    assert claim_stale_pools() == [season.pool_id]
    assert claim_stale_pools() == []


def test_a_chunk_of_a_worker_that_is_gone_is_claimed_again(clock, club, monkeypatch):
    monkeypatch.setattr(tasks.compute_chunk, "delay", lambda _chunk_id: None)
    start_run(club, scenario=SMALL, n_seasons=40, seed=7, token=UUID(int=1))
    lost = claim_chunks()
    assert lost
    assert claim_chunks() == []
    clock.shift(-HOUR)
    assert claim_chunks() == lost


@pytest.mark.django_db(transaction=True)  # the watchdog has a connection of its own
def test_a_worker_that_hangs_is_noticed(clock, season):
    enter(season, "Ada\nBoris")
    now = timezone.now() - HOUR
    Recomputation.objects.update_or_create(pool_id=season.pool_id, defaults={"progressed_at": timezone.now()})
    Change.objects.update(at=now - timedelta(minutes=1))
    assert is_stuck(now, database=connection.settings_dict)
    for seconds in (0, 5, -5):  # a worker's clock may be a little ahead
        Recomputation.objects.update(progressed_at=now + timedelta(seconds=seconds))
        assert not is_stuck(now, database=connection.settings_dict)


def test_a_sign_in_waits_for_no_longer_than_the_longest(clock):
    for _n in range(12):
        begin_attempt(["7:"])
        clock.shift(LONGEST_SECONDS)
    begin_attempt(["7:"])
    clock.shift(-HOUR)
    assert 0 < failures_of(7).seconds <= LONGEST_SECONDS
    told = begin_attempt(["7:"])
    assert 0 < told <= LONGEST_SECONDS
    clock.shift(told)
    assert begin_attempt(["7:"]) == 0


def test_what_was_asked_before_the_clock_was_set_back_is_forgotten(clock):
    request = RequestFactory().get("/")
    asked = [consume_quota(request, "search", user=AnonymousUser(), limit=1) for _n in range(2)]
    assert asked == [True, False]
    clock.shift(-HOUR)
    assert consume_quota(request, "search", user=AnonymousUser(), limit=1)
