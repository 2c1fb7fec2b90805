"""What pages say of entering late, by chances of places from stacks alone (Malmuth-Harville)."""

import numpy as np
import pytest

from ratings.engine.icm import place_probabilities
from ratings.engine.pipeline import replay_events
from ratings.engine.pool_state import PoolState
from ratings.engine.scenario import PENALTY_FIELD, late_entry
from ratings.engine.tier import TierParams, rate

PARAMS = TierParams()


def change(left, place):
    """The change of rate of a new player who is registered when `left` are left, and finishes at a place."""
    start = PoolState.fresh(PENALTY_FIELD, PARAMS)
    after = replay_events(late_entry(left, place=place), start, PARAMS)
    before = rate(PARAMS.mu0, PARAMS.sigma0, PARAMS)
    return rate(after.posterior_mu[0], after.posterior_sigma[0], PARAMS) - before


# Differences found with an independent program (the specification of TIER, section 4).
@pytest.mark.parametrize(("left", "found"), [(59, 4.8), (49, 25.9), (39, 36.2), (29, 34.6)])
def test_the_published_charge_takes_back_only_a_part_of_what_entering_late_avoids(left, found):
    stacks = np.array([1.0] + [(PENALTY_FIELD - 1) / (left - 1)] * (left - 1))
    chances = place_probabilities(stacks)[0]
    late = sum(chance * change(left, place) for place, chance in enumerate(chances, start=1))
    on_time = np.mean([change(PENALTY_FIELD, place) for place in range(1, PENALTY_FIELD + 1)])
    assert late - on_time == pytest.approx(found, abs=2.0)
