"""Forecasts are computed once for each version of ratings, and the same data give the same figures."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from forecasts import services
from forecasts.models import PoolQuality, SettingsFit, TitleOdds
from forecasts.services import ask_for_fit, claim_fits, claim_pools, compute_fit, compute_pool
from league.models import Player
from league.services.events import enter_result
from league.services.seasons import close_season
from ratings.models import RatedEntry
from reading.results import EntryInput, EventDetails
from standings.recomputation.service import recompute
from tests.factories import START, ClubFactory, UserFactory, correct, enter
from tests.forecasts.seasons import ORDERS, played
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
DURING = datetime(2026, 1, 25, tzinfo=UTC)


def test_pools_are_claimed_until_their_forecasts_are_as_new_as_their_ratings():
    season = played()
    assert claim_pools() == []
    enter(season, ORDERS[3], day=21)
    assert claim_pools() == []  # not rated yet
    recompute(season.pool_id)
    later = timezone.now() + timedelta(hours=1)
    assert claim_pools(later) == [season.pool_id]
    assert claim_pools(later) == []  # somebody computes it
    assert claim_pools(later + services.LOST_AFTER * 2) == [season.pool_id]  # who was killed
    compute_pool(season.pool_id)
    assert claim_pools() == []
    assert PoolQuality.objects.get().figures["n_events"] == 4


def test_a_large_pool_rests_before_it_is_computed_again():
    season = played()
    PoolQuality.objects.update(version=0, seconds=60.0)
    assert claim_pools() == []
    assert claim_pools(timezone.now() + timedelta(seconds=60 * services.REST + 1)) == [season.pool_id]


def test_pairs_are_those_of_the_stored_ratings():
    played(2)
    figures = PoolQuality.objects.get().figures
    second = RatedEntry.objects.order_by("-starts_at", "place")[:4]
    right = sum(
        1.0 if a.prior_mu > b.prior_mu else 0.5 if a.prior_mu == b.prior_mu else 0.0
        for i, a in enumerate(second)
        for b in second[i + 1 :]
    )
    assert figures["pairs"]["n"] == 12
    assert figures["pairs"]["accuracy"][0] == pytest.approx(
        (3 + right) / 12
    )  # before the first all are equal


def test_a_player_counts_once_in_an_event_rated_before_it_and_placed_at_its_end():
    season = played(1)
    twice = [EntryInput("Ada", 1, number=2), EntryInput("Boris", 2), EntryInput("Ada", 3)]
    enter_result(season, EventDetails(START + timedelta(days=7)), twice, actor=None)
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    assert PoolQuality.objects.get().figures["pairs"]["n"] == 6 + 1


def test_the_same_data_give_the_same_odds_and_are_not_played_again(monkeypatch):
    season = played()
    before = TitleOdds.objects.get(season=season)
    compute_pool(season.pool_id, now=timezone.now())
    assert TitleOdds.objects.get().computed_at == before.computed_at
    TitleOdds.objects.all().delete()
    compute_pool(season.pool_id)
    assert TitleOdds.objects.get().figures == before.figures


def test_nights_to_come_follow_from_the_last_day(monkeypatch):
    season = played(3)
    compute_pool(season.pool_id, now=DURING)
    odds = TitleOdds.objects.get()
    # After January 25, which is today, every seven days until February 28.
    assert odds.figures["n_to_come"] == 4
    assert sum(row[0] for row in odds.figures["chances"]) == pytest.approx(1.0, abs=0.001)
    names = dict(Player.objects.values_list("pk", "name"))
    title = {
        names[pk]: row[0] for pk, row in zip(odds.figures["players"], odds.figures["chances"], strict=True)
    }
    assert max(title, key=title.get) == "Ada"
    assert odds.scores == []


def test_nobody_knows_the_odds_of_a_season_without_an_end():
    season = played(3, ends_on=None)
    assert TitleOdds.objects.get(season=season).figures == {}


def test_an_ended_season_is_scored_by_who_won_it():
    season = played(4)
    close_season(season, actor=UserFactory(is_superuser=True))
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    odds = TitleOdds.objects.get()
    ada = str(Player.objects.get(name="Ada").pk)
    assert [each["night"] for each in odds.figures["before"]] == [1, 2, 3]
    for forecast, score in zip(odds.figures["before"], odds.scores, strict=True):
        said = forecast["odds"]
        assert score["brier"] == pytest.approx(
            sum((chance - (player == ada)) ** 2 for player, chance in said.items())
        )
        assert score["brier_equal"] == pytest.approx(0.75**2 + 3 * 0.25**2)


def test_a_forecast_uses_nothing_that_came_later():
    """What was said after the second night stays when the third is corrected, but for the draw of random numbers."""
    season = played(4)
    third = season.events.order_by("starts_at")[2]
    before = TitleOdds.objects.get().figures["before"][1]["odds"]
    correct(third, "Dora\nCleo\nBoris\nAda")
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    after = TitleOdds.objects.get().figures["before"][1]["odds"]
    assert after == pytest.approx(before, abs=0.1)  # five standard errors of a difference


def test_a_pool_of_r_is_scored_too():
    season = profit_season(ClubFactory())
    add_games(season, n_games=12)
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    figures = PoolQuality.objects.get(pool=season.pool_id).figures
    assert figures["n_events"] == 12
    assert figures["pairs"]["n"] > 0


def test_a_fit_is_computed_once_for_each_time_it_is_asked_for():
    season = played(3)
    compute_fit(season.pool_id)
    assert not SettingsFit.objects.exists()
    ask_for_fit(season.pool)
    ask_for_fit(season.pool)
    assert claim_fits() == [season.pool_id]
    assert claim_fits() == []
    compute_fit(season.pool_id)
    fit = SettingsFit.objects.get()
    assert (fit.is_asked, claim_fits()) == (False, [])
    now = next(each for each in fit.tried if each["is_now"])
    figures = PoolQuality.objects.get().figures
    assert now["log_loss"] == pytest.approx(figures["pairs"]["log_loss"])
    assert now["accuracy"] == pytest.approx(figures["pairs"]["accuracy"][0])
    assert now["better"][0] == 0.0
    assert [each["log_loss"] for each in fit.tried] == sorted(each["log_loss"] for each in fit.tried)
