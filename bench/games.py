"""Speed of recomputing a pool rated by R through the database: many small games instead of few large fields.

`measure` runs this file in a separate process with a database of its own; the worker is a child of that process.
"""

import json
import os
import subprocess
import sys
import tempfile
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from bench.report import Row, met

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Season

N_SEASONS, N_GAMES, N_PLAYERS, SEATS = 10, 100_000, 500, 4
GOAL_SECONDS, GOAL_MEGABYTES = 20.0, 1_000.0
BATCH = 10_000


def measure() -> list[Row]:
    from tests.servers import postgresql_server

    with postgresql_server() as database, tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        own = {"VAR_DIR": folder, "DATABASE_URL": database, "BROKER_URL": "embedded://localhost"}
        process = subprocess.run(
            [sys.executable, "-m", "bench.games"],
            env=os.environ | own | {"DJANGO_SETTINGS_MODULE": "league.settings"},
            stdout=subprocess.PIPE,
            check=True,
        )
    figures = json.loads(process.stdout)
    whole, tail, megabytes = figures["whole"], figures["tail"], figures["megabytes"]
    is_met = whole <= GOAL_SECONDS and megabytes <= GOAL_MEGABYTES
    note = (
        f"{N_GAMES:,} games of {SEATS} among {N_PLAYERS} players, {N_SEASONS} seasons; R, points and standings computed"
        f" by the worker, rows read and written; peak memory of the worker {megabytes:.0f} MB; goal for everything"
        f" {GOAL_SECONDS:g} s and {GOAL_MEGABYTES:g} MB: {met(is_met)}"
    )
    return [
        Row(
            "games rated by R, correction in the last tenth, PostgreSQL",
            "recompute everything",
            tail,
            whole,
            note=note,
        )
    ]


def main() -> None:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    from bench.database import _peak_megabytes, _seconds_until_computed, _worker
    from bench.leagues import open_seasons, touch
    from league.models import Event, Pool, PoolKind

    seasons = open_seasons(N_SEASONS)
    Pool.objects.filter(pk=seasons[0].pool_id).update(kind=PoolKind.PROFIT)
    fill(seasons)
    events = Event.objects.in_rating_order()
    with _worker() as worker:
        (small,) = open_seasons(1, slug="warm")
        Pool.objects.filter(pk=small.pool_id).update(kind=PoolKind.PROFIT)
        fill([small], n_games=10)
        touch(small.events.first())
        _seconds_until_computed(small.pool_id)
        touch(events[0])
        whole = _seconds_until_computed(seasons[0].pool_id)
        touch(events[N_GAMES * 9 // 10])
        tail = _seconds_until_computed(seasons[0].pool_id)
        figures = {"whole": whole, "tail": tail, "megabytes": _peak_megabytes(worker.pid)}
    sys.stdout.write(json.dumps(figures))


def fill(seasons: "Sequence[Season]", *, n_games: int = N_GAMES) -> None:
    """Create games spread evenly over the seasons; better players win more."""
    from bench.leagues import START
    from league.database.bulk import insert_columns
    from league.models import Entry, Event, Player

    pool = seasons[0].pool
    people = [Player(club=pool.club, name=f"Player {i}", key=f"player {i}") for i in range(N_PLAYERS)]
    players = np.array([player.pk for player in Player.objects.bulk_create(people)])
    each = -(-n_games // len(seasons))
    for first in range(0, n_games, BATCH):
        numbers = range(first, min(first + BATCH, n_games))
        events = Event.objects.bulk_create(
            Event(
                season=seasons[i // each],
                pool=pool,
                starts_at=START + timedelta(minutes=10 * i),
                table_size=SEATS,
            )
            for i in numbers
        )
        rng = np.random.default_rng(first)
        fields = np.array([rng.choice(N_PLAYERS, SEATS, replace=False) for _event in events])
        balance = np.sort(rng.integers(-500, 501, size=fields.shape), axis=1)[:, ::-1]
        balance[:, 0] -= balance.sum(axis=1)
        balance = np.sort(balance, axis=1)[:, ::-1]
        place = 1 + (balance[:, :, None] < balance[:, None, :]).sum(axis=2)
        n = fields.size
        insert_columns(
            Entry,
            {
                "event_id": np.repeat([event.pk for event in events], SEATS).tolist(),
                "player_id": players[fields].ravel().tolist(),
                "number": [1] * n,
                "place": place.ravel().tolist(),
                "is_last": [True] * n,
                "balance": [Decimal(value) / 10 for value in balance.ravel().tolist()],
            },
        )


if __name__ == "__main__":
    main()
