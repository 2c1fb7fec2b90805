"""A pasted list of members, and members and guests many at once."""

import pytest
from django.urls import reverse

from league.models import Change, Player, PlayerAlias
from tests.factories import ClubFactory, enter

pytestmark = pytest.mark.django_db


def url(club, page="roster"):
    return reverse(f"league:{page}", args=[club.slug])


def add(client, club, names, **more):
    """Look at the list, as the page asks for, then save what was shown."""
    seen = client.post(url(club), {"names": names, "look": "1", **more})
    digest = seen.context.get("digest", "")
    return client.post(url(club), {"names": names, "save": "1", "seen": digest, **more})


def players():
    return dict(Player.objects.values_list("name", "is_guest"))


def test_a_pasted_list_makes_players_of_new_names_and_members_of_guests(season, organizer_client):
    enter(season, "Ada\nBoris")
    for _press in range(2):
        add(organizer_client, season.club, " Ada \n\nCleopatra\ncleopatra\n")
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
    add(organizer_client, season.club, typed["names"], answer=answer)
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


def test_nothing_is_saved_before_it_was_shown(club, organizer_client):
    page = organizer_client.post(url(club), {"names": "Ada\nBoris", "save": "1"})
    assert [name for name, _person in page.context["read"]] == ["Ada", "Boris"]
    changed = organizer_client.post(
        url(club), {"names": "Ada\nBoris\nCleo", "save": "1", "seen": page.context["digest"]}
    )
    assert len(changed.context["read"]) == 3
    assert players() == {}


@pytest.mark.parametrize(
    "text",
    [
        "Name\tPhone\nClara Berg\t0791 123\nBo Lind\t0791 456",
        "Members:\n1. Clara Berg, clara@example.com\n2. Bo Lind +46 70 123 45 67",
        "Clara Berg 0791 123456\nBo Lind 12.03.1980",
        "Vorname;Nachname;Geburtstag\nClara;Berg;12.03.1980\nBo;Lind;01.01.1990",
        "No,Name,Mail\n1,Clara Berg,clara@example.com\n2,Bo Lind,\nTotal,2,",
        "- Clara Berg (2001-03-04)\n- Bo Lind",
    ],
)
def test_only_names_are_kept_of_what_is_pasted(club, organizer_client, text):
    add(organizer_client, club, text)
    assert players() == {"Clara Berg": False, "Bo Lind": False}


def test_names_with_commas_stay_whole(club, organizer_client):
    add(organizer_client, club, "Berg, Clara\nLind, Bo")
    assert players() == {"Berg, Clara": False, "Lind, Bo": False}


def test_added_members_are_taken_back(season, organizer_client):
    enter(season, "Ada\nBoris")
    add(organizer_client, season.club, "Ada\nCleo\nDora")
    enter(season, "Dora\nBoris", day=1)
    for _press in range(2):
        organizer_client.post(url(season.club, "roster-undo"))
    assert players() == {"Ada": True, "Boris": True, "Dora": True}
