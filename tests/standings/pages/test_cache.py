"""Pages kept for readers: never stale, and never with anything of one reader in them."""

import pytest
from django.urls import reverse

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
