"""Threads that kill the worker, by its process id, and Redis."""

import itertools
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.servers import Redis
from tests.storm.wire import LIFE

POLL_SECONDS = 0.05
# What to wait for after the worker has started, and how many seconds later to kill it. A worker needs about a second
# to start and to load the compiled kernels: killed every second, it hardly gets to compute. One storm does so to its
# end; the others begin so, and then kill the worker in turn in the middle of its first recomputation and a second
# after it.
AT_ONCE = ("starts", 1.0)
COMPUTING = ("begins", 0.3)
WORKING = ("computed", 1.0)
N_AT_ONCE = 8


def lives(*, every_second: bool):
    if every_second:
        return itertools.repeat(AT_ONCE)
    return itertools.chain([AT_ONCE] * N_AT_ONCE, itertools.cycle([COMPUTING, WORKING]))


class Killer(threading.Thread):
    """A thread that kills until `stop` is called."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.n_kills = 0
        self._stop_asked = threading.Event()

    def stop(self) -> None:
        self._stop_asked.set()
        self.join()


class WorkerKiller(Killer):
    def __init__(self, folder: Path, *, every_second: bool) -> None:
        super().__init__()
        self.life = folder / LIFE
        self.lives = lives(every_second=every_second)

    def run(self) -> None:
        killed: set[int] = set()
        for word, seconds in self.lives:
            while (pid := self._reached(word)) is None or pid in killed:
                if self._stop_asked.wait(POLL_SECONDS):
                    return
            if self._stop_asked.wait(seconds):
                return
            killed.add(pid)
            with suppress(ProcessLookupError):  # the watchdog was faster
                os.kill(pid, signal.SIGKILL)
                self.n_kills += 1

    def _reached(self, word: str) -> int | None:
        """The process id of the latest worker if it has noted `word`."""
        lines = [line.split() for line in self.life.read_text().splitlines()] if self.life.exists() else []
        if lines and [lines[-1][0], word] in lines:
            return int(lines[-1][0])
        return None


class RedisKiller(Killer):
    """Kills Redis every few seconds, and starts it again a while later with the data it had saved."""

    def __init__(self, redis: Redis) -> None:
        super().__init__()
        self.redis = redis

    def run(self) -> None:
        while not self._stop_asked.wait(4):
            self.redis.kill()
            self.n_kills += 1
            time.sleep(1.5)
            self.redis.start()
