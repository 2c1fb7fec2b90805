"""A new event like one that is stored: at the same time, or on the same day with mostly the same names."""

import pytest

from league.services.errors import AlreadyThere
from league.services.events import EntryInput, EventDetails, enter_result
from tests.entry.event_forms import create_url, edit_url, filled, shows, stored
from tests.factories import START, SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "is_similar"),
    [
        ({"order": "Ada\nBoris\nDana", "start": "21:00"}, True),
        ({"order": "Fritz\nGesa", "start": "19:30"}, True),
        ({"order": "Ada\nFritz", "start": "21:00"}, False),
        ({"order": "Ada\nBoris\nCleo", "day": "2026-01-07"}, False),
    ],
)
def test_a_similar_event_is_shown_before_anything_is_published(season, organizer_client, fields, is_similar):
    event = enter(season, "Ada\nBoris\nCleo")
    data = filled(**({"day": "2026-01-06"} | fields))
    answer = organizer_client.post(create_url(season), data)
    assert (stored()["Event"] == 1) == is_similar
    if is_similar:
        assert shows(answer, "An event like this is already there.")
        assert f'href="{edit_url(event)}"' in answer.content.decode()
        assert answer.context["page"].next_step == ("See the event that is there", "#similar")


def test_it_can_be_another_event(season, organizer_client):
    enter(season, "Ada\nBoris\nCleo")
    data = filled("Ada\nBoris\nCleo", day="2026-01-06", another="1")
    page = organizer_client.post(create_url(season), {**data, "preview": ""}, headers={"HX-Request": "true"})
    assert page.status_code == 302
    assert stored()["Event"] == 2


def test_the_answer_that_it_is_another_event_stays_on_the_form(season, organizer_client):
    enter(season, "Ada\nBoris\nCleo")
    data = filled("Ada\nBoris\nCleo", day="2026-01-06", another="1")
    del data["save"]
    page = organizer_client.post(create_url(season), data)
    assert '<input type="hidden" name="another" value="1">' in page.content.decode()
    assert page.context["page"].next_step is None


def test_of_two_forms_sent_at_once_the_second_is_refused(season):
    """The page looks before, the service once more under the lock."""
    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2)]
    enter_result(season, EventDetails(START), entries, actor=None, is_another=False)
    with pytest.raises(AlreadyThere, match="already there"):
        enter_result(
            SeasonFactory(club=season.club), EventDetails(START), entries, actor=None, is_another=False
        )
    assert stored()["Event"] == 1


def test_sending_a_form_again_is_no_other_event(season, organizer_client):
    data = filled("Ada\nBoris", form_token="6b1d5a5e-3c27-4d2a-9a0e-0c9d8f4e1b11")
    first = organizer_client.post(create_url(season), data, follow=True)
    again = organizer_client.post(create_url(season), data, follow=True)
    assert shows(first, "Published. Ada wins.")
    assert shows(again, "This was published already: Ada wins.")
    assert stored()["Event"] == 1
