"""How soon `make run` shows its first page and the ratings, and the memory it takes when nothing happens."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench.report import met
from processes.supervisor import QUIET_SECONDS

ROOT = Path(__file__).resolve().parents[1]
LEADERBOARD = "c/riverbank/s/winter-cup-2026/"
PAGES = (
    "",
    LEADERBOARD,
    f"{LEADERBOARD}table/",
    f"{LEADERBOARD}events/",
    "c/riverbank/players/",
    "c/riverbank/rating/",
)
PATIENCE_SECONDS = 300.0
NOTES = (
    "A folder of its own with packages installed: `manage.py serve`, as `make run` starts it. Memory is the"
    " proportional share (PSS) of all processes together, a quiet minute after ratings were computed and pages read"
    " (Linux)."
)


@dataclass(frozen=True)
class Figure:
    """One figure of ours and the most it may be."""

    HEAD: ClassVar[tuple[str, ...]] = ("what", "measured", "goal", "how")

    what: str
    value: float
    unit: str
    goal: float
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        goal = f"{self.goal:g} {self.unit} {met(self.value <= self.goal)}"
        return self.what, f"{self.value:.3g} {self.unit}", goal, self.note


def measure() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        with running(folder) as (url, began_at, pid):
            page = wait_for(lambda: b"Riverbank" in read(f"{url}{LEADERBOARD}events/"), began_at)
            ratings = wait_for(
                lambda: b"Points and ratings computed" in read(f"{url}{LEADERBOARD}"), began_at
            )
            memory = idle_memory(url, pid)
        with running(folder) as (url, began_at, _pid):
            again = wait_for(lambda: b"Riverbank" in read(f"{url}{LEADERBOARD}"), began_at)
    figures = [
        Figure("first start: the first page, with the demo's events", page, "s", 5),
        Figure("first start: ratings, kernels compiled", ratings, "s", 30),
        Figure("second start: the first page", again, "s", 4),
    ]
    if memory:
        parts = ", ".join(f"{name} {size:.0f}" for name, size in memory.items())
        figures.append(Figure("idle memory of all processes", sum(memory.values()), "MB", 250, parts))
    return figures


@contextmanager
def running(folder: str) -> Iterator[tuple[str, float, int]]:
    """Run the site; yield its address, the time it was started, and the supervisor's process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"VAR_DIR": folder, "NUMBA_CACHE_DIR": f"{folder}/numba"}
    with Path(folder, "log").open("ab") as log:
        began_at = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
        )
    try:
        yield f"http://127.0.0.1:{port}/", began_at, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def read(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return bytes(answer.read())
    except OSError:
        return b""


def wait_for(condition: Callable[[], bool], began_at: float) -> float:
    """Measure the seconds from the start until a condition holds."""
    while not condition():
        if time.monotonic() - began_at > PATIENCE_SECONDS:
            raise TimeoutError("the site did not get so far")
        time.sleep(0.02)
    return time.monotonic() - began_at


def idle_memory(url: str, pid: int) -> dict[str, float]:
    """Read pages and wait until the worker, which has computed ratings, has given its memory back; empty off Linux."""
    for page in PAGES:
        assert read(f"{url}{page}"), page
    if not Path("/proc/self/smaps_rollup").exists():
        return {}
    time.sleep(QUIET_SECONDS + 15)
    sizes: dict[str, float] = {}
    for process, name in family(pid, "supervisor"):
        sizes[name] = sizes.get(name, 0.0) + proportional_size(process)
    return sizes


def family(pid: int, name: str) -> Iterator[tuple[int, str]]:
    """Yield a process and its descendants, each with the name of the supervisor's child it belongs to."""
    yield pid, name
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            line = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
            own = next((known for known in ("granian", "celery") if known in line), name)
            yield from family(child, {"granian": "web", "celery": "worker"}.get(own, own))


def proportional_size(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
