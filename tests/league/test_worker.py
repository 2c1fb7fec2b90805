"""A supervised worker runs beat, and ends after a quiet time if it has loaded the rating engine."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from celery.worker import state

from league.celery import app
from league.site.worker import QuietEnd
from standings.tasks import recompute_pool, sweep
from tests.production.conftest import ROOT, clean_environment
from tests.waiting import until

# The site's application with quick sweeps, which are noted. An engine is loaded, or so it seems.
NOTING = """
import sys
from celery.signals import task_postrun
from league.celery import app
app.conf.beat_schedule["sweep"]["schedule"] = 0.2
sys.modules.setdefault("numba", sys)
task_postrun.connect(lambda task, **_: print(task.name, file=open("notes", "a")), weak=False)
"""


@pytest.mark.rest
def test_beat_runs_in_the_worker_which_ends_when_nothing_comes(tmp_path):
    (tmp_path / "noting.py").write_text(NOTING)
    environment = clean_environment(
        VAR_DIR=str(tmp_path), PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}", PYTHONWARNINGS="ignore"
    )
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "--quiet", "--app", "noting", "worker", "--pool", "solo",
         "--loglevel", "CRITICAL", "--with-beat", "--quiet-seconds", "1"],
        cwd=tmp_path, env=environment,
    )  # fmt: skip
    try:
        until(lambda: worker.poll() is not None)
    finally:
        worker.kill()
    assert worker.returncode == 0
    assert (tmp_path / "notes").read_text().splitlines().count(sweep.name) > 1


@pytest.fixture
def ends(monkeypatch):
    """Whether a worker is to stop after a task, by the seconds since the last result."""
    monkeypatch.setattr(state, "should_stop", None)
    quiet = QuietEnd(SimpleNamespace(app=app), quiet_seconds=60)

    def after(task, *, seconds):
        quiet.worked_at -= seconds
        quiet.after_task(task)
        return state.should_stop is not None

    return after


def test_a_worker_ends_by_the_sweep_after_a_quiet_minute(ends, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", sys)
    assert not ends(sweep, seconds=50)
    assert not ends(recompute_pool, seconds=50)
    assert not ends(sweep, seconds=50)
    assert ends(sweep, seconds=20)


def test_a_worker_without_the_engine_goes_on(ends, monkeypatch):
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    assert not ends(sweep, seconds=1_000)


@pytest.mark.parametrize("name", sorted({entry["task"] for entry in app.conf.beat_schedule.values()}))
def test_what_beat_sends_does_not_keep_a_worker_alive(ends, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "numba", sys)
    task = SimpleNamespace(name=name)
    assert not ends(task, seconds=50)
    assert ends(task, seconds=20)
