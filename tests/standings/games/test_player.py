"""The page of a player whose games R follows: figures, places, opponents, and its states."""

import math
from datetime import UTC, datetime
from statistics import NormalDist, fmean, stdev

import pytest
from scipy.stats import f_oneway

from league.models import Player
from ratings.engine.profit.params import ProfitParams
from ratings.models import ProfitRating, RatedGame
from standings.games.figures import game_figures, result_variance
from standings.games.queries import PlayedGame, games_of, last_results, opponents_of
from standings.games.record import differ, record_of, round_goal, runs_of
from standings.pages.charts.games import MOST_POINTS, SIZES, r_curve
from standings.pages.charts.records import deviations, place_band, share_bar
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter
from tests.factories.games import PARAMS, play, profit_season
from tests.standings.explanations.test_explanations import text_of
from tests.standings.pages.addresses import queries, url

pytestmark = pytest.mark.django_db
ORDERS = ("Ada Ben Cleo Dana", "Ben Ada Dana Cleo", "Cleo Ed Ada Ben", "Ada Cleo Ed Dana", "Dana Ada Ben Ed")
BALANCES = (45.5, 5.1, -15.2, -35.4)


def many_games(season, n):
    for game in range(n):
        seated = ORDERS[game % len(ORDERS)].split()
        play(
            season, "\n".join(f"{name} {won}" for name, won in zip(seated, BALANCES, strict=True)), game=game
        )
    recompute(season.pool_id)


def page_of(client, season, name, query=""):
    player = Player.objects.get(club=season.club, name=name)
    answer = client.get(url("standings:player", season, player.pk, query=query))
    assert answer.status_code == 200
    return text_of(answer)


def test_figures_are_those_of_the_games():
    season = profit_season()
    many_games(season, 20)
    ada = Player.objects.get(name="Ada")
    games = games_of(ada, season.pool)
    stored = list(RatedGame.objects.filter(player=ada).order_by("starts_at"))
    figures = game_figures(games, last_results(season.pool), PARAMS)
    assert [game.r_after for game in games] == [row.r_after for row in stored]
    assert figures.n_games == 20
    assert [(game.seat, game.score) for game in games] == [(None, None)] * 20
    assert figures.r == ProfitRating.objects.get(player=ada).r
    assert figures.balance_sum == pytest.approx(4 * (2 * 45.5 + 2 * 5.1 - 15.2))
    stable = [row.stable_r for row in stored]
    assert figures.stable.value == pytest.approx(fmean(stable))
    assert figures.stable.within == pytest.approx(NormalDist().inv_cdf(0.9) * stdev(stable) / math.sqrt(20))
    assert figures.place.value == 1.8
    assert figures.expected_place == pytest.approx(fmean(row.expected_place for row in stored))
    v = (PARAMS.f**2) * sum(won**2 for won in BALANCES) / 4 * 80 / 79
    assert result_variance(last_results(season.pool), PARAMS) == pytest.approx(v)
    assert figures.luck.spreads[0] == pytest.approx(5.0 * math.sqrt(v))


def test_tables_of_three_and_four_have_chances_of_their_own():
    season = profit_season()
    play(season, "Ada 30\nBen 0\nCleo -30")
    play(season, "Ben 30\nCleo 0\nDana 0\nAda -30", game=1)
    recompute(season.pool_id)
    games = games_of(Player.objects.get(name="Ada"), season.pool)
    figures = game_figures(games, last_results(season.pool), PARAMS)
    record = record_of(games)
    chances = [rate.even for rate in (record.first, record.best_two, record.not_last)]
    assert chances == pytest.approx([(1 / 3 + 1 / 4) / 2, (2 / 3 + 2 / 4) / 2, (2 / 3 + 3 / 4) / 2])
    assert [rate.n for rate in (record.first, record.best_two, record.not_last)] == [1, 1, 1]
    assert figures.average_place == pytest.approx(2.25)


def test_opponents():
    season = profit_season()
    play(season, "Ada 30\nBen 0\nCleo -30")
    play(season, "Ben 30\nAda 10\nCleo 10\nDana -50", game=1)
    play(season, "Ben 20\nDana -20", game=2)
    recompute(season.pool_id)
    met = opponents_of(Player.objects.get(name="Ada"), season.pool, 10)
    assert [row[1:] for row in met] == [
        ("Ben", 2, 1, 1, 40.0),
        ("Cleo", 2, 1, 0, 40.0),
        ("Dana", 1, 1, 0, 10.0),
    ]
    assert len(opponents_of(Player.objects.get(name="Ada"), season.pool, 2)) == 2


