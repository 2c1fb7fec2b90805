"""The drill: a league, a backup, a restore into another database, and nothing is missing."""

import hashlib
import sqlite3
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.production.conftest import (
    IS_POSTGRESQL,
    ROOT,
    clean_environment,
    connect,
    databases,
    kept_database,
    manage,
    one_process,
    shell,
    tables_of,
)

on_sqlite = pytest.mark.skipif(IS_POSTGRESQL, reason="about SQLite's file")
on_postgresql = pytest.mark.skipif(not IS_POSTGRESQL, reason="about PostgreSQL's server")
RATINGS = ("ratings_ratedentry", "ratings_playerrating", "standings_standing")


def contents(url):
    """The number of rows of each table, and a hash over all rating rows."""
    with connect(url) as connection:
        counts = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in tables_of(connection)
        }
        digest = hashlib.sha256()
        for table in RATINGS:
            for row in connection.execute(f"SELECT * FROM {table} ORDER BY id"):
                digest.update(repr(row).encode())
    return counts, digest.hexdigest()


def execute(url, sql):
    with connect(url) as connection:
        connection.execute(sql)
        connection.commit()


@pytest.fixture(scope="module")
def filled(tmp_path_factory, server_url):
    """A database with two clubs in it, to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    with databases(folder, server_url) as new:
        url = new()
        environment = clean_environment(DATABASE_URL=url, VAR_DIR=str(folder / "var"))
        shell("restore.sh", kept_database(), url=url)
        manage("migrate", "--verbosity", "0", environment=environment)
        yield url


@pytest.fixture
def league(filled, new_database):
    return new_database(like=filled)


@pytest.fixture
def backup(league, tmp_path):
    return shell("backup.sh", tmp_path / "backups", url=league).stdout.strip()


def test_a_restored_database_is_the_one_that_was_saved(league, backup, new_database, tmp_path):
    before = contents(league)
    assert all(before[0][table] for table in RATINGS)
    assert [file.name for file in (tmp_path / "backups").iterdir()] == [backup.rsplit("/", 1)[-1]]
    assert (tmp_path / "backups").joinpath(backup).stat().st_mode & 0o077 == 0
    other = new_database()
    shell("restore.sh", backup, url=other)
    assert contents(other) == before
    # It is a database to go on with: no migration is missing, and the next keys are free.
    with one_process(clean_environment(DATABASE_URL=other, VAR_DIR=str(tmp_path / "var"))) as manage:
        manage("migrate", "--check")
        manage("createsuperuser", "--no-input", "--username", "new", "--email", "new@example.com")
        manage("recompute", "--club", "riverbank")
    assert contents(other)[0]["auth_user"] == before[0]["auth_user"] + 1


def test_a_database_with_something_in_it_is_left_alone_unless_told(league, backup, tmp_path):
    before = contents(league)
    execute(league, "DELETE FROM standings_standing")
    execute(league, "CREATE TABLE later (id integer)")
    changed = contents(league)
    refused = shell("restore.sh", backup, url=league, check=False)
    assert refused.returncode == 1
    assert "not empty" in refused.stderr
    assert contents(league) == changed
    shell("restore.sh", "--overwrite", backup, url=league)
    assert contents(league) == before
    # What was restored over an older state can be saved and restored again.
    again = shell("backup.sh", tmp_path / "again", url=league).stdout.strip()
    shell("restore.sh", "--overwrite", again, url=league)
    assert contents(league) == before


@pytest.mark.parametrize("share", [0, 0.3, 0.9])
def test_a_damaged_copy_changes_nothing(league, backup, share):
    before = contents(league)
    with Path(backup).open("r+b") as file:
        file.truncate(int(file.seek(0, 2) * share))
    done = shell("restore.sh", "--overwrite", backup, url=league, check=False)
    assert done.returncode != 0
    assert contents(league) == before


@on_sqlite
def test_any_other_sqlite_file_is_refused(league, tmp_path):
    before = contents(league)
    execute(f"sqlite:///{tmp_path / 'other.sqlite3'}", "CREATE TABLE other (id integer)")
    done = shell("restore.sh", "--overwrite", tmp_path / "other.sqlite3", url=league, check=False)
    assert done.returncode == 1
    assert "no copy of a Tierboard database" in done.stderr
    assert contents(league) == before


@pytest.mark.parametrize("script", ["backup.sh", "restore.sh"])
def test_unknown_databases_are_refused(script, tmp_path):
    (tmp_path / "file").touch()
    arguments = [tmp_path / "file"] if script == "restore.sh" else [tmp_path]
    done = shell(script, *arguments, url="mysql://localhost/tierboard", check=False)
    assert done.returncode == 2
    assert "DATABASE_URL" in done.stderr


def test_a_failed_backup_leaves_no_file(tmp_path, server_url):
    url = (
        "postgres://nobody:secret@127.0.0.1:1/none"
        if server_url
        else f"sqlite:///{tmp_path}/none/none.sqlite3"
    )
    done = shell("backup.sh", tmp_path / "backups", url=url, check=False)
    assert done.returncode != 0
    assert "secret" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "backups").iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["--all", "a"], ["a", "b"]])
def test_restore_says_how_it_is_used(arguments):
    done = shell("restore.sh", *arguments, url="sqlite:///none", check=False)
    assert done.returncode == 2
    assert "usage" in done.stderr


@on_sqlite
def test_copies_made_under_load_open_clean_and_hold_what_was_acknowledged(tmp_path):
    file = tmp_path / "busy.sqlite3"
    acknowledged, stopping = 0, threading.Event()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("CREATE TABLE django_migrations (id integer)")
        connection.execute("CREATE TABLE pair (id integer PRIMARY KEY, twin integer, filling text)")

    def write():
        nonlocal acknowledged
        with closing(sqlite3.connect(file, timeout=30)) as connection:
            while not stopping.is_set():
                # Two rows in each transaction: a copy with an odd number has seen half of one.
                for twin in (0, 1):
                    connection.execute("INSERT INTO pair (twin, filling) VALUES (?, ?)", (twin, "x" * 2_000))
                connection.commit()
                acknowledged += 2

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for i in range(5):
            before = acknowledged
            copy = shell("backup.sh", tmp_path / f"copy{i}", url=f"sqlite:///{file}").stdout.strip()
            restored = tmp_path / f"restored{i}.sqlite3"
            shell("restore.sh", copy, url=f"sqlite:///{restored}")
            with closing(sqlite3.connect(restored)) as connection:
                assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                n, n_second = connection.execute("SELECT count(*), sum(twin) FROM pair").fetchone()
            assert n == 2 * (n_second or 0)
            assert n >= before
            assert acknowledged > before, "nothing was written meanwhile"
    finally:
        stopping.set()
        writer.join()


@on_postgresql
@pytest.mark.usefixtures("server_url")
def test_the_password_is_in_no_command_line(tmp_path):
    """pg_dump is replaced by a program that prints what it was given."""
    (tmp_path / "pg_dump").write_text(
        '#!/bin/sh\necho "arguments: $*" >&2\necho "password: $PGPASSWORD" >&2\nexit 1\n'
    )
    (tmp_path / "pg_dump").chmod(0o755)
    environment = clean_environment(DATABASE_URL="postgres://someone:p%2Fw%25d@db:5432/tierboard")
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    done = subprocess.run(
        [ROOT / "scripts" / "backup.sh", tmp_path / "backups"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "postgres://someone@db:5432/tierboard" in done.stderr
    assert "p%2Fw%25d" not in done.stderr
    assert "password: p/w%d" in done.stderr
