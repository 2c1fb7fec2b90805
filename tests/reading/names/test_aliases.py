"""Other names of players: remembered, used everywhere, shown with the player, removed."""

import pytest
from django.urls import reverse

from league.models import Change, Player, PlayerAlias, Pool
from league.queries import players_by_key
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, enter_result
from league.services.players import add_player, ensure_players, remember_aliases, update_player
from league.stored_results import text_of
from reading.results import EntryInput, EventDetails
from tests.factories import START, ClubFactory, SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def bella(season):
    enter(season, "Bella\nHale")
    return Player.objects.get(name="Bella")


@pytest.fixture
def remember(season, people):
    def remembered(**aliases):
        pool = Pool.objects.get(pk=season.pool_id)
        return remember_aliases(season.club, aliases, pool=pool, actor=people["organizer"])

    return remembered


def stored():
    return dict(PlayerAlias.objects.values_list("name", "player__name"))


def edit_url(player):
    return reverse("league:player-edit", args=[player.club.slug, player.pk])


def remove_url(alias):
    return reverse("league:alias-remove", args=[alias.club.slug, alias.player_id, alias.pk])


def test_another_name_means_the_player(season, bella, remember):
    remember(Belle=bella.pk)
    assert players_by_key(season.club)["belle"] == (bella.pk, "Bella")
    assert text_of(enter(season, "Hale\nbelle", day=1)) == "Hale\nBella"
    update_player(bella, name="Isabella", is_guest=False, actor=None)
    assert players_by_key(season.club)["belle"] == (bella.pk, "Isabella")


def test_remembering_twice_is_one_name_and_one_change(bella, remember):
    assert [alias.name for alias in remember(Belle=bella.pk)] == ["Belle"]
    assert remember(Belle=bella.pk) == []
    assert Change.objects.filter(kind="names-changed").count() == 1


def test_the_last_answer_counts(bella, remember):
    remember(Belle=bella.pk)
    remember(Belle="Hale")
    assert stored() == {"Belle": "Hale"}


def test_a_players_own_name_is_no_other_name(bella, remember):
    remember(Hale=bella.pk)
    assert stored() == {}
    assert not Change.objects.filter(kind="names-changed").exists()


def test_a_player_of_another_club_is_refused(season, bella, remember):
    enter(SeasonFactory(club=ClubFactory()), "Stranger\nOther")
    with pytest.raises(Refused, match="“Belle” stands for is not in this club"):
        remember(Belle=Player.objects.get(name="Stranger").pk)
    assert stored() == {}


@pytest.mark.parametrize("take", ["add", "rename", "guest"])
def test_a_name_that_becomes_a_players_own_wins(season, bella, remember, take):
    remember(Belle=bella.pk)
    if take == "add":
        add_player(season.club, name="belle", actor=None)
    elif take == "rename":
        update_player(Player.objects.get(name="Hale"), name="Belle", is_guest=False, actor=None)
    else:
        ensure_players(season.club, ["Belle"])
    assert stored() == {}


def test_results_that_come_by_another_name_are_the_players(season, bella, remember):
    """Of the API and of files, which know no forms."""
    remember(Belle=bella.pk)
    entries = [EntryInput("Hale", 1), EntryInput("Belle", 2)]
    event = enter_result(season, EventDetails(START), entries, actor=None)
    assert text_of(event) == "Hale\nBella"
    corrected = correct_result(event, EventDetails(START), entries, version=1, actor=None)
    assert corrected.version == 1
    assert not Player.objects.filter(name="Belle").exists()


def test_a_player_by_two_names_in_one_result_is_refused(season, bella, remember):
    remember(Belle=bella.pk)
    with pytest.raises(BadResult, match="“Belle” is another name of Bella, who is there already"):
        enter_result(
            season, EventDetails(START), [EntryInput("Bella", 1), EntryInput("Belle", 2)], actor=None
        )


def test_the_page_of_the_player_shows_and_removes_it(season, bella, remember, organizer_client):
    [alias] = remember(Belle=bella.pk)
    assert "Remove “Belle”" in organizer_client.get(edit_url(bella)).content.decode()
    for _press in range(2):
        answer = organizer_client.post(remove_url(alias))
        assert (answer.status_code, answer.url) == (302, edit_url(bella))
    assert stored() == {}
    assert Change.objects.filter(kind="names-changed").count() == 2
    assert "Other names" not in organizer_client.get(edit_url(bella)).content.decode()


def test_only_organizers_remove_it(bella, remember, refused_to):
    [alias] = remember(Belle=bella.pk)
    refused_to(remove_url(alias), is_page=False)
    assert stored() == {"Belle": "Bella"}


def test_a_name_of_another_player_is_not_removed(bella, remember, organizer_client):
    [alias] = remember(Belle=bella.pk)
    hale = Player.objects.get(name="Hale")
    organizer_client.post(reverse("league:alias-remove", args=[bella.club.slug, hale.pk, alias.pk]))
    assert stored() == {"Belle": "Bella"}


def test_the_history_counts_names_and_shows_none_that_was_withdrawn(
    season, bella, remember, organizer_client
):
    remember(Belle=bella.pk, Bela=bella.pk)
    update_player(bella, name="Somebody", is_guest=False, actor=None)
    page = organizer_client.get(reverse("standings:changes", args=[season.club.slug])).content.decode()
    assert "2 names remembered" in page
    assert "Somebody" in page
    assert "Belle" not in page
