"""Profit rating: the loops against their slow twin, and what holds for every game."""

import math
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.profit.history import ProfitHistory
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.replay import ProfitState, replay_profit
from tests.engine.ratings.profit_games import LADDER, PARAMS, random_history, replay, season

# The loops and their twin put the same sums together in another order, rating points.
CLOSE = 1e-8


def replay_slowly(games, params):
    """The column of the source's table as it stands there; games are dicts of player to (place, balance)."""
    c0, pull = params.least_correction, params.table_pull
    rating, n_games, told = defaultdict(lambda: params.r0), defaultdict(int), []
    for game in games:
        mean = math.fsum(rating[who] for who in game) / len(game)
        new = {}
        for who, (place, balance) in game.items():
            share = n_games[who] / params.games
            if params.system == "balance":
                c = max(c0, c0**share)
                r = params.f / c0 * balance / params.balance_unit
                u = params.g * pull / c0
            else:
                c = 1.0 - (1.0 - c0) * share if n_games[who] < params.games else c0
                top = params.place_first / c0
                by_place = [top - 2.0 * top * k / (len(game) - 1) for k in range(len(game))]
                tied = sum(other == place for other, _balance in game.values())
                r = sum(by_place[place - 1 : place - 1 + tied]) / tied
                u = pull / c0
            new[who] = rating[who] + c * (r + u * (mean - rating[who]))
            told.append((rating[who], new[who], c * r, c * u * (mean - rating[who]), c, mean, n_games[who]))
        rating.update(new)
        for who in game:
            n_games[who] += 1
    return np.array(told).T


def games_of(history):
    rows = zip(history.player.tolist(), history.place.tolist(), history.balance.tolist(), strict=True)
    rows = [(who, (place, balance)) for who, place, balance in rows]
    return [dict(rows[a:b]) for a, b in zip(history.offset[:-1], history.offset[1:], strict=True)]


SYSTEMS = [
    PARAMS,
    LADDER,
    ProfitParams(f=0.4, g=12.0, games=5, least_correction=0.5, r0=0.0, balance_unit=250.0),
    ProfitParams(system="placement", place_first=9.0, table_pull=0.01, games=7, least_correction=0.6),
]


@pytest.mark.parametrize("params", SYSTEMS)
@pytest.mark.parametrize("sizes", [(3, 4), (2, 5, 12)])
def test_loops_equal_their_slow_twin(params, sizes):
    history = random_history(np.random.default_rng(3), sizes=sizes, n_players=14)
    played, slow = replay(history, params), replay_slowly(games_of(history), params)
    columns = (
        played.before,
        played.after,
        played.result_part,
        played.pull_part,
        played.correction,
        played.table_mean[history.event],
        played.n_before,
    )
    for fast, wanted in zip(columns, slow, strict=True):
        np.testing.assert_allclose(fast, wanted, rtol=0, atol=CLOSE)
    change = played.after - played.before
    np.testing.assert_allclose(played.result_part + played.pull_part, change, rtol=0, atol=1e-9)


def test_a_season_of_riichi_equals_the_slow_twin():
    history, params = season(), replace(PARAMS, sum_tolerance=1000.0)
    played = replay(history, params)
    np.testing.assert_allclose(played.after, replay_slowly(games_of(history), params)[1], rtol=0, atol=CLOSE)
    assert played.state.n_games.sum() == 1200
    assert (played.result_part + played.pull_part) == pytest.approx(played.after - played.before, abs=1e-9)


def test_a_replay_in_parts_gives_the_same_bits():
    history = random_history(np.random.default_rng(5))
    whole, state, after = replay(history), ProfitState.fresh(12, PARAMS), []
    for first, end in ((0, 1), (1, 120), (120, 300)):
        a, b = history.offset[first], history.offset[end]
        part = ProfitHistory(
            history.offset[first : end + 1] - a, history.player[a:b], history.place[a:b], history.balance[a:b]
        )
        played = replay_profit(part, state, PARAMS)
        state = played.state
        after.append(played.after)
    assert np.concatenate(after).tolist() == whole.after.tolist()
    assert state.r.tolist() == whole.state.r.tolist()
    assert state.n_games.tolist() == whole.state.n_games.tolist()


def test_nothing_given_is_changed():
    history = random_history(np.random.default_rng(5))
    start = ProfitState.fresh(12, PARAMS)
    for array in (history.offset, history.player, history.place, history.balance, start.r, start.n_games):
        array.flags.writeable = False
    played = replay_profit(history, start, PARAMS)
    assert start.r.tolist() == [1500.0] * 12
    assert played.state.n_games.sum() == history.n_entries


@given(st.lists(st.integers(-100_000, 100_000), min_size=1, max_size=9), st.sampled_from(SYSTEMS))
def test_games_among_equals_change_nothing_in_sum(balances, params):
    """New players: everybody's c is the same, so R is only moved about, whatever the size of the table."""
    game = dict(enumerate([*map(float, balances), -float(sum(balances))]))
    played = replay(ProfitHistory.of_balances([game]), params)
    assert (played.after - played.before).sum() == pytest.approx(0.0, abs=1e-8)


def test_tied_players_with_the_same_balance_move_alike():
    after = replay(ProfitHistory.of_balances([{0: 54.0, 1: 8.0, 2: -31.0, 3: -31.0}])).after
    assert after[2] == after[3]


def test_no_games():
    played = replay(ProfitHistory.of_balances([]), n_players=3)
    assert played.state.r.tolist() == [1500.0] * 3


def test_pages_can_import_the_parameters_without_numba():
    code = "import sys, ratings.engine.profit.params; sys.exit('numba' in sys.modules)"
    root = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
