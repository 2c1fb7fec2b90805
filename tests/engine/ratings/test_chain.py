"""One field: golden values, independent implementations, invariants, and fields that break other packages."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import cumulative_simpson, simpson
from scipy.special import ndtr

from ratings.engine.chain import competition_places, rate_field
from ratings.engine.errors import NotConvergedError
from ratings.engine.kernels import rate_event, workspace
from ratings.engine.reference import rate_field_slowly

HYPOTHESIS = settings(max_examples=60, deadline=None)


def equal_field(n):
    return np.full(n, 1500.0), np.full(n, 500.0), np.arange(1, n + 1)


@st.composite
def fields(draw, most=2000):
    """Fields with mu gaps to 1e6 sigma, sigma 1e-3..1e6, upsets and ties."""
    n = draw(st.integers(2, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    low = draw(st.floats(-3.0, 6.0))
    high = draw(st.floats(low, 6.0))
    sigma = 10.0 ** rng.uniform(low, high, n)
    mu = rng.uniform(-0.5, 0.5, n) * sigma.max() * 10.0 ** draw(st.floats(0.0, 6.0))
    mu = {"random": mu, "upsets": np.sort(mu), "expected": np.sort(mu)[::-1].copy()}[
        draw(st.sampled_from(["random", "upsets", "expected"]))
    ]
    keys = rng.integers(0, draw(st.sampled_from([1, 2, n, 100 * n])), n)
    place = competition_places(np.sort(keys))
    beta = 10.0 ** rng.uniform(-3.0, 6.0, n) if draw(st.booleans()) else np.full(n, 1000.0)
    return mu, sigma, place, beta


# --- numbers from elsewhere -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "mu", "sigma"),
    [
        # Project's engine notes, November 2026, "Golden values": converged, all at 1500/500, beta 1000.
        (2, "1626.156626", "483.822804"),
        (10, "1844.234837", "465.9351118"),
        (100, "2060.755879", "457.3612983"),
        (1000, "2224.819726", "454.0456735"),
        (10000, "2361.252648", "452.3476977"),
    ],
)
def test_golden_values_to_all_printed_digits(n, mu, sigma):
    posterior = rate_field(*equal_field(n), tolerance=1e-11)
    assert f"{posterior.mu[0]:.{len(mu.split('.')[1])}f}" == mu
    assert f"{posterior.sigma[0]:.{len(sigma.split('.')[1])}f}" == sigma


def test_golden_value_of_the_last_of_a_thousand():
    """Engine notes: last of 1000 at 775.1802737."""
    assert f"{rate_field(*equal_field(1000), tolerance=1e-11).mu[-1]:.7f}" == "775.1802737"


def test_default_tolerance_leaves_less_than_a_hundred_thousandth_of_a_point():
    """Engine notes: 1e-6 leaves mu within 6e-6 points of converged."""
    for n in (10, 100, 1000, 10000):
        loose, tight = rate_field(*equal_field(n)), rate_field(*equal_field(n), tolerance=1e-12)
        assert np.max(np.abs(loose.mu - tight.mu)) < 1e-5


@pytest.mark.parametrize(
    ("mu", "sigma", "beta"), [((1500, 1500), (500, 500), 1000), ((1720, 1310), (310, 480), 250)]
)
def test_two_players_closed_form(mu, sigma, beta):
    """Herbrich, Minka, Graepel 2006, two-player update: mu +- sigma^2/c v(t), sigma^2 (1 - sigma^2/c^2 w)."""
    c = math.sqrt(sigma[0] ** 2 + sigma[1] ** 2 + 2 * beta**2)
    t = (mu[0] - mu[1]) / c
    v = math.exp(-t * t / 2) / math.sqrt(2 * math.pi) / ndtr(t)
    w = v * (v + t)
    posterior = rate_field(mu, sigma, [1, 2], beta=beta)
    want_mu = [mu[0] + sigma[0] ** 2 / c * v, mu[1] - sigma[1] ** 2 / c * v]
    want_sigma = [s * math.sqrt(1 - s * s / c**2 * w) for s in sigma]
    np.testing.assert_allclose(posterior.mu, want_mu, rtol=1e-12)
    np.testing.assert_allclose(posterior.sigma, want_sigma, rtol=1e-12)


def exact_chain(mu, sigma, beta):
    """Moments of skill given p1 > p2 > ... > pn, by integrals over one performance after the other.

    Given p_i = x, those above and those below are independent: the density of p_i is f_i(x) A_i(x) B_i(x) with
    A_i(x) = int_x f_(i-1) A_(i-1) and B_i(x) = int^x f_(i+1) B_(i+1). Skill i is linear in p_i plus noise.
    """
    n, sd = len(mu), np.hypot(sigma, beta)
    x = np.linspace(min(mu - 11 * sd), max(mu + 11 * sd), 60_001)
    density = np.exp(-(((x - mu[:, None]) / sd[:, None]) ** 2) / 2)
    above, below = np.ones((n, x.size)), np.ones((n, x.size))
    for i in range(1, n):
        reached = cumulative_simpson(density[i - 1] * above[i - 1], x=x, initial=0.0)
        above[i] = reached[-1] - reached
    for i in range(n - 2, -1, -1):
        below[i] = cumulative_simpson(density[i + 1] * below[i + 1], x=x, initial=0.0)
    new_mu, new_sigma = np.empty(n), np.empty(n)
    for i in range(n):
        z = (x - mu[i]) / sd[i]
        mass, first, second = (simpson(density[i] * above[i] * below[i] * z**k, x=x) for k in range(3))
        mean = first / mass
        gain = sigma[i] ** 2 / sd[i]
        new_mu[i] = mu[i] + gain * mean
        new_sigma[i] = math.sqrt(sigma[i] ** 2 - gain**2 + gain**2 * (second / mass - mean**2))
    return new_mu, new_sigma


def test_the_integrals_give_the_closed_form_of_two_players():
    mu, sigma = np.array([1720.0, 1310.0]), np.array([310.0, 480.0])
    exact_mu, exact_sigma = exact_chain(mu, sigma, 250.0)
    posterior = rate_field(mu, sigma, [1, 2], beta=250.0)
    np.testing.assert_allclose(posterior.mu, exact_mu, rtol=1e-9)
    np.testing.assert_allclose(posterior.sigma, exact_sigma, rtol=1e-9)


@pytest.mark.parametrize(
    ("mu", "sigma", "beta", "error_mu", "error_sigma"),
    [
        # Error of the method EP itself, measured against the integral, rating points.
        ((1500, 1500, 1500), (500, 500, 500), 1000, 0.1058, 0.0987),
        ((1300, 1500, 1700), (500, 400, 300), 1000, 0.0863, 0.0738),
        ((1500, 1500, 1500), (500, 500, 500), 250, 0.2116, 0.4978),
        ((1500,) * 4, (500,) * 4, 1000, 0.1540, 0.1269),
        ((1200, 1400, 1600, 1800), (300, 500, 400, 350), 1000, 0.0621, 0.0356),
        ((1500,) * 4, (500,) * 4, 250, 0.3080, 0.6250),
        ((1500,) * 5, (500,) * 5, 1000, 0.1726, 0.1398),
        ((1700, 1300, 1500, 1600, 1400), (500, 300, 450, 350, 400), 1000, 0.1602, 0.1353),
        ((1500,) * 5, (500,) * 5, 250, 0.3452, 0.7063),
    ],
)
def test_a_few_players_differ_from_the_exact_posterior_by_the_error_of_ep(
    mu, sigma, beta, error_mu, error_sigma
):
    mu, sigma = np.array(mu, float), np.array(sigma, float)
    exact_mu, exact_sigma = exact_chain(mu, sigma, beta)
    posterior = rate_field(mu, sigma, np.arange(1, mu.size + 1), beta=beta, tolerance=1e-12)
    assert np.max(np.abs(posterior.mu - exact_mu)) == pytest.approx(error_mu, abs=0.0005)
    assert np.max(np.abs(posterior.sigma - exact_sigma)) == pytest.approx(error_sigma, abs=0.0005)


# --- the slow twin --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_kernel_equals_its_slow_twin(seed):
    """reference.py: classic sweeps, no shared code; with ties and a beta for each entry."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    mu, sigma, beta = rng.normal(1500, 600, n), rng.uniform(50, 600, n), rng.uniform(200, 2000, n)
    place = competition_places(rng.integers(0, n, n) if seed % 2 else rng.permutation(n))
    want_mu, want_sigma = rate_field_slowly(mu, sigma, place, beta)
    posterior = rate_field(mu, sigma, place, beta=beta, tolerance=1e-12)
    np.testing.assert_allclose(posterior.mu, want_mu, rtol=1e-9)
    np.testing.assert_allclose(posterior.sigma, want_sigma, rtol=1e-9)


