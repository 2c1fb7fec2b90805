"""Rates after each place of one more event, beside the event rated by the pipeline alone."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.engine.history import EventHistory
from ratings.engine.tier.next_event import places_to_try, rates_by_place
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import rate_event
from ratings.engine.tier.pool_state import PoolState

PARAMS = TierParams(tau_per_day=10.0)


def field(n=7):
    start = PoolState.fresh(n, PARAMS)
    mu = 1500.0 + 40.0 * np.arange(n)
    return replace(
        start, mu=mu, sigma=np.full(n, 330.0), last_day=np.full(n, 10.0), n_entries=start.n_entries + 9
    )


@pytest.mark.parametrize("place", [1, 3, 7])
def test_each_place_is_that_event_rated_by_the_pipeline(place):
    order = [1, 2, 3, 4, 5, 6]
    order.insert(place - 1, 0)
    event = replace(EventHistory.of_orders([order], duration=150.0, seats=6), day=np.array([17.0]))
    alone = rate_event(event, field(), PARAMS)
    at = order.index(0)
    before, after = rates_by_place(
        field(), range(1, 8), PARAMS, minutes=150.0, seats=6, final_seats=6, day=17.0
    )
    expected = rate(float(alone.posterior_mu[at]), float(alone.posterior_sigma[at]), PARAMS)
    assert after[place - 1] == expected
    assert before == rate(float(alone.prior_mu[at]), float(alone.prior_sigma[at]), PARAMS)
    assert before < rate(1500.0, 330.0, PARAMS)  # a week of drift


def test_a_better_place_brings_more_and_the_field_is_left_as_it_was():
    start = field(15)
    _before, after = rates_by_place(start, places_to_try(15), PARAMS, day=17.0)
    # Of the last two places the shorter stay at the table can count for more than the place.
    assert (np.diff(after)[:-1] < 0.0).all()
    assert after[-1] < after[-3]
    assert start.mu.tolist() == field(15).mu.tolist()


def test_large_fields_are_tried_at_fewer_places():
    places = places_to_try(400)
    assert places[:3] == [1, 2, 3]
    assert places[-1] == 400
    assert len(places) * 400 <= 30_000
