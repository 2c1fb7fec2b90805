"""Kill what somebody does at twenty moments: it is done whole or not at all, and can be done again (`deaths.py`)."""

import pytest
from django.conf import settings

from tests.storm.accounts import account_of

pytestmark = [
    pytest.mark.storm,
    pytest.mark.skipif(
        "postgresql" in settings.DATABASES["default"]["ENGINE"], reason="deaths put SQLite's file back"
    ),
]
NOTHING = ("half", "not_repeatable", "wrong", "changed_twice")
DEEDS = [
    "import",
    "merge",
    "unmerge",
    "delete",
    "restore",
    "make_club",
    "make_asked_club",
    "export",
    "simulate",
    "recompute",
]


@pytest.mark.parametrize("deed", DEEDS)
def test_a_deed_is_done_whole_or_not_at_all(tmp_path, deed):
    account = account_of("deaths", deed, folder=tmp_path, database=f"sqlite:///{tmp_path / 'deaths.sqlite3'}")
    assert account["kills"] >= 15  # the last moments may not be reached: caches are warm
    assert {name: account[name] for name in NOTHING} == dict.fromkeys(NOTHING, 0)
