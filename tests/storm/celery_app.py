"""The site's Celery application on a faulty wire: one published message in ten is dropped.

Worker and beat are started with this module in place of `league`; the product itself has no fault switch. The
worker writes down what happens to it, so that the storm knows its process id and when to kill it.
"""

import os
import random
from pathlib import Path

from celery.signals import task_postrun, task_prerun, worker_ready

from league.celery import app

EVERY = 10
LIFE = "storm-life"
DROPS = "storm-drops"


class Wire:
    """Drops every tenth message, counted from `first`; once cut, every one."""

    def __init__(self, first: int) -> None:
        self.n_sent = first
        self.is_cut = False
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


# A worker lives for seconds only: it starts anywhere in the ten, or it would never come to the tenth.
wire = Wire(first=random.randrange(EVERY))


@worker_ready.connect
def _ready(**_kwargs):
    note(LIFE, "ready")


@task_prerun.connect
def _begins(**_kwargs):
    note(LIFE, "begins")


@task_postrun.connect
def _ended(sender, **_kwargs):
    note(LIFE, "computed" if sender.name.endswith("recompute_pool") else "ended")
