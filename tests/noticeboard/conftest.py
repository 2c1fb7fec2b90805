from datetime import date

import pytest
from django.test import Client

from people.services.members import set_member
from tests.factories import ClubFactory, SeasonFactory, UserFactory


@pytest.fixture
def season():
    return SeasonFactory(club=ClubFactory(time_zone="Europe/Berlin"), ends_on=date(2026, 12, 31))


@pytest.fixture
def of(season):
    """Make a client of a member of the club in a role."""

    def make(role, name=None):
        user = UserFactory(**({"username": name} if name else {}))
        set_member(season.club, user=user, role=role, actor=None)
        client = Client()
        client.force_login(user)
        client.user = user
        return client

    return make
