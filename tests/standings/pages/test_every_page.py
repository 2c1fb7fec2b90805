"""Every page: the same queries for one row and for three, both languages, no markup from names, never a failure."""

import pytest
from django.urls import reverse

from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, UserFactory, enter
from tests.standings.pages.addresses import SEASON_PAGES, drafted, league_of, pages_of, queries, url

pytestmark = pytest.mark.django_db


@pytest.mark.rest
def test_every_list_takes_the_same_queries_for_one_row_and_for_three(client):
    """Of an owner, who sees the most."""
    staff = UserFactory(is_superuser=True)
    client.force_login(staff)
    counts = {}
    for n in (1, 3):
        season, event = league_of(n)
        pages = pages_of(season, event, drafted(season, staff, n))
        client.get(pages["player"])  # goals are worked out once after each recomputation
        for page, address in pages.items():
            counts.setdefault(page, []).append(queries(client, address)[0])
    # It saves each event and undoes it (tests/entry/test_imports.py counts how it grows).
    first, last = counts.pop("import preview")
    assert last - first <= 2 * 18
    # With several seasons the form of an event has a choice of them, which takes two more.
    for form in ("new event", "event form"):
        one_season, three_seasons = counts.pop(form)
        assert three_seasons - one_season == 2
        assert three_seasons <= 20
    assert {page: pair for page, pair in counts.items() if pair[0] != pair[1]} == {}
    # The home page shows something of everything; its records are read once for each version of the data. One query is
    # about nights that run live.
    assert max(counts.pop("club")) <= 25
    assert {page: pair for page, pair in counts.items() if max(pair) > 18} == {}


def test_readers_without_an_account_cost_few_queries(client):
    season, event = league_of(3)
    most = {
        "leaderboard points": 5,  # one of them for the share of skill
        "season table": 11,  # of them for the odds of the title and the share of skill, and for other points in the rules
        "event": 12,
        "why": 7,
        "rating settings": 6,
        "players": 6,  # of them for the day of the last event
        "events": 6,
        "club": 14,
        "player": 9,  # also the points of each event
    }
    pages = {page: address for page, address in pages_of(season, event).items() if page in most}
    for address in pages.values():
        client.get(address)  # after each recomputation the first reader waits for the settings in force
    counts = {page: queries(client, address)[0] for page, address in pages.items()}
    assert {page: (count, most[page]) for page, count in counts.items() if count > most[page]} == {}


@pytest.mark.rest
def test_every_page_in_both_languages(client):
    season, event = league_of(3)
    staff = UserFactory(is_superuser=True)
    client.force_login(staff)
    more = {
        "home": "/",
        "about": reverse("standings:about"),
        "how it works": url("standings:how-it-works", season),
        "search": url("standings:search", season, query="?q=ada"),
        "what if ratings": url("standings:what-if-ratings", season),
        "play": reverse("lab:play"),
        "duels": reverse("lab:duels"),
        "new club": reverse("people:club-create"),
        "settings": url("people:club-edit", season),
        "new player": url("league:player-create", season),
        "new season": url("payouts:season-create", season),
        "season": reverse("payouts:season-edit", args=[season.club.slug, season.slug]),
        "import": reverse("entry:import-upload", args=[season.club.slug, season.slug]),
        "delete": url("entry:event-delete", season, event.pk),
        **{
            name: reverse(f"account_{name}")
            for name in ("logout", "email", "change_password", "reset_password")
        },
    }
    for language in ("en", "ja"):
        client.cookies["django_language"] = language
        for page, address in (pages_of(season, event, drafted(season, staff, 2)) | more).items():
            answer = client.get(address)
            assert answer.status_code == 200, (page, language)
            if page != "csv":
                html = answer.content.decode()
                assert f'<html lang="{language}"' in html, page
                assert html.count("<h1") == 1, page
                assert "{%" not in html, page


@pytest.mark.rest
@pytest.mark.parametrize(
    "query",
    [
        "by=votes", "by=", "page=0", "page=-1", "page=99", "page=x", "page=²", "page=" + "9" * 5_000, "sort=name",
        "sort=-rate", "sort=-", "sort=,", "sort=password", "sort=-player__user__password", "sort=rank",
        "sort=name,name,-name", "q=" + "é" * 500, "q=%00", "q=%F0%9F", "q=%25", "badge=Z", "badge=S", "least=3",
        "least=-1", "least=x", "by=tier&sort=n_events&page=2&q=a&badge=C&least=3", "sort=" + "%E6%BC%A2" * 60,
        "by=" + "%20%01" * 30, "unknown=1",
    ],
)  # fmt: skip
def test_no_parameter_is_a_failure(client, enter_event, season, query):
    enter_event("Ada\nBoris\nCleo")
    for page in (
        *SEASON_PAGES,
        "standings:state",
        "standings:players",
        "standings:club",
        "standings:changes",
    ):
        assert client.get(url(page, season, query=f"?{query}")).status_code == 200, page


def test_markup_in_names_is_text_on_every_page(client):
    evil = "<script>alert(1)</script>"
    club = ClubFactory(name=evil)
    season = SeasonFactory(club=club, name=f"S {evil}")
    for day in range(3):
        event = enter(season, f'{evil}\n{evil} 2 (new)\n"""onload=x &amp;"', day=day, name=evil)
    recompute(season.pool_id)
    client.force_login(UserFactory(is_superuser=True))
    for page, address in (pages_of(season, event) | {"home": "/operator/"}).items():
        html = client.get(address).content.decode()
        assert evil[:13] not in html or page == "csv", page
        assert evil[8:16] in html, page


def test_pages_stay_open_between_a_deleted_event_and_its_recomputation(client):
    from league.services.events import delete_event

    season, event = league_of(3)
    delete_event(event, version=1, actor=UserFactory())
    remaining = season.events.first()
    for page, address in pages_of(season, remaining).items():
        if page not in {"new event", "event form", "people", "rating settings form"}:
            assert client.get(address).status_code == 200, page
    assert client.get(url("standings:event", season, event.pk)).status_code == 404
