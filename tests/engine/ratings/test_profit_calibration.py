"""Calibration of the profit rating: printed figures, clubs with known parameters, and what cannot be known."""

from dataclasses import replace

import numpy as np
import pytest

from ratings.engine.errors import EngineError
from ratings.engine.profit.calibration import FIRM_GAMES, LEAST_GAMES, calibrate_profit
from ratings.engine.profit.history import ProfitHistory, results
from ratings.engine.profit.params import BALANCE_F, BALANCE_G, ProfitParams, carried_over
from ratings.engine.profit.replay import ProfitState, replay_profit
from ratings.engine.profit.scales import (
    k_of_slope,
    l_of_spread,
    preset,
    rescaled,
    scale_of_places,
    step_between_places,
    stretch,
)
from tests.engine.ratings.profit_clubs import simulated_clubs
from tests.engine.ratings.profit_games import LADDER, PARAMS, season

# Standard deviation of balances, thousands, and slope of places on balances (source).
SPREAD, SLOPE = 53.6, 0.0213


def within(estimate, truth):
    return estimate.low <= truth <= estimate.high


def test_published_pair_from_its_printed_inputs():
    """Source: 53.6 and m = 0.0213, or k = 11.7; it prints (0.08158, 0.9575)."""
    by_slope = carried_over(k_of_slope(SLOPE), l_of_spread(SPREAD))
    assert by_slope == pytest.approx((0.08171, 0.9590), abs=5e-5)
    assert carried_over(11.7, l_of_spread(SPREAD)) == pytest.approx((0.08145, 0.9530), abs=5e-5)
    assert by_slope == pytest.approx((BALANCE_F, BALANCE_G), rel=0.007)
    assert carried_over(11.7, l_of_spread(SPREAD)) == pytest.approx((BALANCE_F, BALANCE_G), rel=0.007)


def test_scale_of_places_printed():
    """Source: 0.373 * balance/2000, the norm of (6, 2, -2, -6) over that of the mean balances by place."""
    norm = np.sqrt(80.0) / (0.373 / 2.0)
    assert norm == pytest.approx(47.96, abs=0.005)
    mean_balances = np.array([3.0, 1.0, -1.0, -3.0]) * norm / np.sqrt(20.0)
    assert scale_of_places(mean_balances) == pytest.approx(0.1865, rel=1e-12)
    # With nothing but the printed uma and oka, a game without a score.
    assert scale_of_places(np.array([25.0, 0.0, -10.0, -15.0])) == pytest.approx(np.sqrt(80.0 / 950.0))


@pytest.mark.parametrize(
    ("n_players", "chips", "f", "g"),
    [
        (4, 0, 0.1431, 1.680),
        (4, 2, 0.1139, 1.337),
        (4, 5, 0.08158, 0.9575),
        (3, 0, 0.1240, 1.603),
        (3, 2, 0.1036, 1.339),
        (3, 5, 0.0802, 1.036),
    ],
)
def test_presets(n_players, chips, f, g):
    """(k/l, k^2/l) of the printed spreads, v = 20 and 24, and k = 1/(4 0.0213) and 1/(6 0.0129)."""
    assert preset(n_players, chips) == (pytest.approx(f, abs=6e-5), pytest.approx(g, abs=6e-4))


@pytest.mark.parametrize(("n_players", "chips"), [(2, 0), (4, 1), (5, 5)])
def test_no_preset_for_other_games(n_players, chips):
    with pytest.raises(EngineError) as refused:
        preset(n_players, chips)
    assert (refused.value.field, refused.value.code) == ("preset", "unknown_choice")


def test_the_start_by_the_spread_changes_the_scale_alone():
    """(1/sqrt(l), 1): results spread by 53.6, and by sqrt(20) on the scale of places."""
    assert rescaled(53.6**2 / 20.0) == pytest.approx((np.sqrt(20.0) / 53.6, 1.0), rel=1e-12)


