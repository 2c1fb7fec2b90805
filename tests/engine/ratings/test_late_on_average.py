"""What entering late brings on average, by chances of places from stacks alone (Malmuth-Harville)."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.engine.icm import place_probabilities
from ratings.engine.simulation.figures import late_on_average, late_penalty
from ratings.engine.simulation.scenario import PENALTY_FIELD, late_entries
from ratings.engine.tier.params import FULL_LATE_B, TierParams, rate
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

PUBLISHED, FULL = TierParams(), TierParams(late_charge="full")


def change(left, place):
    """The change of rate of a new player who is registered when `left` are left, and finishes at a place."""
    start = PoolState.fresh(PENALTY_FIELD, PUBLISHED)
    after = replay_events(late_entries(left, (place,)), start, PUBLISHED)
    before = rate(PUBLISHED.mu0, PUBLISHED.sigma0, PUBLISHED)
    return rate(after.posterior_mu[0], after.posterior_sigma[0], PUBLISHED) - before


# Differences found with an independent program, before hands_low was raised (the specification of TIER, section 4).
@pytest.mark.parametrize(("left", "found"), [(59, 4.8), (49, 25.9), (39, 36.2), (29, 34.6)])
def test_the_published_charge_takes_back_only_a_part_of_what_entering_late_avoids(left, found):
    stacks = np.array([1.0] + [(PENALTY_FIELD - 1) / (left - 1)] * (left - 1))
    chances = place_probabilities(stacks)[0]
    late = sum(chance * change(left, place) for place, chance in enumerate(chances, start=1))
    on_time = np.mean([change(PENALTY_FIELD, place) for place in range(1, PENALTY_FIELD + 1)])
    assert late - on_time == pytest.approx(found, abs=2.0)
    assert late_on_average(left, PUBLISHED) == pytest.approx(late - on_time, abs=0.2)


def assert_entering_late_never_pays(n_entries):
    for sigma in (500.0, 300.0):
        gains = [
            late_on_average(left, FULL, n_entries=n_entries, sigma=sigma) for left in range(2, n_entries)
        ]
        assert max(gains) <= 0.0, (n_entries, sigma)


@pytest.mark.parametrize("n_entries", [20, 30])
def test_with_the_full_charge_entering_late_never_pays(n_entries):
    assert_entering_late_never_pays(n_entries)


@pytest.mark.rest
@pytest.mark.parametrize("n_entries", [25, 40, 60, 72, 85, 100])
def test_with_the_full_charge_entering_late_never_pays_in_large_fields(n_entries):
    assert_entering_late_never_pays(n_entries)


def test_a_hundredth_less_would_leave_a_gain():
    """The hardest case of `calibrate --full`: the first bust of 72 settled players."""
    less = replace(PUBLISHED, late_b=FULL_LATE_B - 0.01)
    assert late_on_average(71, FULL, n_entries=72, sigma=300.0) <= 0.0
    assert late_on_average(71, less, n_entries=72, sigma=300.0) > 0.0


def test_the_full_charge_costs_more_for_the_same_place():
    for left in (59, 49, 39, 29):
        assert late_penalty(1500.0, left, FULL) < 4 * late_penalty(1500.0, left, PUBLISHED) < 0.0
