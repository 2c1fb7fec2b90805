"""Head to head: counts and expectations against sums over single meetings, ties, re-entries, games, the page."""

from statistics import NormalDist

import pytest
from django.urls import reverse

from forecasts.models import PoolQuality
from forecasts.opponents import meetings_of, opponents_of
from league.models import Player, Season
from ratings.engine.tier.params import TierParams
from ratings.models import RatedEntry
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter
from tests.factories.games import play, profit_season
from tests.forecasts.seasons import played

pytestmark = pytest.mark.django_db


def opponents(season, name="Ada", **only):
    player = Player.objects.get(club=season.club, name=name)
    meetings = [
        row for row in meetings_of(player, season.pool) if all(getattr(row, k) == v for k, v in only.items())
    ]
    return {row.name: row for row in opponents_of(player, season.pool, meetings)}


def address(season, name="Ada"):
    player = Player.objects.get(club=season.club, name=name)
    return reverse("forecasts:opponents", args=[season.club.slug, player.pk])


def test_meetings_are_counted_and_a_tie_is_half():
    season = SeasonFactory()
    enter(season, "Ada\nBoris\nCleo", day=0)
    enter(season, "Boris\nAda = Cleo", day=7)
    enter(season, "Boris\nCleo", day=14)
    recompute(season.pool_id)
    found = opponents(season)
    assert {name: (row.n_events, row.ahead) for name, row in found.items()} == {
        "Boris": (2, 1.0),
        "Cleo": (2, 1.5),
    }
    # Nothing has been scored yet, so nobody is thought to be ahead.
    assert {row.expected for row in found.values()} == {1.0}


def test_the_last_entry_has_the_place_and_the_first_one_the_rating():
    season = SeasonFactory()
    enter(season, "Boris\nAda x2\nCleo", day=0)
    recompute(season.pool_id)
    player = Player.objects.get(name="Ada")
    meeting = next(row for row in meetings_of(player, season.pool) if row.name == "Ada")
    first, last = RatedEntry.objects.filter(player=player).order_by("number")
    assert (meeting.place, meeting.mean, meeting.sigma) == (last.place, first.prior_mu, first.prior_sigma)
    assert opponents(season)["Cleo"].ahead == 1.0


@pytest.mark.rest
def test_expectations_are_the_corrected_chances_of_single_meetings():
    season = played(6)
    PoolQuality.objects.filter(pool=season.pool).update(
        figures={"corrections": [[0.0, 0.8, 0.1]], "pairs": {"n": 1}}
    )
    ada = Player.objects.get(club=season.club, name="Ada")
    beta = TierParams().beta
    expected = {}
    for own in RatedEntry.objects.filter(player=ada):
        for other in RatedEntry.objects.filter(event=own.event).exclude(player=ada).select_related("player"):
            spread = (own.prior_sigma**2 + other.prior_sigma**2 + 2 * beta**2) ** 0.5
            chance = NormalDist().cdf(0.8 * (own.prior_mu - other.prior_mu) / spread)
            name = other.player.name
            expected[name] = expected.get(name, 0) + 0.9 * chance + 0.05
    found = opponents(season)
    assert {name: row.expected for name, row in found.items()} == pytest.approx(expected, rel=1e-12)
    assert {row.n_events for row in found.values()} == {6}
    assert any(abs(row.expected - 3) > 0.05 for row in found.values())


def test_what_two_players_expect_of_each_other_adds_up():
    season = played(8)
    mine, theirs = opponents(season)["Boris"], opponents(season, "Boris")["Ada"]
    assert mine.ahead + theirs.ahead == mine.n_events == theirs.n_events
    assert mine.expected + theirs.expected == pytest.approx(mine.n_events)


def test_games_are_counted_too():
    season = profit_season()
    for game in range(3):
        play(season, "Ada 30\nBoris 10\nCleo -10\nDora -30", game=game)
    recompute(season.pool_id)
    found = opponents(season)
    assert {(row.n_events, row.ahead) for row in found.values()} == {(3, 3.0)}


def test_the_page_shows_a_season_or_all_and_sorts(client, django_assert_max_num_queries):
    season = played(5)
    later = SeasonFactory(club=season.club)
    Season.objects.filter(pk=later.pk).update(pool=season.pool)
    later.refresh_from_db()
    enter(later, "Dora\nAda", day=60)
    recompute(season.pool_id)
    with django_assert_max_num_queries(9):  # one of them for the versions that it follows from
        page = client.get(address(season)).content.decode()
    assert page.count("<tr") == 1 + 3
    only = client.get(address(season), {"season": later.pk}).content.decode()
    assert only.count("<tr") == 1 + 1
    assert f'<option value="{later.pk}" selected>' in only
    assert client.get(address(season), {"season": "x"}).content.decode().count("<tr") == 1 + 3
    for sort in ("name", "-ahead", "expected", "-difference", "nothing"):
        assert client.get(address(season), {"sort": sort}).status_code == 200


def test_the_page_says_against_whom_it_goes_well(client):
    season = SeasonFactory()
    for week in range(6):
        enter(season, "Ada\nBoris\nCleo\nDora", day=7 * week)
    recompute(season.pool_id)
    page = client.get(address(season)).content.decode()
    assert "Against Boris Ada does better than expected: ahead 6 of 6 times." in page
    assert (
        "Against Ada Dora does worse than expected: ahead 0 of 6 times."
        in client.get(address(season, "Dora")).content.decode()
    )


def test_a_player_who_met_nobody_is_told_so(client, season):
    nobody = Player.objects.create(club=season.club, name="Ada", key="ada")
    page = client.get(reverse("forecasts:opponents", args=[season.club.slug, nobody.pk])).content.decode()
    assert "met nobody" in page
