"""Correcting and deleting an evening: works, twice, wrong user, bad input; a form that went stale; two at once."""

import uuid
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from league.models import Change, Event, Season
from league.results import EntryInput, EventDetails, text_of
from league.services.errors import Stale
from league.services.events import correct_result, delete_event, enter_result
from league.views import events
from tests.factories import START, SeasonFactory, UserFactory, enter
from tests.league.evening_forms import BAD_FORMS, TEN, create_url, edit_url, filled, hidden, shows, stored
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db


def test_a_result_is_corrected(season, organizer_client, people):
    event = enter(season, "Ada\nBoris\nCleo", name="Opening")
    form = organizer_client.get(edit_url(event))
    assert form.context["text"] == "Ada\nBoris\nCleo"
    data = filled(
        "Boris\nAda x2",
        day="2026-01-06",
        name="Opening night",
        version=form.context["form"]["version"].value(),
    )
    answer = organizer_client.post(edit_url(event), data)
    assert answer.url == event.get_absolute_url()
    event.refresh_from_db()
    assert (event.version, event.name, text_of(event)) == (2, "Opening night", "Boris\nAda x2")
    change = Change.objects.first()
    assert (change.kind, change.actor, change.rated_from) == ("result-corrected", people["organizer"], START)
    assert [row[1] for row in change.before["entries"]] == ["Ada", "Boris", "Cleo"]


def test_the_same_correction_twice_is_one(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    data = filled("Boris\nAda", day="2026-01-06")
    assert organizer_client.post(edit_url(event), data | {"version": 1}).status_code == 302
    assert organizer_client.post(edit_url(event), data | {"version": 2}).status_code == 302
    event.refresh_from_db()
    assert (event.version, Change.objects.count()) == (2, 2)


def test_a_second_press_of_the_same_correction_is_told_and_changes_nothing(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    data = filled("Boris\nAda", day="2026-01-06", version=1)
    organizer_client.post(edit_url(event), data)
    assert shows(organizer_client.post(edit_url(event), data), "Somebody else has changed this event")
    event.refresh_from_db()
    assert (event.version, text_of(event), Change.objects.count()) == (2, "Boris\nAda", 2)


def test_only_organizers_correct_and_delete(season, refused_to):
    event = enter(season, "Ada\nBoris")
    before = stored()
    refused_to(edit_url(event), filled("Boris\nAda", version=1))
    assert stored() == before
    assert text_of(Event.objects.get()) == "Ada\nBoris"


def test_only_organizers_delete(season, refused_to):
    event = enter(season, "Ada\nBoris")
    refused_to(edit_url(event, "delete"), {"version": 1})
    assert Event.objects.get() == event


def test_an_event_is_not_reached_by_the_address_of_another_club(season, client_of):
    event = enter(season, "Ada\nBoris")
    client = client_of("foreign")
    from league.models import Membership

    own = Membership.objects.get(user_id=client.session["_auth_user_id"]).club
    for page in ("edit", "delete"):
        url = reverse(f"league:event-{page}", args=[own.slug, event.pk])
        assert client.post(url, filled("Boris\nAda", version=1)).status_code == 404
    assert text_of(Event.objects.get()) == "Ada\nBoris"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        *BAD_FORMS[:-1],
        ({"version": "x", "order": "Boris\nAda"}, "This form was not sent whole."),
        ({"version": "", "order": "Boris\nAda"}, "Somebody else"),
        ({"version": "-1", "order": "Boris\nAda"}, "This form was not sent whole."),
        ({"version": "9" * 30, "order": "Boris\nAda"}, "Somebody else"),
    ],
)
def test_a_bad_correction_is_told_kept_and_not_saved(season, organizer_client, fields, said):
    event = enter(season, "Ada\nBoris")
    before = stored()
    answer = organizer_client.post(edit_url(event), filled(**({"order": TEN, "version": 1} | fields)))
    assert answer.status_code == 200
    assert shows(answer, said)
    assert not shows(answer, "Ready to publish")
    assert answer.context["text"] == fields["order"]
    assert stored() == before
    assert text_of(Event.objects.get()) == "Ada\nBoris"


