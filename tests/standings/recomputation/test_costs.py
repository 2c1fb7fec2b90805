"""Recomputations wait in queues by what they are expected to take, so that small clubs never wait for a giant."""

import numpy as np
import pytest
from celery import current_app
from django.utils import timezone

from forecasts.tasks import compute_pool
from league.site import queues
from noticeboard.tasks import sweep as noticeboard_sweep
from processes.watchdog import has_long_work
from standings.models import Recomputation
from standings.recomputation import costs
from standings.recomputation.costs import expected_seconds, mark_long, note_cost, queue_of
from standings.recomputation.service import invalidate_pool, recompute
from standings.tasks import recompute_pool, sweep
from tests.factories import SeasonFactory, correct, enter

pytestmark = pytest.mark.django_db
N_EVENTS, FIELD = 10, 4


@pytest.fixture
def season():
    """A season of ten events of four, computed."""
    season = SeasonFactory()
    for day in range(N_EVENTS):
        enter(season, "Ada\nBoris\nCleo\nDora", day=day)
    recompute(season.pool_id)
    return season


def state_of(season):
    return Recomputation.objects.get(pool=season.pool_id)


def measured(season, seconds):
    Recomputation.objects.filter(pool=season.pool_id).update(seconds_per_entry=seconds)


def queue(task, *args):
    """Ask Celery itself where it would publish a task."""
    return current_app.amqp.router.route({}, task.name, args, {})["queue"].name


def test_the_mean_field_of_a_pool_is_noted_when_it_is_computed(season):
    assert state_of(season).mean_field == FIELD
    enter(season, "\n".join(f"Player {n}" for n in range(8)), day=N_EVENTS)
    recompute(season.pool_id)
    assert state_of(season).mean_field == (FIELD + 8) / 2


@pytest.mark.parametrize(("first", "n_later"), [(0, 10), (5, 5), (9, 1)])
def test_the_cost_is_that_of_the_events_from_the_change_on(season, first, n_later):
    measured(season, 1.0)  # so that these forty entries are a giant
    event = season.events.order_by("starts_at")[first]
    correct(event, "Boris\nAda\nCleo\nDora")
    assert expected_seconds(season.pool_id) == n_later * FIELD * 1.0
    recompute(season.pool_id)
    assert expected_seconds(season.pool_id) == 0.0


def test_a_pool_that_was_never_computed_and_one_of_another_engine_are_computed_whole(season):
    new = SeasonFactory()
    enter(new, "Ada\nBoris\nCleo")
    assert expected_seconds(new.pool_id) == pytest.approx(3 * queues.FIRST_GUESS)
    measured(season, 1.0)
    invalidate_pool(season.pool_id)
    assert expected_seconds(season.pool_id) == N_EVENTS * FIELD


def test_what_it_took_corrects_the_estimate(season):
    def note(n_rated, seconds):
        note_cost(season.pool, rated_events=np.arange(n_rated) // FIELD, seconds=seconds)

    note(costs.FEWEST - 1, 100.0)
    assert state_of(season).seconds_per_entry is None
    note(10_000, 10.0)
    assert state_of(season).seconds_per_entry == pytest.approx(1e-3)
    note(10_000, 30.0)
    assert state_of(season).seconds_per_entry == pytest.approx(2e-3)


def test_tasks_go_to_the_queue_of_their_cost(season):
    assert queue(recompute_pool, season.pool_id) == queues.SOON
    assert queue(sweep) == queues.SOON
    assert queue(noticeboard_sweep) == queues.LATER
    assert queue(compute_pool, season.pool_id) == queues.LATER
    assert not state_of(season).is_long
    measured(season, 1.0)
    assert queue(compute_pool, season.pool_id) == queues.LONG
    correct(season.events.last(), "Boris\nAda\nCleo\nDora")
    assert queue(recompute_pool, season.pool_id) == queues.LONG
    assert state_of(season).is_long


def test_every_queue_has_a_worker_and_every_named_task_exists():
    from processes.supervisor import children

    (worker, long) = children(["worker", "long"], host="", port=0)
    taken = [
        part
        for child in (worker, long)
        for part in child.command[child.command.index("--queues") + 1].split(",")
    ]
    assert taken == [queues.SOON, queues.LATER, queues.LONG]
    current_app.loader.import_default_modules()
    assert current_app.tasks.keys() >= queues.LATER_TASKS


def test_the_supervisor_is_told_of_long_work_until_it_is_done(season):
    def is_asked_for():
        return Recomputation.objects.filter(is_long=True).exists()

    measured(season, 1.0)
    correct(season.events.first(), "Boris\nAda\nCleo\nDora")
    assert mark_long(season.pool_id)
    assert is_asked_for()
    recompute(season.pool_id)
    assert not is_asked_for()
    assert not mark_long(season.pool_id)
    compute_pool(season.pool_id)
    assert not is_asked_for()


@pytest.mark.django_db(transaction=True)
def test_the_supervisor_asks_in_sql(season, settings):
    database = {**settings.DATABASES["default"]}
    from django.db import connection

    database["NAME"] = connection.settings_dict["NAME"]
    assert not has_long_work(database=database)
    Recomputation.objects.filter(pool=season.pool_id).update(is_long=True, published_at=timezone.now())
    assert has_long_work(database=database)


def test_a_save_in_a_small_club_costs_two_queries_more(season, django_assert_num_queries):
    with django_assert_num_queries(2):
        assert queue_of(recompute_pool.name, (season.pool_id,)) == {"queue": queues.SOON}
