"""A faulty wire: it drops one published message in ten, and notes what happens.

Nothing is faulty until `put_in` is called, as by the driver of a storm and its Celery application.
"""

import os
import random
from pathlib import Path

from league.celery import app

EVERY = 10
LIFE = "storm-life"
DROPS = "storm-drops"


class Wire:
    """Drops every tenth message, counted from `first`, and every message while it is cut."""

    def __init__(self, first: int) -> None:
        self.n_sent = first
        self.is_cut = False

    def put_in(self) -> None:
        self._send = app.amqp.send_task_message
        app.amqp.send_task_message = self.send

    def send(self, producer, name, message, **options):
        if self.is_cut:
            return None
        self.n_sent += 1
        if self.n_sent % EVERY == 0:
            note(DROPS, name)
            return None
        return self._send(producer, name, message, **options)


def note(file: str, word: str, pid: int | None = None) -> None:
    with (Path(os.environ["VAR_DIR"]) / file).open("a", encoding="ascii") as notes:
        notes.write(f"{pid or os.getpid()} {word}\n")


# A worker lives only for seconds: counting starts anywhere in the ten, or it would never reach the tenth message.
wire = Wire(first=random.randrange(EVERY))