def test_few_games_are_mentioned_before_the_number(client):
    season = profit_season()
    many_games(season, 7)
    page = page_of(client, season, "Ada")
    assert "7 games. R moves fast now: a game moves it by about " in page
    assert page.index("From about 50 games on it says something.") < page.index("Spread by luck")
    assert "not ranked by R yet (" in page
    assert "one pair in three" not in page


@pytest.mark.rest
def test_many_games_say_how_much_is_luck(client):
    season = profit_season()
    many_games(season, 65)
    ada = Player.objects.get(name="Ada")
    figures = game_figures(games_of(ada, season.pool), last_results(season.pool), PARAMS)
    page = page_of(client, season, "Ada")
    assert (
        f"Of two equal players with 65 games, one pair in three is more than {figures.luck.apart:.0f}" in page
    )
    assert f"Ada is {figures.above:.0f} above 1500: more than luck alone explains." in page
    assert "1st of 5 by R (" in page
    assert (
        f"Stable R, averaged {figures.stable.value:.0f} ± {figures.stable.within:.0f}, 80 % interval" in page
    )
    assert f"Mean place {figures.place.value:.2f} ± {figures.place.within:.2f}, 80 % interval" in page
    assert f"In 65 games: expected {figures.expected_place:.2f}, actual {figures.place.value:.2f}." in page
    assert "Firsts 40.0 % 26 times, by chance 25 %" in page
    assert "Not last 100.0 % 65 times, by chance 75 %" in page
    assert "Without a last place 65 in a row longest so far 65" in page
    assert "All 65 games" in page
    paged = page_of(client, season, "Ada", query=f"?pool={season.pool_id}&page=2")
    assert "Page 2 of 2" in paged


def test_a_thousand_games_are_thinned_out_in_the_chart():
    season = profit_season()
    many_games(season, 5)
    games = games_of(Player.objects.get(name="Ada"), season.pool) * 200
    figures = game_figures(games, last_results(season.pool), PARAMS)
    for size in SIZES:
        curve = r_curve(games, figures, 1500.0, size)
        assert len(curve.line.split()) == MOST_POINTS
        assert curve.wins == []
        assert all(12.0 <= float(point.split(",")[1]) <= 230.0 for point in curve.line.split())


def test_games_of_three_by_the_numbers_for_four_are_provisional(client):
    season = profit_season()
    play(season, "Ada 30\nBen 0\nCleo -30")
    recompute(season.pool_id)
    page = page_of(client, season, "Ada")
    assert "Provisional. These games are played by three" in page
    assert "Calibrate R" not in page
    client.force_login(season.club.memberships.get().user)
    assert "Calibrate R" in page_of(client, season, "Ada")
    # An estimate, and a quick start, which keeps the published g.
    for adopted in ({"f": 0.06, "g": 0.8}, {"f": 0.06}):
        calibrated = profit_season(**adopted)
        play(calibrated, "Ada 30\nBen 0\nCleo -30")
        recompute(calibrated.pool_id)
        assert "Provisional" not in page_of(client, calibrated, "Ada")


def test_a_player_with_both_ratings_has_a_page_for_each(client):
    poker = SeasonFactory()
    enter(poker, "Ada\nBen")
    mahjong = profit_season(poker.club)
    play(mahjong, "Ada 30\nBen -30", game=1)
    for season in (poker, mahjong):
        recompute(season.pool_id)
    tier, games = (
        page_of(client, poker, "Ada", query=f"?pool={season.pool_id}") for season in (poker, mahjong)
    )
    assert page_of(client, poker, "Ada") == tier
    assert "Rate after 1 event" in tier
    assert "R and luck" in games
    for page in (tier, games):
        assert mahjong.pool.name in page
        assert poker.name in page


def test_who_has_not_played_is_told_where_r_begins(client):
    season = profit_season()
    season.club.games.all().delete()
    season.club.pools.exclude(pk=season.pool_id).delete()
    play(season, "Ada 30\nBen -30")
    assert "yet. R begins at 1500 with the first game." in page_of(client, season, "Ada")


def test_after_a_new_result_the_old_numbers_stand(client):
    season = profit_season()
    many_games(season, 2)
    play(season, "Ada 30\nBen -30", game=9)
    assert "Until then the old numbers stand." in page_of(client, season, "Ada")


def test_the_same_queries_for_two_games_and_for_eight(client):
    season = profit_season()
    many_games(season, 2)
    ada = Player.objects.get(name="Ada")
    few, _page = queries(client, url("standings:player", season, ada.pk))
    many_games(season, 8)
    many, _page = queries(client, url("standings:player", season, ada.pk))
    assert few == many <= 21