@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_tables_of_other_sizes_follow_the_placement_system(n):
    """A game that pays k times the result by place has that k, l = k^2, and f = 1/k."""
    places = ProfitHistory.of_balances([{i: -float(i) for i in range(n)}])
    by_place = results(places, LADDER)
    assert np.diff(by_place) == pytest.approx(-step_between_places(n))
    paid = 5.0 * by_place
    assert l_of_spread(float(paid.std()), n) == pytest.approx(25.0)
    assert k_of_slope(1.0 / (5.0 * step_between_places(n)), n) == pytest.approx(5.0)
    assert scale_of_places(paid) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("k", "l", "options"),
    [
        (11.737, 143.87, {"n_games": 1000, "n_members": 50}),
        (9.4, 74.0, {"n_games": 800, "n_members": 24}),
        (12.44, 161.2, {"n_seats": 3, "n_games": 1000, "n_members": 30}),
    ],
)
def test_intervals_cover_the_truth(k, l, options):  # noqa: E741
    f, g = carried_over(k, l)
    found = [
        calibrate_profit(club, PARAMS) for club in simulated_clubs(np.random.default_rng(2), k, l, **options)
    ]
    for name, truth in {
        "l": l,
        "k": k,
        "m": 1.0 / (12.0 / (options.get("n_seats", 4) - 1) * k),
        "f": f,
        "g": g,
    }.items():
        n_covered = sum(within(getattr(each, name), truth) for each in found)
        assert 90 <= n_covered <= 99, (name, n_covered)
    assert np.median([each.k.value for each in found]) == pytest.approx(k, rel=0.02)
    assert np.median([each.l.value for each in found]) == pytest.approx(l, rel=0.01)


def test_an_interval_narrows_with_games():
    k, l = 11.737, 143.87  # noqa: E741
    few, many = (
        calibrate_profit(simulated_clubs(np.random.default_rng(4), k, l, n_clubs=1, n_games=n)[0], PARAMS)
        for n in (1_000, 9_000)
    )
    assert few.k.high - few.k.low > 2.0 * (many.k.high - many.k.low)
    assert few.l.high - few.l.low > 2.0 * (many.l.high - many.l.low)


def test_the_same_bits_twice_and_in_another_unit():
    club = simulated_clubs(np.random.default_rng(6), 11.737, 143.87, n_clubs=1)[0]
    found = calibrate_profit(club, PARAMS)
    again = calibrate_profit(club, PARAMS)
    assert (found.l, found.k, found.f, found.g) == (again.l, again.k, again.f, again.g)
    in_thousands = calibrate_profit(
        replace(club, balance=club.balance / 1000.0), replace(PARAMS, balance_unit=1.0)
    )
    assert in_thousands.f.value == pytest.approx(found.f.value, rel=1e-12)
    assert in_thousands.quick_start == pytest.approx(found.quick_start, rel=1e-12)


def test_no_skill_has_no_k():
    """Where everybody is equally good, an interval of k has no end in 95 of 100 clubs."""
    clubs = simulated_clubs(np.random.default_rng(8), 11.737, 143.87, n_clubs=40, n_games=400, skill=0.0)
    found = [calibrate_profit(club, PARAMS) for club in clubs]
    blind = [each for each in found if not each.is_bounded]
    assert len(blind) >= 34
    assert all("no_skill_seen" in each.warnings for each in blind if each.n_regulars >= 3)


def test_games_with_a_wrong_sum_are_left_out_and_named():
    club = simulated_clubs(np.random.default_rng(9), 11.737, 143.87, n_clubs=1, n_games=200)[0]
    balance = club.balance.copy()
    balance[[4 * 17, 4 * 60 + 2]] = [1e9, np.nan]
    found = calibrate_profit(replace(club, balance=balance), PARAMS)
    assert found.left_out.tolist() == [17, 60]
    assert "wrong_sums" in found.warnings
    right = calibrate_profit(club.without(np.array([17, 60])), PARAMS)
    assert (found.n_games, found.l, found.quick_start) == (198, right.l, right.quick_start)


