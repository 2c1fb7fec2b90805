"""Numba loops of the profit rating: nobody twice at a table, and the games in their order.

The slow twin is in tests/engine/ratings/test_profit.py.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@njit(cache=True, error_model="numpy")
def find_twice(offset: Ints, player: Ints, last_event: Ints) -> int:
    """The first entry of somebody who is at its table already, or -1; `last_event` holds -1 for each player."""
    for e in range(offset.size - 1):
        for i in range(offset[e], offset[e + 1]):
            if last_event[player[i]] == e:
                return i
            last_event[player[i]] = e
    return -1


@njit(cache=True, error_model="numpy")
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
    """Play all games; `state` and `n_games` are of the players and are changed, the last four are written.

    `step` is c(n)/c_least by games before, the last one for all later games. Sums go in the order of the entries.
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
