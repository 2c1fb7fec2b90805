"""Locks that allow one recomputation of a pool at a time, on any number of machines.

The system releases both kinds of lock when their holder dies, so a killed worker leaves none behind.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection
from filelock import FileLock, Timeout

from standings.recomputation.lock_names import ADVISORY_CLASS, lock_file

POLL_SECONDS = 0.02


@contextmanager
def pool_lock(pool_id: int, *, wait_seconds: float) -> Iterator[bool]:
    """Hold the pool's lock inside the block; yield False if another process keeps it for `wait_seconds`."""
    lock = _database_lock if connection.vendor == "postgresql" else _file_lock
    with lock(pool_id, wait_seconds) as held:
        yield held


@contextmanager
def _file_lock(pool_id: int, wait_seconds: float) -> Iterator[bool]:
    # SQLite means one machine, and a file lock is enough.
    file = lock_file(Path(settings.VAR_DIR), pool_id)
    file.parent.mkdir(exist_ok=True)
    lock = FileLock(file)
    try:
        lock.acquire(timeout=wait_seconds, poll_interval=POLL_SECONDS)
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


@contextmanager
def _database_lock(pool_id: int, wait_seconds: float) -> Iterator[bool]:
    deadline = time.monotonic() + wait_seconds
    while not (held := _run("SELECT pg_try_advisory_lock(%s, %s)", pool_id)) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    try:
        yield held
    finally:
        if held:
            _run("SELECT pg_advisory_unlock(%s, %s)", pool_id)


def _run(sql: str, pool_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(sql, [ADVISORY_CLASS, pool_id])
        row = cursor.fetchone()
    return bool(row and row[0])
