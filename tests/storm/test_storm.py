"""200 corrections in 20 leagues while the worker is killed and one message in ten is lost: every row is right.

The site's own supervisor runs worker and beat (`supervise.py`). They drop every tenth message they publish, and so does
the process that makes the corrections (`wire.py`).
For 20 s and more the worker is killed again and again with SIGKILL (`killers.py`): the first twenty workers a second
after their start, which is about when a worker is ready, the others in turn in the middle of their first recomputation
and a second after it. Redis is killed every four seconds and is down for 1.5 s and until
corrections have been made without it. On a busy machine the corrections wait for the killers, so that it is as much of a
storm there.

The storm of Redis and the negative control begin with eight such workers only. The control has no beat and no watchdog:
it must end with leagues behind. Its last round of corrections is made while the worker is idle, and every tenth of the
twenty messages is dropped: two leagues.

`make test` has a small storm on SQLite and the embedded broker. `make test-rest` has the others on PostgreSQL and Redis, and
`make test-night` on SQLite and the embedded broker, each test with a database and a Redis of its own.
"""

import subprocess
import uuid
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests.servers import find
from tests.storm.accounts import account_of

ON_POSTGRESQL = "postgresql" in settings.DATABASES["default"]["ENGINE"]
pytestmark = pytest.mark.storm
embedded = pytest.mark.skipif(ON_POSTGRESQL, reason="SQLite and the embedded broker")
redis = pytest.mark.skipif(not ON_POSTGRESQL, reason="PostgreSQL and Redis")


@pytest.fixture
def database(tmp_path, server_url):
    """The URL of an empty database."""
    if not server_url:
        yield f"sqlite:///{tmp_path / 'storm.sqlite3'}"
        return
    name = f"storm_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        yield f"{server_url.rpartition('/')[0]}/{name}"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def run(tmp_path, database):
    """Run a module of this folder as a process of its own and return its account."""

    def run(module, *arguments):
        if ON_POSTGRESQL and not find("redis-server"):
            pytest.skip("a storm has a Redis of its own, and needs the program redis-server")
        account = account_of(module, *arguments, folder=tmp_path, database=database)
        assert nothing_runs_on(tmp_path)
        return account

    return run


def nothing_runs_on(folder: Path) -> bool:
    """Whether every process that worked in the folder has ended."""
    life = folder / "storm-life"
    pids = {line.split()[0] for line in life.read_text().splitlines()} if life.exists() else set()
    state = subprocess.run(
        ["ps", "-o", "args=", "-p", ",".join(pids)], capture_output=True, text=True, check=False
    )
    return "tests.storm.celery_app" not in state.stdout


def assert_was_a_storm(account, n_kills=20, n_corrections=200):
    assert account["corrections"] == n_corrections
    assert account["worker_kills"] >= n_kills
    assert account["dropped"] >= n_corrections / 10
    assert account["computed_by_worker"] > 0


def assert_all_right(account):
    assert (account["stale"], account["wrong"]) == (0, 0), account


@pytest.mark.smoke
@embedded
def test_a_small_storm(run):
    account = run("driver", "--small")
    assert_was_a_storm(account, n_kills=2, n_corrections=20)
    assert_all_right(account)


def test_storm(run):
    account = run("driver", *(["--redis"] if ON_POSTGRESQL else []))
    assert_was_a_storm(account)
    assert_all_right(account)


@embedded
def test_without_sweep_the_storm_leaves_leagues_wrong(run):
    account = run("driver", "--no-sweep")
    assert_was_a_storm(account, n_kills=8)
    assert 0 < account["wrong"] <= account["stale"] < 10  # the dropped messages and no more: the worker works


@embedded
def test_four_writers_at_once_on_sqlite(run, tmp_path):
    account = run("writers")
    assert account["errors"] == []
    assert "database is locked" not in (tmp_path / "log").read_text()  # nor in the worker, beat or supervisor
    assert account["writes"] > 100
    assert_all_right(account)


def assert_nothing_lost_or_twice(account, n_kills):
    assert sum(account["kills"].values()) >= n_kills
    assert min(account["kills"].values()) >= n_kills // 2
    assert account["failed"] > 0, "the phones have met a dead site"
    assert account["replies_lost"] > 0
    nothing = ("queued", "held", "missing", "twice", "wrong")
    assert {name: account[name] for name in nothing} == dict.fromkeys(nothing, 0), account
    assert account["seqs_are_whole"], account
    assert account["order_is_right"], account
    assert account["entries"] == 16


def test_a_night_of_three_phones_while_web_and_worker_are_killed(run):
    account = run("night", *(["--redis"] if ON_POSTGRESQL else []))
    assert_nothing_lost_or_twice(account, n_kills=30)


@redis
def test_storm_on_a_redis_that_is_killed_too(run):
    account = run("driver", "--kill-redis")
    assert_was_a_storm(account, n_kills=8)
    assert account["redis_kills"] >= 5
    assert account["waited_for_redis"] == 0
    assert_all_right(account)


def assert_all_delivered(account, *, n_results, n_kills):
    assert sum(account["kills"].values()) >= n_kills
    assert account["states"] == {"sent": 2 * n_results}
    assert account["taken"] > 2 * n_results, "some were refused after they were taken, and sent again"
    assert account["same_ids"], account
    assert (account["unsigned"], account["out_of_order"]) == (0, 0), account


KILL_REDIS = ["--kill-redis"] if ON_POSTGRESQL else []


def test_deliveries_while_worker_and_receiver_are_killed(run):
    account = run("deliveries", "--results", "40", "--kills", "6", *KILL_REDIS)
    assert_all_delivered(account, n_results=40, n_kills=6)


@pytest.mark.night
def test_500_deliveries_while_worker_and_receiver_are_killed(run):
    account = run("deliveries", *KILL_REDIS)
    assert_all_delivered(account, n_results=250, n_kills=30)
