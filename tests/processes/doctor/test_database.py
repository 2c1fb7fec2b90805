"""The doctor and the database: each fault is made in a real one."""

import json
import sqlite3

import pytest
from django.db import connection, connections
from django.db.utils import load_backend

from league.site import env
from processes.doctor import database
from processes.doctor.findings import State
from tests.production.conftest import IS_POSTGRESQL, clean_environment, manage
from tests.releases import RELEASES
from tests.servers import free_port

ON_SQLITE = pytest.mark.skipif(IS_POSTGRESQL, reason="is about files of SQLite")
OLD = min(RELEASES.iterdir()) / "tierboard.sqlite3"


def doctor(tmp_path, url):
    """Run the command, and read what it says by subject."""
    environment = clean_environment(DATABASE_URL=url, VAR_DIR=str(tmp_path / "var"))
    done = manage("doctor", "--json", environment=environment, check=False)
    assert done.returncode == 1, done.stderr
    findings = {}
    for row in json.loads(done.stdout):
        findings.setdefault(row["subject"], []).append(row)
    return findings


@pytest.mark.rest
@ON_SQLITE
def test_a_database_that_does_not_answer_stops_nothing_else(tmp_path):
    port = free_port()
    found = doctor(tmp_path, f"postgres://tierboard:hush@127.0.0.1:{port}/tierboard")
    (answer,) = found["database"]
    assert answer["state"] == "wrong"
    assert str(port) in answer["found"]
    assert "DATABASE_URL" in answer["remedy"]
    assert "hush" not in json.dumps(found)
    assert [row["found"] for row in found["pools"]] == ["Not looked at: it needs the database."]
    assert {found[name][0]["state"] for name in ("settings", "versions", "disk", "broker", "mail")} == {"ok"}


@pytest.mark.rest
@ON_SQLITE
def test_tables_of_another_version_are_named(tmp_path):
    file = tmp_path / "old.sqlite3"
    file.write_bytes(OLD.read_bytes())
    with sqlite3.connect(file) as old:
        old.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('league', '9999_later', '2026-01-01')"
        )
        old.execute("DROP TABLE cache")
    old.close()
    found = doctor(tmp_path, f"sqlite:///{file}")
    texts = [row["found"] for row in found["tables"]]
    assert [row["state"] for row in found["tables"]] == ["wrong"] * 3
    assert "older version" in texts[0]
    assert texts[1] == "They are of a later version of Tierboard: league.9999_later."
    assert "createcachetable" in found["tables"][2]["remedy"]
    assert "Not looked at" in found["seals"][0]["found"]


@pytest.mark.django_db(transaction=True)
def test_a_database_that_only_reads(states):
    is_sqlite = connection.vendor == "sqlite"
    setting = "PRAGMA query_only = {}" if is_sqlite else "SET default_transaction_read_only = {}"
    with connection.cursor() as cursor:
        cursor.execute(setting.format("on"))
        ((state, text),) = states(database.check_writing())
        cursor.execute(setting.format("off"))
    assert state == State.WRONG
    assert "the database cannot be written" in text
    assert states(database.check_writing()) == [(State.OK, "A row was written.")]


@pytest.fixture
def opened(tmp_path, monkeypatch, django_db_blocker):
    """Let the doctor look at a file of SQLite with some rows."""
    file = tmp_path / "tierboard.sqlite3"
    rows = sqlite3.connect(file)
    rows.executescript(
        "CREATE TABLE club (id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX by_name ON club (name);"
        "CREATE TABLE season (id INTEGER PRIMARY KEY, club INTEGER REFERENCES club (id));"
    )
    rows.executemany("INSERT INTO club (name) VALUES (?)", [(f"Club {n:05}" * 20,) for n in range(200)])
    rows.commit()
    rows.close()
    made = []

    def opened(url=f"sqlite:///{file}", init_command=None):
        monkeypatch.setenv("TESTED_URL", url)
        options = connections.configure_settings({"default": env.database("TESTED_URL")})["default"]
        if init_command is not None:
            options["OPTIONS"]["init_command"] = init_command
        made.append(load_backend(options["ENGINE"]).DatabaseWrapper(options, "looked_at"))
        monkeypatch.setattr(database, "connection", made[-1])
        return file

    with django_db_blocker.unblock():
        yield opened
    for wrapper in made:
        wrapper.close()


def test_a_whole_file(opened, states):
    opened()
    ((state, text),) = states(database.check_answer())
    assert (state, text.split()[0]) == (State.OK, "SQLite")
    ((state, text),) = states(database.check_integrity())
    assert state == State.OK


def test_a_file_that_is_no_database(opened, states):
    opened().write_bytes(b"not a database at all" * 100)
    ((state, text),) = states(database.check_answer())
    assert state == State.WRONG
    assert "file is not a database" in text


def test_a_damaged_page(opened, states):
    file = opened()
    pages = bytearray(file.read_bytes())
    pages[-2000:] = b"\xff" * 2000  # of the index
    file.write_bytes(pages)
    ((state, text),) = states(database.check_integrity())
    assert state == State.WRONG
    assert "Restore the last backup" in text


def test_a_row_without_the_row_it_refers_to(opened, states):
    rows = sqlite3.connect(opened())
    rows.execute("INSERT INTO season (club) VALUES (9999)")
    rows.commit()
    rows.close()
    ((state, text),) = states(database.check_integrity())
    assert state == State.WRONG
    assert "season" in text


def test_a_journal_that_keeps_readers_waiting_and_writes_that_a_power_cut_loses(opened, states):
    opened(init_command="PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF;")
    found = states(database.check_integrity())
    assert [state for state, _text in found] == [State.ATTENTION, State.WRONG, State.OK]
    assert "“delete”" in found[0][1]
    assert "power cut" in found[1][1]


@pytest.mark.skipif(not IS_POSTGRESQL, reason="is about settings of PostgreSQL")
@pytest.mark.django_db
def test_the_server_of_the_tests_would_lose_results_in_a_power_cut(states):
    ((state, text),) = states(database.check_integrity())
    assert state == State.WRONG
    assert "fsync, full_page_writes, synchronous_commit is off" in text
