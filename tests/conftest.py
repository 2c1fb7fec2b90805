import gc
import os
from pathlib import Path
from types import FunctionType

import hypothesis
import pytest
from django.template import Template
from django.test import Client
from django.utils import translation
from xdist.scheduler import LoadScopeScheduling

from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.settings import VAR_DIR
from tests.statements import name_of, repeats

# The same examples in every run, so that a new failure comes from the change and not from chance.
hypothesis.settings.register_profile("tests", deadline=None, derandomize=True)
hypothesis.settings.load_profile("tests")

# Half of the megabyte that Python then takes; the other half is for the frames of what a test calls.
FRAME_SLOTS = 65_536
# Browser tests that have a site of their own; the others share another one.
SECOND_SITE = {"test_account", "test_entry", "test_nights", "test_points"}
# Fixtures of tests that use a database, through Django or on the server itself.
ON_DATABASE = {"db", "transactional_db", "server_url"}
# Tables whose rows come with the database, and which no test changes.
KEPT_TABLES = {"django_content_type", "auth_permission"}


def pytest_addoption(parser):
    parser.addoption(
        "--only-db", action="store_true", help="only tests that can differ from database to database"
    )
    parser.addoption(
        "--no-repeats",
        action="store_true",
        help="no tests of which others send every statement (tests/repeats.txt)",
    )


def pytest_xdist_make_scheduler(config, log):
    return BySite(config, log) if config.getvalue("dist") == "loadgroup" else None


class BySite(LoadScopeScheduling):
    """Give the browser tests to two workers, each with a site of its own, and each other test to any worker.

    The groups of pytest-xdist 3.8, which are for this, have no effect under pytest 9.
    """

    def _split_scope(self, nodeid):
        if not nodeid.startswith("tests/browser/"):
            return nodeid
        file = Path(nodeid.partition("::")[0]).stem
        return "second site" if file in SECOND_SITE else "first site"


@pytest.hookimpl(trylast=True)  # after hypothesis has marked its tests
def pytest_collection_modifyitems(config, items):
    # At the end, a long test would keep one worker busy and the other waiting.
    items.sort(key=lambda item: item.get_closest_marker("long") is None)
    if config.getoption("--only-db"):
        chosen = on_each_database(items)
        if config.getoption("--no-repeats"):
            known = repeats()
            chosen = [item for item in chosen if name_of(item) not in known]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what is imported and collected, which stays to the end, out of garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def _call(function, *arguments):
    return function(*arguments)


# Python keeps frames in pieces of 16 kB. A loop at the end of one has the system make and drop the next piece with each
# call, which took a tenth of the time of all tests. A frame that needs as much as this one gets a piece where all fit.
_call_with_room = FunctionType(_call.__code__.replace(co_stacksize=FRAME_SLOTS), globals())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Run a test as pytest does, with room for the frames of all its calls."""
    return _call_with_room(
        item.config.pluginmanager.getplugin("runner").pytest_runtest_protocol, item, nextitem
    )


def on_each_database(items):
    """Choose the tests that use a database; of one with many cases the first, unless each of them can differ there."""
    chosen, begun = [], set()
    for item in filter(touches_database, items):
        if item.function not in begun or item.get_closest_marker("each_case") or commits(item):
            chosen.append(item)
            begun.add(item.function)
    return chosen


def commits(item):
    """Whether a test commits, as those do in which people or processes meet."""
    marker = item.get_closest_marker("django_db")
    return "transactional_db" in item.fixturenames or bool(marker and marker.kwargs.get("transaction"))


def touches_database(item):
    if item.get_closest_marker("one_database"):
        return False
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(item.get_closest_marker("django_db") or fixtures & ON_DATABASE)


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


@pytest.fixture(autouse=True, scope="session")
def _pages_alone(django_test_environment):
    """Let the test client record the template of a page, and none that it extends or includes.

    For each that it records it copies everything the template is given, which took a tenth of the time of a page.
    """
    recorded = Template._render

    def render(template, context):
        is_page = context.template is template
        return recorded(template, context) if is_page else template.nodelist.render(context)

    Template._render = render


@pytest.fixture(autouse=True, scope="session")
def _delete_what_was_committed():
    """Keep Django's types and permissions after a test that commits; let PostgreSQL delete the rows of other tables.

    Making types and permissions again takes 30 to 85 ms each time. TRUNCATE makes new files for each table.
    """
    from django.core.management.commands import flush
    from django.db import connection

    empty, quote = connection.ops.sql_flush, connection.ops.quote_name

    def sql_flush(style, tables, *, reset_sequences=False, **options):
        emptied = [table for table in tables if table not in KEPT_TABLES]
        if reset_sequences or connection.vendor != "postgresql":
            return empty(style, emptied, reset_sequences=reset_sequences, **options)
        return [f"DELETE FROM {quote(table)}" for table in emptied]

    connection.ops.sql_flush = sql_flush
    flush.emit_post_migrate_signal = lambda *_, **__: None


@pytest.fixture(autouse=True)
def _fresh_pages():
    """Clear the caches: every test uses the same ids, and the API counts requests."""
    from django.core.cache import caches

    for name in ("pages", "frames", "goals", "pictures", "api"):
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
    from league.services.members import set_member

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
