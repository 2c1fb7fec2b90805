"""The supervisor restarts what ends, replaces what hangs, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from processes import preparation, supervisor
from processes.preparation import wait_until_prepared
from processes.supervisor import Child, Supervisor, children
from tests.waiting import until

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)",
]
# Supervises a child that has a child itself, and prints the process ids of both.
SUPERVISE = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may run under nohup
from processes.supervisor import Child, Supervisor
family = "import subprocess, os; p = subprocess.Popen(['sleep', '600']); print(os.getpid(), p.pid, flush=True); p.wait()"
sleep = Child("rescue", ["sleep", "600"])
Supervisor([Child("web", [sys.executable, "-c", family])], is_stuck=lambda: False, rescue=sleep).run()
"""


def is_alive(pid):
    """Whether a process runs; a zombie that its new parent has not waited for does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return state.stdout.strip()[:1] not in {"", "Z"}


@pytest.fixture
def supervise(monkeypatch):
    """Run a supervisor in a thread, with short waits."""
    monkeypatch.setattr(supervisor, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(supervisor, "WATCH_SECONDS", 0.1)
    monkeypatch.setattr(supervisor, "FIRST_BACK_OFF", 0.05)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # only the main thread may set handlers
    running = []

    def run(*kids, is_stuck=lambda: False, rescue=("true",), preparation=None):
        rescue = Child("rescue", list(rescue))
        started = Supervisor(kids, is_stuck=is_stuck, rescue=rescue, preparation=preparation)
        thread = threading.Thread(target=started.run)
        thread.start()
        running.append((started, thread))
        return started

    yield run
    for started, thread in running:
        started._stop()
        thread.join()


def pid_of(child):
    """Wait for a child to run and return its process id."""
    until(child.is_running)
    return child.process.pid


def test_a_dead_child_is_started_again(supervise):
    child = Child("worker", SLEEP)
    supervise(child)
    first = pid_of(child)
    os.kill(first, signal.SIGKILL)
    until(lambda: child.is_running() and child.process.pid != first)


def test_a_child_that_ends_by_itself_starts_after_growing_waits(supervise, monkeypatch):
    monkeypatch.setattr(supervisor, "LONGEST_BACK_OFF", 0.15)
    child = Child("web", ["false"])
    supervise(child)
    seen = set()
    until(lambda: seen.add(child.back_off) or child.back_off == 0.15)
    assert seen <= {0.0, 0.05, 0.1, 0.15}


def test_a_killed_child_starts_without_growing_waits(supervise):
    child = Child("worker", SLEEP)
    supervise(child)
    for _ in range(4):
        pid = pid_of(child)
        os.kill(pid, signal.SIGKILL)
        until(lambda pid=pid: child.is_running() and child.process.pid != pid)
    assert child.back_off == supervisor.FIRST_BACK_OFF


def test_a_stuck_worker_is_replaced_and_the_rescue_called(supervise, monkeypatch, tmp_path):
    monkeypatch.setattr(supervisor, "REPLACE_SECONDS", 0.3)
    worker, beat = Child("worker", SLEEP), Child("beat", SLEEP)
    stuck, rescued = threading.Event(), tmp_path / "rescued"
    supervise(
        worker,
        beat,
        is_stuck=lambda: stuck.is_set() and not rescued.exists(),
        rescue=["touch", str(rescued)],
    )
    first, other = pid_of(worker), pid_of(beat)
    time.sleep(0.4)
    assert pid_of(worker) == first
    stuck.set()
    until(lambda: worker.is_running() and worker.process.pid != first)
    until(rescued.exists)
    assert pid_of(beat) == other


def test_a_worker_that_may_still_be_starting_is_left_alone(supervise, monkeypatch, tmp_path):
    monkeypatch.setattr(supervisor, "REPLACE_SECONDS", 600)  # longer than any rescue takes to begin
    worker, rescued = Child("worker", SLEEP), tmp_path / "rescued"
    supervise(worker, is_stuck=lambda: True, rescue=["touch", str(rescued)])
    first = pid_of(worker)
    until(rescued.exists)
    assert pid_of(worker) == first


def test_a_rescue_that_hangs_keeps_nothing_waiting_and_ends(supervise, monkeypatch):
    monkeypatch.setattr(supervisor, "RESCUE_SECONDS", 0.5)
    worker = Child("worker", SLEEP)
    running = supervise(worker, is_stuck=lambda: True, rescue=SLEEP)
    rescue, first = pid_of(running.rescue), pid_of(worker)
    os.kill(first, signal.SIGKILL)
    until(lambda: worker.is_running() and worker.process.pid != first)
    until(lambda: not is_alive(rescue))


def test_a_watchdog_that_fails_changes_nothing(supervise):
    calls = []

    def fails():
        calls.append(1)
        raise RuntimeError("no database")

    worker = Child("worker", SLEEP)
    supervise(worker, is_stuck=fails)
    first = pid_of(worker)
    until(lambda: len(calls) > 2)
    assert pid_of(worker) == first


def test_stopping_kills_a_child_that_does_not_end_by_itself(monkeypatch):
    monkeypatch.setattr(supervisor, "STOP_SECONDS", 0.3)
    child = Child("web", STUBBORN)
    child.start()
    pid = pid_of(child)
    Supervisor([child], is_stuck=lambda: False, rescue=Child("rescue", ["true"])).stop()
    assert not is_alive(pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_all_and_leaves_nothing_behind(number):
    process = subprocess.Popen([sys.executable, "-c", SUPERVISE], stdout=subprocess.PIPE, text=True)
    with process:
        child, grandchild = map(int, process.stdout.readline().split())
        assert is_alive(child)
        assert is_alive(grandchild)
        process.send_signal(number)
        try:
            assert process.wait(120) == 0
        finally:
            process.kill()
        until(lambda: not is_alive(child) and not is_alive(grandchild))


def test_a_killed_supervisor_leaves_nothing_behind():
    """Otherwise its web server would hold the port, and the next start fail."""
    with subprocess.Popen([sys.executable, "-c", SUPERVISE], stdout=subprocess.PIPE, text=True) as process:
        family = list(map(int, process.stdout.readline().split()))
        process.kill()
    until(lambda: not any(map(is_alive, family)))


def test_processes_started_by_a_dead_child_are_killed(supervise, tmp_path):
    """Otherwise the workers of a killed web server would hold its port."""
    file = tmp_path / "pids"
    child = Child("web", ["sh", "-c", f"sleep 600 & echo $! >> {file}; wait"])
    supervise(child)
    until(lambda: file.exists() and file.read_text())
    os.kill(pid_of(child), signal.SIGKILL)
    until(lambda: len(file.read_text().split()) == 2)
    first, second = map(int, file.read_text().split())
    until(lambda: not is_alive(first))
    assert is_alive(second)


@pytest.fixture
def lock(tmp_path, monkeypatch):
    monkeypatch.setattr(preparation, "LOCK", tmp_path / "lock")


@pytest.mark.usefixtures("lock")
def test_web_starts_with_the_preparation_and_waits_for_it_and_the_worker_starts_after_it(supervise, tmp_path):
    go, prepared = tmp_path / "go", threading.Event()
    web, worker = Child("web", SLEEP), Child("worker", SLEEP)
    wait_for_go = ["sh", "-c", f"until [ -e {go} ]; do sleep 0.05; done"]
    supervise(web, worker, preparation=Child("preparation", wait_for_go))
    until(web.is_running)
    waiting = threading.Thread(target=lambda: (wait_until_prepared(), prepared.set()))
    waiting.start()
    time.sleep(0.3)
    assert not prepared.is_set()
    assert worker.process is None
    go.touch()
    waiting.join()
    until(worker.is_running)


@pytest.mark.usefixtures("lock")
def test_nothing_runs_on_after_a_preparation_that_failed():
    web, worker = Child("web", SLEEP), Child("worker", SLEEP)
    failing = Supervisor(
        [web, worker],
        is_stuck=lambda: False,
        rescue=Child("rescue", ["true"]),
        preparation=Child("preparation", ["false"]),
    )
    assert failing.run() == 1
    assert not web.is_running()
    assert worker.process is None
    wait_until_prepared()  # the lock is free


def test_the_known_processes():
    assert [child.name for child in children(["web", "worker", "beat"], host="127.0.0.1", port=1)] == [
        "web",
        "worker",
        "beat",
    ]


def test_one_worker_runs_beat_itself():
    [_web, worker] = children(["web", "worker"], host="127.0.0.1", port=1, with_beat=True)
    assert "--with-beat" in worker.command
    assert "--with-beat" not in children(["worker"], host="", port=0)[0].command


def test_the_worker_of_long_recomputations_runs_while_there_is_work_and_goes_with_the_others(
    supervise, monkeypatch
):
    monkeypatch.setattr(supervisor, "QUIET_SECONDS", 0.2)
    monkeypatch.setattr(supervisor, "REPLACE_SECONDS", 0.0)
    work, stuck = [True], [False]
    long = Child("long", SLEEP)
    started = supervise(Child("worker", SLEEP))
    started.long, started.has_long_work, started.is_long_stuck = long, lambda: work[0], lambda: stuck[0]
    until(long.is_running, seconds=10)
    first = long.process.pid
    stuck[0] = True
    until(lambda: long.process is not None and long.process.pid != first and long.is_running(), seconds=20)
    stuck[0] = False
    worker = started.children[0].process.pid
    work[0] = False
    until(lambda: not long.is_running(), seconds=20)
    assert started.children[0].process.pid == worker


def test_the_guard_stops_every_child_it_was_told_of():
    script = """
import os, signal, subprocess
from processes.guard import Guard
guard = Guard()
pids = []
for name in ("web", "worker", "long"):
    child = subprocess.Popen(["sleep", "600"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    guard.watch(name, child.pid)
    pids.append(child.pid)
guard.forget("web")
print(*pids, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    web, worker, long = map(int, done.stdout.split())
    until(lambda: not is_alive(worker) and not is_alive(long), seconds=15)
    assert is_alive(web)  # its number may be a stranger's by now
    os.kill(web, signal.SIGKILL)
