"""Threads that kill the worker, by its process id, and Redis."""

import itertools
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.servers import Redis
from tests.storm.wire import LIFE

POLL_SECONDS = 0.05
LONGEST_AWAY_SECONDS = 60
# What to wait for after the worker has started, and how many seconds later to kill it. Killed a second after its start
# it hardly gets to compute. A storm begins so, and then kills the worker in turn in the middle of its first
# recomputation and a second after it.
AT_ONCE = ("starts", 1.0)
COMPUTING = ("begins", 0.3)
WORKING = ("computed", 1.0)


def lives(n_at_once: int):
    return itertools.chain([AT_ONCE] * n_at_once, itertools.cycle([COMPUTING, WORKING]))


class Killer(threading.Thread):
    """A thread that kills until `stop` is called."""

    def __init__(self, n_least: int) -> None:
        super().__init__(daemon=True)
        self.n_least = n_least
        self.n_kills = 0
        self._stop_asked = threading.Event()

    def has_done(self, share: float) -> bool:
        """Whether it has killed its share: corrections wait for that on a machine that is busy otherwise."""
        return self.n_kills >= share * self.n_least

    def stop(self) -> None:
        self._stop_asked.set()
        self.join()


class WorkerKiller(Killer):
    def __init__(self, folder: Path, *, n_at_once: int) -> None:
        super().__init__(n_least=n_at_once)
        self.life = folder / LIFE
        self.lives = lives(n_at_once)

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
    """Kills Redis, leaves it down for a while and starts it again with the data it had saved.

    It stays away until corrections have been made without it: one that waited for a broker would wait in vain.
    """

    def __init__(self, redis: Redis, n_made: Callable[[], int]) -> None:
        super().__init__(n_least=5)
        self.redis = redis
        self.n_made = n_made
        self.n_waits = 0

    def run(self) -> None:
        while not self._stop_asked.wait(4):
            self.redis.kill()
            self.n_kills += 1
            self._stay_away()
            self.redis.start()

    def _stay_away(self) -> None:
        enough = self.n_made() + 2  # one of them may have been under way
        deadline = time.monotonic() + LONGEST_AWAY_SECONDS
        time.sleep(1.5)
        while self.n_made() < enough and not self._stop_asked.wait(POLL_SECONDS):
            if time.monotonic() > deadline:
                self.n_waits += 1
                return
