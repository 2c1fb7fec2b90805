"""Explanations of rated entries, whose steps add up to the change."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.engine.forecasts.prediction import expected_places
from ratings.engine.history import EventHistory
from ratings.engine.tier import pipeline_arrays as rows
from ratings.engine.tier.badges import badge
from ratings.engine.tier.explanation import SKILL
from ratings.engine.tier.figures import explain_entries
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import rate_event, replay_events
from ratings.engine.tier.pool_state import PoolState
from tests.engine.ratings.test_late_registration import late_event
from tests.engine.ratings.test_pipeline import N_PLAYERS, history_of, start_of

PARAMS = TierParams()


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=50)
def test_steps_add_up(seed, scales_sigma):
    rng = np.random.default_rng(seed)
    params = TierParams(weight_scales_sigma=scales_sigma, late_a=0.5, late_b=0.5)
    start = replace(start_of(rng), mu=rng.normal(1200.0, 300.0, N_PLAYERS))
    replayed = replay_events(history_of(rng), start, params)
    for why in explain_entries(replayed):
        assert abs(sum(change for _name, change in why.steps) - why.change) < 1e-9
        steps = dict(why.steps)
        reached = why.prior.mu + sum(steps[name] for name in SKILL)
        least = params.rate_floor - params.offset + params.conservatism * why.posterior.sigma
        assert why.posterior.mu == pytest.approx(max(reached, least), abs=1e-9)
        assert steps["certainty"] == -params.conservatism * (why.posterior.sigma - why.prior.sigma)
        took_partial = why.partial is not None and why.partial.is_taken
        assert took_partial or steps["partial_field"] == 0.0
        assert why.posterior.badge == badge(why.posterior.rate, params)


def test_a_late_winner():
    why = explain_entries(rate_event(late_event(29), PoolState.fresh(60, PARAMS), PARAMS))
    first, last = why[0], why[-1]
    assert (first.late.n_entered, first.late.n_bust, first.late.factor) == (60, 31, 1.25)
    charged = 1.25 * (PARAMS.late_a * first.late.part1 + PARAMS.late_b * first.late.part2)
    assert first.late.penalty == pytest.approx(charged)
    assert first.partial is None
    assert first.place_weight.row == "first"
    assert (first.evidence.minutes, first.evidence.table_size) == (300.0, 9)
    assert first.evidence.hours == pytest.approx(5.0)
    assert first.expected_place == pytest.approx(30.5)
    assert (last.late, last.place, last.field_size) == (None, 60, 60)
    assert (last.partial.size, last.partial.place, last.partial.is_taken) == (59, 59, True)
    assert last.partial.change > last.whole_change
    assert last.place_weight.row == "bottom"


def test_provisional_until_the_third_entry():
    replayed = replay_events(EventHistory.of_orders([[0, 1]] * 4), PoolState.fresh(2, PARAMS), PARAMS)
    explanations = explain_entries(replayed)[::2]
    assert [why.posterior.is_provisional for why in explanations] == [True, True, False, False]
    assert [why.prior.is_provisional for why in explanations] == [True, True, True, False]


def test_floors_are_named():
    start = PoolState(
        np.array([600.0, 1500.0]), np.array([301.0, 301.0]), np.full(2, np.nan), np.zeros(2, np.int64)
    )
    why = explain_entries(rate_event(EventHistory.of_orders([[1, 0]], duration=600.0), start, PARAMS))
    assert why[1].floors == ("sigma", "rate")
    assert why[1].posterior.rate == 900.0
    assert why[1].change == 0.0
    assert why[0].floors == ("sigma",)
    assert dict(why[0].steps)["certainty"] == pytest.approx(
        PARAMS.conservatism * 1.0
    )  # from 301 to 300, not below


def test_expected_places_of_a_second_round():
    """In round 2 the player who has entered again stands with the first entry's rating, the others as they came."""
    event = EventHistory(
        np.zeros(1), np.array([0, 4]), np.array([60.0]), np.array([np.nan]), np.array([9]), np.array([9]),
        np.array([1, 0, 2, 1]), np.array([2, 1, 1, 1]), np.arange(1, 5), np.full(4, np.nan), np.full(4, np.nan),
    )  # fmt: skip
    replayed = rate_event(event, PoolState.fresh(3, PARAMS), PARAMS)
    mu, sigma = np.full(3, PARAMS.mu0), np.full(3, PARAMS.sigma0)
    mu[0], sigma[0] = replayed.numbers[[rows.POSTERIOR_MU, rows.POSTERIOR_SIGMA], 3]
    explanations = explain_entries(replayed)
    assert explanations[0].expected_place == pytest.approx(expected_places(mu, sigma)[0])
    assert explanations[3].expected_place == pytest.approx(2.0)
    assert [why.field_place for why in explanations] == [1, 1, 2, 3]
