"""Read what waits at the broker."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from kombu import Connection

from league.celery import app, reach_broker


class Queue(NamedTuple):
    """What waits: the number of messages, and when the oldest and the newest were published."""

    n_waiting: int
    oldest_at: float
    newest_at: float


def read_queue(name: str = "") -> Queue:
    """Read a queue of the broker; without a name, that of the messages that people wait for."""
    name = name or str(app.conf.task_default_queue)
    with _reached() as connection:
        channel: Any = connection.default_channel
        if connection.transport.driver_type == "redis":
            n_waiting = channel.client.llen(name)
            ends = channel.client.lrange(name, -1, -1) + channel.client.lrange(name, 0, 0)
        else:
            files = channel.waiting(name)
            n_waiting, ends = len(files), [file.read_bytes() for file in files[:1] + files[-1:]]
    # A message without a time is of a program that does not write it: it says nothing about how long others wait.
    times = [json.loads(message)["headers"].get("published_at") for message in ends]
    known = [at for at in times if at]
    return Queue(n_waiting, oldest_at=min(known, default=time.time()), newest_at=max(known, default=0.0))


@contextmanager
def _reached() -> Iterator[Connection]:
    with app.connection_for_write() as connection:
        reach_broker(connection)
        yield connection
