"""The page of a player with a long history, and players beside each other."""

import re
from datetime import date

import pytest
from django.urls import reverse

from league.models import Player, Season
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter, enter_many
from tests.factories.games import play, profit_season
from tests.pages import markup_of
from tests.standings.pages.addresses import queries, url

pytestmark = pytest.mark.django_db
N_LONG = 419
FIRST = date(2016, 1, 2)
GAME = "Ada 30\nBoris 10\nCleo -10\nDora -30"
PEOPLE = ("Ada", "Boris", "Cleo", "Dmitri", "Emil", "Fay", "Gita", "Hana")


def played_weekly(n):
    """A season of n weekly events of eight, whose orders turn."""
    season = SeasonFactory(starts_on=FIRST)
    enter_many(season, [PEOPLE[week % 5 :] + PEOPLE[: week % 5] for week in range(n)], first=FIRST)
    recompute(season.pool_id)
    return season, Player.objects.get(club=season.club, key="ada")


def season_in_the_same_pool(season):
    later = SeasonFactory(club=season.club)
    Season.objects.filter(pk=later.pk).update(pool=season.pool)
    later.refresh_from_db()
    return later


@pytest.mark.rest
def test_a_long_history_stays_a_small_page_of_few_queries(client):
    season, ada = played_weekly(N_LONG)
    address = url("standings:player", season, ada.pk)
    client.get(address)  # what the next badge takes is worked out once after each recomputation
    n_queries, answer = queries(client, address)
    page = answer.content.decode()
    assert n_queries <= 9
    assert len(answer.content) <= 60_000
    assert page.count('class="why"') >= 20
    assert "All 419" in page
    assert "Rate over 419 events" in page
    pages = [client.get(f"{address}?page={n}").content.decode() for n in range(1, 6)]
    events = [re.findall(r'events/(\d+)/players/\d+/">', each.partition('id="events"')[2]) for each in pages]
    assert [len(each) for each in events] == [100, 100, 100, 100, 19]
    assert len({event for each in events for event in each}) == N_LONG
    assert max(map(len, pages)) <= 110_000


def test_the_curve_shows_a_season_a_year_or_everything(client):
    season, ada = played_weekly(80)
    later = season_in_the_same_pool(season)
    enter(later, "Ada\nBoris\nCleo", day=0)
    recompute(season.pool_id)
    address = url("standings:player", season, ada.pk)
    said = {
        span: re.search(r'id="curve-words">([^<]*)<', client.get(f"{address}?span={span}").content.decode())[
            1
        ]
        for span in ("all", "year", "season", "x")
    }
    assert said["all"].startswith("Rate over 81 events")
    # A year before 6 January 2026 there was nothing else.
    assert said["year"] == said["season"]
    assert said["season"].startswith("Rate after 1 event")
    assert said["x"] == said["all"]


def test_a_badge_of_the_last_event_has_just_been_reached(client, season, enter_event):
    for day in range(6):
        enter_event("Ada\nBoris\nCleo\nDora\nEmil", day=day)
        ada = Player.objects.get(club=season.club, key="ada")
        rated = list(ada.rated_entries.order_by("starts_at").values_list("badge", "is_provisional"))
        page = markup_of(client.get(url("standings:player", season, ada.pk)))
        held = page.partition("<dt>At ")[2].partition("</dd>")[0]
        if held:
            assert ("Just reached" in held) == (rated[-1] != rated[-2])
            assert "0 minutes" not in held.replace("\xa0", " ")
    assert held


def test_the_profit_has_an_interval_unless_other_totals_are_part_of_it(client, season):
    for day in range(4):
        enter(season, "Ada\nBoris\nCleo" if day % 2 else "Boris\nAda\nCleo", day=day)
    recompute(season.pool_id)
    ada = Player.objects.get(key="ada")
    page = client.get(url("standings:player", season, ada.pk)).content.decode()
    assert page.count("likely") == 2  # of the rate and of the profit


@pytest.fixture
def compared(client, season):
    for day in range(3):
        enter(season, "Ada\nBoris\nCleo" if day else "Boris\nAda\nCleo", day=day)
    recompute(season.pool_id)
    Player.objects.create(club=season.club, name="Dora", key="dora")

    def get(*names, **more):
        answer = client.get(url("standings:compare", season), {"name": names, **more})
        assert answer.status_code == 200
        return answer.content.decode()

    return get


def test_two_players_are_shown_beside_each_other(compared):
    page = compared("ada", "Boris")
    assert page.count("<polyline") == 4  # two lines in two sizes
    assert re.search(r"Ada before Boris\s*</span>\s*<span class=\"v\">2 : 1</span>", page)
    assert page.count("<polyline") == compared("ada", "Boris", "ADA").count("<polyline")
    assert compared("Ada", "Boris", "Cleo").count("<polyline") == 6


def main_of(page):
    return page[page.index("<main") : page.index("</main>")]


def test_a_comparison_lists_each_event_in_which_they_met_and_goes_by_date_or_career(compared):
    page = compared("Ada", "Boris", over="career")
    table = page[page.index('id="met"') :]
    assert re.findall(r">Jan. (\d), 2026<", table) == ["8", "7", "6"]
    cells = [re.sub(r"\s", "", cell) for cell in re.findall(r'<td class="n">(.*?)</td>', table, re.DOTALL)]
    assert cells == ["<b>1</b>", "2", "<b>1</b>", "2", "2", "<b>1</b>"]
    assert re.search(r'href="\?name=Ada&amp;name=Boris&amp;over=career#rate" aria-current="true"', page)
    assert re.search(r'href="\?name=Ada&amp;name=Boris#rate" aria-current="true"', compared("Ada", "Boris"))
    plain, *wrong = (main_of(compared("Ada", "Boris", **more)) for more in ({}, {"over": "x"}, {"page": "9"}))
    assert wrong == [plain, plain]


@pytest.mark.parametrize("names", [(), ("Ada",), ("", ""), ("Ada", "ada")])
def test_one_player_is_not_compared(compared, names):
    page = compared(*names)
    assert "Name two or three players" in page
    assert "<polyline" not in page


def test_a_name_that_is_unknown_or_unrated_is_said_and_kept(compared):
    page = compared("Ada", "<Bo>", "Dora")
    assert "No player of this club has the name “&lt;Bo&gt;”." in page
    assert 'value="&lt;Bo&gt;"' in page
    assert "Dora has no rated event here yet." in page
    assert "Name two or three players" in page
    assert "has the name" in compared("Ada", "a\0b" * 50)


def test_players_of_games_are_compared_by_r(client):
    season = profit_season()
    for day in range(3):
        play(season, GAME, game=day)
    recompute(season.pool_id)
    page = client.get(
        url("standings:compare", season), {"name": ["Ada", "Dora"], "pool": season.pool_id}
    ).content.decode()
    assert re.search(r"Ada before Dora\s*</span>\s*<span class=\"v\">3 : 0</span>", page)


def test_a_club_without_ratings_has_nothing_to_compare(client):
    club = ClubFactory()
    assert (
        "Name two or three players"
        in client.get(reverse("standings:compare", args=[club.slug])).content.decode()
    )
