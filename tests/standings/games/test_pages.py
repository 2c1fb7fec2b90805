"""Leaderboard, event, players and exports of seasons that R rates, and of those without a rating."""

import csv
import io
from datetime import date

import pytest
from django.urls import reverse

from league.models import Player, Pool, PoolKind, Season
from ratings.models import ProfitRating
from ratings.services.settings import set_rating_settings
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter
from tests.factories.games import PARAMS, play, profit_season
from tests.standings.explanations.test_explanations import text_of
from tests.standings.pages.addresses import queries, url

pytestmark = pytest.mark.django_db
FIRST = "Ada 40 45000\nBen 10 30000\nCleo -20 20000\nDana -30 5000"
BADGES = [("S", 1510.0), ("A1", 1500.0), ("C3", None)]


@pytest.fixture
def season():
    season = profit_season(provisional_games=1)
    play(season, FIRST)
    recompute(season.pool_id)
    return season


def page_of(client, page, season, *more, query=""):
    answer = client.get(url(page, season, *more, query=query))
    assert answer.status_code == 200
    return answer.content.decode(), text_of(answer)


def test_the_leaderboard_says_r_and_has_no_badges(client, season):
    html, page = page_of(client, "standings:leaderboard", season, query="?by=tier")
    assert "TIER" not in page
    assert 'class="badge' not in html
    assert [row.player.name for row in Standing.objects.order_by("tier_position")] == [
        "Ada",
        "Ben",
        "Cleo",
        "Dana",
    ]
    r = ProfitRating.objects.get(player__name="Ada").r
    assert f"{r:.0f}</span>" in html
    ada = Player.objects.get(name="Ada")
    assert f'{url("standings:player", season, ada.pk)}?pool={season.pool_id}"' in html
    for by in ("points", "profit"):
        assert "TIER" not in page_of(client, "standings:leaderboard", season, query=f"?by={by}")[1]


def test_players_with_few_games_are_not_ranked_by_r(client):
    season = profit_season(provisional_games=3)
    play(season, FIRST)
    recompute(season.pool_id)
    page = page_of(client, "standings:leaderboard", season, query="?by=tier")[1]
    assert "Players in placement have no position by R; they follow below the ranked." in page
    assert "Newcomers are ranked by R after 3 games." in page
    assert set(Standing.objects.values_list("tier_rank", flat=True)) == {None}


def test_badges_by_the_bounds_of_the_club(client, season):
    set_rating_settings(season.pool, PARAMS, revision=1, actor=None, badge_bounds=BADGES)
    recompute(season.pool_id)
    html, page = page_of(client, "standings:leaderboard", season)
    assert "Badge" in page
    assert "TIER" not in page
    assert dict(ProfitRating.objects.values_list("player__name", "badge")) == {
        "Ada": "S", "Ben": "A1", "Cleo": "C3", "Dana": "C3",
    }  # fmt: skip
    assert 'class="badge s' in html


def test_an_event_shows_scores_and_balances(client, season):
    event = season.events.get()
    _html, page = page_of(client, "standings:event", season, event.pk)
    assert "Ada wins with +40.0" in page
    assert "Mean R of the table before the game: 1500." in page
    assert "1 Ada score 45,000, expected 2.5 45,000 2.5" in page  # on phones the score is below the name
    assert "1516+16.3 +40.0" in page
    assert "Badge" not in page
    counts = [queries(client, url("standings:event", season, event.pk))[0]]
    later = play(season, "Ada 1\nBen -1", game=1)
    recompute(season.pool_id)
    counts.append(queries(client, url("standings:event", season, later.pk))[0])
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("penalty", "chips", "beside", "sentence"),
    [
        (20, 3, "penalty 20, chips +3", "The balance includes a penalty of 20 and +3 chips."),
        ("7.5", None, "penalty 7.5", "The balance includes a penalty of 7.5."),
        (None, -2, "chips −2", "The balance includes −2 chips."),
        (None, 0, "", "a balance of +40.0: worth +16.3. The table pulls"),
    ],
)
def test_penalties_and_chips_are_told_where_the_balance_is(client, season, penalty, chips, beside, sentence):
    event, ada = season.events.get(), Player.objects.get(name="Ada")
    event.entries.filter(player=ada).update(penalty=penalty, chips=chips)
    page = page_of(client, "standings:event", season, event.pk)[1]
    assert " ".join(f"{beside} score 45,000, expected 2.5 45,000".split()) in page
    assert sentence in page_of(client, "standings:explanation", season, event.pk, ada.pk)[1]


