from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client

from tests.factories import ClubFactory, UserFactory

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock():
    """What may be entered depends on the day it is."""
    with time_machine.travel(NOW, tick=True):
        yield


@pytest.fixture
def client_of(people):
    """A client of a person by role; "foreign" is an organizer of another club, "anonymous" nobody."""
    from league.models import Role
    from league.services.clubs import set_member

    def client_of(who):
        client = Client()
        if who == "foreign":
            people[who] = UserFactory()
            set_member(ClubFactory(), user=people[who], role=Role.ORGANIZER)
        if who != "anonymous":
            client.force_login(people[who])
        return client

    return client_of


@pytest.fixture
def refused_to(client_of):
    """Assert that a write is closed to everybody below a role, and the page that leads to it as well."""

    def refused_to(url, data=None, *, below="organizer", is_page=True):
        outsiders = ["stranger", "foreign", "member"] + (["organizer"] if below == "owner" else [])
        for who in outsiders:
            client = client_of(who)
            assert client.post(url, data).status_code == 403, who
            if is_page:
                assert client.get(url).status_code == 403, who
        answer = client_of("anonymous").post(url, data)
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/?next=")

    return refused_to
