"""Rate and badge. Expected numbers: TIER publication of November 2022 (table of badges, K, L, floors)."""

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import norm

from ratings.engine.tier.badges import BADGES, badge, badge_bounds
from ratings.engine.tier.params import TierParams, is_provisional, rate


def test_published_defaults():
    params = TierParams()
    assert (params.mu0, params.sigma0, params.beta) == (1500.0, 500.0, 1000.0)
    assert (params.sigma_floor, params.rate_floor, params.provisional_entries) == (300.0, 900.0, 3)
    assert params.tau_per_day == 0.0
    assert params.conservatism == pytest.approx(norm.ppf(0.8), abs=1e-11)  # 80 % of the mass lies above
    assert params.offset == params.conservatism * 440.0


def test_median_player_shows_1500_after_three_events():
    assert rate(1500.0, 440.0, TierParams()) == 1500.0


def test_new_player_and_floor():
    """1500 - K (500 - 440) = 1449.50; 1000 - K 60 = 949.50; 500 - K 60 is below the floor of 900."""
    rates = rate(np.array([1500.0, 1000.0, 500.0]), np.full(3, 500.0), TierParams())
    np.testing.assert_allclose(rates, [1449.5027259858, 949.5027259858, 900.0], rtol=1e-13)


def test_a_scalar_gives_a_float():
    assert type(rate(1500.0, 440.0, TierParams())) is float


@pytest.mark.parametrize(
    ("name", "lower"),
    [
        ("S", 2000),
        ("A1", 1900),
        ("A2", 1800),
        ("A3", 1700),
        ("B1", 1600),
        ("B2", 1500),
        ("B3", 1400),
        ("C1", 1300),
        ("C2", 1200),
    ],
)
def test_lower_bounds_are_inclusive(name, lower):
    assert badge(lower, TierParams()) == name
    assert badge(math.nextafter(lower, 0.0), TierParams()) == BADGES[BADGES.index(name) + 1]


def test_lowest_and_missing_badge():
    assert badge(900.0, TierParams()) == "C3"
    with pytest.raises(ValueError, match="no badge"):
        badge(math.nan, TierParams())


def test_badges_with_other_bounds():
    bounds = badge_bounds(TierParams(badge_top=1800.0, badge_step=50.0))
    assert bounds[:3] == (("S", 1800.0), ("A1", 1750.0), ("A2", 1700.0))
    assert bounds[-2:] == (("C2", 1400.0), ("C3", -math.inf))


def test_placement_period_is_three_entries():
    assert [is_provisional(n, TierParams()) for n in range(5)] == [True, True, True, False, False]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("mu0", math.nan),
        ("sigma0", 0.0),
        ("sigma0", 299.0),
        ("beta", -1.0),
        ("beta", math.inf),
        ("conservatism", -0.1),
        ("sigma_floor", -1.0),
        ("tau_per_day", -1.0),
        ("tolerance", 0.0),
        ("provisional_entries", -1),
        ("provisional_entries", 1.5),
        ("max_rounds", 1),
        ("badge_step", 0.0),
        ("season_start", "sometimes"),
    ],
)
def test_nonsense_is_refused_by_name(field, value):
    named = "sigma_floor" if (field, value) == ("sigma0", 299.0) else field
    with pytest.raises(ValueError, match=f"^{named} must be"):
        TierParams(**{field: value})


def test_badges_and_explanations_need_no_numba():
    """Engine notes: numba costs 0.15 s of start-up, so web requests must not import it."""
    code = "import sys, ratings.engine.tier.explanation; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
