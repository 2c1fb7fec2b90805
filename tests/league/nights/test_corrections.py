"""Correcting the games of a night on its sheet, used as a browser without scripts uses it."""

import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Event, Meet
from league.services.nights import enter_night
from tests.factories import correct, enter
from tests.league.event_forms import shows, stored
from tests.league.nights.pages import address, edit_address, fields_of
from tests.league.nights.tables import night_of, table

pytestmark = pytest.mark.django_db


def test_a_night_is_corrected_on_the_same_sheet(organizer_client, season, game, people):
    tables = [table(1), table(2, names=("Eve", "Fumi", "Gus", "Hana"))]
    meet = enter_night(night_of(season, game), tables, actor=people["organizer"], form_token=uuid.uuid4())
    page = organizer_client.get(edit_address(meet))
    fields = fields_of(page)
    assert (fields["shape"], fields["1-2-1-score"], fields["name"]) == ("2", "422", "Tuesday")
    before = stored()
    organizer_client.post(edit_address(meet), fields | {"save": ""})
    assert stored() == before
    changed = fields | {"1-2-1-score": "223", "1-2-2-score": "422", "save": ""}
    assert organizer_client.post(edit_address(meet), changed).url == meet.get_absolute_url()
    assert [event.version for event in meet.events.in_rating_order()] == [1, 2]
    stale = organizer_client.post(
        edit_address(meet), fields | {"1-1-1-score": "1", "save": ""} | {"1-1-2-score": "644"}
    )
    assert shows(stale, "Somebody else has changed this event since you opened it.")
    again = fields_of(stale)
    assert (again["1-1-1-score"], again["1-2-version"]) == ("1", "2")
    assert organizer_client.post(edit_address(meet), again | {"save": ""}).status_code == 302


def test_a_table_is_taken_away_from_a_stored_night(organizer_client, season, game, people):
    tables = [table(1), table(2, names=("Eve", "Fumi", "Gus", "Hana"))]
    meet = enter_night(night_of(season, game), tables, actor=people["organizer"], form_token=uuid.uuid4())
    fields = fields_of(organizer_client.get(edit_address(meet)))
    page = organizer_client.post(edit_address(meet), fields | {"do": "drop:1-1"})
    assert Event.objects.count() == 2
    organizer_client.post(edit_address(meet), fields_of(page) | {"save": ""})
    assert [event.name for event in meet.events.all()] == ["Tuesday 1-1"]


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_night_that_was_deleted_meanwhile_can_be_published_anew(
    organizer_client, season, game, people, is_alone
):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    url = edit_address(meet)
    if is_alone:
        url = reverse("league:event-edit", args=[season.club.slug, meet.events.get().pk])
        meet.delete()
    fields = fields_of(organizer_client.get(url)) | {"day": "2026-01-13"}
    Event.objects.all().delete()
    Meet.objects.all().delete()
    page = organizer_client.post(url, fields | {"1-1-1-score": "432", "1-1-2-score": "213", "save": ""})
    assert shows(page, "This night was deleted while you had it open.")
    assert f'action="{address(season)}?game={game.pk}"' in page.content.decode()
    again = fields_of(page)
    assert (again["1-1-1-score"], again["1-1-event"]) == ("432", "")
    assert organizer_client.post(address(season), again | {"save": ""}).status_code == 302
    assert Event.objects.get().entries.get(place=1).score == 43_200


def test_the_edit_page_of_a_game_leads_to_its_night(organizer_client, season, game, people):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    event = meet.events.get()
    url = reverse("league:event-edit", args=[season.club.slug, event.pk])
    assert organizer_client.get(url).url == f"{edit_address(meet)}#h1-1"


def test_a_game_without_a_night_is_corrected_alone(organizer_client, season, game, people):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    event = meet.events.get()
    meet.delete()
    url = reverse("league:event-edit", args=[season.club.slug, event.pk])
    fields = fields_of(organizer_client.get(url))
    answer = organizer_client.post(url, fields | {"1-1-1-score": "223", "1-1-2-score": "422", "save": ""})
    assert answer.url == event.get_absolute_url()
    event.refresh_from_db()
    assert (event.version, event.name, event.entries.get(place=1).player.name) == (2, "Tuesday 1-1", "Boris")


def test_the_number_of_tables_does_not_change_the_number_of_queries(organizer_client, season, game, people):
    few = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    tables = [table(round=number) for number in (1, 2, 3)]
    night = night_of(season, game, name="Other")
    many = enter_night(night, tables, actor=people["organizer"], form_token=uuid.uuid4())
    counts = []
    for meet in (few, many):
        with CaptureQueriesContext(connection) as queries:
            organizer_client.get(edit_address(meet))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_balances_of_a_game_are_not_lost_by_a_finishing_order(season):
    event = enter(season, "Ada\nBoris")
    event.entries.filter(player__name="Ada").update(balance=5, chips=2)
    correct(event, "Boris\nAda")
    assert list(event.entries.order_by("place").values_list("player__name", "balance", "chips")) == [
        ("Boris", None, None), ("Ada", 5, 2),
    ]  # fmt: skip
