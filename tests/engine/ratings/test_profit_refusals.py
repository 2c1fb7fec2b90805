"""Profit rating: games, histories, states and parameters that are refused."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest

from ratings.engine.errors import BadEventError
from ratings.engine.profit.history import ProfitHistory
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.replay import ProfitState
from tests.engine.ratings.profit_games import LADDER, PARAMS, replay, season


def test_the_game_that_does_not_sum_is_named():
    with pytest.raises(BadEventError, match="balances sum to -1000 and must sum to 0") as refused:
        replay(season())
    assert (refused.value.event, refused.value.player) == (295, None)


def test_how_many_more_do_not_sum():
    games = ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {0: 2.0, 1: 0.0}, {0: 0.5, 1: 0.0}])
    with pytest.raises(
        BadEventError, match=r"^event 1: balances sum to 2 .* \(1 later events do not"
    ) as refused:
        replay(games)
    assert refused.value.event == 1


@pytest.mark.parametrize(
    ("changes", "balance", "fits"),
    [
        ({}, [0.1, 0.2, -0.3], True),
        ({}, [54.9, 9.8, -15.9, -48.8], True),
        ({}, [1e9, 0.1, -1e9, -0.1], True),
        ({}, [1.0, 0.0, -1.00001], False),
        ({"sum_tolerance": 0.1}, [1.0, 0.0, -1.05], True),
        ({"house_per_table": 300.0}, [100.0, -400.0], True),
        ({"house_per_table": 300.0}, [100.0, -100.0], False),
        ({"house_per_player": 100.0}, [0.0, -100.0, -200.0], True),
        ({"house_per_player": 100.0, "house_per_table": -300.0}, [1.0, 1.0, -2.0], True),
        ({"house_per_player": 100.0}, [0.0, -100.0, -200.0, -200.0], False),
    ],
)
def test_balances_sum_to_what_the_house_leaves(changes, balance, fits):
    history, params = ProfitHistory.of_balances([dict(enumerate(balance))]), replace(PARAMS, **changes)
    if fits:
        assert replay(history, params).state.n_games.tolist() == [1] * len(balance)
    else:
        with pytest.raises(BadEventError, match=f"must sum to {params.balance_sum(len(balance)):g}$"):
            replay(history, params)


def test_the_part_of_the_house_is_no_result_of_anybody_else():
    """R follows the balance as it is told."""
    params = replace(PARAMS, house_per_player=500.0)
    after = replay(ProfitHistory.of_balances([{0: 500.0, 1: -1500.0}]), params).after
    np.testing.assert_allclose(after - 1500.0, [0.4079 * 0.5, 0.4079 * -1.5], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("value", "said"), [(math.nan, "balance is missing"), (math.inf, "must be finite")])
def test_a_balance_that_is_none(value, said):
    games = ProfitHistory.of_balances([{0: 1.0, 1: -1.0}, {2: 1.0, 1: -1.0}])
    history = replace(games, balance=np.array([1.0, -1.0, 1.0, value]))
    with pytest.raises(BadEventError, match=said) as refused:
        replay(history)
    assert (refused.value.event, refused.value.player, refused.value.entry) == (1, 1, 3)
    assert replay(history, LADDER).state.n_games.tolist() == [1, 2, 1]


def arrays(**changes):
    good = {
        "offset": np.array([0, 2, 5]),
        "player": np.array([0, 1, 0, 1, 2]),
        "place": np.array([1, 2, 1, 2, 2]),
        "balance": np.zeros(5),
    }
    return {name: np.array(changes.get(name, values)) for name, values in good.items()}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"player": [0, 1, 0, 1, 0]}, "event 1, player 0: player is twice at this table"),
        ({"player": [0, -1, 0, 1, 2]}, "event 0, player -1: player must not be negative"),
        ({"place": [1, 2, 1, 2, 3]}, None),
        ({"place": [1, 2, 1, 3, 3]}, "event 1, player 1: place must be a competition ranking"),
        ({"place": [0, 1, 1, 2, 3]}, "event 0, player 0: place must be"),
        ({"place": [1, 2, 1, 2, 9]}, "event 1, player 2: place must be"),
        ({"offset": [0, 1, 5]}, "event 0: a table has at least two players, got 1"),
        ({"offset": [0, 3, 2, 5]}, "offset must rise from 0 to 5"),
        ({"offset": [0, 2]}, "offset must rise from 0 to 5"),
        ({"offset": np.zeros(0, dtype=np.int64)}, "offset must be int64 of shape"),
        ({"balance": np.zeros(4)}, "balance must be float64 of shape"),
        ({"balance": np.zeros(5, dtype=np.float32)}, "balance must be float64"),
        ({"player": np.zeros(5)}, "player must be int64"),
    ],
)
def test_impossible_histories(changes, said):
    if said is None:
        assert ProfitHistory(**arrays(**changes)).n_events == 2
    else:
        with pytest.raises(ValueError, match=said):
            ProfitHistory(**arrays(**changes))


def test_a_player_the_pool_does_not_have():
    with pytest.raises(BadEventError, match="player is not one of the pool's 2"):
        replay(ProfitHistory.of_balances([{0: 1.0, 2: -1.0}]), n_players=2)


@pytest.mark.parametrize(("r", "n_games"), [(math.nan, 0), (math.inf, 0), (1500.0, -1)])
def test_impossible_states(r, n_games):
    with pytest.raises(ValueError, match=r"player 0: r .* is no rating"):
        ProfitState(np.array([r]), np.array([n_games]))


def test_a_rating_beyond_all_bounds():
    history = ProfitHistory.of_balances([{0: 1e9, 1: -1e9}])
    with pytest.raises(BadEventError, match="event 0, player 0: R is beyond all bounds"):
        replay(history, replace(PARAMS, f=1e308))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"system": "elo"}, "system must be one of balance, placement, got elo"),
        ({"r0": math.nan}, "r0 must be finite"),
        ({"f": 0.0}, "f must be positive"),
        ({"g": -1.0}, "g must be at least 0"),
        ({"g": 40.1}, "g must be smaller: a new player would be taken 1.0025 times the way"),
        ({"system": "placement", "table_pull": 0.3}, "table_pull must be smaller"),
        ({"system": "placement", "f": 1.0}, "f must be 0.08158, its default, where system is placement"),
        ({"system": "placement", "g": 1.0}, "g must be 0.9575, its default, where system is placement"),
        ({"place_first": 30.0}, "place_first must be 6.0, its default, where system is balance"),
        ({"balance_unit": 0.0}, "balance_unit must be positive"),
        ({"system": "placement", "place_first": -6.0}, "place_first must be positive"),
        ({"table_pull": -0.1}, "table_pull must be at least 0"),
        ({"least_correction": 0.0}, "least_correction must be above 0 and at most 1"),
        ({"least_correction": 1.5}, "least_correction must be above 0 and at most 1"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"games": 2.5}, "games must be a whole number"),
        ({"games": 10**9}, "games must be a whole number"),
        ({"house_per_table": math.inf}, "house_per_table must be finite"),
        ({"sum_tolerance": -1.0}, "sum_tolerance must be at least 0"),
    ],
)
def test_parameters_that_make_no_sense(changes, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        ProfitParams(**changes)


def test_each_parameter_is_described():
    described = ProfitParams.__doc__
    assert [field.name for field in fields(ProfitParams) if field.name not in described] == []
