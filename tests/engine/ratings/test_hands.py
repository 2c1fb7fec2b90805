"""Hands played. Expected numbers: TIER publication of November 2022 and its author's VPIP note."""

import numpy as np
import pytest

from ratings.engine.tier.hands import evidence_weight, h_unit, playing_hours, vpip
from ratings.engine.tier.params import TierParams


def test_published_table_of_vpip():
    """phi = 25 for 2..10 seats, printed to one decimal; two seats are published as 80 instead of 75."""
    printed = [80.0, 50.0, 37.5, 30.0, 25.0, 23.1, 21.4, 20.0, 18.8]
    assert (np.abs(vpip(np.arange(2, 11)) - printed) <= 0.05 + 1e-12).all()
    assert vpip(9) == 20.0
    assert vpip(10) == 18.75


def test_unit_of_an_hour():
    """h_unit(9) + (VPIP(i)/VPIP(9) - 1) 0.5: (80/20 - 1)/2 = 1.5 more heads up, (25/20 - 1)/2 at six."""
    assert h_unit([2, 6, 9, 10]).tolist() == [2.5, 1.125, 1.0, 0.96875]
    assert (np.diff(h_unit(np.arange(2, 30))) < 0.0).all()


def test_hours_broadcast_over_entries_and_change_no_argument():
    minutes = np.array([0.0, 60.0, 600.0])
    assert playing_hours(minutes, [9, 2, 6]).tolist() == [0.0, 2.5, 11.25]
    assert minutes.tolist() == [0.0, 60.0, 600.0]


def test_weight_is_a_clipped_cube_root():
    params = TierParams(hands_scale=0.3, hands_low=1.0, hands_high=8.0)
    assert evidence_weight([0.0, 1.0, 3.375, 8.0, 1e6], params).round(12).tolist() == [
        0.3,
        0.3,
        0.45,
        0.6,
        0.6,
    ]


@pytest.mark.parametrize("minutes", [-1.0, np.nan, np.inf])
def test_times_that_make_no_sense(minutes):
    with pytest.raises(ValueError, match="minutes played must be finite and not negative"):
        playing_hours([10.0, minutes], 9)


@pytest.mark.parametrize("seats", [1, 0, np.nan, np.inf])
def test_tables_that_make_no_sense(seats):
    with pytest.raises(ValueError, match="table_size must be at least 2"):
        vpip([9, seats])


@pytest.mark.parametrize("bad", [{"hands_scale": 0.0}, {"hands_low": 0.0}, {"hands_high": 0.01}])
def test_parameters_that_make_no_sense(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        TierParams(**bad)
