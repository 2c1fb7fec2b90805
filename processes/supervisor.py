"""Keep the processes of one machine alive: restart a dead child, replace a worker that makes no progress.

A worker can be alive and do nothing, for example after a restart of the broker. So progress is read from the
database: by the results that wait to be computed.
"""

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from league.site.queues import LONG, OF_WORKER
from processes.guard import Guard
from processes.preparation import preparing

log = logging.getLogger(__name__)

POLL_SECONDS = 0.25
PREPARATION_POLL_SECONDS = 0.02  # the first page waits for it
WATCH_SECONDS = 2.0
STOP_SECONDS = 5.0
FIRST_BACK_OFF = 0.5
LONGEST_BACK_OFF = 10.0
HEALTHY_SECONDS = 30.0  # a child that lived this long starts again without delay
REPLACE_SECONDS = 10.0  # a worker younger than this may still be starting: it is not replaced
QUIET_SECONDS = 60.0  # a worker that has nothing to do for so long gives its memory back
RESCUE_SECONDS = 600.0  # a rescue that runs longer is killed


@dataclass
class Child:
    """A process that should be running."""

    name: str
    command: Sequence[str]
    process: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    start_after: float = 0.0
    back_off: float = 0.0
    environment: dict[str, str] = field(default_factory=dict)

    def start(self) -> None:
        self.started_at = time.monotonic()
        # In a session of its own a child gets no Ctrl-C: only the supervisor does, and stops its children.
        self.process = subprocess.Popen(  # noqa: S603  our own command lines
            self.command, env=os.environ | self.environment, start_new_session=True
        )

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, number: signal.Signals) -> None:
        if self.process is not None and self.is_running():
            self._signal_group(number)

    def clean_up(self) -> None:
        """Kill the processes that an ended child left behind, which would keep its port."""
        self._signal_group(signal.SIGKILL)
        self.process = None

    def _signal_group(self, number: signal.Signals) -> None:
        # The group is gone, or on macOS holds only a zombie.
        with suppress(ProcessLookupError, PermissionError):
            if self.process is not None:
                os.killpg(self.process.pid, number)


