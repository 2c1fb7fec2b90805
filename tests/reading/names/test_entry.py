"""Names on the entry form: asked about, answered, taken back, remembered."""

import pytest

from league.models import Change, Event, Player, PlayerAlias
from league.stored_results import text_of
from tests.entry.event_forms import create_url, edit_url, filled, shows, stored
from tests.factories import ClubFactory, SeasonFactory, enter, names

pytestmark = pytest.mark.django_db


@pytest.fixture
def bella(season):
    enter(season, "Bella\nHale")
    return Player.objects.get(name="Bella")


def looked(client, season, text, **fields):
    """Send the form without publishing it."""
    data = filled(text, **fields)
    del data["save"]
    return client.post(create_url(season), data)


def aliases():
    return dict(PlayerAlias.objects.values_list("name", "player__name"))


def test_an_unanswered_name_publishes_nothing(season, bella, organizer_client):
    before = stored()
    page = organizer_client.post(create_url(season), filled("Ada\nBelle"))
    assert shows(page, "Belle: new guest, or Bella?")
    assert shows(page, "One letter apart; Bella played on 1 evening.")
    assert shows(page, "2 new guests: Ada, Belle (like Bella).")
    assert page.context["text"] == "Ada\nBelle"
    assert stored() == before


def test_a_misspelt_name_becomes_the_known_player_and_is_remembered(season, bella, organizer_client):
    answer = f"name:Belle={bella.pk}"
    page = looked(organizer_client, season, "Ada\nBelle", answer=answer)
    assert page.context["text"] == "Ada\nBelle"
    assert shows(page, "written “Belle”")
    assert shows(page, f'<input type="hidden" name="answer" value="{answer}">')
    assert organizer_client.post(create_url(season), filled("Ada\nBelle", answer=answer)).status_code == 302
    assert text_of(Event.objects.last()) == "Ada\nBella"
    assert aliases() == {"Belle": "Bella"}
    assert Change.objects.filter(kind="names-changed").get().after == {"names": [["Belle", "Bella"]]}
    again = looked(organizer_client, season, "Ada\nbelle x2")
    assert again.context["asks"] == ()
    assert again.context["order"].finishers[1].player_id == bella.pk


def test_a_new_guest_with_a_name_like_anothers(season, bella, organizer_client):
    data = filled("Ada\nBelle", answer="name:Belle=new")
    assert organizer_client.post(create_url(season), data).status_code == 302
    assert Player.objects.get(name="Belle").is_guest
    assert aliases() == {}


def test_an_answer_is_taken_back(season, bella, organizer_client):
    answer = f"name:Belle={bella.pk}"
    page = looked(organizer_client, season, "Ada\nBelle", answer=answer, undo=answer)
    assert page.context["answers"] == []
    assert page.context["order"].understood.n_open == 1


def test_the_same_form_with_its_answer_sent_twice_saves_once(season, bella, organizer_client):
    token = "6b1d5a5e-3c27-4d2a-9a0e-0c9d8f4e1b11"
    data = filled("Ada\nBelle", answer=f"name:Belle={bella.pk}", form_token=token)
    addresses = {organizer_client.post(create_url(season), data).url for _press in range(2)}
    assert len(addresses) == 1
    assert Event.objects.count() == 2
    assert Change.objects.filter(kind="names-changed").count() == 1


def test_only_who_enters_results_answers(season, bella, refused_to):
    refused_to(create_url(season), filled("Ada\nBelle", answer=f"name:Belle={bella.pk}"), below="helper")
    assert aliases() == {}


@pytest.mark.parametrize("value", ["", "0", "999999", "٣", "9" * 40, "Bella", "as:Nobody", "as:Belle"])
def test_an_answer_that_names_nobody_leaves_the_question(season, bella, organizer_client, value):
    before = stored()
    page = organizer_client.post(create_url(season), filled("Ada\nBelle", answer=f"name:Belle={value}"))
    assert page.context["order"].understood.n_open == 1
    assert stored() == before


def test_a_player_of_another_club_is_no_answer(season, bella, organizer_client):
    enter(SeasonFactory(club=ClubFactory()), "Stranger\nOther")
    stranger = Player.objects.get(name="Stranger")
    page = organizer_client.post(create_url(season), filled("Ada\nBelle", answer=f"name:Belle={stranger.pk}"))
    assert page.context["order"].understood.n_open == 1


def test_one_player_typed_by_two_names_stands_there_twice(season, bella, organizer_client):
    page = looked(organizer_client, season, "Bella\nBelle\nAda", answer=f"name:Belle={bella.pk}")
    assert page.context["order"].lines[1].error == "Bella already stands in line 1."


def test_two_new_names_may_be_one_person(season, organizer_client):
    page = organizer_client.post(create_url(season), filled("Cenith=Gp\nOtto\nCenitt"))
    assert shows(page, "Cenitt: new guest, or Cenith?")
    [question] = page.context["asks"]
    assert question.choices[0].value == "as:Cenith"
    page = looked(organizer_client, season, "Cenith=Gp\nOtto\nCenitt", answer="name:Cenitt=as:Cenith")
    assert page.context["order"].lines[2].error == "Cenith already stands in line 1."
    data = filled("Cenith=Gp\nOtto\nCenitt #1", answer="name:Cenitt=as:Cenith")
    assert organizer_client.post(create_url(season), data).status_code == 302
    assert aliases() == {"Cenitt": "Cenith"}


def test_the_first_evening_of_a_club_asks_nothing(season, organizer_client):
    page = looked(organizer_client, season, "\n".join(names(40)))
    assert page.context["asks"] == ()
    assert shows(page, "40 new guests: ")
    assert shows(page, "28 more.")


def test_a_correction_asks_and_remembers(season, bella, organizer_client):
    event = Event.objects.get()
    page = organizer_client.post(edit_url(event), filled("Belle\nHale", version=1))
    assert shows(page, "Belle: new guest, or Bella?")
    data = filled("Belle\nHale", version=1, day="2026-01-06", answer=f"name:Belle={bella.pk}")
    assert organizer_client.post(edit_url(event), data).status_code == 302
    assert text_of(Event.objects.get()) == "Bella\nHale"
    assert aliases() == {"Belle": "Bella"}


def test_reading_takes_as_many_queries_for_one_question_as_for_three(season, organizer_client):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    enter(season, "Bella\nMarlow\nPilcrow")
    looked(organizer_client, season, "Ada\nOtto")
    counts = []
    for text in ("Ada\nBelle", "Belle\nMarlov\nPilcro"):
        with CaptureQueriesContext(connection) as queries:
            assert looked(organizer_client, season, text).context["asks"]
        counts.append(len(queries))
    assert counts[0] == counts[1]
