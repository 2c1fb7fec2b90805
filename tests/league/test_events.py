"""Entering, correcting and deleting an evening: works, twice, wrong user, bad input; a form that went stale."""

import re
import uuid
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from league.models import Change, Entry, Event, Player, Season
from league.results import EntryInput, EventDetails, text_of
from league.services.errors import BadResult, Refused, Stale
from league.services.events import correct_result, delete_event, enter_result
from league.services.seasons import set_season_closed
from league.views import events
from tests.factories import START, ClubFactory, SeasonFactory, UserFactory, enter, names
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db
DAY = "2026-01-20"
TEN = "\n".join(names(10))


def create_url(season):
    return reverse("league:event-create", args=[season.club.slug, season.slug])


def edit_url(event, page="edit"):
    return reverse(f"league:event-{page}", args=[event.season.club.slug, event.pk])


def filled(order, **fields):
    """The form as a browser posts it."""
    return {"name": "", "day": DAY, "start": "19:30", "order": order, "version": "", "save": ""} | fields


def minutes(n):
    return START + timedelta(minutes=n)


def stored():
    return {model.__name__: model.objects.count() for model in (Event, Entry, Player, Change)}


def shows(response, text):
    return escape(text) in response.content.decode() or text in response.content.decode()


NOTHING = {"Event": 0, "Entry": 0, "Player": 0, "Change": 0}


# --- entering


def test_an_evening_is_entered_from_a_pasted_list(season, organizer_client, people):
    form = organizer_client.get(create_url(season))
    assert form.status_code == 200
    token = form.context["form"].initial["form_token"]
    answer = organizer_client.post(
        create_url(season), filled("Ada\nBoris = Cleo\nDana x2", name="Opening", form_token=token)
    )
    event = Event.objects.get()
    assert (answer.status_code, answer.url) == (302, event.get_absolute_url())
    assert (event.name, event.starts_at, event.version) == (
        "Opening",
        datetime(2026, 1, 20, 19, 30, tzinfo=UTC),
        1,
    )
    assert text_of(event) == "Ada\nBoris = Cleo\nDana x2"
    change = Change.objects.get()
    assert (change.kind, change.actor, change.version) == ("result-entered", people["organizer"], 1)
    assert Player.objects.filter(is_guest=True).count() == 4


def test_the_same_form_sent_twice_saves_one_evening(season, organizer_client):
    data = filled("Ada\nBoris", form_token=uuid.uuid4())
    answers = [organizer_client.post(create_url(season), data) for _press in range(2)]
    assert answers[0].url == answers[1].url
    assert stored() == {"Event": 1, "Entry": 2, "Player": 2, "Change": 1}


def test_two_evenings_of_one_day_are_two_forms(season, organizer_client):
    for _evening in range(2):
        organizer_client.post(create_url(season), filled("Ada\nBoris", form_token=uuid.uuid4()))
    assert stored() == {"Event": 2, "Entry": 4, "Player": 2, "Change": 2}


def test_a_form_of_another_season_is_no_reason_to_fail(club, season, organizer_client):
    """Sent to another address by hand: saved there or refused, never a failure."""
    other = SeasonFactory(club=club)
    token = uuid.uuid4()
    for target in (season, other):
        answer = organizer_client.post(create_url(target), filled("Ada\nBoris", form_token=token))
        assert answer.status_code in {200, 302}
    assert Event.objects.filter(form_token=token).count() == 1


def test_only_organizers_enter(season, refused_to):
    refused_to(create_url(season), filled(TEN))
    assert stored() == NOTHING


