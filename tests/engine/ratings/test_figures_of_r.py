"""Profit rating: figures that explain R."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.profit_figures import expected_place, mean_of_others, stable_r
from ratings.engine.profit_replay import results
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
    far = expected_place(np.array([0.0, 9000.0]), others, four, PARAMS)
    assert far.tolist() == [4.0, 1.0]
