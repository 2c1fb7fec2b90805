"""Writes at the same moment, each with a connection of its own."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from django.db import connection


def at_once(calls, then, folder):
    """What the calls return, all begun at the same moment, and what `then` returns after them.

    The tests' own SQLite database is in memory and has no two connections that wait for one another, so there
    the calls work on a copy of it in a file.
    """
    file = None
    if connection.vendor == "sqlite":
        file = str(folder / "race.sqlite3")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [file])
        with closing(sqlite3.connect(file)) as copy:
            copy.execute("PRAGMA journal_mode=WAL")  # as the site's: changing to it waits for nobody
    barrier = threading.Barrier(len(calls))

    def run(call, *, waits=True):
        if file:
            connection.settings_dict = connection.settings_dict | {"NAME": file}
        try:
            if waits:
                barrier.wait(timeout=120)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        answers = list(threads.map(run, calls))
    with ThreadPoolExecutor(1) as threads:
        return answers, threads.submit(run, then, waits=False).result()