def test_a_player_of_few_games_has_no_interval_of_places(client, season):
    ada = Player.objects.get(name="Ada")
    for game in (1, 2):
        play(season, FIRST, game=game)
    recompute(season.pool_id)
    page = page_of(client, "standings:player", season, ada.pk)[1]
    assert "By opponent" in page
    assert "80 % interval" not in page
    assert "score 45,000" in page


def test_a_side_event_of_another_tier_pool_is_explained_by_its_own_rating(client):
    season = SeasonFactory()
    pool = Pool.objects.create(club=season.club, name="Turbo", kind=PoolKind.TIER)
    event = enter(season, "Ada\nBen", pool_id=pool.pk)
    recompute(pool.pk)
    ben = Player.objects.get(name="Ben")
    page = page_of(client, "standings:explanation", season, event.pk, ben.pk)[1]
    assert "Step by step" in page
    assert "not been computed" not in page


def test_a_season_without_a_rating_counts_for_points_only(client):
    season = SeasonFactory()
    pool = Pool.objects.create(club=season.club, name="Points", kind=PoolKind.NONE)
    Season.objects.filter(pk=season.pk).update(pool=pool)
    season.refresh_from_db()
    event = enter(season, "Ada\nBen")
    recompute(pool.pk)
    for by in ("points", "tier", "profit"):
        html, page = page_of(client, "standings:leaderboard", season, query=f"?by={by}")
        assert "TIER" not in page
        assert "by=tier" not in html.partition("<main")[2]
    page = page_of(client, "standings:event", season, event.pk)[1]
    assert "Rate" not in page
    why = page_of(client, "standings:explanation", season, event.pk, Player.objects.get(name="Ben").pk)[1]
    assert "This event counts for points only: its rating pool gives no ratings." in why
    for wrong in ("not been computed", "TIER", "revision", "as published", "rate changed"):
        assert wrong not in why
    other = Player.objects.create(club=season.club, name="Cleo", key="cleo")
    assert client.get(url("standings:explanation", season, event.pk, other.pk)).status_code == 404
    assert client.get(url("ratings:settings", season, pool.pk)).status_code == 404


def test_players_of_each_pool(client, season):
    _html, page = page_of(client, "standings:players", season, query=f"?pool={season.pool_id}")
    r = ProfitRating.objects.get(player__name="Ada").r
    assert f"Ada – {int(r)} 1 Jan. 6, 2026" in page
    assert "Player Badge R Games Last event" in page
    then = page_of(client, "standings:players", season, query=f"?pool={season.pool_id}&on=2026-01-06")[1]
    assert f"Ada – {int(r)} 1 Jan. 6, 2026" in then
    before = page_of(client, "standings:players", season, query=f"?pool={season.pool_id}&on=2026-01-05")[1]
    assert "Ada – – – –" in before


def test_who_has_not_played_for_a_year_comes_last_and_is_marked(client):
    season = profit_season()
    Season.objects.filter(pk=season.pk).update(starts_on=date(2024, 1, 1))
    season.refresh_from_db()
    play(season, "Ada 30\nBen -30", game=-400 * 24)  # hours
    play(season, "Cleo 1\nDana -1")
    recompute(season.pool_id)
    for order in ("-rate", "rate", "name"):
        _html, page = page_of(
            client, "standings:players", season, query=f"?pool={season.pool_id}&sort={order}"
        )
        assert page.count("last played in 2024") == 2
        if order != "name":
            assert max(map(page.index, ("Cleo", "Dana"))) < min(map(page.index, ("Ada", "Ben")))


def test_exports_and_api_have_r_as_the_rate(client, season):
    answer = client.get(url("standings:standings-file", season, query="?by=tier"))
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    r = ProfitRating.objects.get(player__name="Ada").r
    assert (rows[0]["player"], rows[0]["rate"], rows[0]["badge"], rows[0]["provisional"]) == (
        "Ada",
        f"{r:.1f}",
        "",
        "0",
    )
    answer = client.get(f"/api/v1/seasons/{season.pk}/standings/?by=tier")
    first = answer.json()["results"][0]
    told = (first["player"]["name"], first["rate"], first["badge"], first["is_provisional"])
    assert told == ("Ada", r, "", False)
    workbook = client.get(reverse("standings:standings-workbook", args=[season.club.slug, season.slug]))
    assert workbook.status_code == 200
