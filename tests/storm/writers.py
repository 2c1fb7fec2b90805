"""Four writers at once on one SQLite file, with the worker at work: `python -m tests.storm.writers`.

The parent makes the leagues and runs the site's supervisor and four processes with `--seed`, which write as fast as
they can. A write that is refused as stale is expected, since another was faster; any other error is counted.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time

import django

from tests.storm.driver import N_LEAGUES, SETTLE_SECONDS, n_stale, settle, supervisor

N_WRITERS = 4
SECONDS = 10
LEAST_WRITES = 30  # of each, however long a busy machine takes for them


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    seed = parser.parse_args().seed
    os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
    os.environ["BROKER_URL"] = "embedded://localhost"
    django.setup()
    sys.stdout.write(json.dumps(four_writers() if seed is None else write(random.Random(seed))) + "\n")


def write(rng: random.Random) -> dict[str, object]:
    from league.models import Season
    from league.services.errors import Stale
    from tests.storm.leagues import change_something

    seasons = list(Season.objects.order_by("pk"))
    account = {"writes": 0, "refused": 0, "slowest": 0.0, "errors": []}
    stops_at = time.monotonic() + SECONDS
    while (began_at := time.monotonic()) < stops_at or account["writes"] < LEAST_WRITES:
        try:
            change_something(rng.choice(seasons), rng)
            account["writes"] += 1
        except Stale:
            account["refused"] += 1
        except Exception as error:  # noqa: BLE001  any error is counted
            account["errors"].append(repr(error))
        account["slowest"] = max(account["slowest"], time.monotonic() - began_at)
    return account


def four_writers() -> dict[str, object]:
    from tests.storm.leagues import open_leagues
    from tests.storm.rows import wrong_leagues

    open_leagues(N_LEAGUES)
    with supervisor():
        command = [sys.executable, "-m", "tests.storm.writers", "--seed"]
        writers = [
            subprocess.Popen([*command, str(seed)], stdout=subprocess.PIPE) for seed in range(N_WRITERS)
        ]
        accounts = [json.loads(writer.communicate(timeout=SECONDS + 600)[0]) for writer in writers]
        settled = settle(SETTLE_SECONDS)
    return {
        "writes": sum(account["writes"] for account in accounts),
        "refused": sum(account["refused"] for account in accounts),
        "slowest": round(max(account["slowest"] for account in accounts), 2),
        "errors": [error for account in accounts for error in account["errors"]],
        "settle_seconds": round(settled, 1),
        "stale": n_stale(),
        "wrong": wrong_leagues(),
    }


if __name__ == "__main__":
    main()
