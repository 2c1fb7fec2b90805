"""The home page leads to an account, and those who have one to their clubs and the next step in each."""

from datetime import date

import pytest
from django.urls import reverse

from league.models import Club, Membership, Player, Role
from league.services.seasons import close_season
from people.services.members import set_member
from tests.factories import ClubFactory, SeasonFactory, enter
from tests.standings.pages.test_every_page import queries

pytestmark = pytest.mark.django_db


def main_of(client, page="/"):
    return client.get(page).content.decode().partition("<main")[2].partition("</main>")[0]


def steps(client):
    return {my.club.name: (my.role, *my.next_step) for my in client.get("/").context["mine"]}


def test_visitors_are_led_to_sign_up(client, club):
    page = main_of(client)
    assert 'href="/accounts/signup/"' in page
    assert "/clubs/new/" not in page
    assert club.get_absolute_url() not in page


def test_an_account_without_a_club_is_led_to_open_one(client_of, club):
    page = main_of(client_of("stranger"))
    assert "You are in no club yet." in page
    assert 'class="btn main" href="/clubs/new/"' in page
    assert 'action="/clubs/"' in page


@pytest.mark.parametrize(
    ("who", "without_season", "without_events", "with_events", "closed"),
    [
        ("owner", "Begin the first season", "Enter the first event", "Enter an event", "Begin the next season"),
        ("organizer", "Begin the first season", "Enter the first event", "Enter an event", "Begin the next season"),
        ("helper", "Find yourself", "Enter the first event", "Enter an event", "Find yourself"),
        ("member", "Find yourself", "Find yourself", "Find yourself", "Find yourself"),
    ],
)  # fmt: skip
def test_each_role_is_shown_its_next_step(
    club, client_of, who, without_season, without_events, with_events, closed
):
    client = client_of(who)

    def next_step():
        ((_name, (role, label, address)),) = steps(client).items()
        assert role == Role[who.upper()]
        assert client.get(address, follow=True).status_code == 200
        return label

    assert without_season in next_step()
    season = SeasonFactory(club=club)
    assert without_events in next_step()
    enter(season, "Ada\nBoris")
    assert with_events in next_step()
    close_season(season, actor=None)
    assert closed in next_step()


def test_a_member_who_is_a_player_is_led_to_the_own_results(season, client_of, people):
    enter(season, "Ada\nBoris")
    Player.objects.filter(name="Ada").update(user=people["member"])
    assert steps(client_of("member"))[season.club.name][1] == "Your results"


def test_an_organizer_without_the_second_factor_is_led_to_it(club, client_of):
    Club.objects.update(requires_two_factor=True)
    assert steps(client_of("organizer"))[club.name][2] == reverse("mfa_index")
    assert steps(client_of("member"))[club.name][1] == "Find yourself among the players"


def test_the_own_clubs_take_the_same_queries_for_any_number(client_of, people):
    client, counts = client_of("member"), []
    for _n in range(3):
        ClubFactory(name="A club")
        mine = SeasonFactory(starts_on=date(2026, 1, 1)).club
        set_member(mine, user=people["member"], role=Role.ORGANIZER, actor=None)
        counts.append(queries(client, "/")[0])
    assert len(set(counts)) == 1
    assert Membership.objects.filter(user=people["member"]).count() == 4
    assert mine.get_absolute_url() in main_of(client)


@pytest.mark.parametrize(("who", "words"), [("member", "My clubs"), ("anonymous", "Clubs")])
def test_a_club_leads_to_the_clubs(club, client_of, who, words):
    foot = client_of(who).get(club.get_absolute_url()).content.decode().partition("<footer")[2]
    link = foot.partition('<a href="/">')[2].partition("</a>")[0]
    assert link.strip() == words
