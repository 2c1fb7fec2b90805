"""My page, my row, and players I follow: kept by the browser until an account claims the player."""

import pytest
from django.test import Client
from django.urls import reverse

from league.formats import ordinal
from league.models import Player
from people.services.members import set_member
from people.services.merges import merge_players, unmerge
from standings.models import Following, Standing
from standings.pages.readers import MOST_FOLLOWED, follow
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, UserFactory, enter, names

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(season):
    """Addresses of the season's club."""
    enter(season, "\n".join(names(60)))
    recompute(season.pool_id)

    def address(page, *arguments):
        of_season = page in {"leaderboard", "me-row"}
        slugs = [season.club.slug, *([season.slug] if of_season else [])]
        return reverse(f"standings:{page}", args=[*slugs, *arguments])

    return address


def last_of(season):
    return Player.objects.get(standings__season=season, standings__points_position=60)


def test_this_is_me_leads_to_my_page_and_my_row(client, season, at):
    person = last_of(season)
    assert "Which player are you?" in client.get(at("me")).content.decode()
    assert client.get(at("me-row"))["Location"] == at("me")
    page = client.get(person.get_absolute_url()).content.decode()
    assert 'value="me"' in page
    for _twice in range(2):
        assert client.post(at("remember", person.pk), {"as": "me"})["Location"] == person.get_absolute_url()
    assert "This is you." in client.get(person.get_absolute_url()).content.decode()
    assert client.get(at("me"))["Location"] == person.get_absolute_url()
    row = client.get(at("me-row") + "?by=points")["Location"]
    address, _hash, anchor = row.partition("#")
    assert address == at("leaderboard") + "?by=points&page=2"
    assert f'<tr id="{anchor}">' in client.get(address).content.decode()
    client.post(at("remember", person.pk), {"as": "not-me"})
    assert "Which player are you?" in client.get(at("me")).content.decode()


def test_marks_tell_the_script_who_reads_and_where_the_row_is(client, season, at):
    person, other = (
        last_of(season),
        Player.objects.get(standings__season=season, standings__points_position=1),
    )
    client.post(at("remember", person.pk), {"as": "me"})
    client.post(at("remember", other.pk), {"as": "follow"})
    rank = Standing.objects.get(season=season, player=person).points_rank
    marks = client.get(at("me-marks") + f"?season={season.slug}&by=points").json()
    assert (marks["me"], marks["name"], marks["followed"]) == (person.pk, person.name, [other.pk])
    row = marks["row"]
    assert row["text"] == f"You: {ordinal(rank)}, show"
    assert row["address"] == at("leaderboard") + f"?by=points&page=2#p{person.pk}"
    assert f'<tr id="p{person.pk}" class="own far">' in row["far"]
    assert "On page 2" in row["far"]
    there = client.get(at("me-marks") + f"?season={season.slug}&by=points&page=2").json()
    assert there["row"] == row | {"far": ""}
    client.post(at("remember", other.pk), {"as": "unfollow"})
    assert client.get(at("me-marks")).json()["followed"] == []
    assert client.get(at("me-marks")).json()["row"] is None


def test_the_kept_page_is_the_same_for_everybody(client, season, at, django_assert_num_queries):
    first = client.get(at("leaderboard")).content
    client.post(at("remember", last_of(season).pk), {"as": "me"})
    client.post(at("remember", last_of(season).pk), {"as": "follow"})
    with django_assert_num_queries(1):
        assert client.get(at("leaderboard")).content == first


def test_a_claim_counts_more_than_the_browser(client, season, at):
    claimed, other = (
        last_of(season),
        Player.objects.get(standings__season=season, standings__points_position=1),
    )
    user = UserFactory()
    set_member(season.club, user=user, role=10, actor=None)
    Player.objects.filter(pk=claimed.pk).update(user=user)
    client.post(at("remember", other.pk), {"as": "me"})
    client.force_login(user)
    assert client.get(at("me"))["Location"] == claimed.get_absolute_url()
    page = client.get(claimed.get_absolute_url()).content.decode()
    assert "This is you." in page
    assert "This is not me" not in page


