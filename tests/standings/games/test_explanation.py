"""Why R changed by a game: words and figures of each step, which add up as shown."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Event, Player
from ratings.models import RatedGame
from standings.explanations.games import explained_game
from standings.recomputation.service import recompute
from tests.factories.games import play, profit_season
from tests.standings.explanations.test_explanations import address, why

pytestmark = pytest.mark.django_db
FIRST = "Ada 40 45000\nBen 10 30000\nCleo -20 20000\nDana -30 5000"


def test_the_first_two_games_of_the_source(client):
    """1516.316 after +40 thousand; then -30 thousand as the first of the four: 1503.739."""
    season = profit_season()
    first = play(season, FIRST)
    second = play(season, "Ben 40\nCleo 10\nDana -20\nAda -30", game=1)
    recompute(season.pool_id)
    page = why(client, first, "Ada")
    assert "Why Ada’s R went from 1500 to 1516" in page
    assert (
        "Ada was expected to finish about 2.5 and finished 1st of 4 with 45,000 points, a balance of +40.0: worth +16.3."
        in page
    )
    assert "The table pulls neither up nor down. The first game counts in full." in page
    assert "0.4079 × 40.0 +16.3 1516.3" in page
    page = why(client, second, "Ada")
    assert "Why Ada’s R went from 1516 to 1503" in page
    assert "with a balance of −30.0: worth −12.2." in page
    assert "The table stood 16 below Ada, whom that pulls down by 0.4." in page
    assert "After 1 game, a game counts 0.996 times as much as the first: " in page
    assert "0.02394 × (1500.0 − 1516.3) −0.4 1503.7" in page
    assert "× 0.996, 0.2 to the power of 1/400" in page
    assert "R with its default settings" in page
    rated = RatedGame.objects.get(event=second, player__name="Ada")
    assert rated.r_after == pytest.approx(1503.7391, abs=5e-5)
    assert f"One-game stable R: {rated.stable_r:.0f}." in page


def test_every_change_adds_up_as_shown():
    season = profit_season()
    for game in range(12):
        names = ["Ada", "Ben", "Cleo", "Dana", "Ed"]
        seated = names[game % 5 :] + names[: game % 5]
        balances = [31 + game / 10, 4.3, -11.7]
        balances.append(-round(sum(balances), 1))
        lines = zip(seated, balances, strict=False)
        play(season, "\n".join(f"{name} {balance}" for name, balance in lines), game=game)
    recompute(season.pool_id)
    for event in Event.objects.select_related("season__club", "pool"):
        for player in Player.objects.filter(entries__event=event):
            explained = explained_game(event, player)
            assert explained.r_from + sum(step.tenths for step in explained.steps) == explained.r_to
            assert explained.r_to == round(float(f"{explained.rated.r_after:.1f}") * 10)
            for step in explained.steps:
                assert abs(step.tenths) < 400


def test_what_new_settings_moved_between_two_games_is_mentioned(client):
    season = profit_season()
    play(season, FIRST)
    second = play(season, "Ada 40\nBen -40", game=1)
    recompute(season.pool_id)
    assert "new rating settings" not in why(client, second, "Ada")
    RatedGame.objects.filter(player__name="Ada", n_before=0).update(r_after=1550.0)
    assert "new rating settings have moved R from 1550.0 to 1516.3." in why(client, second, "Ada")


def test_places_alone(client):
    season = profit_season(system="placement")
    event = play(season, FIRST)
    recompute(season.pool_id)
    page = why(client, event, "Dana")
    assert "finished 4th of 4: worth −30.0." in page
    assert "Result 4th of 4 4th of 4 −30.0 1470.0" in page


def test_a_game_not_computed_yet_is_marked(client):
    event = play(profit_season(), FIRST)
    assert "This result has not been computed yet." in why(client, event, "Ada")


def test_the_same_queries_for_every_table(client):
    season = profit_season()
    small = play(season, "Ada 1\nBen -1")
    large = play(season, FIRST, game=1)
    recompute(season.pool_id)
    counts = []
    for event in (small, large):
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address(event, "Ada")).status_code == 200
        counts.append(len(captured))
    assert counts == [8, 8]


def test_who_did_not_play_is_not_found(client):
    season = profit_season()
    first = play(season, "Ada 1\nBen -1")
    play(season, "Cleo 1\nBen -1", game=1)
    assert client.get(address(first, "Cleo")).status_code == 404
