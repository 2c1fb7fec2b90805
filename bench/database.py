"""Speed of recomputing a history by a Celery worker, including reading and writing rows, on PostgreSQL and SQLite.

`measure` runs this file in a separate process for each database; the worker is a child of that process.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bench.report import Row, met

N_SEASONS, N_EVENTS, N_PLAYERS = 10, 200, 5_000
LARGEST = 991  # the sizes of events are spread evenly from 10 to LARGEST: 100,100 participations
GOAL_SECONDS, GOAL_MEGABYTES = 20.0, 1_000.0
SEASON_EVENTS, SEASON_FIELD, SEASON_GOAL = 100, 1_000, 2.0  # seconds
WAIT_SECONDS = 600.0


def measure() -> list[Row]:
    from tests.servers import postgresql_server

    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        rows = _rows("SQLite", f"sqlite:///{folder}/bench.sqlite3", folder)
    with postgresql_server() as database, tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        return [*_rows("PostgreSQL", database, folder), *rows]


def _rows(name: str, database: str, folder: str) -> list[Row]:
    own = {"VAR_DIR": folder, "DATABASE_URL": database, "BROKER_URL": "embedded://localhost"}
    environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"}
    process = subprocess.run(
        [sys.executable, "-m", "bench.database"], env=environment, stdout=subprocess.PIPE, check=True
    )
    figures = json.loads(process.stdout)
    whole, tail, megabytes = figures["whole"], figures["tail"], figures["megabytes"]
    goal = ""
    if name == "PostgreSQL":
        is_met = whole <= GOAL_SECONDS and megabytes <= GOAL_MEGABYTES
        goal = f"; goal for everything {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB: {met(is_met)}"
    note = (
        f"{figures['n']:,} participations in {N_EVENTS} events of 10 to {LARGEST}, {N_SEASONS} seasons; computed by"
        f" the worker, rows read and written; peak memory of the worker {megabytes:.0f} MB{goal}"
    )
    season = (
        f"{SEASON_EVENTS} events of {SEASON_FIELD:,} among {N_PLAYERS:,} players, the last one corrected: standings of"
        f" the whole season, all rows; goal {SEASON_GOAL:g} s: {met(figures['season'] <= SEASON_GOAL)}"
    )
    return [
        Row(f"correction in the last tenth, {name}", "recompute everything", tail, whole, note=note),
        Row(
            f"one long season, {name}",
            "recompute everything",
            figures["season"],
            figures["season_whole"],
            note=season,
        ),
    ]


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    from bench.leagues import fill, open_seasons, touch
    from league.models import Event

    sizes = np.linspace(10, LARGEST, N_EVENTS).round().astype(int)
    sizes = np.random.default_rng(3).permutation(sizes).tolist()
    seasons = open_seasons(N_SEASONS)
    fill(seasons, n_players=N_PLAYERS, sizes=sizes, is_timed=False)
    events = Event.objects.in_rating_order()
    with _worker() as worker:
        _warm_up()
        touch(events[0])
        whole = _seconds_until_computed(seasons[0].pool_id)
        touch(events[N_EVENTS * 9 // 10])
        tail = _seconds_until_computed(seasons[0].pool_id)
        megabytes = _peak_megabytes(worker.pid)
        figures = {"n": sum(sizes), "whole": whole, "tail": tail, "megabytes": megabytes}
        (season,) = open_seasons(1, slug="season")
        fill([season], n_players=N_PLAYERS, sizes=[SEASON_FIELD] * SEASON_EVENTS, is_timed=False)
        events = season.events.in_rating_order()
        touch(events[0])
        figures["season_whole"] = _seconds_until_computed(season.pool_id)
        touch(events[SEASON_EVENTS - 1])
        figures["season"] = _seconds_until_computed(season.pool_id)
    sys.stdout.write(json.dumps(figures))


@contextmanager
def _worker() -> Iterator["subprocess.Popen[bytes]"]:
    from processes.supervisor import children

    (child,) = children(["worker"], host="", port=0)
    with subprocess.Popen(child.command, stdout=sys.stderr) as worker:
        try:
            yield worker
        finally:
            worker.kill()


def _warm_up() -> None:
    """Wait until the worker has compiled and loaded its kernels, which is not to be measured."""
    from bench.leagues import fill, open_seasons, touch

    (season,) = open_seasons(1, slug="warm")
    fill([season], n_players=20, sizes=[10], is_timed=True)
    touch(season.events.get())
    _seconds_until_computed(season.pool_id)


def _seconds_until_computed(pool_id: int) -> float:
    """Wait until the rows of a pool are computed, and return the seconds it took."""
    from standings.queries import stale_pools

    began_at = time.perf_counter()
    while stale_pools().filter(pk=pool_id).exists():
        if time.perf_counter() - began_at > WAIT_SECONDS:
            raise TimeoutError("the worker has not computed the pool")
        time.sleep(0.02)
    return time.perf_counter() - began_at


def _peak_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
