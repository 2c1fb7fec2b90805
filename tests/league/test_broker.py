"""The embedded broker: real messages through kombu, in real files."""

import errno
import uuid
from pathlib import Path

import pytest
from celery.signals import worker_shutting_down
from kombu import Connection, Queue
from kombu.exceptions import OperationalError

from league.celery import enqueue_on_commit
from league.site import broker
from league.tasks import beat_heart


@pytest.fixture
def folders(tmp_path):
    return {
        "data_folder_in": str(tmp_path / "queue"),
        "data_folder_out": str(tmp_path / "queue"),
        "control_folder": str(tmp_path / "control"),
    }


@pytest.fixture
def name():
    """A queue name unique to the test, because kombu caches bound queues in the process."""
    return f"work-{uuid.uuid4().hex}"


@pytest.fixture
def connection(folders):
    with Connection("embedded://localhost", transport_options=folders) as opened:
        yield opened


def received(queue):
    messages = []
    while True:
        try:
            message = queue.get_nowait()
        except queue.Empty:
            return messages
        messages.append(message.payload)
        message.ack()


def test_messages_come_once_and_in_order(connection, folders, name):
    queue = connection.SimpleQueue(name)
    for i in range(5):
        queue.put({"n": i})
    assert [payload["n"] for payload in received(queue)] == [0, 1, 2, 3, 4]
    assert list(Path(folders["data_folder_in"]).iterdir()) == []
    queue.close()


@pytest.mark.parametrize(
    "damage",
    [
        b"", b'{"body": "half', b"null", b"[]", b'"word"', b"3", b"{}", b'{"body": "e30=", "properties": null}',
        b'{"body": "e30=", "headers": {}, "properties": {}}',
        b'{"body": 1, "headers": {}, "properties": {"delivery_tag": "1", "delivery_info": {}}}',
        b'{"body": "", "headers": null, "properties": {"delivery_tag": "1", "delivery_info": {}}}',
        b'{"body": "", "headers": {}, "properties": {"delivery_tag": "1", "delivery_info": 3}}',
        b'{"body": "", "headers": {}, "properties": {"delivery_tag": "1", "delivery_info": {}, "body_encoding": "x"}}',
    ],
)  # fmt: skip
def test_what_is_no_message_is_set_aside_and_the_next_one_read(connection, folders, name, damage):
    queue = connection.SimpleQueue(name)
    queue.put({"n": 1})
    Path(folders["data_folder_in"], f"0_damaged.{name}.msg").write_bytes(damage)
    assert received(queue) == [{"n": 1}]
    aside = [file for file in Path(folders["data_folder_in"]).iterdir() if "damaged" in file.name]
    assert [file.read_bytes() for file in aside] == [damage]
    assert aside[0].name.startswith(".")
    queue.close()


def test_a_worker_takes_all_of_its_first_queue_before_the_next(connection, name, monkeypatch):
    first, later = Queue(f"{name}-first"), Queue(f"{name}-later")
    monkeypatch.setitem(broker.AFTER, later.name, first.name)
    with connection.Producer() as producer:
        for i in range(3):
            for queue in (later, first):
                producer.publish({"n": i}, routing_key=queue.name, declare=[queue])
    taken = []

    def take(body, message):
        taken.append((message.delivery_info["routing_key"].rpartition("-")[2], body["n"]))
        message.ack()

    with connection.Consumer([first, later], callbacks=[take]):
        for _message in range(6):
            connection.drain_events(timeout=5)
    assert taken == [(queue, i) for queue in ("first", "later") for i in range(3)]


def test_a_message_that_a_full_disk_does_not_take_leaves_nothing(connection, folders, name, monkeypatch):
    queue = connection.SimpleQueue(name)
    queue.put({"n": 1})

    def fill_up(file, _data):
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", fill_up)
        with pytest.raises(OSError, match="No space left"):
            queue.put({"n": 2})
    assert [file for file in Path(folders["data_folder_in"]).iterdir() if file.name.endswith(".part")] == []
    assert received(queue) == [{"n": 1}]
    queue.close()


def test_a_half_written_message_is_not_read(connection, folders, name):
    queue = connection.SimpleQueue(name)
    queue.put({"n": 1})
    Path(folders["data_folder_in"], f".0_new.{name}.msg.part").write_bytes(b"{")
    assert received(queue) == [{"n": 1}]
    queue.close()


@pytest.mark.parametrize("damage", [b"", b'[["work", ', b"null", b"{}", b'["work"]', b'[["work"]]'])
def test_a_routing_table_that_a_kill_left_damaged_is_replaced(connection, folders, name, damage):
    table = Path(folders["control_folder"], f"{name}.exchange")
    table.parent.mkdir()
    table.write_bytes(damage)
    queue = connection.SimpleQueue(name)
    queue.put({"n": 2})
    assert received(queue) == [{"n": 2}]
    assert name in table.read_text()
    queue.close()


def test_a_worker_that_is_to_stop_does_not_wait_for_a_message(connection, name, monkeypatch):
    waits = []
    monkeypatch.setattr(broker.time, "sleep", waits.append)
    queue = connection.SimpleQueue(name)
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.02)
    assert waits
    waits.clear()
    monkeypatch.setattr(broker, "_is_stopping", broker.threading.Event())
    worker_shutting_down.send(sender=None)
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=60)
    assert waits == []
    queue.close()


def test_a_broker_that_does_not_answer_is_one_line_in_the_log(
    db, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    """A save while Redis was down wrote a traceback each."""

    def fail(*_args):
        raise OperationalError("Error 111 connecting to redis:6379.\nConnection refused.")

    monkeypatch.setattr(beat_heart, "delay", fail)
    with django_capture_on_commit_callbacks(execute=True):
        enqueue_on_commit(beat_heart)
    (record,) = [each for each in caplog.records if each.name == "league.celery"]
    assert record.exc_info is None
    assert record.getMessage().endswith("will be by the sweep: Error 111 connecting to redis:6379.")
