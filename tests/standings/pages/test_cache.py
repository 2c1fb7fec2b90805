"""Pages kept for readers: never stale, and never with anything of one reader in them."""

from urllib.parse import quote, urlencode

import pytest
from django.core.cache import caches
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils.encoding import iri_to_uri

from league.models import Player
from league.services.players import update_player
from league.site.cookies import VISITS
from standings.recomputation.service import recompute
from standings.urls import urlpatterns
from tests.factories import SeasonFactory, UserFactory, enter, names
from tests.pages import markup_of
from tests.standings.pages.addresses import league_of, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(season, enter_event):
    enter_event("Ada\nBoris\nCleo")
    return reverse("standings:leaderboard", args=[season.club.slug, season.slug])


def test_a_kept_page_costs_one_query(client, address, django_assert_num_queries):
    first = client.get(address)
    with django_assert_num_queries(1):
        again = client.get(address)
    assert again.content == first.content
    assert "Cookie" in again["Vary"]


def test_parameters_that_the_page_does_not_know_fill_no_cache(client, season, address):
    first = client.get(f"{address}?x=1")
    for n in range(2, 6):
        assert client.get(f"{address}?x={n}&by=nothing{n}&badge=Z").content == first.content
    assert client.get(address).content == first.content
    assert len(caches["pages"]._cache) == 1


def test_parameters_in_another_order_are_the_same_page(client, address):
    first = client.get(f"{address}?by=tier&sort=name")
    assert client.get(f"{address}?sort=-rate&sort=name&by=tier").content == first.content
    assert client.get(f"{address}?by=tier&sort=-rate").content != first.content
    assert len(caches["pages"]._cache) == 2


def test_searches_are_not_kept_and_what_is_no_search_elsewhere_is(client, season, address):
    client.get(f"{address}?q=ada")
    assert len(caches["pages"]._cache) == 0
    for query in ("?q=ada", ""):
        client.get(reverse("standings:awards", args=[season.club.slug, season.slug]) + query)
    assert len(caches["pages"]._cache) == 1


class ReadParameters(dict):
    """Remembers what is asked for, also of the dictionaries made of it."""

    def __init__(self, values, asked):
        super().__init__(values)
        self.asked = asked

    def __getitem__(self, name):
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        self.asked.add(name)
        return super().get(name, default)

    def __contains__(self, name):
        self.asked.add(name)
        return super().__contains__(name)

    def dict(self):
        return self

    def __ror__(self, other):
        return ReadParameters(other | dict(self), self.asked)

    def copy(self):
        return QueryDict(urlencode(self)).copy()


KEPT_PAGES = {
    "leaderboard": [{}],
    "season-table": [{}],
    "awards": [{}],
    "what-if": [{}, {"structure": "linear"}, {"structure": "vp_kid", "min_events": "1"}],
}


def test_every_page_that_is_kept_is_listed_here():
    kept = {pattern.name for pattern in urlpatterns if hasattr(pattern.callback, "parameters")}
    assert kept == KEPT_PAGES.keys()


@pytest.mark.parametrize("page", KEPT_PAGES)
def test_a_kept_page_reads_the_parameters_it_declares(client, season, address, people, monkeypatch, page):
    client.force_login(people["organizer"])  # for whom nothing is kept
    url = reverse(f"standings:{page}", args=[season.club.slug, season.slug])
    asked = set()
    for typed in KEPT_PAGES[page]:
        values = ReadParameters(typed, asked)
        monkeypatch.setattr(WSGIRequest, "GET", property(lambda _request, values=values: values))
        assert client.get(url).status_code == 200
    assert asked == resolve(url).func.parameters


def test_what_a_browser_remembers_of_its_visits_keeps_nobody_from_the_kept_page(client, address):
    """The home page sets it for every reader, and sends it to all pages of the club."""
    client.get(address)
    for name in (VISITS, "theme", "followed"):
        client.cookies[name] = "x"
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    assert len(queries) <= 2  # what the version is


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
def test_the_address_cannot_choose_the_length_of_a_page(client, season, enter_event, page, query):
    enter_event("Ada\nBoris")
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
    assert "No event has been computed yet" in client.get(address).content.decode()
    enter(season, "Ada\nBoris\nCleo")
    behind = client.get(address).content.decode()
    assert "Until then the old numbers stand." in behind
    assert behind.count("Ada") == 0
    recompute(season.pool_id)
    page = client.get(address).content.decode()
    assert "Ada leads, a point ahead of Boris" in page
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
            page = markup_of(client.get(url("standings:leaderboard", season)))
            assert f'<html lang="{language}"' in page
            assert ('class="orderable"><a href="?by=points&amp;sort=name">Player</a>' in page) == (
                language == "en"
            )
            assert season.name in page
            assert winner in page


@pytest.mark.parametrize(
    ("query", "n"), [("?page=2", 5), ("?page=2&by=tier", 5), ("?page=2&sort=-n_events", 6)]
)
def test_a_page_that_nobody_has_read_takes_few_queries(client, season, enter_event, query, n):
    """The version, the season, the rows (and how many they are), the seasons beside it, other points of its events."""
    enter_event("\n".join(names(120)))
    address = url("standings:leaderboard", season, query=query)
    client.get(address)
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    assert sum("SELECT" in query["sql"] for query in queries) == n


def test_links_lead_back_to_whatever_address_was_typed(client, address):
    for query in ("q=%E3%81%82&x=1%2C2", "q=<b>&by=tier", "q=a+b"):
        page = client.get(address, QUERY_STRING=query).content.decode()
        back = quote(f"{address}?{iri_to_uri(query)}")
        assert page.count(f"?next={back}") == 5  # language, sign in, three looks
        assert "<b>&by" not in page
