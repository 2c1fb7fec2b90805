"""Entering an evening: works, twice, wrong user, bad input; and the service by itself."""

import uuid
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils.html import escape

from league.models import Change, Entry, Event, Player
from league.results import EntryInput, EventDetails, text_of
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, enter_result
from league.services.seasons import set_season_closed
from tests.factories import START, ClubFactory, SeasonFactory, enter, names
from tests.league.evening_forms import (
    BAD_FORMS,
    NOTHING,
    TEN,
    create_url,
    edit_url,
    filled,
    hidden,
    minutes,
    shows,
    stored,
)
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


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
    page = organizer_client.post(create_url(season), data | {"preview": ""})
    assert "10 players, 10 entries." in page.content.decode()
    assert '<span class="vh">Points</span>5</span>' in markup_of(page)
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
