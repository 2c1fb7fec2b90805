"""Detects a worker that is alive but makes no progress, for example after a restart of the broker.

It asks the database in SQL, without apps of Django: the supervisor, which runs as long as the site, takes 60 MB less
for it.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from league.site.machine import DATABASE, VAR_DIR
from standings.recomputation.lock_names import ADVISORY_CLASS, lock_file

STUCK_SECONDS = 15.0
LONG_STUCK_SECONDS = 60.0  # the worker of long recomputations has to start first
LONGEST_WRITE_SECONDS = 600.0
# Pools with a change that has waited since `limit` to be computed, while no pool has made progress. One whose
# recomputation fails is left to the sweep, which retries at growing intervals: a new worker would fail as well.
# Progress far in the future was made before the clock was set back; a little, by a worker with a clock of its own.
STALLED = """
    SELECT DISTINCT league_change.pool_id
    FROM league_pool
    LEFT JOIN standings_recomputation AS state ON state.pool_id = league_pool.id
    JOIN league_change ON league_change.pool_id = league_pool.id
        AND league_change.version > COALESCE(state.rated_version, 0)
    WHERE league_change.at <= {limit}
    AND COALESCE(state.n_failures, 0) = 0
    AND {is_long}
    AND NOT EXISTS (
        SELECT 1 FROM standings_recomputation AS state WHERE progressed_at BETWEEN {limit} AND {latest} AND {is_long}
    )
"""
SMALL, LARGE = "(state.is_long IS NULL OR NOT state.is_long)", "state.is_long"


HAS_LONG = """
    SELECT EXISTS (SELECT 1 FROM standings_recomputation WHERE is_long)
    OR EXISTS (SELECT 1 FROM league_importdraft WHERE asked_for <> '' AND applied_at IS NULL)
    OR EXISTS (SELECT 1 FROM standings_archivedraft WHERE asked_at IS NOT NULL AND club_id IS NULL AND error = '')
"""


IN_WORK = """
    SELECT EXISTS (SELECT 1 FROM league_importdraft WHERE asked_for <> '' AND worked_at BETWEEN {limit} AND {latest})
    OR EXISTS (SELECT 1 FROM standings_archivedraft
        WHERE asked_at BETWEEN {limit} AND {latest} AND club_id IS NULL AND error = '')
"""


def has_long_work(*, database: Mapping[str, Any] = DATABASE, folder: Path = VAR_DIR) -> bool:
    """Tell whether there is work for the worker of long recomputations, which the supervisor starts then."""
    pools = _open(database, folder)
    with closing(pools.connection):
        row = pools.connection.execute(HAS_LONG).fetchone()
        return bool(row and row[0])


def is_long_stuck(*, database: Mapping[str, Any] = DATABASE, folder: Path = VAR_DIR) -> bool:
    """Tell whether pools wait for the worker of long recomputations, and it works neither on them nor on an upload."""
    pools = _open(database, folder)
    with closing(pools.connection):
        if pools.has_upload_in_work(datetime.now(UTC)):
            return False
    return is_stuck(which=LARGE, seconds=LONG_STUCK_SECONDS, database=database, folder=folder)


def is_stuck(
    now: datetime | None = None,
    *,
    which: str = SMALL,
    seconds: float = STUCK_SECONDS,
    database: Mapping[str, Any] = DATABASE,
    folder: Path = VAR_DIR,
) -> bool:
    """Tell whether pools wait for recomputation and no process works on them.

    The rows of a large pool are written in one transaction, which shows no progress: a process that holds the
    pool's lock may take LONGEST_WRITE_SECONDS. `database` is as in Django's DATABASES.
    """
    now = now or datetime.now(UTC)
    pools = _open(database, folder)
    with closing(pools.connection):
        waiting = pools.stalled(now, seconds, which)
        if not waiting or pools.stalled(now, LONGEST_WRITE_SECONDS, which):
            return bool(waiting)
        return not any(map(pools.is_locked, waiting))


def _open(database: Mapping[str, Any], folder: Path) -> "Sqlite | PostgreSQL":
    return Sqlite(database, folder) if database["ENGINE"].endswith("sqlite3") else PostgreSQL(database)


def _limits(now: datetime, seconds: float) -> dict[str, datetime]:
    window = timedelta(seconds=seconds)
    return {"limit": now - window, "latest": now + window}


class Sqlite:
    def __init__(self, database: Mapping[str, Any], folder: Path) -> None:
        self.connection = sqlite3.connect(database["NAME"], uri=True)
        self.folder = folder

    def stalled(self, now: datetime, seconds: float, which: str) -> list[int]:
        sql = STALLED.format(limit=":limit", latest=":latest", is_long=which)
        return [pk for (pk,) in self.connection.execute(sql, self._moments(now, seconds))]

    def has_upload_in_work(self, now: datetime) -> bool:
        sql = IN_WORK.format(limit=":limit", latest=":latest")
        (found,) = self.connection.execute(sql, self._moments(now, LONGEST_WRITE_SECONDS)).fetchone()
        return bool(found)

    def _moments(self, now: datetime, seconds: float) -> dict[str, str]:
        """Write moments as Django stores them: in UTC, without a zone."""
        limits = _limits(now, seconds).items()
        return {name: str(at.astimezone(UTC).replace(tzinfo=None)) for name, at in limits}

    def is_locked(self, pool_id: int) -> bool:
        """Tell whether a live process holds the pool's lock."""
        from filelock import FileLock, Timeout

        try:
            with FileLock(lock_file(self.folder, pool_id), timeout=0):
                return False
        except Timeout:
            return True


class PostgreSQL:
    def __init__(self, database: Mapping[str, Any]) -> None:
        import psycopg

        own = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
        options = database.get("OPTIONS", {}) | {
            name: database[key] for name, key in own.items() if database[key]
        }
        self.connection = psycopg.connect(autocommit=True, **options)

    def stalled(self, now: datetime, seconds: float, which: str) -> list[int]:
        sql = STALLED.format(limit="%(limit)s", latest="%(latest)s", is_long=which)
        return [pk for (pk,) in self.connection.execute(sql, _limits(now, seconds))]

    def has_upload_in_work(self, now: datetime) -> bool:
        sql = IN_WORK.format(limit="%(limit)s", latest="%(latest)s")
        row = self.connection.execute(sql, _limits(now, LONGEST_WRITE_SECONDS)).fetchone()
        return bool(row and row[0])

    def is_locked(self, pool_id: int) -> bool:
        """Tell whether a live process holds the pool's lock: this one would end with the statement that takes it."""
        taken = "SELECT pg_try_advisory_xact_lock(%s, %s)"
        return self.connection.execute(taken, (ADVISORY_CLASS, pool_id)).fetchone() != (True,)
