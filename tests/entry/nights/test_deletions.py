"""Taking back a whole night: all its games at once."""

import uuid

import pytest
from django.urls import reverse

from entry.services.nights import enter_night
from league.models import Change, Entry, Event, Meet
from tests.entry.event_forms import shows
from tests.entry.nights.pages import edit_address
from tests.entry.nights.tables import night_of, table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def meet(season, game, people):
    tables = [table(1), table(2, names=("Eve", "Fumi", "Gus", "Hana"))]
    return enter_night(night_of(season, game), tables, actor=people["organizer"], form_token=uuid.uuid4())


@pytest.fixture
def address(meet):
    return reverse("entry:night-delete", args=[meet.season.club.slug, meet.season.slug, meet.pk])


def games_of(page):
    return page.context["form"]["games"].value()


def test_all_games_go_at_once(organizer_client, meet, address):
    assert shows(organizer_client.get(edit_address(meet)), f'href="{address}"')
    page = organizer_client.get(address)
    assert shows(page, "All its 2 games go")
    answer = organizer_client.post(address, {"games": games_of(page)}, follow=True)
    assert shows(answer, "Deleted")
    assert not Event.objects.exists()
    assert not Entry.objects.exists()
    assert not Meet.objects.exists()
    deleted = Change.objects.filter(kind=Change.Kind.RESULT_DELETED)
    assert sorted(change.before["event"] for change in deleted) == ["Tuesday 1-1", "Tuesday 1-2"]
    assert organizer_client.post(address, {"games": games_of(page)}).status_code == 404


def test_a_night_that_has_changed_stays_whole(organizer_client, meet, address):
    read = games_of(organizer_client.get(address))
    meet.events.filter(table=2).update(version=2)
    page = organizer_client.post(address, {"games": read})
    assert shows(page, "Somebody else has changed this night since you opened it.")
    assert Event.objects.count() == 2
    organizer_client.post(address, {"games": games_of(page)})
    assert not Event.objects.exists()


@pytest.mark.parametrize("games", ["", "x", "1:", "9:1", "9" * 40 + ":1", None])
def test_what_names_no_night_deletes_nothing(organizer_client, address, games):
    page = organizer_client.post(address, {} if games is None else {"games": games})
    assert page.status_code == 200
    assert Event.objects.count() == 2


def test_only_organizers_delete_a_night(refused_to, address):
    refused_to(address, {"games": "1:1"})
    assert Event.objects.count() == 2