def test_slow_twin_raises_if_it_does_not_converge():
    mu, sigma, place = equal_field(5)
    with pytest.raises(ArithmeticError, match="2 sweeps"):
        rate_field_slowly(mu, sigma, place, np.full(5, 1000.0), max_sweeps=2)


# --- invariants -----------------------------------------------------------------------------------


@HYPOTHESIS
@given(fields())
def test_finite_and_never_wider_than_the_prior(field):
    mu, sigma, place, beta = field
    posterior = rate_field(mu, sigma, place, beta=beta)
    assert np.isfinite(posterior.mu).all()
    assert (posterior.sigma > 0.0).all()
    assert (posterior.sigma <= sigma).all()


@HYPOTHESIS
@given(fields(), st.integers(0, 2**32))
def test_order_of_names_changes_no_bit(field, seed):
    mu, sigma, place, beta = field
    order = np.random.default_rng(seed).permutation(mu.size)
    straight = rate_field(mu, sigma, place, beta=beta)
    shuffled = rate_field(mu[order], sigma[order], place[order], beta=beta[order])
    assert np.array_equal(straight.mu[order], shuffled.mu)
    assert np.array_equal(straight.sigma[order], shuffled.sigma)


@st.composite
def moderate_fields(draw):
    n = draw(st.integers(2, 300))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    keys = rng.integers(0, draw(st.sampled_from([n, 100 * n])), n)
    return rng.normal(1500.0, 400.0, n), rng.uniform(100.0, 500.0, n), competition_places(keys)