def test_a_pool_that_nothing_pulls_has_no_stable_r(client):
    season = profit_season(g=0.0)
    many_games(season, 2)
    page = page_of(client, season, "Ada")
    assert "after many" not in page
    assert ProfitParams(g=0.0).pull == 0.0


def test_in_japanese(client):
    season = profit_season()
    many_games(season, 2)
    client.cookies["django_language"] = "ja"
    page = page_of(client, season, "Ada")
    assert "運によるばらつき" in page
    assert "Spread by luck" not in page


def game(place, n_players=4, **values):
    """A game with these values, others as they may be."""
    empty = dict.fromkeys(PlayedGame._fields)
    plain = {
        "starts_at": datetime(2026, 5, 1, tzinfo=UTC),
        "expected_place": 2.5,
        "r_before": 1500.0,
        "r_after": 1500.0,
    }
    return PlayedGame(**empty | plain | {"place": place, "n_players": n_players} | values)


def test_the_record_counts_places_runs_scores_and_seats():
    games = [
        game(1, seat=1, score=45300.0, balance=35.3),
        game(4, seat=1, score=9000.0, balance=-41.0),
        game(2, seat=2, score=31000.0, balance=11.0),
        game(3, seat=4, score=20000.0, balance=-20.0),
        game(1, seat=2, score=52100.0, balance=62.1),
    ]
    record = record_of(games)
    assert (record.first.n, record.best_two.n, record.not_last.n) == (2, 3, 4)
    assert (record.first.share, record.first.even) == (0.4, 0.25)
    assert record.best_score == (52100.0, datetime(2026, 5, 1, tzinfo=UTC))
    assert (record.not_last_now, record.not_last_longest) == (3, 3)
    # The places add up to 11: (11 + 1) / 6 and (11 + 4) / 6.
    assert (record.if_first, record.if_last, record.last_place) == (2.0, 2.5, 4)
    assert [(seat.number, seat.n_games, seat.counts, seat.mean_place) for seat in record.seats] == [
        (1, 2, (1, 0, 0, 1), 2.5),
        (2, 2, (1, 1, 0, 0), 1.5),
        (4, 1, (0, 0, 1, 0), 3.0),
    ]
    assert record.seats[1].balance == pytest.approx(73.1)


def test_of_two_players_the_best_two_are_not_counted():
    assert record_of([game(1, n_players=2)]).best_two is None


def test_runs():
    games = [game(place) for place in (1, 2, 4, 3, 3, 1, 4)]
    assert runs_of(games, lambda each: each.place < 4) == [2, 3, 0]


def test_groups_differ_as_scipy_says():
    groups = [[1, 2, 1, 1, 2], [3, 4, 4, 3, 4], [2, 3, 2, 2]]
    assert f_oneway(*groups).pvalue < 0.05
    assert differ(groups)
    alike = [[1, 2, 3, 4], [2, 1, 4, 3], [1, 4, 2]]
    assert f_oneway(*alike).pvalue > 0.05
    assert not differ(alike)
    assert not differ([[1, 2, 3]])
    assert not differ([[1], [2]])
    assert differ([[1, 1], [2, 2]])
    assert not differ([[1, 1], [1, 1]])


@pytest.mark.parametrize(
    ("r", "gains", "target", "n_wins"),
    [
        (1500.0, [10.0, 20.0], 1550, 4),
        (1549.5, [10.0], 1550, 1),
        (1520.0, [], 1550, None),
        (1520.0, [-2.0], 1550, None),
    ],
)
def test_the_next_round_r_by_the_usual_gain_of_a_win(r, gains, target, n_wins):
    games = [game(1, r_before=r - gain, r_after=r) for gain in gains] or [game(2, r_after=r)]
    goal = round_goal(games)
    assert (goal.r, goal.missing, goal.n_wins) == (target, target - r, n_wins)


def test_a_bar_is_divided_by_the_counts():
    assert share_bar([5, 5, 0, 2]) == [(0.0, 39.0), (40.0, 39.0), (80.0, 0.0), (80.0, 15.0)]


def test_deviations_are_up_for_a_better_place():
    bars = deviations([game(1), game(4), game(2, expected_place=2.0)])
    assert [(bar.is_better, bar.y, bar.height) for bar in bars] == [
        (True, 10.0, 30.0),
        (False, 40.0, 30.0),
        (False, 40.0, 0.0),
    ]


def test_one_game_has_no_interval_on_the_axis():
    games = [game(1, n_before=0, r_after=1510.0)]
    band = place_band(game_figures(games, [(10.0, 0)], PARAMS))
    assert band.low is None
    assert band.now < band.even