BAD_FORMS = [
    ({"order": "Ada\nBoris\nADA"}, "ADA already stands in line 1."),
    ({"order": "Ada"}, "One player alone is no result"),
    ({"order": ""}, "Type at least two names"),
    ({"order": " \n\n"}, "Type at least two names"),
    ({"order": "Ada\nBo\x07ris"}, "invisible control character"),
    ({"order": "Ada\nBoris\nAda #2"}, "Ada has an entry #2, but no entry #1."),
    ({"order": "Ada\nBoris #1"}, "no last entry above it"),
    ({"order": "\n".join(["Ada"] * 1_000)}, "Line 1000:"),
    ({"order": "Ada\n" * 5_001}, "5001 lines are more than"),
    ({"day": "", "order": "Ada\nBoris"}, "This field is required."),
    ({"day": "soon", "order": "Ada\nBoris"}, "Enter a valid date."),
    ({"day": "9999-12-31", "order": "Ada\nBoris @00:10"}, "This day is still to come"),
    ({"day": "0001-01-01", "order": "Ada\nBoris @00:10"}, "begins on 2026-01-01"),
    ({"day": "2026-02-03", "order": "Ada\nBoris"}, "This day is still to come"),
    ({"day": "2025-12-31", "order": "Ada\nBoris"}, "begins on 2026-01-01"),
    ({"start": "", "order": "Ada\nBoris"}, "This field is required."),
    ({"start": "25:00", "order": "Ada\nBoris"}, "Enter a valid time."),
    ({"name": "a\x07b", "order": "Ada\nBoris"}, "invisible control character"),
    ({"name": "a" * 81, "order": "Ada\nBoris"}, "at most 80 characters"),
    ({"form_token": "no token", "order": "Ada\nBoris"}, "This form was not sent whole."),
]


@pytest.mark.parametrize(("fields", "said"), BAD_FORMS)
def test_bad_input_is_told_kept_and_not_saved(season, organizer_client, fields, said):
    answer = organizer_client.post(create_url(season), filled(**({"order": TEN} | fields)))
    assert answer.status_code == 200
    assert shows(answer, said)
    assert not shows(answer, "Ready to publish")
    assert answer.context["text"] == fields["order"]
    page = answer.content.decode()
    assert escape(fields["order"]) in page.partition("<textarea")[2].partition("</textarea>")[0]
    assert stored() == NOTHING


def test_a_form_that_was_not_sent_whole_can_be_sent_again(season, organizer_client):
    event = enter(season, "Ada\nBoris")
    for url, broken in ((create_url(season), {"form_token": "zz"}), (edit_url(event), {"version": "-1"})):
        data = filled("Boris\nAda", day="2026-01-06", version="") | broken
        again = data | hidden(organizer_client.post(url, data))
        assert organizer_client.post(url, again).status_code == 302
    assert [text_of(it) for it in Event.objects.all()] == ["Boris\nAda"] * 2


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


def test_more_text_than_fits_is_refused(season, organizer_client):
    answer = organizer_client.post(create_url(season), filled("Ada\nBoris\n" + " " * 200_000))
    assert answer.status_code == 200
    assert shows(answer, "at most 200000 characters")
    assert stored() == NOTHING


def test_more_than_the_site_reads_is_told_with_a_way_back(season, organizer_client, people):
    answer = organizer_client.post(create_url(season), filled("Ada\n" * 700_000))
    assert answer.status_code == 400
    assert shows(answer, "a finishing order has at most 200,000 characters")
    assert f'href="{create_url(season)}"' in answer.content.decode()
    assert people["organizer"].username in answer.content.decode()
    assert stored() == NOTHING


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


def test_a_missing_form_token_does_not_stop_an_evening(season, organizer_client):
    assert organizer_client.post(create_url(season), filled("Ada\nBoris")).status_code == 302
    assert stored()["Event"] == 1


def test_a_thousand_names_are_entered(season, organizer_client, django_assert_max_num_queries):
    text = "\n".join(names(1_000))
    with django_assert_max_num_queries(40):
        assert organizer_client.post(create_url(season), filled(text)).status_code == 302
    assert stored() == {"Event": 1, "Entry": 1_000, "Player": 1_000, "Change": 1}
    event = Event.objects.get()
    assert text_of(event) == text
    assert organizer_client.get(edit_url(event)).status_code == 200


