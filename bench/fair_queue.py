"""Measure how long small clubs wait while a giant recomputes: two workers, PostgreSQL and Redis.

`measure` runs this file in a process of its own; the workers are children of that process, under the site's own
supervisor.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from bench.report import Row, met

if TYPE_CHECKING:
    from league.models import Event

N_GIANT_EVENTS, GIANT_FIELD, GIANT_PLAYERS = 200, 1_000, 5_000
N_SMALL, N_SMALL_EVENTS, SMALL_FIELD = 200, 10, 10
WORKERS = 2
GOAL = 2.0  # times the wait without the giant
WAIT_SECONDS = 600.0
SCALES = (1, 2, 4)


def measure() -> list[Row]:
    from tests.servers import postgresql_server, redis_server

    with postgresql_server() as database, redis_server() as redis, tempfile.TemporaryDirectory() as folder:
        own = {"VAR_DIR": folder, "DATABASE_URL": database, "BROKER_URL": redis.url}
        environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"}
        process = subprocess.run(
            [sys.executable, "-m", "bench.fair_queue"], env=environment, stdout=subprocess.PIPE, check=True
        )
    figures = json.loads(process.stdout)
    alone, behind = figures["alone"], figures["behind"]
    is_met = behind["median"] <= GOAL * alone["median"]
    note = (
        f"{N_SMALL} clubs corrected at once; a club of {N_GIANT_EVENTS * GIANT_FIELD:,} entries recomputed meanwhile,"
        " again and again until the last small club was done;"
        f" slowest {alone['slowest']:.1f} s and {behind['slowest']:.1f} s; goal: at most {GOAL:g} times the wait"
        f" without the giant: {met(is_met)}"
    )
    rows = [
        Row(
            "median wait of a small club, no giant",
            "behind a giant",
            alone["median"],
            behind["median"],
            note=note,
        )
    ]
    return rows + [_scaled(n, figures["costs"]) for n in SCALES]


def _scaled(n_workers: int, costs: dict[str, float]) -> Row:
    """Compute, not measure, the time of all small clubs with so many workers on cores of their own."""
    worker, database = costs["worker"] / N_SMALL, costs["database"] / N_SMALL
    one = worker + database
    bound = max(one / n_workers, database)
    note = (
        f"a model: {worker * 1e3:.1f} ms of a worker and {database * 1e3:.1f} ms of the database a club, measured in"
        " processor time; each worker on a core of its own, the database on one"
    )
    return Row(f"time for each small club, workers: {n_workers}", "one worker", bound, one, note=note)


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    from bench.leagues import fill, open_seasons, touch
    from league.models import Event

    (giant,) = open_seasons(1, slug="giant")
    fill([giant], n_players=GIANT_PLAYERS, sizes=[GIANT_FIELD] * N_GIANT_EVENTS, is_timed=False)
    small = []
    for i in range(N_SMALL):
        (season,) = open_seasons(1, slug=f"small-{i}")
        fill([season], n_players=2 * SMALL_FIELD, sizes=[SMALL_FIELD] * N_SMALL_EVENTS, is_timed=False)
        small.append(season.pool_id)
    first = {
        pool_id: Event.objects.filter(pool=pool_id).earliest("starts_at")
        for pool_id in [giant.pool_id, *small]
    }
    last = [Event.objects.filter(pool=pool_id).latest("starts_at") for pool_id in small]

    def keep_giant_busy() -> None:
        if not _is_behind([giant.pool_id]):
            touch(first[giant.pool_id])

    with _workers(WORKERS):
        for event in first.values():
            touch(event)
        _until_computed([giant.pool_id, *small])
        before = _processor_seconds()
        alone = _waits(last, touch, meanwhile=lambda: None)
        after = _processor_seconds()
        touch(first[giant.pool_id])
        _until_begun(giant.pool_id)
        behind = _waits(last, touch, meanwhile=keep_giant_busy)
    costs = {name: after[name] - before[name] for name in after}
    figures = {"alone": alone, "behind": behind, "costs": costs}
    sys.stdout.write(json.dumps(figures))


@contextmanager
def _workers(n: int) -> Iterator[None]:
    """Run so many supervised workers, and beat."""
    commands = [[sys.executable, "manage.py", "serve", "worker"]] * n
    commands.append([sys.executable, "manage.py", "serve", "beat"])
    with ExitStack() as stack:
        for command in commands:
            process = subprocess.Popen(command, stdout=sys.stderr)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield


def _processor_seconds() -> dict[str, float]:
    """Read the processor time of all workers and of the database's servers so far, that of ended children included."""
    spent = {"worker": 0.0, "database": 0.0}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
            name = "worker" if b"celery" in command else "database" if b"postgres" in command else ""
            if name:
                times = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
                spent[name] += sum(map(int, times[11:15])) / os.sysconf("SC_CLK_TCK")
    return spent


def _waits(
    events: "Sequence[Event]", touch: "Callable[[Event], None]", *, meanwhile: Callable[[], None]
) -> dict[str, float]:
    """Correct an event of each small club at once; measure how long each waits until its rows are computed."""
    from league.models import Change
    from standings.models import Recomputation

    for event in events:
        touch(event)
    pools = [event.pool_id for event in events]
    _until_computed(pools, meanwhile)
    ready = dict(Recomputation.objects.filter(pool__in=pools).values_list("pool_id", "rated_at"))
    asked = dict(Change.objects.filter(pool__in=pools).order_by("version").values_list("pool_id", "at"))
    waits = [(ready[pool_id] - asked[pool_id]).total_seconds() for pool_id in pools]
    return {"median": statistics.median(waits), "slowest": max(waits)}


def _is_behind(pools: Sequence[int]) -> bool:
    from standings.queries import stale_pools

    return stale_pools().filter(pk__in=pools).exists()


def _until_computed(pools: Sequence[int], meanwhile: Callable[[], None] = lambda: None) -> None:
    def are_computed() -> bool:
        meanwhile()
        return not _is_behind(pools)

    _until(are_computed, "the workers have not computed the pools")


def _until_begun(pool_id: int) -> None:
    from standings.models import Recomputation

    began = Recomputation.objects.get(pool=pool_id).progressed_at
    changed = Recomputation.objects.filter(pool=pool_id).exclude(progressed_at=began)
    _until(changed.exists, "no worker has begun with the giant")


def _until(is_so: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + WAIT_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(otherwise)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
