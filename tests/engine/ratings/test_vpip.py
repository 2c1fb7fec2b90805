"""VPIP by table size and position. Expected numbers are printed in the author's note on VPIP, unless a test says otherwise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.errors import EngineError
from ratings.engine.tier import hands
from ratings.engine.vpip import (
    MULTIPLIERS,
    POSITIONS,
    VpipParams,
    limped_in,
    moved_ranges,
    positions_of,
    table_vpip,
    vpip_by_table_size,
)

SIZES = range(2, 11)
PRINTED = 0.0501  # The printed figures are rounded half to even, to one decimal.


@pytest.mark.parametrize(
    ("phi", "tau", "printed"),
    [
        (20, 1, [60, 40, 30, 24, 20, 18.5, 17.1, 16, 15]),
        (25, 1, [75, 50, 37.5, 30, 25, 23.1, 21.4, 20, 18.8]),
        (25, 0.25, [37.5, 31.2, 28.1, 26.2, 25, 24.5, 24.1, 23.7, 23.4]),
        (25, 0.5, [50, 37.5, 31.2, 27.5, 25, 24, 23.2, 22.5, 21.9]),
        (25, 1.25, [87.5, 56.2, 40.6, 31.2, 25, 22.6, 20.5, 18.8, 17.2]),
    ],
)
def test_table_sizes_of_the_note(phi, tau, printed):
    found = [table_vpip(VpipParams(phi=phi, tau=tau), seats).average for seats in SIZES]
    assert found == pytest.approx(printed, abs=PRINTED)


# phi = 20, tau = 1, pi = 1; each row ends at ten seats. The note's 22.1 for the small blind at seven is a misprint: 22.154.
BY_POSITION = {
    "UTG": [7.5],
    "EP1": [8.8, 9],
    "EP2": [10.3, 10.4, 10.5],
    "MP": [12, 12, 12, 12],
    "LJ": [14, 13.8, 13.7, 13.6, 13.5],
    "HJ": [18, 16, 15.7, 15.4, 15.2, 15],
    "CO": [25.5, 21.6, 18, 17.5, 17.1, 16.8, 16.5],
    "BTN": [48, 39, 33.6, 31, 30.5, 30, 29.6, 28.5],
    "SB": [75, 38, 30, 25.2, 22, 22.15, 21.4, 20.8, 21],
    "BB": [45, 34, 25.5, 21.6, 19, 17.5, 17.1, 16.8, 16.5],
}


def test_positions_of_the_note():
    tables = [table_vpip(VpipParams(phi=20), seats) for seats in SIZES]
    found = {
        position: [
            table.vpip[table.positions.index(position)] for table in tables if position in table.positions
        ]
        for position in POSITIONS
    }
    assert found.keys() == BY_POSITION.keys()
    for position, printed in BY_POSITION.items():
        assert found[position] == pytest.approx(printed, abs=PRINTED), position


@pytest.mark.parametrize("seats", SIZES)
def test_multipliers_of_a_table_average_one(seats):
    assert math.fsum(MULTIPLIERS[seats]) == pytest.approx(seats, abs=1e-12)
    assert len(positions_of(seats)) == seats


@pytest.mark.parametrize(("pi", "button"), [(0, 20), (0.5, 25.5), (1, 31), (-1, 9)])
def test_position_factor_of_the_note(pi, button):
    table = table_vpip(VpipParams(phi=20, pi=pi), 6)
    assert table.vpip[table.positions.index("BTN")] == pytest.approx(button, abs=1e-12)


@pytest.mark.parametrize(("seats", "folded", "about"), [(10, 29.10, 30), (6, 40.87, 40)])
def test_all_fold_to_the_small_blind(seats, folded, about):
    """About 30 % at ten players and 40 % at six; the small blind, which then plays as heads up, plays 20 to 30 points more."""
    params = VpipParams(phi=20)
    found = table_vpip(params, seats).folded_to_small_blind
    assert found == pytest.approx(folded, abs=0.005)
    assert round(found, -1) == about
    assert 60 <= table_vpip(params, 2).vpip[0] <= 80
    assert round(limped_in(params, seats), -1) in {20, 30}


def test_heads_up_the_small_blind_is_first():
    assert table_vpip(VpipParams(), 2).folded_to_small_blind == 100.0


@pytest.mark.parametrize(
    ("strategy", "moved"), [(0.0, [5, 10, 10]), (1.0, [2.5, 5, 10]), (0.5, [3.75, 7.5, 10])]
)
def test_strategy_factor_of_the_note(strategy, moved):
    """With s = 0 nothing is left for the third range, the hands from 10 to 10 percent."""
    assert moved_ranges((5, 10, 20), 10, strategy).tolist() == pytest.approx(moved, abs=1e-12)


percent = st.floats(0, 100)


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=6), percent, st.floats(-10, 10))
def test_moved_ranges_stay_in_order_and_end_at_the_total(ranges, total, strategy):
    moved = moved_ranges(sorted(ranges), total, strategy)
    assert (np.diff(moved) >= 0).all()
    assert moved[-1] == total
    assert moved[0] >= 0


@given(percent, st.floats(0, 10), st.floats(-10, 10), st.sampled_from(SIZES))
def test_every_percentage_is_one(phi, tau, pi, seats):
    table = table_vpip(VpipParams(phi, tau, pi), seats)
    assert ((table.vpip >= 0) & (table.vpip <= 100)).all()
    assert 0 <= table.average <= 100
    assert 0 <= table.folded_to_small_blind <= 100


@given(st.floats(1, 30), st.sampled_from(SIZES))
def test_position_moves_hands_and_adds_none(phi, seats):
    table = table_vpip(VpipParams(phi), seats)
    assert table.unbounded.mean() == pytest.approx(phi * 6 / (seats - max(seats - 6, 0) / 2), rel=1e-12)


def test_the_rating_takes_its_tables_from_the_model():
    """Anchors of the TIER publication: 20 percent at nine seats, which phi = 25 passes through, and 80 heads up."""
    seats = np.arange(2, 30)
    assert hands.vpip(seats)[0] == 80.0
    assert (hands.vpip(seats)[1:] == vpip_by_table_size(seats[1:], 25.0)).all()
    assert hands.vpip(9) == 20.0


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: table_vpip(VpipParams(), 1), "seats"),
        (lambda: table_vpip(VpipParams(), 11), "seats"),
        (lambda: table_vpip(VpipParams(), 6.5), "seats"),
        (lambda: VpipParams(phi=-1), "phi"),
        (lambda: VpipParams(phi=101), "phi"),
        (lambda: VpipParams(phi=math.nan), "phi"),
        (lambda: VpipParams(tau=-0.1), "tau"),
        (lambda: VpipParams(tau=math.inf), "tau"),
        (lambda: VpipParams(pi=11), "pi"),
        (lambda: VpipParams(pi=math.nan), "pi"),
        (lambda: moved_ranges((5, 10), 101, 0), "to"),
        (lambda: moved_ranges((5, 10), 10, 11), "strategy"),
        (lambda: moved_ranges((5, 120), 10, 0), "ranges"),
        (lambda: moved_ranges((10, 5), 10, 0), "ranges"),
        (lambda: moved_ranges((0, 0), 10, 0), "ranges"),
        (lambda: moved_ranges((), 10, 0), "ranges"),
    ],
)
def test_what_cannot_be_is_refused_by_field(make, field):
    with pytest.raises(EngineError) as refused:
        make()
    assert refused.value.field == field
