"""The floor of the rate: no debt grows below it (spec/tier-rating, section 1)."""

import numpy as np
import pytest

from ratings.engine.history import EventHistory
from ratings.engine.tier.figures import explain_entries
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import rate_event, replay_events
from ratings.engine.tier.pool_state import PoolState

PARAMS = TierParams()
FIELD = 12
LAST = [*range(1, FIELD), 0]
FIRST = [*range(FIELD)]


def replayed(orders, params=PARAMS):
    history = EventHistory.of_orders(orders, duration=240.0)
    return replay_events(history, PoolState.fresh(FIELD, params), params)


def later():
    """One more event in which player 0 is last, after the 26."""
    return EventHistory.of_orders([LAST] * 27, duration=240.0).part(26, 27)


def rates_of(replay, player, params=PARAMS):
    rows = replay.history.player == player
    return rate(replay.posterior_mu[rows], replay.posterior_sigma[rows], params)


def test_after_26_last_places_the_first_win_counts():
    """Raw, these 26 last places lead to -286, and four wins that follow each changed nothing."""
    rates = rates_of(replayed([LAST] * 26 + [FIRST] * 4), 0)
    assert rates[25] == pytest.approx(900.0, abs=1e-9)
    assert np.all(np.diff(rates[25:]) > 30.0)
    own = replayed([LAST] * 26).state
    assert own.mu[0] - PARAMS.conservatism * own.sigma[0] + PARAMS.offset == pytest.approx(900.0, abs=1e-9)


def test_nothing_changes_above_the_floor():
    """Two last places do not reach the floor: without it, every number is the same to the bit."""
    free = TierParams(rate_floor=-1e6)
    one, other = replayed([LAST] * 2), replayed([LAST] * 2, free)
    assert rates_of(one, 0)[-1] > 900.0
    assert one.posterior_mu.tolist() == other.posterior_mu.tolist()


def test_the_floor_is_a_step_of_the_explanation():
    replay = replayed([LAST] * 26 + [FIRST])
    explained = [
        why for why, player in zip(explain_entries(replay), replay.history.player, strict=True) if player == 0
    ]
    for why in explained:
        assert sum(change for _name, change in why.steps) == pytest.approx(why.change, abs=1e-9)
        assert why.posterior.rate >= 900.0
    at_floor = explained[25]
    assert at_floor.floors[-1] == "rate"
    assert dict(at_floor.steps)["rate_floor"] > 1.0
    assert at_floor.change == pytest.approx(0.0, abs=1e-9)
    assert dict(explained[26].steps)["rate_floor"] == pytest.approx(0.0, abs=1e-9)


def test_others_do_not_pay_for_the_floor():
    """What is lifted is taken from nobody: the others' posteriors are those of an event without a floor."""
    state = replayed([LAST] * 26).state
    event = later()
    with_floor = rate_event(event, state, PARAMS)
    without = rate_event(event, state, TierParams(rate_floor=-1e6))
    above = rate(without.posterior_mu, without.posterior_sigma, PARAMS) > 900.0
    assert 4 <= above.sum() < FIELD
    assert with_floor.posterior_mu[above].tolist() == without.posterior_mu[above].tolist()
    assert np.all(with_floor.posterior_mu[~above] > without.posterior_mu[~above])


def test_a_debt_from_before_a_higher_floor_goes_with_the_next_event():
    low = TierParams(rate_floor=-1e6)
    state = replayed([LAST] * 26, low).state
    why = explain_entries(rate_event(later(), state, PARAMS))[-1]
    assert (why.prior.rate, why.posterior.rate) == (900.0, pytest.approx(900.0, abs=1e-9))
    assert why.posterior.mu > why.prior.mu
    assert sum(change for _name, change in why.steps) == pytest.approx(0.0, abs=1e-9)
