"""Speed of the profit rating: a replay of many games, compared with the formula as a loop in Python."""

import numpy as np

from bench.report import Row, best_of, met
from ratings.engine.profit.history import ProfitHistory
from ratings.engine.profit.params import ProfitParams, corrections
from ratings.engine.profit.replay import ProfitState, replay_profit

N, N_PLAYERS, SEATS = 1_000_000, 20_000, 4
# The loop in Python rates only this many games.
N_SLOW = 20_000
# Seconds, checks included.
GOAL = 5.0


def _games():
    rng = np.random.default_rng(1)
    first, apart = rng.integers(0, N_PLAYERS, N), 1 + rng.integers(0, N_PLAYERS // 5, N)
    player = (first[:, None] + np.arange(SEATS) * apart[:, None]) % N_PLAYERS
    balance = rng.normal(0.0, 50e3, (N, SEATS))
    balance = -np.sort(balance.mean(axis=1, keepdims=True) - balance, axis=1)
    return 4 * np.arange(N + 1), player.ravel(), np.tile(np.arange(1, SEATS + 1), N), balance.ravel()


def _python_loop(player, balance, params):
    r, n_games = [params.r0] * N_PLAYERS, [0] * N_PLAYERS
    step = (corrections(params) / params.least_correction).tolist()
    for first in range(0, N_SLOW * SEATS, SEATS):
        who = player[first : first + SEATS]
        mean = sum(r[i] for i in who) / SEATS
        for i, won in zip(who, balance[first : first + SEATS], strict=True):
            result = params.f * won / params.balance_unit
            r[i] += step[min(n_games[i], params.games)] * (result + params.pull * (mean - r[i]))
            n_games[i] += 1


def measure() -> list[Row]:
    params = ProfitParams()
    columns = _games()
    fresh = ProfitState.fresh(N_PLAYERS, params)
    ours = best_of(lambda: replay_profit(ProfitHistory(*columns), fresh, params), repeat=3)
    player, balance = (columns[i][: N_SLOW * SEATS].tolist() for i in (1, 3))
    theirs = best_of(lambda: _python_loop(player, balance, params), repeat=3) * N / N_SLOW
    note = f"checks included; theirs extrapolated from {N_SLOW:,} games; goal {GOAL:g} s: {met(ours <= GOAL)}"
    return [Row(f"profit rating of {N:,} games of {SEATS}", "a loop in Python", ours, theirs, note=note)]
