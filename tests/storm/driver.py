"""One storm, as a process of its own:
`python -m tests.storm.driver [--small] [--redis] [--kill-redis] [--no-sweep]`.

Corrections are made to twenty leagues while the worker is killed again and again and one message in ten is
dropped, by this process, the worker and beat alike. Then it waits until no league is behind, up to a limit, and
compares every computed row with a recomputation from scratch. The last line printed is the account in JSON.

VAR_DIR and DATABASE_URL name an empty folder and database. --no-sweep is the negative control: no beat, no watchdog,
and the last correction of each league is made while the worker is idle, so that only dropped messages are lost.
--small: the storm of `make test`.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.servers import Redis, redis_server

N_LEAGUES = 20
PACE_SECONDS = 0.1
SETTLE_SECONDS = 300  # of a machine that is busy with other things
CALM_SECONDS = 5


class Size(NamedTuple):
    """Say how many leagues are corrected how often, and how many workers are killed right after their start."""

    n_leagues: int
    n_rounds: int
    n_at_once: int


LONG, SHORT, SMALL = Size(N_LEAGUES, 10, 20), Size(N_LEAGUES, 10, 8), Size(5, 4, 2)


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--small", "--redis", "--kill-redis", "--no-sweep"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()
    with ExitStack() as stack:
        redis = stack.enter_context(redis_server()) if options.redis or options.kill_redis else None
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        os.environ["BROKER_URL"] = redis.url if redis else "embedded://localhost"

        import django

        django.setup()
        size = SMALL if options.small else SHORT if options.kill_redis or options.no_sweep else LONG
        account = storm(redis if options.kill_redis else None, size, sweeps=not options.no_sweep)
    sys.stdout.write(json.dumps(account) + "\n")


def storm(redis: Redis | None, size: Size, *, sweeps: bool) -> dict[str, float]:
    from tests.storm.killers import Killer, RedisKiller, WorkerKiller
    from tests.storm.leagues import open_leagues
    from tests.storm.rows import wrong_leagues
    from tests.storm.wire import DROPS, LIFE, wire

    wire.put_in()
    corrections = Corrections(open_leagues(size.n_leagues))
    folder = Path(os.environ["VAR_DIR"])
    killers: list[Killer] = [WorkerKiller(folder, n_at_once=size.n_at_once)]
    if redis:
        killers.append(RedisKiller(redis, lambda: corrections.n_made))
    with supervisor("" if sweeps else "--no-sweep"):
        for killer in killers:
            killer.start()
        corrections.make(size.n_rounds if sweeps else size.n_rounds - 1, killers)
        for killer in killers:
            killer.stop()
        if not sweeps:
            wait_until_idle(folder / LIFE)
            corrections.make(1)
            wait_until_idle(folder / LIFE)
        settled = settle(SETTLE_SECONDS) if sweeps else 0.0
    n_noted = Counter(line.split()[1] for line in (folder / LIFE).read_text().splitlines())
    return {
        "corrections": corrections.n_made,
        "slowest_correction": round(corrections.slowest, 2),
        "seconds": round(corrections.seconds, 1),
        "worker_kills": killers[0].n_kills,
        "redis_kills": killers[1].n_kills if redis else 0,
        "waited_for_redis": killers[1].n_waits if redis else 0,
        "dropped": len((folder / DROPS).read_text().splitlines()),
        "computed_by_worker": n_noted["computed"],
        "cut_short": n_noted["begins"] - n_noted["computed"] - n_noted["ended"],
        "settle_seconds": round(settled, 1),
        "stale": n_stale(),
        "wrong": wrong_leagues(),
    }


class Corrections:
    """Makes rounds of corrections: each corrects every league once, in a random order."""

    def __init__(self, seasons) -> None:
        self.seasons = seasons
        self.rng = random.Random(8)
        self.n_made = 0
        self.slowest = 0.0
        self.seconds = 0.0

    def make(self, n_rounds: int, killers=()) -> None:
        """A round begins once the killers have done their share up to its end."""
        from tests.storm.leagues import change_something

        started_at = time.monotonic()
        for n_done in range(n_rounds):
            while not all(killer.has_done((n_done + 1) / n_rounds) for killer in killers):
                time.sleep(PACE_SECONDS)
            for season in self.rng.sample(self.seasons, len(self.seasons)):
                began_at = time.monotonic()
                change_something(season, self.rng)
                took = time.monotonic() - began_at
                self.n_made += 1
                self.slowest = max(self.slowest, took)
                time.sleep(max(0.0, PACE_SECONDS - took))
        self.seconds += time.monotonic() - started_at


def n_stale() -> int:
    from standings.queries import stale_pools

    return stale_pools().count()


def settle(seconds: float) -> float:
    """Wait until no league is behind, at most `seconds`; return how long it took."""
    began_at = time.monotonic()
    while n_stale() and time.monotonic() - began_at < seconds:
        time.sleep(0.1)
    return time.monotonic() - began_at


def wait_until_idle(life: Path) -> None:
    """Wait until the worker's queue is empty: it is up and has begun no task for a while."""
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        is_up = life.read_text().split()[-1] in {"ready", "computed", "ended"}
        if is_up and time.time() - life.stat().st_mtime > CALM_SECONDS:
            return
        time.sleep(0.2)


@contextmanager
def supervisor(*arguments: str):
    command = [sys.executable, "-m", "tests.storm.supervise", *filter(None, arguments)]
    process = subprocess.Popen(command, stdout=sys.stderr)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(120)


if __name__ == "__main__":
    main()
