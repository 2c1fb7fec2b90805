"""Run writes at the same moment, each with its own database connection."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from django.db import connection


def at_once(calls, then, folder):
    """Start all calls at the same moment; return their results, and the result of `then` after them.

    The tests' SQLite database is in memory, where connections cannot wait for each other's locks; the calls then use
    a copy of it in a file.
    """
    file = None
    if connection.vendor == "sqlite":
        file = str(folder / "race.sqlite3")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [file])
        with closing(sqlite3.connect(file)) as copy:
            copy.execute(
                "PRAGMA journal_mode=WAL"
            )  # the mode of the site; set before the race, because changing it takes a lock
    barrier = threading.Barrier(len(calls))

    def run(call, *, waits=True):
        if file:
            connection.settings_dict = connection.settings_dict | {"NAME": file}
        try:
            if waits:
                barrier.wait(timeout=10)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        answers = list(threads.map(run, calls))
    with ThreadPoolExecutor(1) as threads:
        return answers, threads.submit(run, then, waits=False).result()