def test_a_closed_season_takes_nothing(season, organizer_client, people):
    event = enter(season, "Ada\nBoris")
    set_season_closed(season, is_closed=True, actor=people["organizer"])
    before = stored()
    for url, data in (
        (create_url(season), filled(TEN)),
        (edit_url(event), filled("Boris\nAda", version=1)),
        (edit_url(event, "delete"), {"version": 1}),
    ):
        answer = organizer_client.post(url, data)
        assert answer.status_code == 200
        assert shows(answer, "is closed. Reopen it")
        assert not shows(answer, "Ready to publish")
        assert answer.context.get("text", data.get("order")) == data.get("order")
    assert stored() == before
    assert text_of(Event.objects.get()) == "Ada\nBoris"


def test_a_season_that_ended_takes_its_own_days_only(club, organizer_client):
    season = SeasonFactory(club=club, ends_on=date(2026, 1, 25))
    answer = organizer_client.post(create_url(season), filled(TEN, day="2026-01-26"))
    assert shows(answer, "ended on 2026-01-25")
    assert answer.context["text"] == TEN
    assert stored() == NOTHING
    assert organizer_client.post(create_url(season), filled(TEN, day="2026-01-25")).status_code == 302


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
    page = organizer_client.post(create_url(season), data | {"preview": ""}).content.decode()
    assert "10 players, 10 entries." in page
    assert '<span class="vh">Points </span>5</span>' in page
    assert stored() == NOTHING


def test_the_buttons_of_a_line_and_of_a_regular_change_the_text(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    before = stored()
    data = filled("Ada\nPilcro")
    del data["save"]
    asked = organizer_client.post(create_url(season), data)
    assert shows(asked, "Pilcrow, written “Pilcro”?")
    yes = organizer_client.post(create_url(season), data | {"fix": "2:Pilcrow"})
    assert yes.context["text"] == "Ada\nPilcrow"
    added = organizer_client.post(create_url(season), data | {"order": "Ada\n", "add": "Hale"})
    assert added.context["text"] == "Ada\nHale"
    junk = organizer_client.post(create_url(season), data | {"fix": "²:x"})
    assert junk.context["text"] == "Ada\nPilcro"
    assert stored() == before


def test_a_near_miss_waits_for_its_answer(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    before = stored()
    answer = organizer_client.post(create_url(season), filled("Ada\nPilcro"))
    assert shows(answer, "written “Pilcro”?")
    assert stored() == before
    assert organizer_client.post(create_url(season), filled("Ada\nPilcro (new)")).status_code == 302
    assert Player.objects.filter(name="Pilcro").exists()


# --- correcting


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


def hidden(page):
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()))


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


# --- the service by itself


def test_the_service_refuses_what_no_form_would_send(season):
    outside = EventDetails(datetime(2025, 12, 1, tzinfo=UTC))
    with pytest.raises(Refused, match="2025-12-01 is outside the season"):
        enter_result(season, outside, [EntryInput("Ada", 1), EntryInput("Boris", 2)], actor=None)
    assert stored() == NOTHING


def test_every_change_raises_the_version_and_is_published_once(season, published):
    event = enter(season, "Ada\nBoris")
    other = enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    correct_result(
        event, EventDetails(START), [EntryInput("Boris", 1), EntryInput("Ada", 2)], version=1, actor=None
    )
    season.pool.refresh_from_db()
    assert season.pool.data_version == 2
    assert other.season.pool_id != season.pool_id
    assert list(season.pool.changes.values_list("version", flat=True)) == [2, 1]


