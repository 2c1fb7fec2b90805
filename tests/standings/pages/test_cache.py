"""Pages kept for readers: never stale, and never with anything of one reader in them."""

import pytest
from django.urls import reverse

from league.models import Player
from league.services.players import update_player
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, UserFactory, enter
from tests.standings.pages.addresses import league_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(season, enter_evening):
    enter_evening("Ada\nBoris\nCleo")
    return reverse("standings:leaderboard", args=[season.club.slug, season.slug])


def test_a_kept_page_costs_one_query(client, address, django_assert_num_queries):
    first = client.get(address)
    with django_assert_num_queries(1):
        again = client.get(address)
    assert again.content == first.content
    assert "Cookie" in again["Vary"]


def test_a_message_for_one_reader_is_not_kept_for_others(client, address, people):
    client.force_login(people["organizer"])
    client.post(reverse("account_logout"))
    assert "messages" in client.cookies
    mine = client.get(address).content.decode()
    client.cookies.clear()
    others = client.get(address).content.decode()
    assert "signed out" in mine
    assert "signed out" not in others


def test_a_members_page_is_neither_kept_nor_stored_by_browsers(client, address, people):
    client.force_login(people["organizer"])
    answer = client.get(address)
    assert answer["Cache-Control"] == "private, no-store"
    client.logout()
    client.cookies.clear()
    assert "organizer" not in client.get(address).content.decode()


@pytest.mark.parametrize("page", ["standings:players", "standings:events"])
@pytest.mark.parametrize(
    "query", ["per_page=-1", "per_page=0", "page=-1", "page=x", "sort=nothing", "sort=-"]
)
def test_the_address_cannot_choose_the_length_of_a_page(client, season, enter_evening, page, query):
    enter_evening("Ada\nBoris")
    slugs = [season.club.slug] + ([season.slug] if page == "standings:events" else [])
    assert client.get(f"{reverse(page, args=slugs)}?{query}").status_code == 200


def test_a_leaderboard_read_before_is_one_query(client, django_assert_num_queries):
    season, _event = league_of(3)
    for by in ("points", "tier", "profit"):
        address = url("standings:leaderboard", season, query=f"?by={by}&page=1")
        first = client.get(address).content
        with django_assert_num_queries(1):
            assert client.get(address).content == first


def test_the_first_request_after_each_commit_is_new(client, season):
    """Before the recomputation it says that it is behind; after it, it shows the new numbers."""
    address = url("standings:leaderboard", season)
    assert "No evening has been computed yet" in client.get(address).content.decode()
    enter(season, "Ada\nBoris\nCleo")
    behind = client.get(address).content.decode()
    assert "Until then the old numbers stand." in behind
    assert behind.count("Ada") == 0
    recompute(season.pool_id)
    page = client.get(address).content.decode()
    assert "Ada wins the night and leads Boris by a single point" in page
    assert "Points and ratings computed" in page
    enter(season, "Boris\nAda\nCleo", day=1)
    stale = client.get(address).content.decode()
    assert "Until then the old numbers stand." in stale
    recompute(season.pool_id)
    assert "Ada and Boris share the lead" in client.get(address).content.decode()
    update_player(Player.objects.get(name="Ada"), name="Zoe", is_guest=False, actor=UserFactory())
    assert "Zoe" in client.get(address).content.decode()


def test_a_page_kept_for_one_season_or_language_is_not_shown_for_another(client, club):
    seasons = [SeasonFactory(club=club), SeasonFactory(club=club)]
    for season, winner in zip(seasons, ("Ada", "Boris"), strict=True):
        enter(season, f"{winner}\nCleo\nDana")
    recompute(seasons[0].pool_id)
    for season, winner in zip(seasons, ("Ada", "Boris"), strict=True):
        for language in ("en", "ja"):
            client.cookies["django_language"] = language
            page = client.get(url("standings:leaderboard", season)).content.decode()
            assert f'<html lang="{language}"' in page
            assert ('scope="col" class=""><a href="?by=points&amp;sort=name">Player</a>' in page) == (
                language == "en"
            )
            assert season.name in page
            assert winner in page
