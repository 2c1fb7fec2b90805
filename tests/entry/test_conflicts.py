"""Two organizers correct one event at the same time: what collides is asked, the rest is merged."""

from datetime import timedelta
from decimal import Decimal

import pytest

from league.models import Change, Event
from league.stored_results import text_of
from tests.entry.event_forms import edit_url, filled, hidden, shows
from tests.factories import START, correct, enter

pytestmark = pytest.mark.django_db

FIVE = "Ada\nBoris\nCleo\nDana\nEmil"


@pytest.fixture
def event(season):
    return enter(season, FIVE)


@pytest.fixture
def send(event, organizer_client):
    """Open the form, let somebody else save `theirs`, and send the form with another text."""

    def send(theirs, mine, *, ends_at=None, **fields):
        opened = hidden(organizer_client.get(edit_url(event)))
        correct(event, theirs, ends_at=ends_at)
        data = opened | filled(mine, day="2026-01-06", version=opened["version"], **fields)
        return data, organizer_client.post(edit_url(event), data)

    return send


def sent_again(page, **pressed):
    """The fields of the page of two versions, with a button pressed."""
    return hidden(page) | pressed


def test_changes_that_do_not_collide_are_saved_together(event, send, organizer_client, people):
    _data, page = send("Boris\nAda\nCleo\nDana\nEmil", "Ada\nBoris\nCleo ko2\nEmil\nDana", name="Opening")
    assert shows(page, "Your changes do not touch the others")
    assert Event.objects.get().version == 2
    answer = organizer_client.post(edit_url(event), sent_again(page, merge=""))
    assert answer.url == event.get_absolute_url()
    event.refresh_from_db()
    assert text_of(event) == "Boris\nAda\nCleo ko2\nEmil\nDana"
    assert (event.name, event.version) == ("Opening", 3)
    assert Change.objects.first().actor == people["organizer"]


@pytest.mark.parametrize(
    ("choice", "text"),
    [("theirs", "Ada\nCleo\nBoris\nEmil\nDana"), ("mine", "Ada\nBoris = Cleo\nEmil\nDana"), ("base", None)],
)
def test_what_collides_is_asked(event, send, organizer_client, choice, text):
    _data, page = send("Ada\nCleo\nBoris\nDana\nEmil", "Ada\nBoris = Cleo\nEmil\nDana")
    assert shows(page, "2. Cleo, 3. Boris")
    assert shows(page, "2. Boris, 2. Cleo")
    organizer_client.post(edit_url(event), sent_again(page, merge="", **{"pick-order": choice}))
    event.refresh_from_db()
    assert text_of(event) == (text or "Ada\nBoris\nCleo\nEmil\nDana")


def test_the_merged_result_can_be_edited_first(event, send, organizer_client):
    _data, page = send(FIVE.replace("Dana", "Dana ko1"), f"{FIVE}\nFritz")
    form = organizer_client.post(edit_url(event), sent_again(page, mend=""))
    assert form.context["text"] == "Ada\nBoris\nCleo\nDana ko1\nEmil\nFritz"
    data = hidden(form) | filled(form.context["text"], day="2026-01-06", version=hidden(form)["version"])
    assert organizer_client.post(edit_url(event), data).status_code == 302
    assert text_of(event) == form.context["text"]


SCORES = "Place\tName\tScore\n1\tAda\t45200\n2\tBoris\t30100.5\n3\tCleo\t24000\n4\tDana\t700\n5\tEmil\t-100"


def scores(event):
    return dict(event.entries.values_list("player__name", "score"))


def test_the_scores_of_a_pasted_table_are_merged(event, send, organizer_client):
    _data, page = send(FIVE.replace("Dana", "Dana ko1"), SCORES)
    organizer_client.post(edit_url(event), sent_again(page, merge=""))
    assert text_of(event) == FIVE.replace("Dana", "Dana ko1")
    assert scores(event) == {
        "Ada": 45200,
        "Boris": Decimal("30100.5"),
        "Cleo": 24000,
        "Dana": 700,
        "Emil": -100,
    }


def test_two_pasted_tables_collide_where_their_scores_differ(event, send, organizer_client):
    event.entries.filter(player__name="Dana").update(score=800)
    _data, page = send(FIVE.replace("Ada", "Ada ko1"), SCORES)
    assert shows(page, "Dana: Score")
    organizer_client.post(edit_url(event), sent_again(page, merge="", **{"pick-score::dana": "mine"}))
    assert scores(event)["Dana"] == 700


def test_mine_can_be_discarded(event, send, organizer_client):
    _data, page = send("Boris\nAda\nCleo", FIVE)
    assert page.context["text"] == FIVE
    answer = organizer_client.post(edit_url(event), sent_again(page, discard=""), follow=True)
    assert shows(answer, "The saved version stands.")
    assert (text_of(event), Event.objects.get().version) == ("Boris\nAda\nCleo", 2)


def test_a_third_version_saved_meanwhile_is_shown_again(event, send, organizer_client):
    _data, page = send("Boris\nAda\nCleo\nDana\nEmil", f"{FIVE}\nFritz")
    event.refresh_from_db()
    correct(event, "Boris\nAda\nDana\nCleo\nEmil")
    again = organizer_client.post(edit_url(event), sent_again(page, merge=""))
    assert shows(again, "has changed this event since you opened it")
    organizer_client.post(edit_url(event), sent_again(again, merge=""))
    assert text_of(event) == "Boris\nAda\nDana\nCleo\nEmil\nFritz"


def test_without_what_the_form_was_opened_with_every_difference_is_asked(event, send, organizer_client):
    data, _page = send("Boris\nAda\nCleo", "Ada\nBoris\nCleo", ends_at=START.replace(hour=22), end="23:00")
    page = organizer_client.post(edit_url(event), data | {"base": "nonsense"})
    assert [choice.name for choice in page.context["choices"]] == ["pick-end", "pick-order"]
    assert {option.value for choice in page.context["choices"] for option in choice.options} == {
        "theirs",
        "mine",
    }


def test_times_are_compared_as_the_form_shows_them(event, send):
    _data, page = send(FIVE, f"{FIVE}\nFritz", ends_at=START + timedelta(hours=3), end="23:00")
    [choice] = page.context["choices"]
    assert (choice.name, [option.text for option in choice.options]) == ("pick-end", ["22:30", "23:00", "–"])


def test_the_same_change_twice_is_no_conflict(event, send):
    _data, answer = send("Boris\nAda\nCleo\nDana\nEmil", "Boris\nAda\nCleo\nDana\nEmil")
    assert answer.status_code == 302
    assert Event.objects.get().version == 2
