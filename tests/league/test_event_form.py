"""The form of an event before it is published: what it opens with, reading along, and what it keeps."""

from datetime import date

import pytest
from django.test import Client

from league.models import Event
from league.results import text_of
from tests.factories import START, SeasonFactory, enter
from tests.league.event_forms import (
    NOTHING,
    TEN,
    create_url,
    edit_url,
    filled,
    hidden,
    shows,
    stored,
)
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


def test_a_form_that_was_not_sent_whole_can_be_sent_again(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    for url, broken in ((create_url(season), {"form_token": "zz"}), (edit_url(event), {"version": "-1"})):
        data = filled("Boris\nAda", day="2026-01-06", version="") | broken
        again = data | hidden(organizer_client.post(url, data))
        assert organizer_client.post(url, again).status_code == 302
    assert [text_of(event) for event in Event.objects.all()] == ["Boris\nAda"] * 2


def test_reading_along_says_why_the_day_cannot_be(season, organizer_client):
    data = filled("Ada\nBoris", day="2027-01-01")
    del data["save"]
    answer = organizer_client.post(create_url(season), data, headers={"HX-Request": "true"})
    assert shows(answer, "2 players, 2 entries. Day: This day is still to come")


def test_a_published_form_is_named_to_the_browser_that_keeps_its_draft(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    for url in (create_url(season), edit_url(event)):
        token = hidden(organizer_client.get(url))["form_token"]
        data = filled("Boris\nAda", day="2026-01-06", form_token=token, version=1)
        cookie = organizer_client.post(url, data).cookies["published"]
        assert (cookie.value, cookie["path"]) == (token, url)


def test_an_order_without_names_is_answered_when_it_is_published(season, organizer_client):
    page = organizer_client.get(create_url(season)).content.decode()
    assert 'name="save">' in page
    asked = organizer_client.post(create_url(season), filled("Ada")).content.decode()
    assert 'name="save" disabled>' in asked


def test_a_message_stands_at_its_own_field(season, organizer_client):
    page = organizer_client.post(create_url(season), filled("Ada\nBoris", day="2027-01-01")).content.decode()
    day_field = page.partition('name="day"')[2].partition('name="start"')[0]
    assert "This day is still to come" in day_field


def test_a_form_older_than_the_log_in_shows_what_was_typed(season, people):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["organizer"])
    answer = client.post(create_url(season), filled("Ada\n<b>Boris"))
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "Ada\n&lt;b&gt;Boris</textarea>" in page
    assert f'href="{create_url(season)}"' in page
    assert "textarea" not in client.post(create_url(season)).content.decode()
    assert stored() == NOTHING


def test_the_form_opens_on_a_day_that_can_be_saved(club, organizer_client):
    ended = SeasonFactory(club=club, ends_on=date(2026, 1, 25))
    assert organizer_client.get(create_url(ended)).context["form"].initial["day"] == date(2026, 1, 25)
    enter(ended, "Ada\nBoris")
    assert organizer_client.get(create_url(ended)).context["form"].initial["start"] == START.time()


def test_reading_along_returns_the_partial_alone_and_saves_nothing(season, organizer_client):
    data = filled("Ada\nBoris\nada")
    del data["save"]
    answer = organizer_client.post(create_url(season), data, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert answer.content.decode().strip().startswith('<div id="reading">')
    assert shows(answer, "ada already stands in line 1")
    assert stored() == NOTHING


def test_a_preview_saves_nothing_and_shows_points(season, organizer_client):
    data = filled(TEN)
    del data["save"]
    page = organizer_client.post(create_url(season), data | {"preview": ""})
    assert "10 players, 10 entries." in page.content.decode()
    assert '<span class="vh">Points</span>5</span>' in markup_of(page)
    assert stored() == NOTHING


def test_the_buttons_of_a_line_and_of_a_regular_change_the_text(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    before = stored()
    data = filled("Ada\n4 Otto")
    del data["save"]
    asked = organizer_client.post(create_url(season), data)
    assert shows(asked, "Otto, written “4 Otto”?")
    yes = organizer_client.post(create_url(season), data | {"fix": "2:Otto"})
    assert yes.context["text"] == "Ada\nOtto"
    added = organizer_client.post(create_url(season), data | {"order": "Ada\n", "add": "Hale"})
    assert added.context["text"] == "Ada\nHale"
    junk = organizer_client.post(create_url(season), data | {"fix": "²:x"})
    assert junk.context["text"] == "Ada\n4 Otto"
    assert stored() == before
