"""A worse place is never better, and times that nobody recorded weigh nothing."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.calibrate import LARGEST_INVERSION, largest_inversion, with_least_low
from ratings.engine.history import EventHistory
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import rate_event
from ratings.engine.tier.pool_state import PoolState
from ratings.engine.tier.times import entry_times

PARAMS = TierParams()
NO_FLOOR = replace(PARAMS, rate_floor=-1e9)  # a floor would hide a loss


def rates_by_place(n, *, sigma, minutes):
    """Rates after an event of equal players of which only the order is known."""
    start = PoolState.fresh(n, PARAMS)
    start.sigma[:] = sigma
    after = rate_event(EventHistory.of_orders([list(range(n))], duration=minutes), start, NO_FLOOR)
    return rate(after.posterior_mu, after.posterior_sigma, NO_FLOOR)


@pytest.mark.parametrize("minutes", [np.nan, 30.0, 180.0, 600.0])
@pytest.mark.parametrize("sigma", [500.0, 300.0])
def test_no_place_is_better_than_the_one_above_it(sigma, minutes):
    for n in (*range(2, 101), 1_000):
        assert (np.diff(rates_by_place(n, sigma=sigma, minutes=minutes)) < 0.0).all(), n


def test_no_place_is_better_than_the_one_above_it_for_anybody():
    """Against settled players: a weak, an equal and a strong player, new and settled."""
    n = 40
    for mu in (800.0, 1500.0, 2600.0):
        for sigma in (500.0, 300.0):
            changes = []
            for place in range(n):
                order = [*range(1, place + 1), 0, *range(place + 1, n)]
                start = PoolState.fresh(n, PARAMS)
                start.sigma[:] = 300.0
                start.mu[0], start.sigma[0] = mu, sigma
                after = rate_event(EventHistory.of_orders([order], duration=180.0), start, NO_FLOOR)
                changes.append(after.posterior_mu[place] - PARAMS.conservatism * after.posterior_sigma[place])
            assert (np.diff(changes) < 0.0).all()


def test_recorded_times_turn_no_places_by_more_than_two_points():
    """Busts recorded at even intervals in fields up to 30: the bound that hands_low was chosen for."""
    assert LARGEST_INVERSION == 2.0
    assert largest_inversion(PARAMS) <= 2.0
    assert with_least_low(PARAMS) == PARAMS
    assert largest_inversion(replace(PARAMS, hands_low=0.1)) > 5.0


def event(busted_at, *, registered_at=None, duration=240.0, place=None):
    n = len(busted_at)
    places = np.arange(1, n + 1) if place is None else np.array(place)
    order = EventHistory.of_orders([list(range(n))], duration=duration)
    at = np.full(n, np.nan) if registered_at is None else np.array(registered_at, dtype=float)
    return replace(order, place=places, busted_at=np.array(busted_at, dtype=float), registered_at=at)


NONE = np.nan


@pytest.mark.parametrize(
    ("history", "played", "is_mean"),
    [
        pytest.param(event([NONE, NONE, NONE, NONE]), [120.0] * 4, [True] * 4, id="nothing-recorded"),
        pytest.param(
            event([NONE, NONE, 90.0, 30.0]), [60.0, 60.0, 90.0, 30.0], [True, True, False, False], id="some-recorded"
        ),
        pytest.param(
            event([NONE, 180.0, NONE, 30.0]), [240.0, 180.0, 150.0, 30.0], [False, False, True, False],
            id="the-winner-is-left-alone",
        ),
        pytest.param(
            event([NONE, NONE, 180.0], place=[1, 1, 3]), [240.0, 240.0, 180.0], [False] * 3, id="two-winners"
        ),
        pytest.param(event([NONE, NONE], place=[1, 1]), [120.0, 120.0], [True, True], id="all-tied"),
        pytest.param(
            event([NONE] * 3, registered_at=[NONE, 60.0, 150.0]), [120.0, 120.0, 90.0], [True] * 3,
            id="no-more-than-is-left-after-registration",
        ),
        pytest.param(event([NONE, NONE], duration=NONE), [6.0, 6.0], [True, True], id="no-end"),
    ],
)  # fmt: skip
def test_without_a_recorded_bust_the_playing_time_is_the_mean_of_the_event(history, played, is_mean):
    """By hand: half of 240 minutes if nothing is recorded, else the mean of what is; no end is 6 minutes an entry."""
    times = entry_times(history, PARAMS)
    assert times.played.tolist() == pytest.approx(played)
    assert times.is_mean_time.tolist() == is_mean