@dataclass
class Supervisor:
    """Starts its children, restarts them when they end, and stops them when it is stopped itself.

    When `is_stuck`, it starts `rescue`, which computes the waiting results without the broker. As a process of its
    own, `rescue` never keeps the supervisor waiting, and is stopped with the children. `long` runs while there is work
    for it. If the supervisor is killed, its guard stops them all. Before everything else `preparation` runs; only web
    starts meanwhile, and waits by itself.
    """

    children: Sequence[Child]
    is_stuck: Callable[[], bool]
    rescue: Child
    preparation: Child | None = None
    long: Child | None = None
    has_long_work: Callable[[], bool] = lambda: False
    is_long_stuck: Callable[[], bool] = lambda: False
    is_stopping: bool = False
    guard: Guard | None = None
    long_work_at: float = 0.0

    def run(self) -> int:
        """Run until a signal comes; return the exit status."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # not run by nohup: stop with the terminal
            signal.signal(signal.SIGHUP, self._stop)
        self.guard = Guard()
        try:
            if self.preparation and not self._prepare(self.preparation):
                log.error("database and static files could not be set up, see above")
                return 1
            watched_at = time.monotonic()
            while not self.is_stopping:
                for child in self.children:
                    self._keep_running(child)
                if time.monotonic() - watched_at >= WATCH_SECONDS:
                    self._watch()
                    watched_at = time.monotonic()
                time.sleep(POLL_SECONDS)
        finally:
            self.stop()
            self.guard.dismiss()
        return 0

    def _prepare(self, preparation: Child) -> bool:
        """Run the preparation, and start web, which answers once it is done; False if it has failed."""
        with preparing():
            preparation.start()
            for child in self.children:
                if child.name == "web":
                    self._start(child)
            while preparation.is_running() and not self.is_stopping:
                time.sleep(PREPARATION_POLL_SECONDS)
        return self.is_stopping or (preparation.process is not None and preparation.process.returncode == 0)

    def _stop(self, *_args: object) -> None:
        self.is_stopping = True

    def _keep_running(self, child: Child) -> None:
        if child.is_running():
            return
        now = time.monotonic()
        if child.process is not None:
            level = logging.WARNING if child.process.returncode else logging.INFO
            log.log(level, "%s ended with status %s", child.name, child.process.returncode)
            child.back_off = _back_off(child, lived=now - child.started_at)
            child.start_after = now + child.back_off
            child.clean_up()
        if now >= child.start_after:
            self._start(child)

    def _start(self, child: Child) -> None:
        child.start()
        if self.guard and child.process:
            self.guard.watch(child.name, child.process.pid)

    def _watch(self) -> None:
        now = time.monotonic()
        if self.long:
            self._run_if_needed(self.long, now)
        if self.rescue.is_running():
            if now - self.rescue.started_at > RESCUE_SECONDS:
                self.rescue.send(signal.SIGKILL)
            return
        if self.guard and self.rescue.process is not None:
            self.guard.forget(self.rescue.name)
        is_stuck, is_long_stuck = self._asked(self.is_stuck), self._asked(self.is_long_stuck)
        if not (is_stuck or is_long_stuck):
            return
        for child in (*self.children, *filter(None, [self.long])):
            is_to_blame = (child.name == "worker" and is_stuck) or (child is self.long and is_long_stuck)
            if is_to_blame and now - child.started_at > REPLACE_SECONDS:
                log.warning("the worker makes no progress: replacing it")
                child.send(signal.SIGKILL)
        self._start(self.rescue)

    def _run_if_needed(self, child: Child, now: float) -> None:
        """Start the worker of long recomputations when there are any, and end it when there were none for a while."""
        if self._asked(self.has_long_work):
            self.long_work_at = now
            self._keep_running(child)
        elif child.is_running() and now - self.long_work_at > QUIET_SECONDS:
            child.send(signal.SIGTERM)
        elif child.process is not None and not child.is_running():
            child.clean_up()
            if self.guard:
                self.guard.forget(child.name)

    def _asked(self, question: Callable[[], bool]) -> bool:
        """Ask the database; False if it does not answer."""
        try:
            return question()
        except Exception:
            log.exception("the watchdog could not read the database")
            return False

    def stop(self) -> None:
        processes = [*self.children, self.rescue, *filter(None, (self.preparation, self.long))]
        for number, seconds in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, STOP_SECONDS)):
            for child in processes:
                child.send(number)
            deadline = time.monotonic() + seconds
            while any(child.is_running() for child in processes) and time.monotonic() < deadline:
                time.sleep(0.05)


def _back_off(child: Child, *, lived: float) -> float:
    """Compute the seconds to wait before restarting a child that has ended.

    The wait doubles each time a child ends by itself. It stays short after a SIGKILL, which comes from outside: from
    the watchdog, an operator, or the system when it is short of memory.
    """
    if lived > HEALTHY_SECONDS:
        return 0.0
    if child.process is not None and child.process.returncode == -signal.SIGKILL:
        return FIRST_BACK_OFF
    return min(max(2 * child.back_off, FIRST_BACK_OFF), LONGEST_BACK_OFF)


def children(names: Sequence[str], *, host: str, port: int, with_beat: bool = False) -> list[Child]:
    """Build the named child processes: web, worker (with beat inside it, if wanted), beat."""
    python = sys.executable
    celery = [python, "-m", "celery", "--quiet", "--app", "league"]
    known = {
        "web": [
            python, "-m", "granian", "--interface", "asginl", "--http", "1", "--host", host, "--port", str(port),
            "--workers", "1", "--no-ws", "--log-level", "warning",
            "--respawn-failed-workers", "processes.web:application",
        ],
        # The solo pool runs one task at a time in the worker itself: it takes least memory, and a kill leaves nothing.
        "worker": [
            *celery, "worker", "--pool", "solo", "--loglevel", "WARNING", "--without-mingle",
            "--quiet-seconds", str(QUIET_SECONDS), "--queues", ",".join(OF_WORKER),
            *(["--with-beat"] if with_beat else []),
        ],
        # It leaves the processors to the others, and runs only while there is something for it.
        "long": [
            "nice", "-n", "19", *celery, "worker", "--pool", "solo", "--loglevel", "WARNING", "--without-mingle",
            "--queues", LONG,
        ],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile="],
    }  # fmt: skip
    return [Child(name, known[name]) for name in names]
