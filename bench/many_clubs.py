"""Measure a site of many clubs beside one of ten: pages, saving, recomputing; plans, migrations and backups.

`python -m bench.many_clubs --clubs 10000` makes 10,000 clubs with 1,000,000 players and 10,000,000 entries; `make
bench` makes fewer, and the table says how many. Each figure is the processor time of this process and of its database
server together, the mean of twenty.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.report import Row

FEW, MANY = 10, 1_000
N_EVENTS, FIELD, N_PLAYERS = 50, 20, 100  # 1,000 entries a club
GOAL = 1.3
LARGE = 20_000  # rows from which on a table must not be read whole
REPEAT = 20  # the system counts in steps of 10 ms
SLUG = "first"


def measure(n_clubs: int = MANY) -> list[Row]:
    from tests.servers import postgresql_server

    with postgresql_server() as database, tempfile.TemporaryDirectory() as folder:
        own = {"VAR_DIR": folder, "DATABASE_URL": database, "BROKER_URL": "embedded://localhost"}
        environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "bench.settings"}
        process = subprocess.run(
            [sys.executable, "-m", "bench.many_clubs", "--inside", str(n_clubs)],
            env=environment,
            stdout=subprocess.PIPE,
            check=True,
        )
        figures = json.loads(process.stdout)
        times = _backup_and_restore(database, Path(folder))
    few, many = figures["few"], figures["many"]
    rows = []
    for name in few:
        whole = figures["scans"].get(name, [])
        note = f"{FEW} clubs against {n_clubs:,} with {n_clubs * N_EVENTS * FIELD:,} entries; at most {GOAL:g} times: "
        note += "met" if many[name] <= GOAL * few[name] else f"MISSED, {many[name] / few[name]:.2f} times"
        note += f"; READS WHOLE TABLES: {', '.join(whole)}" if whole else "; reads no large table whole"
        rows.append(Row(name, f"{n_clubs:,} clubs", few[name], many[name], note=note))
    rows += [
        Row(
            f"migration {name}, {n_clubs:,} clubs",
            "",
            seconds,
            None,
            note="from the version before, its locks included",
        )
        for name, seconds in figures["migrations"].items()
    ]
    return rows + [Row(f"{name}, {n_clubs:,} clubs", "", seconds, None) for name, seconds in times.items()]


def _backup_and_restore(database: str, folder: Path) -> dict[str, float]:
    from tests.servers import find

    file, times = folder / "backup.dump", {}
    steps = {
        "backup": ["pg_dump", "--format", "custom", "--file", str(file), database],
        "restore": ["pg_restore", "--clean", "--if-exists", "--no-owner", "--dbname", database, str(file)],
    }
    for name, (program, *arguments) in steps.items():
        began = time.perf_counter()
        subprocess.run([find(program) or program, *arguments], check=True, stdout=sys.stderr)
        times[name] = time.perf_counter() - began
    return times


def inside(n_clubs: int) -> dict[str, Any]:
    import django

    django.setup()
    from django.core.management import call_command

    from bench.copies import Copies

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    _first_club()
    copies = Copies(SLUG, n_clubs)
    copies.extend(2, FEW - 1)
    few, _scans = _measured()
    copies.extend(FEW, n_clubs - 1)
    many, scans = _measured()
    return {"few": few, "many": many, "scans": scans, "migrations": _migrations()}


def _first_club() -> None:
    from bench.leagues import fill, open_seasons, touch
    from directory.services.listings import answer_listing, ask_for_listing
    from forecasts.services import compute_pool
    from standings.recomputation.service import recompute

    (season,) = open_seasons(1, slug=SLUG)
    fill([season], n_players=N_PLAYERS, sizes=[FIELD] * N_EVENTS, is_timed=False)
    touch(season.events.earliest("starts_at"))
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    owner = season.club.memberships.get().user
    answer_listing(ask_for_listing(season.club, place="Cork", actor=owner), is_taken_in=True, actor=owner)


def _measured() -> tuple[dict[str, float], dict[str, list[str]]]:
    """Measure each page and write; find the large tables that its queries read whole."""
    times, scans = {}, {}
    for name, (prepare, do) in _actions().items():
        prepare()
        scans[name] = _tables_read_whole(do)
        spent = 0.0
        for _round in range(REPEAT):
            prepare()
            before = _processor_seconds()
            do()
            spent += _processor_seconds() - before
        times[name] = spent / REPEAT
    return times, {name: found for name, found in scans.items() if found}


def _actions() -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Name what is measured: what comes before each time, and what is measured."""
    from django.core.cache import caches
    from django.test import Client

    from bench.leagues import touch
    from league.models import Event
    from standings.recomputation.service import recompute

    client = Client()
    event = Event.objects.filter(season__club__slug=f"{SLUG}").latest("starts_at")
    season, player = event.season, event.entries.first().player_id  # type: ignore[union-attr]

    def forget() -> None:
        for name in ("pages", "goals"):
            caches[name].clear()

    def reading(address: str) -> tuple[Callable[[], object], Callable[[], object]]:
        def read() -> None:
            assert client.get(address).status_code == 200, address

        return forget, read

    return {
        "front page": reading("/"),
        "directory": reading("/clubs/"),
        "directory, a search": reading("/clubs/?q=first&place=cork&game=poker"),
        "leaderboard": reading(f"/c/{SLUG}/s/{season.slug}/"),
        "player": reading(f"/c/{SLUG}/players/{player}/"),
        "event": reading(f"/c/{SLUG}/events/{event.pk}/"),
        "save a correction": (lambda: None, lambda: touch(event)),
        "recompute a night": (lambda: touch(event), lambda: recompute(season.pool_id)),
    }


def _processor_seconds() -> float:
    """Read the processor time of this process and of its server process so far."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    times = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return time.process_time() + (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


def _tables_read_whole(do: Callable[[], object]) -> list[str]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        do()
    sizes = _sizes()
    found = set()
    with connection.cursor() as cursor:
        for query in captured:
            sql = query["sql"]
            if sql.lstrip().upper().startswith("SELECT") and "%s" not in sql:
                cursor.execute(f"EXPLAIN {sql}")
                plan = " ".join(line for (line,) in cursor.fetchall())
                found |= {
                    table for table in re.findall(r"Seq Scan on (\w+)", plan) if sizes.get(table, 0) > LARGE
                }
    return sorted(found)


def _sizes() -> dict[str, int]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, reltuples::bigint FROM pg_class WHERE relkind = 'r'")
        return dict(cursor.fetchall())


# The newest migrations of each app, and those to go back to before them.
BEFORE = {"directory": "zero", "standings": "0015", "league": "0024"}


def _migrations() -> dict[str, float]:
    """Go back before the newest migrations, and time each on the way to them."""
    from django.core.management import call_command
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    for app, name in BEFORE.items():
        call_command("migrate", app, name, verbosity=0)
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    times = {}
    for migration, _is_backwards in plan:
        began = time.perf_counter()
        call_command("migrate", migration.app_label, migration.name, verbosity=0)
        times[f"{migration.app_label} {migration.name}"] = time.perf_counter() - began
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=int, default=MANY)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        sys.stdout.write(json.dumps(inside(options.inside)))
        return
    from bench.report import table

    sys.stdout.write("\n".join(table(measure(options.clubs))) + "\n")


if __name__ == "__main__":
    main()
