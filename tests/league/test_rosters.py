"""A pasted list of members, and members and guests many at once."""

import pytest
from django.urls import reverse

from league.models import Change, Player, PlayerAlias
from tests.factories import ClubFactory, enter

pytestmark = pytest.mark.django_db


def url(club, page="roster"):
    return reverse(f"league:{page}", args=[club.slug])


def players():
    return dict(Player.objects.values_list("name", "is_guest"))


def test_a_pasted_list_makes_players_of_new_names_and_members_of_guests(season, organizer_client):
    enter(season, "Ada\nBoris")
    for _press in range(2):
        organizer_client.post(url(season.club), {"names": " Ada \n\nCleopatra\ncleopatra\n", "save": "1"})
    assert players() == {"Ada": False, "Boris": True, "Cleopatra": False}
    assert Change.objects.filter(kind="player-renamed").count() == 1


def test_a_near_name_is_asked_about_and_remembered(season, organizer_client):
    enter(season, "Keane\nBoris")
    typed = {"names": "Keene\nCleopatra", "save": "1"}
    asked = organizer_client.post(url(season.club), typed)
    (question,) = asked.context["asks"]
    assert "Keene" in question.text
    assert asked.context["form"]["names"].value() == typed["names"]
    assert "Cleopatra" not in players()
    answer = f"{question.id}={question.choices[0].value}"
    organizer_client.post(url(season.club), typed | {"answer": answer})
    assert players() == {"Keane": False, "Boris": True, "Cleopatra": False}
    assert PlayerAlias.objects.get().player.name == "Keane"


@pytest.mark.parametrize(
    ("typed", "message"), [("Ada\n---", "Line 2: “---” is no name."), ("", "This field is required.")]
)
def test_a_line_that_is_no_name_is_named_and_all_is_kept(club, organizer_client, typed, message):
    answer = organizer_client.post(url(club), {"names": typed, "save": "1"})
    assert message in answer.content.decode()
    assert answer.context["form"]["names"].value() == typed
    assert players() == {}


def test_ticked_players_become_members_or_guests(season, organizer_client):
    enter(season, "Ada\nBoris\nCleo")
    ids = dict(Player.objects.values_list("name", "pk"))
    elsewhere = Player.objects.create(club=ClubFactory(), name="Dora", key="dora", is_guest=True)
    ticked = [ids["Ada"], ids["Boris"], elsewhere.pk, "x"]
    for _press in range(2):
        organizer_client.post(url(season.club, "guests"), {"player": ticked, "members": "1"})
    assert players() == {"Ada": False, "Boris": False, "Cleo": True, "Dora": True}
    organizer_client.post(url(season.club, "guests"), {"player": ids["Ada"], "guests": "1"})
    assert players()["Ada"] is True


def test_without_a_tick_nothing_changes(club, organizer_client):
    answer = organizer_client.post(url(club, "guests"), {"members": "1"}, follow=True)
    assert "Players: tick at least one." in answer.content.decode()


def test_only_organizers_write_lists_of_members(season, refused_to):
    enter(season, "Ada\nBoris")
    refused_to(url(season.club), {"names": "Cleopatra", "save": "1"})
    refused_to(
        url(season.club, "guests"), {"player": Player.objects.first().pk, "members": "1"}, is_page=False
    )
    assert players() == {"Ada": True, "Boris": True}


def test_players_without_results_are_listed_for_organizers_alone(season, client_of):
    enter(season, "Ada\nBoris")
    Player.objects.create(club=season.club, name="Cleo", key="cleo")
    address = reverse("standings:players", args=[season.club.slug])
    assert "Cleo" in client_of("organizer").get(address).content.decode()
    page = client_of("member").get(address).content.decode()
    assert ("Ada" in page, "Cleo" in page) == (True, False)
