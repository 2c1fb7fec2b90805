"""The constants in the code against the published targets (TIER publication of November 2022)."""

import json
import subprocess
import sys

import numpy as np
import pytest

from ratings.calibrate import (
    LATE_FALL,
    PUBLISHED_PENALTY,
    Measured,
    fit_late,
    late_fall,
    measure,
    rate_table,
    search_hands,
    seasons,
)
from ratings.engine.scenario import CLOSES_AT, PENALTY_MU
from ratings.engine.scenario_figures import late_penalty
from ratings.engine.tier import TierParams


@pytest.fixture(scope="module")
def measured():
    return measure(seasons(1, 20), TierParams())


def test_rates_by_type_are_near_the_published_ones(measured):
    """Five squared differences in standard errors of one season: a perfect model has 5 on average, 15 is the limit."""
    assert measured.score <= 15.0


def test_median_sigma_after_three_events(measured):
    assert measured.median_sigma[2] == pytest.approx(440.0, abs=5.0)


def test_late_penalties_are_the_published_ones():
    """Field of 60, others at 1500/500: within 1.2 points, and independent of the late player's mean to 0.1."""
    params = TierParams()
    assert params.late_a >= 0.0
    assert params.late_b >= 0.0
    for left, published in PUBLISHED_PENALTY.items():
        values = [late_penalty(mu, left, params) for mu in PENALTY_MU]
        assert values[1] == pytest.approx(published, abs=1.2)
        assert max(values) - min(values) < 0.1


def test_late_constants_are_the_fitted_ones():
    fitted = fit_late(TierParams())
    assert (fitted.late_a, fitted.late_b) == pytest.approx(
        (TierParams().late_a, TierParams().late_b), abs=0.002
    )


def test_late_registration_lowers_the_average_player():
    """-58.7 published, from one season; 2 x 11 x sqrt(2) is twice the standard error of such a difference."""
    assert late_fall(CLOSES_AT, 1, 3, TierParams()) == pytest.approx(LATE_FALL, abs=31.0)


def test_score_counts_standard_errors():
    rate = {"top": 2009.4, "strong": 1756.3, "average": 1621.5, "weak": 1490.0, "beginner": 1298.0}
    one = Measured(
        rate=rate, error=dict.fromkeys(rate, 0.0), median_sigma=[0.0, 0.0, 442.5], place_fraction={}
    )
    assert one.score == pytest.approx(1.0 + 1.0 + 0.0 + 1.0 + 4.0)
    assert one.objective == pytest.approx(8.0)
    assert "| top | 1939.4 | 1979.4 | 2009.4 | 0.0 | +30.0 | +1.00 |" in rate_table(one).split("\n")


def test_a_search_does_not_make_things_worse():
    played, progress = seasons(1, 1), []
    best = search_hands(played, TierParams(), 6, progress.append)
    assert len(progress) == 6
    first = TierParams(hands_scale=0.3, hands_low=0.3, hands_high=4.5)
    assert measure(played, best).objective <= measure(played, first).objective


def test_report_of_the_command():
    arguments = [sys.executable, "-m", "ratings.calibrate", "--report", "--seasons", "2"]
    process = subprocess.run(arguments, capture_output=True, text=True, check=True)
    report = json.loads(process.stdout)
    assert report["seasons"] == 2
    assert np.isfinite(report["score"])
