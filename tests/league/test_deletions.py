"""Deleting an event: works, twice, wrong user, bad input; and forms of an event that is gone."""

from datetime import UTC, datetime

import pytest

from entry.views import events
from league.models import Change, Event
from league.services.errors import Stale
from league.services.events import correct_result, delete_event
from league.stored_results import text_of
from reading.results import EntryInput, EventDetails
from tests.entry.event_forms import create_url, edit_url, filled, hidden, shows, stored
from tests.factories import START, SeasonFactory, enter

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_only_organizers_delete(season, refused_to):
    event = enter(season, "Ada\nBoris")
    refused_to(edit_url(event, "delete"), {"version": 1})
    assert Event.objects.get() == event


GONE = "This event was deleted while you had it open."


def test_what_was_typed_about_an_event_deleted_meanwhile_can_be_entered_anew(
    season, organizer_client, people
):
    event = enter(season, "Ada\nBoris")
    opened = hidden(organizer_client.get(edit_url(event)))
    assert (opened["season"], opened["version"]) == (season.slug, "1")
    delete_event(event, version=1, actor=people["owner"])
    data = filled("Boris x2\nAda\nZoe", name="Second", start="20:15", season=season.slug, version=1)
    answer = organizer_client.post(edit_url(event), data)
    page, form = answer.content.decode(), answer.context["form"]
    assert answer.status_code == 200
    assert GONE in form.non_field_errors()[0]
    assert GONE in page
    assert f'action="{create_url(season)}"' in page
    assert f'hx-post="{create_url(season)}"' in page
    assert stored() == {"Event": 0, "Entry": 0, "Player": 2, "Change": 2}
    kept = {name: form[name].value() for name in ("name", "day", "start", "order")}
    assert kept == {name: data[name] for name in kept}
    again = filled(**kept) | {name: form[name].value() for name in ("version", "form_token")}
    done = [organizer_client.post(create_url(season), again) for _press in range(2)]
    assert [answer.url for answer in done] == [Event.objects.get().get_absolute_url()] * 2
    new = Event.objects.get()
    assert (new.name, new.starts_at, text_of(new)) == (
        "Second",
        datetime(2026, 1, 20, 20, 15, tzinfo=UTC),
        "Boris x2\nAda\nZoe",
    )


def test_a_form_of_an_event_deleted_while_it_is_saved_is_told_the_same(
    season, organizer_client, people, monkeypatch
):
    event = enter(season, "Ada\nBoris")

    def deleted_first(*args, **options):
        delete_event(event, version=1, actor=people["owner"])
        return correct_result(*args, **options)

    monkeypatch.setattr(events, "correct_result", deleted_first)
    answer = organizer_client.post(edit_url(event), filled("Boris\nAda", season=season.slug, version=1))
    assert GONE in answer.context["form"].non_field_errors()[0]
    assert answer.context["form"]["order"].value() == "Boris\nAda"
    assert not Event.objects.exists()


@pytest.mark.parametrize("slug", ["", "nothing", "a\0b", "foreign"])
def test_a_deleted_event_of_no_season_of_the_club_is_not_found(season, organizer_client, people, slug):
    SeasonFactory(name="Foreign")
    event = enter(season, "Ada\nBoris")
    delete_event(event, version=1, actor=people["owner"])
    assert organizer_client.get(edit_url(event)).status_code == 404
    assert organizer_client.post(edit_url(event), filled("Boris\nAda", season=slug)).status_code == 404


def test_only_organizers_enter_a_deleted_event_anew(season, people, refused_to):
    event = enter(season, "Ada\nBoris")
    delete_event(event, version=1, actor=people["owner"])
    refused_to(
        edit_url(event), filled("Boris\nAda", season=season.slug, version=1), below="helper", is_page=False
    )
    assert not Event.objects.exists()


def test_a_form_of_an_event_deleted_meanwhile_keeps_nothing_half_saved(season, people):
    event = enter(season, "Ada\nBoris")
    gone = Event.objects.get(pk=event.pk)
    delete_event(event, version=1, actor=people["organizer"])
    with pytest.raises(Stale):
        correct_result(gone, EventDetails(START), [EntryInput("Boris", 1)], version=1, actor=None)
    with pytest.raises(Stale):
        delete_event(gone, version=1, actor=people["organizer"])
    assert Change.objects.count() == 2


def test_an_event_is_deleted(season, organizer_client, people):
    event = enter(season, "Ada\nBoris", name="Opening")
    page = organizer_client.get(edit_url(event, "delete"))
    assert shows(page, "Delete Opening?")
    assert Event.objects.exists()
    answer = organizer_client.post(edit_url(event, "delete"), {"version": 1})
    assert answer.url == season.get_absolute_url()
    assert stored() == {"Event": 0, "Entry": 0, "Player": 2, "Change": 2}
    change = Change.objects.first()
    assert (change.kind, change.actor, change.before["event"]) == (
        "result-deleted",
        people["organizer"],
        "Opening",
    )


def test_deleting_twice_is_deleting_once(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    assert organizer_client.post(edit_url(event, "delete"), {"version": 1}).status_code == 302
    assert organizer_client.post(edit_url(event, "delete"), {"version": 1}).status_code == 404
    assert Change.objects.count() == 2


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"version": 7}, "Somebody else"),
        ({}, "Version: open this page again"),
        ({"version": "x"}, "Version: open this page again"),
    ],
)
def test_deleting_what_one_has_not_seen_is_refused(season, organizer_client, data, said):
    event = enter(season, "Ada\nBoris")
    answer = organizer_client.post(edit_url(event, "delete"), data)
    assert answer.status_code == 200
    assert shows(answer, said)
    assert Event.objects.exists()
