"""Numba loops of the profit rating: the search for a player twice at a table, and the replay of games.

The slow twin is in tests/engine/ratings/test_profit.py.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@kernel
def find_twice(offset: Ints, player: Ints, last_event: Ints) -> int:
    """Find the first entry of a player who is already at its table, else -1; `last_event` is -1 for each player."""
    for e in range(offset.size - 1):
        for i in range(offset[e], offset[e + 1]):
            if last_event[player[i]] == e:
                return i
            last_event[player[i]] = e
    return -1


@kernel
def replay_games(
    offset: Ints,
    player: Ints,
    result: Floats,
    step: Floats,
    pull: float,
    state: Floats,
    n_games: Ints,
    before: Floats,
    after: Floats,
    n_before: Ints,
    table_mean: Floats,
) -> None:
    """Replay all games: update `state` and `n_games` of the players, write the last four arguments.

    `step` is c(n)/c_least by number of games before; its last value applies to all later games. Sums are taken in the
    order of the entries.
    """
    last = step.size - 1
    for e in range(offset.size - 1):
        a, b = offset[e], offset[e + 1]
        total = 0.0
        for i in range(a, b):
            total += state[player[i]]
        mean = total / (b - a)
        table_mean[e] = mean
        for i in range(a, b):
            who = player[i]
            old, n = state[who], n_games[who]
            new = old + step[min(n, last)] * (result[i] + pull * (mean - old))
            before[i], after[i], n_before[i] = old, new, n
            state[who] = new
            n_games[who] = n + 1
