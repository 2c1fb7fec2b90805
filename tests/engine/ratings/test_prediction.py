"""Predictions compared with closed forms, sums and simulated performances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from ratings.engine.forecasts.prediction import (
    expected_place,
    expected_places,
    pairwise_probabilities,
    win_probabilities,
)

FIELD = np.array([1900.0, 1500.0, 1400.0, 1100.0]), np.array([300.0, 500.0, 350.0, 450.0])


def test_two_players_closed_form():
    """Phi(200 / sqrt(300^2 + 400^2 + 2 * 1000^2))."""
    chance = norm.cdf(200.0 / np.sqrt(300.0**2 + 400.0**2 + 2e6))
    assert pairwise_probabilities([1600, 1400], [300, 400])[0, 1] == pytest.approx(chance, abs=1e-15)
    assert win_probabilities([1600, 1400], [300, 400])[0] == pytest.approx(chance, abs=1e-12)
    assert expected_places([1600, 1400], [300, 400])[0] == pytest.approx(2.0 - chance, abs=1e-15)


def test_win_probability_against_adaptive_quadrature():
    mu, sigma = FIELD
    s = np.hypot(sigma, 1000.0)

    def density(x, i):
        others = [j for j in range(4) if j != i]
        return norm.pdf(x, mu[i], s[i]) * np.prod(norm.cdf(x, mu[others], s[others]))

    expected = [quad(density, -9000, 12000, args=(i,), epsabs=1e-13, limit=200)[0] for i in range(4)]
    np.testing.assert_allclose(win_probabilities(mu, sigma), expected, rtol=0, atol=1e-11)


def test_against_simulated_performances():
    """200,000 events: three standard errors are 0.0034."""
    mu, sigma = FIELD
    rng = np.random.default_rng(7)
    drawn = rng.normal(mu, np.hypot(sigma, 1000.0), (200_000, 4))
    place = 1 + (drawn[:, :, np.newaxis] < drawn[:, np.newaxis, :]).sum(axis=2)
    np.testing.assert_allclose(win_probabilities(mu, sigma), (place == 1).mean(axis=0), atol=0.0034)
    np.testing.assert_allclose(expected_places(mu, sigma), place.mean(axis=0), atol=0.01)


@given(
    st.lists(st.tuples(st.floats(-3000, 6000), st.floats(1, 3000)), min_size=1, max_size=60),
    st.floats(100, 3000),
)
def test_sums_and_order(field, beta):
    mu, sigma = np.array(field).T
    wins, places = win_probabilities(mu, sigma, beta=beta), expected_places(mu, sigma, beta=beta)
    assert wins.sum() == pytest.approx(1.0, abs=1e-10)
    assert places.mean() == pytest.approx((mu.size + 1) / 2)
    pairs = pairwise_probabilities(mu, sigma, beta=beta)
    np.testing.assert_allclose(pairs + pairs.T, 1.0, rtol=0, atol=1e-15)
    assert expected_place(0, mu, sigma, beta=beta) == pytest.approx(places[0])


def test_equal_players():
    np.testing.assert_allclose(
        win_probabilities(np.full(1000, 1500.0), np.full(1000, 500.0)), 1e-3, atol=1e-14
    )


@pytest.mark.parametrize("gap", [1e4, 1e6, 1e9])
def test_a_giant_wins(gap):
    assert win_probabilities([0.0, gap, 0.0], [500.0] * 3).round(9).tolist() == [0.0, 1.0, 0.0]


def test_more_noise_for_one_entry():
    """Each entry has its own beta: Phi(100 / sqrt(2 * 300^2 + 1000^2 + 2000^2))."""
    chance = norm.cdf(100.0 / np.sqrt(2 * 300.0**2 + 1000.0**2 + 2000.0**2))
    assert win_probabilities([1600, 1500], [300, 300], beta=[1000, 2000])[0] == pytest.approx(chance)


@pytest.mark.parametrize(
    ("mu", "sigma", "beta", "message"),
    [
        ([], [], 1000, "mu must be one-dimensional and not empty"),
        ([1, np.nan], [1, 1], 1000, r"mu\[1\] must be finite"),
        ([1, 2], [1, -1], 1000, r"sigma\[1\] must be positive"),
        ([1, 2], [1, 1, 1], 1000, "sigma has shape"),
        ([1, 2], [1, 1], [1, 0], r"beta\[1\] must be positive"),
        ([1, 2], [1, 1e9], 1, "differ too much"),
    ],
)
def test_bad_input(mu, sigma, beta, message):
    with pytest.raises(ValueError, match=message):
        win_probabilities(mu, sigma, beta=beta)