@pytest.mark.parametrize("kept", ["x", "-1", "9" * 40, "1.2"])
def test_a_cookie_that_names_nobody_is_ignored(client, at, kept):
    client.cookies["me"], client.cookies["followed"] = kept, kept
    assert client.get(at("me")).status_code == 200
    assert client.get(at("me-marks")).json()["me"] is None


def test_a_player_of_another_club_is_refused_and_the_list_is_bounded(client, season, at):
    stranger = Player.objects.create(club=ClubFactory(), name="Zoe", key="zoe")
    assert client.post(at("remember", stranger.pk), {"as": "me"}).status_code == 404
    assert client.post(at("remember", last_of(season).pk), {"as": "nobody"}).cookies.keys() <= {"csrftoken"}
    client.cookies["me"] = str(stranger.pk)
    assert client.get(at("me")).status_code == 200
    people = list(Player.objects.filter(club=season.club))
    for person in people[: MOST_FOLLOWED + 2]:
        client.post(at("remember", person.pk), {"as": "follow"})
    kept = client.get(at("me-marks")).json()["followed"]
    assert kept == [person.pk for person in people[2 : MOST_FOLLOWED + 2]]


def test_whom_an_account_follows_is_known_in_every_browser(client, season, at):
    first, second, third = Player.objects.filter(club=season.club).order_by("key")[:3]
    client.post(at("remember", first.pk), {"as": "follow"})
    user = UserFactory()
    client.force_login(user)
    for _twice in range(2):
        client.post(at("remember", second.pk), {"as": "follow"})
        client.post(at("remember", third.pk), {"as": "follow"})
    assert client.get(at("me-marks")).json()["followed"] == [first.pk, second.pk, third.pk]
    elsewhere = Client()
    elsewhere.force_login(user)
    assert elsewhere.get(at("me-marks")).json()["followed"] == [second.pk, third.pk]
    assert "Stop following" in elsewhere.get(second.get_absolute_url()).content.decode()
    assert Client().get(at("me-marks")).json()["followed"] == []
    for person in (first, second):
        client.post(at("remember", person.pk), {"as": "unfollow"})
    assert client.get(at("me-marks")).json()["followed"] == [third.pk]
    assert elsewhere.get(at("me-marks")).json()["followed"] == [third.pk]


def test_an_account_follows_a_bounded_number_in_each_club(client, season, at):
    user = UserFactory()
    client.force_login(user)
    stranger = Player.objects.create(club=ClubFactory(), name="Zoe", key="zoe")
    follow(user, stranger)
    people = list(Player.objects.filter(club=season.club).order_by("pk"))
    for person in people[: MOST_FOLLOWED + 2]:
        client.post(at("remember", person.pk), {"as": "follow"})
    kept = client.get(at("me-marks")).json()["followed"]
    assert kept == [person.pk for person in people[2 : MOST_FOLLOWED + 2]]
    assert Following.objects.get(user=user, club=stranger.club).players == [stranger.pk]


def test_who_was_merged_is_followed_as_the_player_that_stayed(client, club, season, at, people):
    gone, stays = Player.objects.create(club=club, name="Cleo", key="cleo"), last_of(season)
    user, browser = people["member"], Client()
    follow(user, gone)
    client.force_login(user)
    browser.post(at("remember", gone.pk), {"as": "follow"})
    browser.post(at("remember", gone.pk), {"as": "me"})

    def followed_by_both():
        return [reader.get(at("me-marks")).json()["followed"] for reader in (client, browser)]

    merge = merge_players(stays, gone, actor=people["owner"])
    assert followed_by_both() == [[stays.pk], [stays.pk]]
    assert browser.get(at("me"))["Location"] == stays.get_absolute_url()
    unmerge(club, merge.pk, actor=people["owner"])
    assert followed_by_both() == [[gone.pk], [gone.pk]]
    merge_players(stays, gone, actor=people["owner"])
    for reader in (client, browser):
        reader.post(at("remember", stays.pk), {"as": "unfollow"})
    assert followed_by_both() == [[], []]
