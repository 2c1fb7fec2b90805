"""Typed readers: what they take, and that what they refuse is named without being shown where it may be secret."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from league.site import env

NAME = "TIERBOARD_TEST"


@pytest.fixture
def given(monkeypatch):
    def give(value):
        if value is None:
            monkeypatch.delenv(NAME, raising=False)
        else:
            monkeypatch.setenv(NAME, value)

    return give


def refused(reader, *arguments, **options):
    with pytest.raises(ImproperlyConfigured, match=NAME) as caught:
        reader(NAME, *arguments, **options)
    return str(caught.value)


def test_text(given):
    given(None)
    assert env.text(NAME, "default") == "default"
    assert env.text(NAME, "") == ""
    given("value")
    assert env.text(NAME) == "value"
    given("")
    assert env.text(NAME, "default") == ""


@pytest.mark.parametrize("value", [None, "", " "])
@pytest.mark.parametrize("reader", [env.text, env.words, env.database, env.broker])
def test_what_is_required_must_be_there_and_not_empty(given, reader, value):
    given(value)
    assert "required" in refused(reader)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("1", True), ("yes", True), (" TRUE ", True), ("on", True), ("0", False), ("off", False), ("", False)],
)
def test_boolean(given, value, expected):
    given(value)
    assert env.boolean(NAME, default=not expected) is expected


@pytest.mark.parametrize("default", [True, False])
def test_boolean_default(given, default):
    given(None)
    assert env.boolean(NAME, default=default) is default


def test_boolean_refuses_other_words(given):
    given("perhaps")
    assert "perhaps" in refused(env.boolean, default=False)


@pytest.mark.parametrize(("value", "expected"), [(None, 7), ("0", 0), (" 587 ", 587), ("007", 7)])
def test_integer(given, value, expected):
    given(value)
    assert env.integer(NAME, default=7) == expected


@pytest.mark.parametrize("value", ["", "-1", "--1", "1.5", "1e3", "²", "one", "0x1"])
def test_integer_refuses_everything_else(given, value):
    given(value)
    refused(env.integer, default=7)


def test_integer_has_a_least(given):
    given("2")
    assert "3 or more" in refused(env.integer, default=7, least=3)


def test_words(given):
    given(None)
    assert env.words(NAME, "") == []
    given(" a.example, b.example ,,")
    assert env.words(NAME) == ["a.example", "b.example"]
    given(",")
    assert "required" in refused(env.words)


def test_choice(given):
    given(None)
    assert env.choice(NAME, ("one", "two"), default="two") == "two"
    given("one")
    assert env.choice(NAME, ("one", "two"), default="two") == "one"
    given("three")
    assert "one, two" in refused(env.choice, ("one", "two"), default="two")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ""), ("", ""), ("https://league.example/report", "https://league.example/report"),
        (" help@league.example ", "mailto:help@league.example"), ("tel:+1-201-555-0123", "tel:+1-201-555-0123"),
    ],
)  # fmt: skip
def test_contact(given, value, expected):
    given(value)
    assert env.contact(NAME) == expected


@pytest.mark.parametrize("value", ["somebody", "http://league.example", "a@b@c", "mailto:a b", "a@b\nX: y"])
def test_contact_refuses_what_is_no_address(given, value):
    given(value)
    refused(env.contact)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_postgresql(given, scheme):
    given(f"{scheme}://us%40er:p%2Fw%25@db.example:5433/na%20me")
    settings = env.database(NAME)
    assert settings["ENGINE"] == "django.db.backends.postgresql"
    assert [settings[key] for key in ("USER", "PASSWORD", "HOST", "PORT", "NAME")] == [
        "us@er", "p/w%", "db.example", "5433", "na me",
    ]  # fmt: skip


def test_how_the_connection_to_postgresql_is_encrypted(given):
    given("postgres://u:p@db.example/league?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem")
    assert env.database(NAME)["OPTIONS"] == {"sslmode": "verify-full", "sslrootcert": "/etc/ca.pem"}
    given("postgres://u:secret@db.example/league?sslmod=require")
    assert "secret" not in refused(env.database)


@pytest.mark.parametrize(
    ("host", "is_checked"),
    [("db.example", True), ("192.0.2.7", True), ("[2001:db8::7]", True), ("db", False), ("localhost", False),
     ("127.0.0.1", False), ("[::1]", False), ("%2Frun%2Fpostgresql", False)],
)  # fmt: skip
def test_a_server_on_another_machine_must_show_a_certificate(given, host, is_checked):
    given(f"postgres://u:p@{host}/league")
    checked = {"sslmode": "verify-full", "sslrootcert": "system"}
    assert env.database(NAME)["OPTIONS"] == (checked if is_checked else {})
    given(f"postgres://u:p@{host}/league?sslmode=prefer")
    assert env.database(NAME)["OPTIONS"] == {"sslmode": "prefer"}


def test_a_store_of_secrets_hands_over_a_file(given, monkeypatch, tmp_path):
    file = tmp_path / "secret"
    file.write_text("postgres://u:p@db/league\n", encoding="utf-8")
    given(None)
    monkeypatch.setenv(f"{NAME}_FILE", str(file))
    assert env.text(NAME) == "postgres://u:p@db/league"
    assert env.database(NAME)["PASSWORD"] == "p"
    file.unlink()
    assert f"{NAME}_FILE" in refused(env.text)


def test_the_folder_of_a_socket_of_postgresql(given):
    given("postgres://tierboard@%2Fvar%2FRun:5433/league")
    settings = env.database(NAME)
    assert (settings["HOST"], settings["PORT"]) == ("/var/Run", "5433")


def test_sqlite_by_relative_and_absolute_path(given):
    given("sqlite:///var/a.sqlite3")
    assert env.database(NAME)["NAME"] == "var/a.sqlite3"
    given("sqlite:////srv/a.sqlite3")
    settings = env.database(NAME)
    assert settings["NAME"] == "/srv/a.sqlite3"
    assert settings["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


@pytest.mark.parametrize(
    "value",
    [
        "mysql://u:secret@h/n", "tierboard", "postgres://u:secret@h", "postgres://u:secret@h:port/n",
        "postgres://u:secret@h:99999/n", "postgres://u:secret@[h/n", "sqlite://", "sqlite:///",
    ],
)  # fmt: skip
def test_database_refuses_without_showing_the_password(given, value):
    given(value)
    assert "secret" not in refused(env.database)


@pytest.mark.parametrize("value", ["redis://redis:6379/0", "rediss://:p@h/1", "embedded://localhost"])
def test_broker(given, value):
    given(value)
    assert env.broker(NAME) == value


@pytest.mark.parametrize("value", ["redis", "http://h", "redis://:secret@h:port/0"])
def test_broker_refuses_without_showing_the_password(given, value):
    given(value)
    assert "secret" not in refused(env.broker)
