import os
from pathlib import Path

import hypothesis
import pytest
from django.test import Client
from django.utils import translation

from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.settings import VAR_DIR
from tests.tiers import commits, opens_a_browser, tier_of, uses_database

# The same examples in every run, so that a new failure comes from the change and not from chance.
hypothesis.settings.register_profile("tests", deadline=None, derandomize=True)
hypothesis.settings.load_profile("tests")


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(items):
    """Mark each case with its tier, whether it uses a database, and whether it is the first of its test."""
    begun = set()
    for item in items:
        if opens_a_browser(item):
            item.add_marker("browser")
        item.add_marker(tier_of(item))
        function = getattr(item, "function", item)
        if function not in begun or item.get_closest_marker("each_case"):
            item.add_marker("first_case")
        begun.add(function)
        if uses_database(item):
            item.add_marker("database")


@pytest.fixture(scope="session")
def server_url():
    """Return the address of the database server, for tests that create databases; "" on SQLite."""
    url = os.environ.get("DATABASE_URL", "")
    return url if url.startswith("postgres") else ""


@pytest.fixture(autouse=True, scope="session")
def _own_folder():
    """Give each worker of pytest-xdist its own locks."""
    from django.conf import settings

    folder = Path(VAR_DIR) / os.environ.get("PYTEST_XDIST_WORKER", "main")
    folder.mkdir(parents=True, exist_ok=True)
    settings.VAR_DIR = folder


@pytest.fixture(autouse=True)
def _fresh_pages():
    """Clear the caches: every test uses the same ids, and the API counts requests."""
    from django.core.cache import caches

    for name in ("pages", "goals", "pictures", "api"):
        caches[name].clear()


@pytest.fixture(autouse=True)
def _empty_cache_table(request):
    """Empty the cache in the database after a test that commits: it is no model's table, so nothing else empties it."""
    empties = commits(request.node)
    if empties:
        request.getfixturevalue("transactional_db")  # so that the database is open when this ends
    yield
    if empties:
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(autouse=True)
def _english():
    """Start each test in English, since a request changes the language of its thread."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def published(monkeypatch):
    """Collect the ids of pools sent to the broker. Tests with a real broker start processes of their own."""
    from standings.tasks import recompute_pool

    sent = []
    monkeypatch.setattr(recompute_pool, "delay", sent.append)
    return sent


@pytest.fixture
def club(db):
    return ClubFactory()


@pytest.fixture
def season(club):
    return SeasonFactory(club=club)


@pytest.fixture
def people(club):
    """Create a person of each role, by name, and a stranger; in two queries, since most tests begin with it."""
    from django.contrib.auth.models import User

    from league.models import Membership, Role

    names = [*(role.name.lower() for role in Role if role > Role.PUBLIC), "stranger"]
    people = {
        user.username: user
        for user in User.objects.bulk_create(UserFactory.build(username=name) for name in names)
    }
    Membership.objects.bulk_create(
        Membership(club=club, user=user, role=Role[name.upper()])
        for name, user in people.items()
        if name != "stranger"
    )
    return people


@pytest.fixture
def organizer_client(client, people):
    client.force_login(people["organizer"])
    return client


@pytest.fixture
def enter_event(season):
    """Enter an event by its text and compute it."""
    from standings.recomputation.service import recompute

    def enter_and_compute(text, **details):
        event = enter(season, text, **details)
        recompute(season.pool_id)
        return event

    return enter_and_compute


@pytest.fixture
def client_of(people):
    """Make a client of a person by role; "foreign" is an organizer of another club, "anonymous" nobody."""
    from league.models import Role
    from people.services.members import set_member

    def client_of(who):
        client = Client()
        if who == "foreign":
            people[who] = UserFactory()
            set_member(ClubFactory(), user=people[who], role=Role.ORGANIZER, actor=None)
        if who != "anonymous":
            client.force_login(people[who])
        return client

    return client_of


@pytest.fixture
def refused_to(client_of):
    """Assert that a write is closed to everybody below a role, and the page that leads to it as well."""
    from league.models import Role

    def refused_to(url, data=None, *, below="organizer", is_page=True):
        lower = [role.name.lower() for role in Role if Role.PUBLIC < role < Role[below.upper()]]
        for who in ["stranger", "foreign", *lower]:
            client = client_of(who)
            assert client.post(url, data).status_code == 403, who
            if is_page:
                assert client.get(url).status_code == 403, who
        answer = client_of("anonymous").post(url, data)
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/?next=")

    return refused_to
