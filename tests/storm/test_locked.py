"""Another program keeps SQLite's lock: what cannot be saved is said, nothing is half saved, and all goes on after (`locked.py`)."""

import pytest
from django.conf import settings

from tests.storm.accounts import account_of

pytestmark = [
    pytest.mark.storm,
    pytest.mark.skipif("postgresql" in settings.DATABASES["default"]["ENGINE"], reason="SQLite has one lock"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a site told that met a lock."""
    folder = tmp_path_factory.mktemp("locked")
    return account_of("locked", folder=folder, database=f"sqlite:///{folder / 'locked.sqlite3'}")


def test_pages_are_read_while_it_is_locked(told):
    assert (told["read"], told["health"]) == (200, 200)


def test_what_cannot_be_saved_is_said_and_sent_again(told):
    assert (told["save"], told["upload"]) == (503, 503)
    assert told["says"]
    assert told["is_typed"]
    assert not told["stored_meanwhile"]
    assert (told["save_again"], told["n_new"]) == (302, 1)


def test_a_recomputation_that_cannot_write_leaves_the_old_rows_and_is_done_later(told):
    assert told["recompute"] == "database is locked"
    assert told["old_rows_stay"]
    assert told["recomputed"]
    assert (told["wrong"], told["integrity"]) == (0, "ok")


def test_who_waits_for_less_than_the_limit_notices_nothing(told):
    assert told["waits"]
    assert told["save_after_waiting"] == 302


def test_a_sign_in_is_told_that_it_cannot_be_saved(told):
    assert told["sign_in"] == 503
