"""Pages of forecasts: what they say of small and of large histories, and who may ask for other settings."""

import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from forecasts.models import PoolQuality, SettingsFit
from forecasts.pages.quality import places_in_words, verdict_of
from forecasts.pages.titles import percent
from forecasts.scores import all_scores, season_scores
from forecasts.services import compute_fit, compute_pool
from tests.factories import SeasonFactory, UserFactory
from tests.forecasts.seasons import played

pytestmark = pytest.mark.django_db
DURING = datetime(2026, 1, 25, tzinfo=UTC)


def quality_address(season):
    return reverse("forecasts:quality", args=[season.club.slug])


def title_address(season):
    return reverse("forecasts:title", args=[season.club.slug, season.slug])


def figures(accuracy, error, n_events=1_000, bins=(), scale=1.0, luck=0.0):
    pairs = {"n": 9, "accuracy": [accuracy, error, 9], "bins": list(bins)}
    calibrated = {"bins": list(bins)}
    return {"n_events": n_events, "pairs": pairs, "calibrated": calibrated, "scale": scale, "luck": luck}


def test_a_small_club_reads_that_it_is_too_early(client):
    season = played(3)
    page = client.get(quality_address(season)).content.decode()
    assert "It is too early to say" in page
    assert "3 events, 18 pairs" in page
    assert "For organizers" not in page


def test_a_club_without_ratings_has_a_page(client):
    assert "Nothing to show yet" in client.get(quality_address(SeasonFactory())).content.decode()


def test_the_finding_in_words():
    good = verdict_of(
        figures(0.634, 0.003, bins=[[0.52, 0.53, 0.01, 9], [0.98, 0.86, 0.01, 9]], scale=0.6, luck=0.15)
    )
    assert good.text == (
        "Right in 63 of 100 pairs, where a coin is right in 50."
        " But too sure of themselves: when they said 98 %, it was 86 %."
    )
    assert "60 %" in good.follows[1]
    assert "In 15 of 100 pairs luck alone decides" in good.follows[2]
    assert "off by up to 12 in 100" in good.follows[3]
    coin = verdict_of(figures(0.506, 0.014))
    assert coin.text == "Right in 51 of 100 pairs: no better than a coin."
    # (2 * 0.03 / 0.03)^2 times as many events show a lead of 3 in 100.
    assert "With about 40 events" in verdict_of(figures(0.509, 0.03, n_events=10)).text


def test_expected_places_that_are_wrong_are_called_so():
    bins = [[0.1, 0.05, 0.01, 9], [0.5, 0.001, 0.01, 9]]
    assert "off by up to 5.0 %" in places_in_words({"calibrated_places": {"bins": bins}})
    assert "are right" in places_in_words({"calibrated_places": {"bins": bins[1:]}})


def test_chances_are_never_rounded_to_certainty():
    assert [percent(chance) for chance in (0.0, 0.001, 0.374, 0.999, 1.0)] == [
        "0 %", "under 1 %", "37 %", "over 99 %", "100 %",
    ]  # fmt: skip


def test_odds_on_their_page_and_on_that_of_the_season(client, django_assert_num_queries):
    season = played(3)
    with time_machine.travel(DURING):
        compute_pool(season.pool_id)
        page = client.get(title_address(season)).content.decode()
        table = client.get(reverse("standings:season-table", args=[season.club.slug, season.slug]))
    assert re.search(r"<h1>Ada in \d\d of 100, before \w+</h1>", page)
    assert "About 4 events are left, at the usual pace to the last day. Forecast of January 25." in page
    assert page.count('scope="row"') == 4
    assert "Who wins the title?" in table.content.decode()


def test_a_cached_page_of_the_season_shows_new_odds(client):
    season = played(3)
    address = reverse("standings:season-table", args=[season.club.slug, season.slug])
    assert "Who wins the title?" not in client.get(address).content.decode()  # February 2026 is past
    with time_machine.travel(DURING):
        assert "Who wins the title?" not in client.get(address).content.decode()  # computed for another day
        compute_pool(season.pool_id)
        assert "Who wins the title?" in client.get(address).content.decode()
    assert "Who wins the title?" not in client.get(address).content.decode()


def test_a_season_without_an_end_says_what_is_missing(client):
    assert "No chances yet" in client.get(title_address(played(2, ends_on=None))).content.decode()


def test_organizers_ask_for_other_settings_and_are_warned(client):
    season = played(3)
    client.force_login(UserFactory(is_superuser=True))
    address = reverse("forecasts:fit", args=[season.club.slug, season.pool_id])
    assert "Being computed" in client.post(address, follow=True).content.decode()
    client.post(address)
    assert SettingsFit.objects.get().is_asked
    compute_fit(season.pool_id)
    page = client.get(quality_address(season)).content.decode()
    assert "With 3 events the history is too small to say" in page
    assert "in force" in page


def test_others_may_not_ask(client):
    season = played(2)
    address = reverse("forecasts:fit", args=[season.club.slug, season.pool_id])
    member = Client()
    member.force_login(UserFactory())
    assert (client.post(address).status_code, member.post(address).status_code) == (302, 403)
    assert not SettingsFit.objects.exists()


def test_scores_of_seasons_add_up():
    season = season_scores([{"odds": {"1": 0.75, "2": 0.25}}, {"odds": {"1": 0.5, "2": 0.5}}], [1])
    scores = all_scores([season, [], season])
    assert (scores.n_seasons, scores.n_forecasts) == (2, 4)
    assert scores.brier == pytest.approx((2 * 0.25**2 + 2 * 0.5**2) / 2)
    assert scores.brier_equal == pytest.approx(0.5)
    half = next(each for each in scores.bins if each.said == 0.5)
    assert (half.was, half.n) == (0.5, 4)
    assert all_scores([[]]) is None


def test_a_winner_who_came_later_counts_against_the_forecast():
    (score,) = season_scores([{"odds": {"1": 1.0}}], [2])
    assert score["brier"] == 2.0


def test_figures_of_nobody_are_not_shown():
    season = played(1)
    PoolQuality.objects.update(figures={})
    assert "Nothing to show yet" in Client().get(quality_address(season)).content.decode()