@HYPOTHESIS
@given(moderate_fields(), st.floats(1e-3, 1e3))
def test_scale_of_ratings_scales_the_result(field, scale):
    mu, sigma, place = field
    one = rate_field(mu, sigma, place, tolerance=1e-11)
    other = rate_field(scale * mu, scale * sigma, place, beta=scale * 1000.0, tolerance=1e-11)
    np.testing.assert_allclose(other.mu, scale * one.mu, rtol=1e-9, atol=1e-8 * scale)
    np.testing.assert_allclose(other.sigma, scale * one.sigma, rtol=1e-9)


@HYPOTHESIS
@given(moderate_fields())
def test_mirrored_field_mirrors(field):
    mu, sigma, place = field
    mirrored_place = competition_places(-place)
    one = rate_field(mu, sigma, place, tolerance=1e-11)
    other = rate_field(-mu, sigma, mirrored_place, tolerance=1e-11)
    np.testing.assert_allclose(other.mu, -one.mu, rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(other.sigma, one.sigma, rtol=1e-9)


@HYPOTHESIS
@given(st.integers(2, 2000))
def test_changes_of_a_symmetric_field_sum_to_zero(n):
    mu, sigma, place = equal_field(n)
    change = rate_field(mu, sigma, place, tolerance=1e-11).mu - mu
    assert abs(change.sum()) < 1e-10 * np.abs(change).sum()
    assert (np.diff(change) < 0.0).all()


# --- fields that break other packages (engine notes, "Why packages break") ---------------------------


def test_1401_distinct_places():
    posterior = rate_field(*equal_field(1401))
    assert np.isfinite(posterior.mu).all()
    assert (np.diff(posterior.mu) < 0.0).all()


def test_a_thousand_upsets_with_small_beta():
    n = 1000
    mu = np.linspace(0.0, 3000.0, n)
    posterior = rate_field(mu, np.full(n, 500.0), np.arange(1, n + 1), beta=200.0)
    assert np.isfinite(posterior.mu).all()
    assert (posterior.sigma < 500.0).all()


def test_two_tied_players():
    """Exact: sigma^2 = 1/(1/500^2 + 1/(1000^2 + 500^2 + 1000^2)) = 225000."""
    posterior = rate_field([1500, 1500], [500, 500], [1, 1])
    assert posterior.mu.tolist() == [1500.0, 1500.0]
    np.testing.assert_allclose(posterior.sigma, math.sqrt(225000.0), rtol=1e-14)
    assert f"{posterior.sigma[0]:.3f}" == "474.342"


def test_twenty_equal_tied_players_stay_equal():
    posterior = rate_field(np.full(20, 1500.0), np.full(20, 500.0), np.ones(20, int))
    assert np.unique(posterior.sigma).size == 1
    assert np.unique(posterior.mu).size == 1


def test_a_hundred_thousand_players():
    n = 100_000
    rng = np.random.default_rng(5)
    posterior = rate_field(rng.normal(1500, 300, n), rng.uniform(300, 500, n), rng.permutation(n) + 1)
    assert np.isfinite(posterior.mu).all()
    assert (posterior.sigma <= 500.0).all()


def test_a_hundred_thousand_players_all_tied():
    n = 100_000
    posterior = rate_field(np.random.default_rng(6).normal(1500, 300, n), np.full(n, 500.0), np.ones(n, int))
    assert posterior.rounds == 0
    assert np.isfinite(posterior.mu).all()


# --- arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mu", "sigma", "place", "beta", "message"),
    [
        ([], [], [], 1000, "mu is empty"),
        ([[1.0]], [1.0], [1], 1000, "mu must be one-dimensional"),
        ([1.0, 2.0], [1.0], [1, 2], 1000, "sigma has 1 entries, mu has 2"),
        ([1.0, 2.0], 1.0, [1, 2], 1000, "sigma must be one-dimensional"),
        ([1.0, 2.0], [1.0, 1.0], 1, 1000, "place must be one-dimensional"),
        ([1.0, 2.0], [1.0, 1.0], [1], 1000, "place has 1 entries"),
        ([1.0, math.inf], [1.0, 1.0], [1, 2], 1000, r"mu\[1\] must be finite"),
        ([1.0, 2.0], [1.0, math.nan], [1, 2], 1000, r"sigma\[1\] must be finite"),
        ([1.0, 2.0], [1.0, -1.0], [1, 2], 1000, r"sigma\[1\] must be positive"),
        ([1.0, 2.0], [0.0, 1.0], [1, 2], 1000, r"sigma\[0\] must be positive"),
        ([1.0, 2.0], [1.0, 1.0], [1, math.nan], 1000, r"place\[1\] must be finite"),
        ([1.0, 2.0], [1.0, 1.0], [1, 3], 1000, r"place\[1\] is 3"),
        ([1.0, 2.0], [1.0, 1.0], [0, 1], 1000, r"place\[0\] is 0"),
        ([1.0, 2.0], [1.0, 1.0], [1, 1.5], 1000, r"place\[1\] is 1.5"),
        ([1.0, 2.0, 3.0], [1.0] * 3, [1, 1, 2], 1000, r"place\[2\] is 2"),
        ([1.0, 2.0], [1.0, 1.0], [1, 2], [1000.0], "beta has 1 entries"),
        ([1.0, 2.0], [1.0, 1.0], [1, 2], [1000.0, 0.0], r"beta\[1\] must be positive"),
    ],
)
def test_bad_arguments_are_named(mu, sigma, place, beta, message):
    with pytest.raises(ValueError, match=message):
        rate_field(mu, sigma, place, beta=beta)


