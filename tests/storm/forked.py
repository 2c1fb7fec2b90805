"""Start Celery's command in a process that is forked from one which has imported the site already.

A storm starts dozens of workers and kills each within seconds: importing took most of its processor time.
"""

import multiprocessing
import os
import random
import sys
from collections.abc import Sequence

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["tests.storm.preloaded", "celery.bin.celery", "celery.apps.worker", "ratings.engine.pipeline"]
)


class Forked:
    """A process that runs `python -m celery ...`, with what the supervisor asks of a Popen."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = FORKS.Process(target=run_celery, args=[command[command.index("celery") :]])
        self._process.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode


def run_celery(command: Sequence[str]) -> None:
    """Run a command line of Celery in a session of its own, as the supervisor starts its children."""
    from celery.bin.celery import main

    from tests.storm.wire import EVERY, wire

    os.setsid()
    wire.n_sent = random.randrange(EVERY)  # was the same for all that are forked
    sys.argv = list(command)
    main()
