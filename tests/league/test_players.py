"""Adding and renaming players, and making a guest a member."""

import pytest
from django.db import transaction
from django.urls import reverse

from league.models import Change, Player, Pool, Season
from league.services.players import add_player
from tests.factories import ClubFactory, SeasonFactory, enter, names
from tests.league.racing import at_once

pytestmark = pytest.mark.django_db


def create_url(club):
    return reverse("league:player-create", args=[club.slug])


def edit_url(player):
    return reverse("league:player-edit", args=[player.club.slug, player.pk])


BAD_NAMES = [
    ("", "This field is required."),
    ("   ", "This field is required."),
    ("a" * 61, "at most 60 characters"),
    ("A\u200bda", "invisible control character"),
    ("A\x00da", "Null characters are not allowed."),
    ("ﷺﷺﷺﷺ", "characters; 60 is the most"),  # each sign expands to eighteen letters
]


def test_a_player_is_added(club, organizer_client):
    assert organizer_client.get(create_url(club)).status_code == 200
    answer = organizer_client.post(create_url(club), {"name": "  Ａda   Lovelace "})
    assert answer.url == reverse("standings:players", args=[club.slug])
    player = Player.objects.get()
    assert (player.name, player.key, player.is_guest, player.club) == (
        "Ada Lovelace",
        "ada lovelace",
        False,
        club,
    )


@pytest.mark.parametrize("again", ["Ada", "ADA", "ａｄａ", " ada "])
def test_the_same_player_twice_is_refused_beside_the_name(club, organizer_client, again):
    organizer_client.post(create_url(club), {"name": "Ada"})
    answer = organizer_client.post(create_url(club), {"name": again})
    assert answer.status_code == 200
    assert "is already a player of this club." in answer.context["form"].errors["name"][0]
    assert answer.context["form"]["name"].value() == again
    assert Player.objects.count() == 1


def test_only_organizers_add_players(club, refused_to):
    refused_to(create_url(club), {"name": "Ada"})
    assert not Player.objects.exists()


@pytest.mark.parametrize(("name", "message"), BAD_NAMES)
def test_a_bad_name_is_reported_kept_and_not_saved(club, organizer_client, name, message):
    answer = organizer_client.post(create_url(club), {"name": name})
    assert answer.status_code == 200
    assert message in answer.context["form"].errors["name"][0]
    assert message in answer.content.decode()
    assert answer.context["form"]["name"].value() == name
    assert not Player.objects.exists()


def test_a_player_is_renamed_and_a_guest_taken_in(season, organizer_client, people):
    enter(season, "Ada\nBoris")
    player = Player.objects.get(name="Ada")
    page = organizer_client.get(edit_url(player))
    assert page.context["form"]["is_guest"].value() is True
    answer = organizer_client.post(edit_url(player), {"name": "Ada L"})
    assert answer.url == player.get_absolute_url()
    player.refresh_from_db()
    assert (player.name, player.key, player.is_guest) == ("Ada L", "ada l", False)
    change = Change.objects.first()
    assert (change.kind, change.actor, change.rated_from) == ("player-renamed", people["organizer"], None)


def test_renaming_twice_is_one_change(season, organizer_client):
    enter(season, "Ada\nBoris")
    player = Player.objects.get(name="Ada")
    for _press in range(2):
        organizer_client.post(edit_url(player), {"name": "Ada L"})
    assert Change.objects.filter(kind="player-renamed").count() == 1


def test_only_the_spelling_of_a_name_may_change(club, organizer_client):
    player = add_player(club, name="ada", actor=None)
    organizer_client.post(edit_url(player), {"name": "Ada"})
    player.refresh_from_db()
    assert player.name == "Ada"


def test_only_organizers_rename(club, refused_to):
    player = add_player(club, name="Ada", actor=None)
    refused_to(edit_url(player), {"name": "Taken"})
    player.refresh_from_db()
    assert player.name == "Ada"


@pytest.mark.parametrize(
    ("name", "message"), [*BAD_NAMES, ("BORIS", "Another player of this club has the name BORIS.")]
)
def test_a_bad_new_name_is_reported_and_the_old_one_stands(club, organizer_client, name, message):
    player, _boris = add_player(club, name="Ada", actor=None), add_player(club, name="Boris", actor=None)
    answer = organizer_client.post(edit_url(player), {"name": name})
    assert answer.status_code == 200
    assert message in answer.context["form"].errors["name"][0]
    assert answer.context["form"]["name"].value() == name
    assert "Player Ada" in answer.content.decode()
    player.refresh_from_db()
    assert player.name == "Ada"
    assert not Change.objects.filter(kind="player-renamed").exists()


def test_a_player_of_another_club_is_out_of_reach(club, organizer_client):
    player = add_player(ClubFactory(), name="Ada", actor=None)
    url = reverse("league:player-edit", args=[club.slug, player.pk])
    assert organizer_client.post(url, {"name": "Taken"}).status_code == 404
    assert Player.objects.get().name == "Ada"


@pytest.mark.django_db(transaction=True)
def test_the_same_new_names_at_once_in_two_pools_of_a_club(tmp_path, season):
    """Each event adds new names; the other pool adds the same names in the opposite order."""
    other = SeasonFactory(club=season.club)
    Season.objects.filter(pk=other.pk).update(pool=Pool.objects.create(club=season.club, name="Other"))
    texts = ["\n".join(names(5, start)) for start in range(0, 25, 5)]

    def playing(season_id, texts):
        @transaction.atomic
        def play():
            season = Season.objects.select_related("club").get(pk=season_id)
            return len([enter(season, text, day=day) for day, text in enumerate(texts)])

        return play

    calls = [playing(season.pk, texts), playing(other.pk, texts[::-1])]
    answers, stored = at_once(calls, lambda: set(Player.objects.values_list("name", flat=True)), tmp_path)
    assert answers == [5, 5]
    assert stored == set(names(25))


@pytest.mark.django_db(transaction=True)
def test_a_player_added_while_an_event_makes_him_a_guest_is_one_player(tmp_path, season):
    from league.models import Club, Season
    from league.services.errors import Refused

    def add():
        try:
            return add_player(Club.objects.get(pk=season.club_id), name="Ada", actor=None).name
        except Refused:
            return "refused"

    def enter_event():
        return enter(Season.objects.get(pk=season.pk), "Ada\nBoris").pk

    _answers, names = at_once(
        [add, enter_event, add], lambda: sorted(Player.objects.values_list("name", flat=True)), tmp_path
    )
    assert names == ["Ada", "Boris"]
