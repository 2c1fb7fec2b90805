"""The doctor and the broker of this pass (embedded or Redis), beat and worker."""

import time
import uuid
from datetime import timedelta

import pytest
import time_machine
from celery.signals import before_task_publish
from django.core.cache import cache

from league.celery import app
from league.site.heartbeat import last_heartbeat, note_heartbeat
from league.tasks import beat_heart
from processes.doctor import messages
from processes.doctor.findings import State
from tests.factories import enter
from tests.locks import held_elsewhere
from tests.servers import free_port

pytestmark = pytest.mark.django_db
LATER = timedelta(seconds=messages.SILENT_SECONDS + 10)


@pytest.fixture(autouse=True)
def queue(monkeypatch):
    """Look at a queue that no other test sends to."""
    name = f"looked-at-{uuid.uuid4().hex}"
    monkeypatch.setitem(app.conf, "task_default_queue", name)
    cache.delete("heartbeat")
    with app.connection_for_write() as connection:
        yield name
        connection.default_channel.queue_purge(name)


def send(queue, n=1):
    with app.connection_for_write() as connection:
        for _each in range(n):
            beat_heart.apply_async(connection=connection, queue=queue)


def test_what_waits_is_counted_with_its_age(states, queue):
    assert states(messages.check_broker()) == [(State.OK, "It answers; 0 messages wait.")]
    before = time.time()
    send(queue, 3)
    found = messages.read_queue()
    assert found.n_waiting == 3
    assert before <= found.oldest_at <= found.newest_at <= time.time()
    assert states(messages.check_broker()) == [(State.OK, "It answers; 3 messages wait.")]
    with time_machine.travel(before + LATER.total_seconds()):
        ((state, text),) = states(messages.check_broker())
    assert state == State.ATTENTION
    assert "3 messages wait, the oldest since" in text


def test_a_message_without_a_time_is_no_old_one(states, queue, monkeypatch):
    """The doctor said that it waits since 1970."""
    monkeypatch.setattr(before_task_publish, "receivers", [])
    send(queue)
    assert states(messages.check_broker()) == [(State.OK, "It answers; 1 messages wait.")]


def test_many_messages(states, queue, monkeypatch):
    monkeypatch.setattr(messages, "MOST_WAITING", 1)
    send(queue, 2)
    assert [state for state, _text in states(messages.check_broker())] == [State.ATTENTION]


def test_a_stopped_broker(states, monkeypatch):
    port = free_port()
    monkeypatch.setitem(app.conf, "broker_write_url", f"redis://:hush@127.0.0.1:{port}/0")
    monkeypatch.setitem(app.conf, "broker_transport_options", {"socket_connect_timeout": 1})
    ((state, text),) = states(messages.check_broker())
    assert state == State.WRONG
    assert "does not answer" in text
    assert "hush" not in text
    assert [state for state, _text in states(messages.check_beat())] == [State.WRONG]


def test_a_heartbeat_says_when_it_was_sent_and_run():
    before = time.time()
    beat_heart.push_request(published_at=5.0)
    beat_heart.run()
    beat_heart.pop_request()
    last = last_heartbeat()
    assert last.sent_at == 5.0
    assert before <= last.ran_at <= time.time()


def test_beat_and_worker_that_run(states):
    note_heartbeat(time.time())
    looks = (messages.check_beat, messages.check_worker)
    assert [state for look in looks for state, _text in states(look())] == [State.OK, State.OK]
    with time_machine.travel(time.time() + LATER.total_seconds()):
        ((beat, said),) = states(messages.check_beat())
        ((worker, _text),) = states(messages.check_worker())
    assert (beat, worker) == (State.WRONG, State.ATTENTION)
    assert "nothing since" in said


def test_a_worker_that_runs_nothing_of_what_beat_sends(states, queue):
    send(queue)
    assert [state for state, _text in states(messages.check_beat())] == [State.OK]
    ((state, text),) = states(messages.check_worker())
    assert state == State.WRONG
    assert "It has run nothing yet." in text


def test_neither_has_ever_run(states):
    ((beat, said),) = states(messages.check_beat())
    ((worker, text),) = states(messages.check_worker())
    assert (beat, worker) == (State.WRONG, State.ATTENTION)
    assert "nothing yet" in said
    assert "Start beat first" in text


def test_a_worker_that_computes_for_long_is_alive(states, season):
    enter(season, "Ada\nBoris")
    with held_elsewhere(season.pool_id):
        assert states(messages.check_worker()) == [(State.OK, "It computes ratings.")]
    assert [state for state, _text in states(messages.check_worker())] == [State.ATTENTION]