def test_a_stale_form_is_told_its_text_kept_and_the_saved_result_stands(season, organizer_client):
    event = enter(season, "Ada\nBoris\nCleo")
    opened = organizer_client.get(edit_url(event)).context["form"]["version"].value()
    correct_result(
        event, EventDetails(START), [EntryInput("Boris", 1), EntryInput("Ada", 2)], version=1, actor=None
    )
    data = filled("Cleo\nBoris\nAda", day="2026-01-06", version=opened)
    answer = organizer_client.post(edit_url(event), data)
    assert answer.status_code == 200
    assert shows(answer, "Somebody else has changed this event since you opened it.")
    assert f'<a href="{event.get_absolute_url()}" target="_blank">' in answer.content.decode()
    assert not shows(answer, "Ready to publish")
    assert answer.context["text"] == "Cleo\nBoris\nAda"
    assert text_of(Event.objects.get()) == "Boris\nAda"
    # Told once, the organizer may save what he has.
    version = answer.context["form"]["version"].value()
    assert organizer_client.post(edit_url(event), data | {"version": version}).status_code == 302
    assert text_of(Event.objects.get()) == "Cleo\nBoris\nAda"


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
    refused_to(edit_url(event), filled("Boris\nAda", season=season.slug, version=1), is_page=False)
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


def test_the_seconds_of_a_start_outlive_the_form(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    exact = START.replace(second=42)
    Event.objects.update(starts_at=exact)
    organizer_client.post(edit_url(event), filled("Boris\nAda", day="2026-01-06", version=1))
    assert Event.objects.get().starts_at == exact


# --- deleting


def test_an_evening_is_deleted(season, organizer_client, people):
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


# --- at once


@pytest.mark.django_db(transaction=True)
def test_of_two_corrections_at_once_one_wins_and_the_other_is_told(tmp_path, season):
    event = enter(season, "Ada\nBoris\nCleo")
    people = [UserFactory() for _organizer in range(4)]

    def correction(winner, actor):
        def correct():
            order = [winner, *(name for name in ("Ada", "Boris", "Cleo") if name != winner)]
            rows = [EntryInput(name, place) for place, name in enumerate(order, start=1)]
            try:
                correct_result(
                    Event.objects.get(pk=event.pk), EventDetails(START), rows, version=1, actor=actor
                )
            except Stale:
                return None
            return "\n".join(order)

        return correct

    def outcome():
        saved = Event.objects.get(pk=event.pk)
        return saved.version, text_of(saved), Change.objects.filter(kind="result-corrected").count()

    tries = [
        correction(winner, actor)
        for winner, actor in zip(("Boris", "Cleo", "Boris", "Cleo"), people, strict=True)
    ]
    answers, after = at_once(tries, outcome, tmp_path)
    won = [answer for answer in answers if answer]
    assert len(won) == 1
    assert after == (2, won[0], 1)


@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_at_once_from_two_tabs_saves_one_evening(tmp_path, season):
    token = uuid.uuid4()
    rows = [EntryInput("Ada", 1), EntryInput("Boris", 2)]

    def send():
        return enter_result(
            Season.objects.get(pk=season.pk), EventDetails(START), rows, actor=None, form_token=token
        ).pk

    answers, counts = at_once([send] * 4, stored, tmp_path)
    assert len(set(answers)) == 1
    assert counts == {"Event": 1, "Entry": 2, "Player": 2, "Change": 1}


@pytest.mark.django_db(transaction=True)
def test_two_evenings_at_once_are_both_saved_and_share_their_guests(tmp_path, season):
    def evening(*players):
        rows = [EntryInput(name, place) for place, name in enumerate(players, start=1)]
        return lambda: (
            enter_result(Season.objects.get(pk=season.pk), EventDetails(START), rows, actor=None).pk
        )

    _answers, counts = at_once([evening("Ada", "Boris"), evening("Boris", "Ada", "Cleo")], stored, tmp_path)
    assert counts == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