def test_times_of_an_imported_evening_move_to_another_day_with_it(season, organizer_client):
    rows = [
        EntryInput("Ada", 1, registered_at=START),
        EntryInput("Boris", 2, 1, START, START.replace(hour=22, minute=0, second=5)),
    ]
    details = EventDetails(START, ends_at=START.replace(hour=23), closes_at=START.replace(hour=21, minute=0))
    event = enter_result(season, details, rows, actor=None)
    data = filled("Ada\nBoris @22:00", version=1, day="2026-01-05", end="23:30")
    assert organizer_client.post(edit_url(event), data).status_code == 302
    event.refresh_from_db()
    day = START.replace(day=5)
    assert (event.starts_at, event.ends_at, event.closes_at) == (
        day,
        day.replace(hour=23),
        day.replace(hour=21, minute=0),
    )
    boris = Entry.objects.get(player__name="Boris")
    assert (boris.registered_at, boris.busted_at) == (day, day.replace(hour=22, minute=0, second=5))
    later = organizer_client.post(
        edit_url(event), data | {"version": 2, "start": "21:30", "order": "Ada\nBoris"}
    )
    assert later.status_code == 302
    event.refresh_from_db()
    assert (event.ends_at, event.closes_at) == (day.replace(hour=23), None)
    organizer_client.post(edit_url(event), data | {"version": 3, "order": "Ada\nBoris", "end": ""})
    event.refresh_from_db()
    assert event.ends_at is None


def test_the_end_is_typed_and_shown_again(season, organizer_client):
    organizer_client.post(create_url(season), filled("Ada\nBoris", end="01:15"))
    event = Event.objects.get()
    assert event.ends_at - event.starts_at == timedelta(hours=5, minutes=45)
    page = organizer_client.get(edit_url(event))
    assert page.context["form"]["end"].value() == time(1, 15)


def test_a_bust_before_the_stored_registration_is_told_beside_the_order(season, organizer_client):
    rows = [
        EntryInput("Ada", 1),
        EntryInput("Boris", 2, 1, START.replace(hour=21, minute=0), START.replace(hour=22)),
    ]
    event = enter_result(season, EventDetails(START), rows, actor=None)
    data = filled("Ada\nBoris @20:30", version=1, day="2026-01-06")
    answer = organizer_client.post(edit_url(event), data)
    assert "Boris is out at 20:30, but registered at 21:00." in answer.context["form"].errors["order"]
    assert Change.objects.count() == 1


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (
            {"registered_at": minutes(61), "busted_at": minutes(90)},
            "registered at 20:31, but registration closed",
        ),
        ({"busted_at": minutes(-1)}, "is out at 19:29, but the event starts at 19:30"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_saved(season, times, said):
    details = EventDetails(START, closes_at=minutes(60))
    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2, **times)]
    with pytest.raises(BadResult, match=f"Boris.*{said}"):
        enter_result(season, details, entries, actor=None)
    assert set(stored().values()) == {0}
    saved = enter_result(season, details, [EntryInput("Ada", 1), EntryInput("Boris", 2)], actor=None)
    with pytest.raises(BadResult, match=f"Boris.*{said}"):
        correct_result(saved, details, entries, version=1, actor=None)
    assert Event.objects.get().version == 1


BELOW = [EntryInput("Ada", 1, 1), EntryInput("Boris", 2, 1), EntryInput("ada", 3, 2)]


def test_a_re_entry_below_its_earlier_one_is_refused_and_nothing_is_saved(season):
    said = "Entry 2 of ada finishes below entry 1"
    with pytest.raises(BadResult, match=said):
        enter_result(season, EventDetails(START), BELOW, actor=None)
    assert set(stored().values()) == {0}
    saved = enter(season, "Ada x2\nBoris")
    with pytest.raises(BadResult, match=said):
        correct_result(saved, EventDetails(START), BELOW, version=1, actor=None)
    assert Event.objects.get().version == 1


def test_a_re_entry_typed_below_its_earlier_one_is_told_beside_the_order(season, organizer_client):
    for text in ("Ada\nBoris\nAda #1\nAda #2", "Ada x3\nBoris\nAda #1\nCleo"):
        answer = organizer_client.post(create_url(season), filled(text))
        assert "Entry 2 of Ada finishes below entry 1." in answer.context["form"].errors["order"][0]
    assert stored() == NOTHING
    assert organizer_client.post(create_url(season), filled("Ada\nBoris\nAda #2\nAda #1")).status_code == 302
