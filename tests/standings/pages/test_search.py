"""Search in a club and among clubs, and the page for addresses with nothing at them."""

import pytest
from django.urls import reverse

from league.models import Club, Player
from people.services.hidden_names import hide_name
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.pages import markup_of
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db


def search(client, club, query):
    return markup_of(client.get(reverse("standings:search", args=[club.slug]), {"q": query}))


@pytest.fixture
def played(season):
    event = enter(season, "Ada\nBoris\nCleo", name="Spring Gala")
    recompute(season.pool_id)
    return event


def test_players_events_and_seasons_are_found_by_name_and_events_by_day(client, season, played):
    assert f'href="{Player.objects.get(name="Boris").get_absolute_url()}"' in search(
        client, season.club, "bOR"
    )
    assert f'href="{played.get_absolute_url()}"' in search(client, season.club, "gala")
    assert f'href="{played.get_absolute_url()}"' in search(client, season.club, "2026-01-06")
    assert f'<li><a href="{season.get_absolute_url()}">' in search(client, season.club, season.name)
    assert "Nothing has this name." in search(client, season.club, "zzz")
    assert "Nothing has this name." in search(client, season.club, "0001-01-01")
    assert "Nothing has this name." not in search(client, season.club, "")


def test_of_other_clubs_nothing_is_found(client, season, played):
    other = ClubFactory()
    html = search(client, other, "Boris")
    assert "Nothing has this name." in html
    assert played.get_absolute_url() not in search(client, other, "gala")


def test_a_hidden_name_is_not_found(client, season, played, people):
    hide_name(Player.objects.get(name="Boris"), actor=people["owner"])
    recompute(season.pool_id)
    for reader in (None, people["owner"]):
        if reader:
            client.force_login(reader)
        html = search(client, season.club, "Boris")
        assert "Nothing has this name." in html
        assert "/players/" not in html.partition("<main")[2].partition("</main>")[0]


def test_a_search_takes_the_same_queries_for_one_row_and_for_three(client):
    counts = []
    for n in (1, 3):
        season = SeasonFactory()
        for day in range(n):
            enter(
                season,
                "\n".join(f"Ada {'xyz'[i] * 4}" for i in range(n)) + "\nBoris",
                day=day,
                name="Ada night",
            )
        recompute(season.pool_id)
        counts.append(queries(client, reverse("standings:search", args=[season.club.slug]) + "?q=ada")[0])
    assert counts[0] == counts[1] <= 5


def test_an_address_with_nothing_at_it_leads_on(client, season):
    for path in (
        "/nothing/",
        f"{season.club.get_absolute_url()}nothing/",
        f"{season.club.get_absolute_url()}players/99/",
    ):
        answer = client.get(path)
        html = answer.content.decode()
        assert answer.status_code == 404
        of_club = path != "/nothing/"
        assert (f'action="{reverse("standings:search", args=[season.club.slug])}"' in html) == of_club, path
        assert (f'action="{reverse("directory:clubs")}"' in html) != of_club, path


def test_a_private_club_is_not_betrayed(client):
    club = ClubFactory(name="Secret Gala Club", is_public=False)
    for path in (club.get_absolute_url(), f"{club.get_absolute_url()}nothing/"):
        html = client.get(path).content.decode()
        assert "Secret" not in html
        assert reverse("directory:clubs") in html
    client.force_login(UserFactory())
    assert "Secret" not in client.get(f"{club.get_absolute_url()}nothing/").content.decode()
    Club.objects.update(is_public=True)
    assert "Secret" in client.get(f"{club.get_absolute_url()}nothing/").content.decode()
