import os
from pathlib import Path

import hypothesis
import pytest
from django.utils import translation

from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.settings import VAR_DIR

hypothesis.settings.register_profile("tests", deadline=None)
hypothesis.settings.load_profile("tests")


@pytest.fixture(autouse=True, scope="session")
def _own_folder():
    """Each worker of pytest-xdist has its own locks."""
    from django.conf import settings

    folder = Path(VAR_DIR) / os.environ.get("PYTEST_XDIST_WORKER", "main")
    folder.mkdir(parents=True, exist_ok=True)
    settings.VAR_DIR = folder


@pytest.fixture(autouse=True)
def _fresh_pages():
    """Keys of cached pages begin with ids, which every test's database gives out again."""
    from django.core.cache import caches

    caches["pages"].clear()


@pytest.fixture(autouse=True)
def _english():
    """A request leaves its language behind in the thread."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def published(monkeypatch):
    """What would have been sent to the broker. Tests with a real broker start processes of their own."""
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
    """A person of each role, by name."""
    from league.models import Role
    from league.services.clubs import set_member

    people = {
        role.name.lower(): UserFactory(username=role.name.lower()) for role in Role if role > Role.PUBLIC
    }
    for name, user in people.items():
        set_member(club, user=user, role=Role[name.upper()])
    people["stranger"] = UserFactory(username="stranger")
    return people


@pytest.fixture
def organizer_client(client, people):
    client.force_login(people["organizer"])
    return client


@pytest.fixture
def enter_evening(season):
    """Enter an evening by its text and compute it."""
    from standings.services import recompute

    def enter_and_compute(text, **details):
        event = enter(season, text, **details)
        recompute(season.pool_id)
        return event

    return enter_and_compute
