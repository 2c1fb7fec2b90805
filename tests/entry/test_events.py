"""Entering an event by its form: works, twice, wrong user, bad input."""

import uuid
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils.html import escape

from league.models import Change, Event, Player
from league.services.seasons import close_season
from league.stored_results import text_of
from tests.entry.event_forms import (
    BAD_FORMS,
    NOTHING,
    TEN,
    create_url,
    edit_url,
    filled,
    shows,
    stored,
)
from tests.factories import SeasonFactory, enter, names

pytestmark = pytest.mark.django_db


def test_an_event_is_entered_from_a_pasted_list(season, organizer_client, people):
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


def test_the_same_form_sent_twice_saves_one_event(season, organizer_client):
    data = filled("Ada\nBoris", form_token=uuid.uuid4())
    answers = [organizer_client.post(create_url(season), data) for _press in range(2)]
    assert answers[0].url == answers[1].url
    assert stored() == {"Event": 1, "Entry": 2, "Player": 2, "Change": 1}


def test_two_events_of_one_day_are_two_forms(season, organizer_client):
    for _event in range(2):
        data = filled("Ada\nBoris", form_token=uuid.uuid4(), another="1")
        organizer_client.post(create_url(season), data)
    assert stored() == {"Event": 2, "Entry": 4, "Player": 2, "Change": 2}


def test_a_form_of_another_season_is_no_reason_to_fail(club, season, organizer_client):
    """Sent to another address by hand: saved there or refused, never a failure."""
    other = SeasonFactory(club=club)
    token = uuid.uuid4()
    for target in (season, other):
        answer = organizer_client.post(create_url(target), filled("Ada\nBoris", form_token=token))
        assert answer.status_code in {200, 302}
    assert Event.objects.filter(form_token=token).count() == 1


def test_only_helpers_and_above_enter(season, refused_to):
    refused_to(create_url(season), filled(TEN), below="helper")
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


def test_more_text_than_fits_is_refused(season, organizer_client):
    answer = organizer_client.post(create_url(season), filled("Ada\nBoris\n" + " " * 200_000))
    assert answer.status_code == 200
    assert shows(answer, "at most 200000 characters")
    assert stored() == NOTHING


def test_more_than_the_site_reads_is_told_with_a_way_back(season, organizer_client, people):
    answer = organizer_client.post(create_url(season), filled("Ada\n" * 700_000))
    assert answer.status_code == 413
    assert shows(answer, "a finishing order has at most 200,000 characters")
    assert f'href="{create_url(season)}"' in answer.content.decode()
    assert people["organizer"].username in answer.content.decode()
    assert stored() == NOTHING


def test_a_missing_form_token_does_not_stop_an_event(season, organizer_client):
    assert organizer_client.post(create_url(season), filled("Ada\nBoris")).status_code == 302
    assert stored()["Event"] == 1


@pytest.mark.rest
def test_a_thousand_names_are_entered(season, organizer_client, django_assert_max_num_queries):
    text = "\n".join(names(1_000))
    with django_assert_max_num_queries(46):
        assert organizer_client.post(create_url(season), filled(text)).status_code == 302
    assert stored() == {"Event": 1, "Entry": 1_000, "Player": 1_000, "Change": 1}
    event = Event.objects.get()
    assert text_of(event) == text
    assert organizer_client.get(edit_url(event)).status_code == 200


def test_a_closed_season_takes_nothing(season, organizer_client, people):
    event = enter(season, "Ada\nBoris")
    close_season(season, actor=people["organizer"])
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


def test_a_near_miss_waits_for_its_answer(season, organizer_client):
    enter(season, "Pilcrow\nHale")
    before = stored()
    answer = organizer_client.post(create_url(season), filled("Ada\nPilcro"))
    assert shows(answer, "Pilcro: new guest, or Pilcrow?")
    assert shows(answer, "One letter apart; Pilcrow played on 1 evening.")
    assert shows(answer, "Answer 1 name")
    assert stored() == before
    assert organizer_client.post(create_url(season), filled("Ada\nPilcro (new)")).status_code == 302
    assert Player.objects.filter(name="Pilcro").exists()


def test_the_end_is_typed_and_shown_again(season, organizer_client):
    organizer_client.post(create_url(season), filled("Ada\nBoris", end="01:15"))
    event = Event.objects.get()
    assert event.ends_at - event.starts_at == timedelta(hours=5, minutes=45)
    page = organizer_client.get(edit_url(event))
    assert page.context["form"]["end"].value() == time(1, 15)


def test_a_re_entry_typed_below_its_earlier_one_is_told_beside_the_order(season, organizer_client):
    for text in ("Ada\nBoris\nAda #1\nAda #2", "Ada x3\nBoris\nAda #1\nCleo"):
        answer = organizer_client.post(create_url(season), filled(text))
        assert "Entry 2 of Ada finishes below entry 1." in answer.context["form"].errors["order"][0]
    assert stored() == NOTHING
    assert organizer_client.post(create_url(season), filled("Ada\nBoris\nAda #2\nAda #1")).status_code == 302
