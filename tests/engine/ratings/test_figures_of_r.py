"""Profit rating: figures that explain R."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.profit.figures import (
    badge_of,
    change_steps,
    expected_place,
    luck_spread,
    mean_of_others,
    stable_r,
)
from ratings.engine.profit.history import results
from ratings.engine.profit.params import carried_over, corrections, pull_to_others, stationary
from ratings.engine.profit.scales import k_of_slope, l_of_spread
from tests.engine.ratings.profit_games import LADDER, PARAMS, random_history, replay


def test_stable_r_of_the_four_places():
    """Source: +1600, +533.33, -533.33, -1600 at a table of 1500."""
    level, four = np.full(4, 1500.0), np.full(4, 4)
    stable = stable_r(level, level, np.array([6.0, 2.0, -2.0, -6.0]), four, LADDER)
    np.testing.assert_allclose(stable - 1500.0, [1600.0, 1600 / 3, -1600 / 3, -1600.0], rtol=1e-13)


@pytest.mark.parametrize("params", [PARAMS, LADDER])
def test_a_game_at_its_stable_r_changes_nothing(params):
    """Who already stands at the stable R of a game, with the same others, is left there by it."""
    played = replay(random_history(np.random.default_rng(5)), params)
    event, sizes = played.history.event, np.diff(played.history.offset)[played.history.event]
    result, table_mean = results(played.history, params), played.table_mean[event]
    stable = stable_r(table_mean, played.before, result, sizes, params)
    others = mean_of_others(table_mean, played.before, sizes)
    moved_mean = (others * (sizes - 1) + stable) / sizes
    np.testing.assert_allclose(result + params.pull * (moved_mean - stable), 0.0, atol=1e-10)


def test_nothing_settles_without_a_pull():
    level = np.array([1500.0])
    free = replace(PARAMS, g=0.0)
    assert math.isnan(stable_r(level, level, np.array([6.0]), np.array([4]), free)[0])
    assert expected_place(np.array([2000.0]), level, np.array([4]), free).tolist() == [2.5]


@given(st.integers(2, 9), st.floats(-300.0, 300.0))
def test_the_settled_r_of_a_place_promises_that_place(n_players, ahead):
    """With the place alone counting, R settles at Rothers + r(place)/w, and promises the place that gives r."""
    n, others = np.array([n_players]), np.array([1500.0])
    place = expected_place(others + ahead, others, n, LADDER)
    result = LADDER.place_first * (n + 1 - 2 * place) / (n - 1)
    table_mean = others + ahead / n_players
    assert stable_r(table_mean, others + ahead, result, n, LADDER) == pytest.approx(others + ahead)


def test_the_published_scale_promises_what_the_ladder_does():
    """What (f, g) are for; k = g/f = 1/(4 * 0.0213), so 100 points are w * 100/f thousand, each 0.0213 places."""
    r, others, four = np.array([1600.0, 1000.0]), np.full(2, 1500.0), np.full(2, 4)
    places = expected_place(r, others, four, PARAMS)
    np.testing.assert_allclose(places, expected_place(r, others, four, LADDER), rtol=1e-14)
    assert places[0] == pytest.approx(2.5 - 0.0213 * 0.003590625 * 100.0 / 0.08158, abs=1e-5)
    far = expected_place(np.array([-6000.0, 9000.0]), others, four, PARAMS)
    assert far.tolist() == [4.0, 1.0]


def test_tables_of_three_promise_by_steps_of_their_own():
    """Places of three are worth 6, 0 and -6: k = 1/(6 m), so a pool with m = 0.0134 gains 0.0134 places a thousand."""
    f, g = carried_over(k_of_slope(0.0134, 3), l_of_spread(62.2, 3))
    params, three = replace(PARAMS, f=f, g=g), np.array([3])
    balance = pull_to_others(3, params) * 100.0 / f
    place = expected_place(np.array([1600.0]), np.array([1500.0]), three, params)[0]
    assert place == pytest.approx(2.0 - 0.0134 * balance, abs=1e-12)


@pytest.mark.parametrize(("params", "v"), [(PARAMS, (0.08158 * 53.6) ** 2), (LADDER, 20.0)])
def test_luck_spread_from_the_sum_of_results(params, v):
    """R_n - Rothers = sum of c_k/c r_k prod (1 - c_j/c w), at tables of three and four."""
    sizes = np.tile([4, 4, 3], 200)
    step = corrections(params)[np.minimum(np.arange(600), 400)] / 0.2
    kept = 1.0 - step * params.pull * (sizes - 1) / sizes
    spread = luck_spread(sizes, v, params)
    for n in (1, 2, 75, 401, 600):
        weights = [step[k] * np.prod(kept[k + 1 : n]) for k in range(n)]
        assert spread[n - 1] == pytest.approx(math.sqrt(v * np.square(weights).sum()), rel=1e-12)


def test_luck_spread_settles():
    """Source: v = 20 gives 51.688."""
    spread = luck_spread(np.full(4000, 4), 20.0, LADDER)
    assert spread[-1] == pytest.approx(51.688, abs=5e-4)
    assert spread[-1] == pytest.approx(math.sqrt(stationary(0.0, 20.0, 0.00375)[1]), rel=1e-9)
    assert luck_spread(np.empty(0, dtype=np.int64), 20.0, LADDER).size == 0


@pytest.mark.parametrize("params", [PARAMS, LADDER])
def test_steps_add_up_to_the_change(params):
    played = replay(random_history(np.random.default_rng(5), n_events=600, n_players=5), params)
    table_mean = played.table_mean[played.history.event]
    for i in range(0, played.before.size, 41):
        steps = dict(
            change_steps(
                float(played.result_part[i]), float(played.pull_part[i]), int(played.n_before[i]), params
            )
        )
        change = played.after[i] - played.before[i]
        assert sum(steps.values()) == pytest.approx(change, abs=1e-9)
        first_pull = params.pull / 0.2 * (table_mean[i] - played.before[i])
        assert steps["table_pull"] == pytest.approx(first_pull, abs=1e-9)
        assert steps["result"] == pytest.approx(results(played.history, params)[i] / 0.2, rel=1e-9)


def test_first_game_has_no_count_correction():
    assert change_steps(16.0, -1.0, 0, PARAMS)[2] == ("count_correction", 0.0)


def test_badges_by_bounds():
    bounds = (("S", 1700.0), ("A", 1600.0), ("B", 1400.0), ("C", -math.inf))
    assert [badge_of(r, bounds) for r in (1700.0, 1699.9, 1400.0, 0.0)] == ["S", "A", "B", "C"]
    assert badge_of(1700.0, ()) == ""
