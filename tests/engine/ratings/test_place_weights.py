"""Weight of the place. Expected numbers: TIER publication of November 2022, table of weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from ratings.engine.chain import competition_places
from ratings.engine.tier.params import WEIGHT_ROWS, TierParams
from ratings.engine.tier.place_weights import BOTTOM, FIRST, REST, TOP, place_weights

PARAMS = TierParams()


def rows_of(place, final_table_size=9):
    place = np.array(place, dtype=np.int64)
    return place_weights(place, final_table_size, np.zeros(place.size), PARAMS).row


def names(place):
    return [WEIGHT_ROWS[row] for row in rows_of(place)]


def test_rows_of_a_field_of_100():
    """3 % of 100 are 3 places at either end; the final table reaches to place 9."""
    got = names(range(1, 101))
    assert got == ["first", "top", "top", *["final_table"] * 6, *["rest"] * 88, *["bottom"] * 3]


def test_three_percent_of_a_small_field_is_nobody():
    """0.03 * 33 < 1: nobody. 0.03 * 34 = 1.02: the last place; the first place has a row of its own."""
    assert "bottom" not in names(range(1, 34))
    assert names(range(1, 35))[-1] == "bottom"
    assert "top" not in names(range(1, 67))
    assert names(range(1, 68))[1] == "top"


def test_one_table_is_a_final_table():
    assert names(range(1, 10)) == ["first", *["final_table"] * 8]
    assert names([1]) == ["first"]


def test_ties_share_a_row():
    """Of 100 entries, tied winners are both first; a tie is in the bottom row if its worse place is."""
    place = competition_places(np.r_[[0, 0], np.arange(1, 95), [97, 97], [98, 99]])
    rows = rows_of(place)
    assert (rows[:2] == FIRST).all()
    assert rows[2] == TOP
    assert (rows[-4:] == BOTTOM).all()
    place = competition_places(np.r_[np.arange(95), [96, 96], [97, 98, 99]])
    assert rows_of(place)[-5:].tolist() == [REST, REST, BOTTOM, BOTTOM, BOTTOM]


def test_published_weights():
    gain = np.linspace(100.0, -100.0, 100)
    weights = place_weights(np.arange(1, 101), 9, gain, PARAMS)
    assert weights.weight[[0, 1, 2, 3, 8, 97, 99]].tolist() == [1.0, 0.97, 0.97, 0.95, 0.95, 0.92, 0.92]
    assert len(set(weights.weight[9:97])) == 1


def test_balance_inside_the_interval():
    """Gains: winner 60, eight finalists 10 each, 30 others -1, last of 40 -60: c = 1 + (4 - 4.8)/(-30) is above 0.9."""
    place = np.arange(1, 41)
    gain = np.r_[60.0, [10.0] * 8, [-1.0] * 30, -60.0]
    weights = place_weights(place, 9, gain, PARAMS)
    assert weights.rest == 0.9
    gain[-1] = -10.0  # c = 1 - (4 - 0.8)/30
    weights = place_weights(place, 9, gain, PARAMS)
    assert weights.rest == pytest.approx(1.0 - 3.2 / 30.0, abs=1e-12)
    assert (weights.weight * gain).sum() == pytest.approx(gain.sum(), abs=1e-12)


def test_what_the_weights_take_is_shared_equally():
    """Gains as above with c at 0.9: of the finalists' gains 80 x 0.05 are missing, of the losses 30 x 0.1 and 60 x 0.08."""
    gain = np.r_[60.0, [10.0] * 8, [-1.0] * 30, -60.0]
    weights = place_weights(np.arange(1, 41), 9, gain, PARAMS)
    assert weights.balance == pytest.approx((4.0 - 3.0 - 4.8) / 40.0, abs=1e-12)


@given(seed=st.integers(0, 2**32), n=st.integers(1, 200), seats=st.integers(2, 10))
@settings(max_examples=60, deadline=None)
def test_ratings_are_neither_made_nor_lost(seed, n, seats):
    rng = np.random.default_rng(seed)
    place = competition_places(rng.integers(0, 2 * n, n))
    gain = rng.normal(-2.0 * (place - n / 2), 30.0)
    weights = place_weights(place, seats, gain, PARAMS)
    kept = (weights.weight * gain + weights.balance).sum()
    assert kept == pytest.approx(gain.sum(), abs=1e-9 * np.abs(gain).sum())


@given(seed=st.integers(0, 2**32), n=st.integers(1, 200), seats=st.integers(2, 10))
@settings(max_examples=60, deadline=None)
def test_common_value_is_the_nearest(seed, n, seats):
    rng = np.random.default_rng(seed)
    place = competition_places(rng.integers(0, 2 * n, n))
    gain = rng.normal(-2.0 * (place - n / 2), 30.0)
    before = gain.copy()
    weights = place_weights(place, seats, gain, PARAMS)
    assert np.array_equal(gain, before)
    is_rest = weights.row == REST
    assert (weights.weight[is_rest] == weights.rest).all()

    def distance(c):
        return abs((np.where(is_rest, c, weights.weight) * gain).sum() - gain.sum())

    searched = minimize_scalar(distance, bounds=(0.8, 0.9), method="bounded", options={"xatol": 1e-10})
    assert distance(weights.rest) <= min(searched.fun, distance(0.8), distance(0.9)) + 1e-9
    shuffle = rng.permutation(n)
    again = place_weights(place[shuffle], seats, gain[shuffle], PARAMS)
    np.testing.assert_allclose(again.weight, weights.weight[shuffle], rtol=1e-12)


def test_without_gains_to_balance_the_upper_end_applies():
    assert place_weights(np.arange(1, 51), 9, np.zeros(50), PARAMS).rest == 0.9


def test_bad_input():
    with pytest.raises(ValueError, match="one shape"):
        place_weights(np.arange(1, 4), 9, np.zeros(2), PARAMS)
    with pytest.raises(ValueError, match=r"gain\[1\] must be finite"):
        place_weights(np.arange(1, 4), 9, np.array([0.0, np.nan, 0.0]), PARAMS)


@pytest.mark.parametrize(
    "bad", [{"weight_first": 0.0}, {"weight_rest_high": 0.7}, {"weight_share": 0.6}, {"weight_share": -0.1}]
)
def test_parameters_that_make_no_sense(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        TierParams(**bad)