def test_what_the_house_keeps_is_no_result():
    club = simulated_clubs(np.random.default_rng(9), 11.737, 143.87, n_clubs=1, n_games=200)[0]
    taxed = replace(club, balance=club.balance - 500.0)
    found, plain = (
        calibrate_profit(taxed, replace(PARAMS, house_per_player=500.0)),
        calibrate_profit(club, PARAMS),
    )
    assert found.left_out.size == 0
    assert found.l.value == pytest.approx(plain.l.value, rel=1e-9)


def test_few_results_are_said_before_the_figures():
    club = simulated_clubs(np.random.default_rng(3), 11.737, 143.87, n_clubs=1, n_games=300, n_members=8)[0]
    first = {n: calibrate_profit(club.without(np.arange(n, 300)), PARAMS) for n in (0, 19, 20, 99, 100, 300)}
    assert first[0].warnings == first[19].warnings == ("too_few_games",)
    assert (first[19].l, first[19].f, first[19].quick_start) == (None, None, None)
    assert "few_games" in first[LEAST_GAMES].warnings
    assert "few_games" in first[99].warnings
    assert first[20].quick_start == rescaled(first[20].l.value)
    assert "few_games" not in first[FIRM_GAMES].warnings
    assert "few_regulars" in first[300].warnings or "no_skill_seen" in first[300].warnings
    assert (first[300].n_regulars, first[300].n_players) == (8, 8)


def test_tables_of_three_are_not_published():
    club = simulated_clubs(np.random.default_rng(3), 12.4, 161.0, n_clubs=1, n_games=50, n_seats=3)[0]
    assert "not_published" in calibrate_profit(club, PARAMS).warnings
    four = ProfitHistory.of_balances([{0: 3e3, 1: 1e3, 2: -1e3, 3: -3e3}])
    mixed = ProfitHistory(
        np.concatenate([four.offset, 4 + club.offset[1:]]),
        *(
            np.concatenate([getattr(four, name), getattr(club, name)])
            for name in ("player", "place", "balance")
        ),
    )
    found = calibrate_profit(mixed, PARAMS)
    assert (found.table_size, found.n_games, found.n_other_sizes) == (3, 51, 1)
    assert "other_sizes" in found.warnings


def test_a_real_season():
    """Its one game that does not sum to 0 is left out; places alone pay 50, 10, -10, -30, and scores add to that."""
    found = calibrate_profit(season(), PARAMS)
    assert (found.n_games, found.left_out.tolist(), found.table_size) == (299, [295], 4)
    used = season().without(np.array([295]))
    assert found.spread == pytest.approx(used.balance.std() / 1000.0, rel=1e-9)
    assert within(found.l, found.spread**2 / 20.0)
    f, g = found.quick_start
    assert (f * found.spread, g) == (pytest.approx(np.sqrt(20.0), rel=0.05), 1.0)  # as far as by place


def test_adopted_parameters_keep_the_behaviour_of_the_placement_system():
    """In a simulated club, R under the true pair spreads as under the placement system, in any unit."""
    k, l = 9.4, 74.0  # noqa: E741
    club = simulated_clubs(np.random.default_rng(11), k, l, n_clubs=1, n_games=20_000, n_members=40)[0]
    f, g = carried_over(k, l)
    settled = {"least_correction": 1.0, "games": 1, "table_pull": 0.005}
    spreads = [
        float(replay_profit(club, ProfitState.fresh(40, params), params).state.r.std())
        for params in (replace(PARAMS, f=f, g=g, **settled), replace(LADDER, **settled))
    ]
    assert spreads[0] == pytest.approx(spreads[1], rel=0.15)


def test_stretch_is_the_ratio_of_settled_distances():
    assert stretch(PARAMS, replace(PARAMS, f=2.0 * PARAMS.f)) == pytest.approx(2.0)
    assert stretch(PARAMS, replace(PARAMS, g=2.0 * PARAMS.g)) == pytest.approx(0.5)
    assert stretch(PARAMS, ProfitParams(balance_unit=1.0)) == pytest.approx(1000.0)