def test_one_player_keeps_the_prior():
    posterior = rate_field([1480.0], [333.0], [1])
    assert (posterior.mu.tolist(), posterior.sigma.tolist(), posterior.rounds) == ([1480.0], [333.0], 0)


def test_cap_on_rounds_raises():
    with pytest.raises(NotConvergedError, match="field of 100 did not converge"):
        rate_field(*equal_field(100), max_rounds=3)


def test_arguments_are_unchanged():
    rng = np.random.default_rng(3)
    mu, sigma, beta = rng.normal(1500, 300, 30), rng.uniform(300, 500, 30), rng.uniform(500, 1500, 30)
    place = competition_places(rng.integers(0, 20, 30))
    copies = [array.copy() for array in (mu, sigma, place, beta)]
    rate_field(mu, sigma, place, beta=beta)
    for array, copy in zip((mu, sigma, place, beta), copies, strict=True):
        assert np.array_equal(array, copy)


def test_workspace_may_be_larger_and_dirty():
    n = 7
    mu, sigma, place = equal_field(n)
    floats, ints = workspace(50)
    floats.fill(np.nan)
    ints.fill(-9)
    new_mu, new_sigma = np.empty(n), np.empty(n)
    rate_event(n, mu, sigma, np.full(n, 1e6), place, 1e-6, 500, floats, ints, new_mu, new_sigma)
    assert np.array_equal(new_mu, rate_field(mu, sigma, place).mu)


@pytest.mark.parametrize("keys", [[], [3], [2, 1, 2, 3], [0.5, -1.0, 0.5]])
def test_competition_places_counts_the_smaller(keys):
    assert competition_places(keys).tolist() == [1 + sum(other < key for other in keys) for key in keys]


@pytest.mark.parametrize(
    ("keys", "message"), [([1.0, math.nan], r"keys\[1\] is NaN"), ([[1]], "one-dimensional")]
)
def test_competition_places_refuses(keys, message):
    with pytest.raises(ValueError, match=message):
        competition_places(keys)
