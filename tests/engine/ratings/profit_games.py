"""Games for the profit rating: made up ones and a season of riichi."""

import csv
from pathlib import Path

import numpy as np

from ratings.engine.profit.history import ProfitHistory
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.replay import ProfitState, replay_profit

PARAMS = ProfitParams()
LADDER = ProfitParams(system="placement")
MLEAGUE = Path(__file__).parents[2] / "data" / "mleague-2025-26" / "results.csv"


def replay(history, params=PARAMS, start=None, n_players=None):
    n_players = int(history.player.max(initial=-1)) + 1 if n_players is None else n_players
    return replay_profit(history, start or ProfitState.fresh(n_players, params), params)


def random_history(rng, n_events=300, n_players=12, sizes=(3, 4)):
    games = []
    for _ in range(n_events):
        n = int(rng.choice(sizes))
        balance = np.round(rng.normal(0.0, 50e3, n), -4)  # ties are common
        balance[-1] -= balance.sum()
        games.append(dict(zip(rng.permutation(n_players)[:n].tolist(), balance.tolist(), strict=True)))
    return ProfitHistory.of_balances(games)


def season():
    """A riichi season: thousands of real balances, one tie, and one game that does not sum to 0."""
    with MLEAGUE.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names, player = np.unique([row["player"] for row in rows], return_inverse=True)
    _events, sizes = np.unique([row["event"] for row in rows], return_counts=True)
    assert (names.size, sizes.tolist()) == (40, [4] * 300)
    place, balance = (np.array([float(row[name]) for row in rows]) for name in ("place", "balance"))
    return ProfitHistory(np.arange(301) * 4, player.astype(np.int64), place.astype(np.int64), balance)
