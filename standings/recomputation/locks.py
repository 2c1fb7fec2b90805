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

ADVISORY_CLASS = 0x7162  # marks our locks among the advisory locks of the database
POLL_SECONDS = 0.02


@contextmanager
def pool_lock(pool_id: int, *, wait_seconds: float) -> Iterator[bool]:
    """Hold the pool's lock inside the block; yield False if another process keeps it for `wait_seconds`."""
    lock = _database_lock if connection.vendor == "postgresql" else _file_lock
    with lock(pool_id, wait_seconds) as held:
        yield held


def is_locked(pool_id: int) -> bool:
    """Whether a live process holds the pool's lock."""
    with pool_lock(pool_id, wait_seconds=0.0) as held:
        return not held


@contextmanager
def _file_lock(pool_id: int, wait_seconds: float) -> Iterator[bool]:
    # SQLite means one machine, and a file lock is enough.
    folder = Path(settings.VAR_DIR) / "locks"
    folder.mkdir(exist_ok=True)
    lock = FileLock(folder / f"pool-{pool_id}.lock")
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
