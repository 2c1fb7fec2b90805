"""Which tier of the tests each case belongs to: check, test, rest or night (CONTRIBUTING.md says what each is for)."""

import pytest

# Engines, reading and scores: what of these folders uses no database.
CHECK_FOLDERS = ("tests/engine", "tests/scores", "tests/reading", "tests/live")
# Modules whose examples are tested where they stand.
DOCTEST_FOLDERS = ("payouts/engine", "ratings/engine", "lab/engine", "forecasts/engine", "scores")
# What builds, backs up and upgrades, or compares with other packages.
REST_FOLDERS = ("tests/production", "tests/compare")
# What opens a browser runs in passes of its own: Playwright leaves a running event loop, in which Django refuses its database.
BROWSER_FOLDER = "tests/browser"
# What takes long by its kind, and what was found to take long.
REST_MARKS = ("browser", "storm", "rest")
DATABASE_FIXTURES = {"db", "transactional_db", "server_url"}


def commits(item: pytest.Item) -> bool:
    """Tell whether a case commits what it writes, so that other people and processes see it."""
    marker = item.get_closest_marker("django_db")
    return "transactional_db" in item.fixturenames or bool(marker and marker.kwargs.get("transaction"))


def uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or fixtures & DATABASE_FIXTURES)


def opens_a_browser(item: pytest.Item) -> bool:
    return item.nodeid.startswith(BROWSER_FOLDER)


def tier_of(item: pytest.Item) -> str:
    """Name the tier of a case. The mark `smoke` takes one of the rest into `make test`."""
    name = item.nodeid
    if item.get_closest_marker("night"):
        return "night"
    is_rest = name.startswith(REST_FOLDERS) or any(map(item.get_closest_marker, REST_MARKS))
    if is_rest and not item.get_closest_marker("smoke"):
        return "rest"
    if name.startswith((*CHECK_FOLDERS, *DOCTEST_FOLDERS)) and not uses_database(item):
        return "check"
    return "test"
