"""The penalty for late registration."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.chain import rate_field
from ratings.engine.history import EventHistory
from ratings.engine.icm import place_probabilities
from ratings.engine.tier import pipeline_arrays as rows
from ratings.engine.tier.late_registration import (
    count_entered,
    curves_for,
    late_gain,
    place_gain,
    unit_curve,
)
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import rate_event
from ratings.engine.tier.pool_state import PoolState

PARAMS = TierParams()
K = PARAMS.conservatism
# Players left of a field of 60 at the late registration, as in the publication.
LEFT = (59, 49, 39, 29)


def late_event(n_left, *, place=1, n=60):
    """An event of n entries; the one that finishes at `place` registers when n - n_left are bust."""
    busts = np.concatenate([np.linspace(360.0, 61.0, n_left), np.linspace(59.0, 1.0, n - n_left)])
    registered = np.zeros(n)
    registered[place - 1] = 60.0
    return EventHistory(
        np.zeros(1), np.array([0, n]), np.array([360.0]), np.array([60.0]), np.array([9]), np.array([9]),
        np.arange(n), np.ones(n, np.int64), np.arange(1, n + 1), registered, busts,
    )  # fmt: skip


def outcome(n_left, *, mu=1500.0, sigma=500.0, place=1, params=PARAMS, others=500.0):
    start = PoolState.fresh(60, params)
    start.mu[place - 1], start.sigma[:], start.sigma[place - 1] = mu, others, sigma
    return rate_event(late_event(n_left, place=place), start, params)


@pytest.mark.parametrize("n_left", LEFT)
def test_penalty_does_not_depend_on_the_late_players_rating(n_left):
    penalties = [outcome(n_left, mu=mu).penalty[0] for mu in (1000.0, 1500.0, 2000.0)]
    penalties += [outcome(n_left, sigma=300.0).penalty[0], outcome(n_left, place=20).penalty[19]]
    assert max(penalties) - min(penalties) < 0.1
    assert outcome(n_left, mu=1000.0).penalty[0] == outcome(n_left, mu=2000.0).penalty[0]


def test_penalty_grows_with_those_already_out():
    penalties = [outcome(n_left).penalty[0] for n_left in LEFT]
    assert penalties[0] > 0.0
    assert penalties == sorted(penalties)


def test_penalty_comes_off_mu_and_leaves_sigma():
    charged, without = outcome(29), outcome(29, params=TierParams(late_a=0.0, late_b=0.0))
    np.testing.assert_allclose(
        without.posterior_mu[0] - charged.posterior_mu[0], charged.penalty[0], rtol=0, atol=1e-9
    )
    assert charged.posterior_sigma.tolist() == without.posterior_sigma.tolist()
    assert charged.posterior_mu[1:].tolist() == without.posterior_mu[1:].tolist()


def test_the_penalty_is_less_among_certain_ratings():
    assert outcome(29, others=300.0).penalty[0] < 0.6 * outcome(29).penalty[0]


def test_first_entries_pay_a_quarter_more():
    """A first entry and a re-entry register at the same moment."""
    event = EventHistory(
        np.zeros(1), np.array([0, 5]), np.array([100.0]), np.array([60.0]), np.array([9]), np.array([9]),
        np.array([0, 1, 2, 3, 0]), np.array([2, 1, 1, 1, 1]), np.arange(1, 6),
        np.array([20.0, 20.0, 0.0, 0.0, 0.0]), np.array([100.0, 100.0, 90.0, 80.0, 10.0]),
    )  # fmt: skip
    flat = TierParams(hands_low=1.0, hands_high=1.0, late_a=0.0, late_b=1.0)
    replayed = rate_event(event, PoolState.fresh(4, flat), flat)
    again, first = replayed.penalty[:2] / replayed.numbers[rows.PART2, :2]
    assert again == pytest.approx(1.0)
    assert first == pytest.approx(1.25)
    assert (replayed.n_entered[:2].tolist(), replayed.n_bust[:2].tolist()) == ([5, 5], [1, 1])


def test_nobody_is_late_before_the_first_bust():
    event = late_event(29)
    early = replace(event, registered_at=np.where(event.registered_at > 0.0, 0.5, 0.0))
    assert not rate_event(early, PoolState.fresh(60, PARAMS), PARAMS).penalty.any()


def test_part_1_is_pb_over_pe_of_the_gains_by_partial_fields():
    """Seven early busts and two late entries; a = 1, b = 0: each is charged Pb/Pe of the sum."""
    params = TierParams(late_a=1.0, late_b=0.0, hands_low=1.0, hands_high=1.0)
    n = 20
    registered = np.zeros(n)
    registered[[0, 4]] = 30.0, 50.0
    event = EventHistory(
        np.zeros(1), np.array([0, n]), np.array([200.0]), np.array([60.0]), np.array([9]), np.array([9]),
        np.arange(n), np.ones(n, np.int64), np.arange(1, n + 1), registered, np.linspace(200.0, 5.0, n),
    )  # fmt: skip
    replayed = rate_event(event, PoolState.fresh(n, params), params)
    ratio = replayed.n_bust[[0, 4]] / replayed.n_entered[[0, 4]]
    part1 = replayed.numbers[rows.PART1, [0, 4]]
    # In a field of equal players the gains of an average player are the real ones.
    whole = rate(replayed.numbers[rows.WHOLE_MU], replayed.numbers[rows.WHOLE_SIGMA], params)
    partial = rate(replayed.numbers[rows.PARTIAL_MU], replayed.numbers[rows.PARTIAL_SIGMA], params)
    np.testing.assert_allclose(part1, ratio * np.nansum(np.maximum(partial - whole, 0.0)), rtol=0, atol=1e-3)


@given(st.integers(2, 60), st.data())
def test_late_gain_is_the_expectation_by_the_icm_integral(n_entered, data):
    n_bust = data.draw(st.integers(0, n_entered - 1))
    n_others = n_entered - 1 - n_bust
    stacks = np.append(np.full(n_others, (n_entered - 1) / max(n_others, 1)), 1.0)
    variances, curves = (250000.0, 1250000.0), curves_for((n_entered,))
    gain = np.array([place_gain(n_entered, k, *variances, K, curves) for k in range(1, n_entered + 1)])
    expected = max(place_probabilities(stacks)[-1] @ gain[: n_others + 1] - gain.mean(), 0.0)
    assert late_gain(n_entered, n_bust, *variances, K, curves) == pytest.approx(expected, abs=1e-6)


@given(st.integers(2, 80), st.floats(1.0, 800.0), st.floats(10.0, 3000.0))
def test_unit_curve_gives_the_gains_of_any_field_of_equals(n, sigma, beta):
    field = rate_field(np.zeros(n), np.full(n, sigma), np.arange(1, n + 1), beta=beta, tolerance=1e-10)
    expected = field.mu - K * (field.sigma - sigma)
    curves = curves_for((n,))
    gains = [place_gain(n, k, sigma**2, sigma**2 + beta**2, K, curves) for k in range(1, n + 1)]
    np.testing.assert_allclose(gains, expected, rtol=0, atol=1e-7)


def test_late_gain_is_zero_if_nobody_is_out():
    assert late_gain(60, 0, 250000.0, 1250000.0, K, curves_for((60,))) == pytest.approx(0.0, abs=1e-9)


def test_late_gain_never_falls_with_those_out():
    curves = curves_for((60,))
    gains = [late_gain(60, bust, 250000.0, 1250000.0, K, curves) for bust in range(60)]
    assert (np.diff(gains) > 0.0).all()


def test_an_entry_after_all_others_are_out_wins():
    curves = curves_for((5,))
    best, gain = place_gain(5, 1, 1.0, 2.0, 0.0, curves), late_gain(5, 4, 1.0, 2.0, 0.0, curves)
    assert gain == pytest.approx(best)


def test_curves_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        unit_curve(5)[0][0] = 1.0


def test_pe_and_pb_slow_twin():
    rng = np.random.default_rng(3)
    registered = rng.integers(0, 20, 40).astype(float)
    busted = registered + rng.integers(0, 30, 40)
    entered, bust = count_entered(np.array([0, 40]), registered, busted)
    for i in range(40):
        assert entered[i] == sum(registered <= registered[i])
        assert bust[i] == sum(busted[j] <= registered[i] for j in range(40) if j != i)
