"""Numba loops of the season laboratory: finishing orders by chance, and the standings they lead to.

Each season has random numbers of its own, which depend on the seed and on the number of the season alone. Seasons can
therefore be simulated in any order and on any number of workers.

References
----------
.. [1] Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: splitmix64.
"""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel
from ratings.engine.simulation.draws import draw_places

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Orders = npt.NDArray[np.int16]
State = npt.NDArray[np.uint64]

# Constants of splitmix64 [1]_.
STEP = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
# How a player's chances are given: by the type of tier-rating.md, or by a performance around a rating.
BY_TYPE, BY_RATING = 0, 1
NOBODY = -1
LEAST_ENTRIES = 2  # of a night: a winner and a loser


@inner
def mixed(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> np.uint64(30))) * MIX_1
    z = (z ^ (z >> np.uint64(27))) * MIX_2
    return z ^ (z >> np.uint64(31))


@inner
def uniform(state: State) -> float:
    """Draw from [0, 1)."""
    state[0] += STEP
    return float(mixed(state[0]) >> np.uint64(11)) * 2.0**-53


@inner
def shuffle_first(items: Ints, n: int, state: State) -> None:
    """Move a random selection of `n` items, in random order, to the front."""
    for i in range(n):
        j = i + int(uniform(state) * (items.size - i))
        items[i], items[j] = items[j], items[i]


@inner
def draw_order(players: Ints, kind: int, strength: Floats, spread: Floats, state: State) -> Ints:
    """Draw the finishing order of a field, the winner first."""
    n = players.size
    if kind == BY_RATING:
        performance = np.empty(n)
        for i in range(n):
            # The transform of Box and Muller, of which one half is used.
            radius = math.sqrt(-2.0 * math.log(1.0 - uniform(state)))
            normal = radius * math.cos(2.0 * math.pi * uniform(state))
            performance[i] = strength[players[i]] + spread[players[i]] * normal
        return players[np.argsort(-performance)]
    order = np.arange(n)
    shuffle_first(order, n, state)
    uniforms = np.empty(n)
    for i in range(n):
        uniforms[i] = uniform(state)
    place = np.empty(n, dtype=np.int64)
    draw_places(strength[players], order, uniforms, np.empty(n, np.bool_), place)
    finished = np.empty(n, dtype=np.int64)
    for i in range(n):
        finished[place[i] - 1] = players[i]
    return finished


@inner
def draw_field(n_players: int, size: int, attendance: Floats, state: State) -> Ints:
    """Draw who comes: `size` players, each as likely as the others, or each by his own chance if size is 0."""
    players = np.arange(n_players)
    if size > 0:
        shuffle_first(players, size, state)
        return players[:size]
    n = 0
    for i in range(n_players):
        if uniform(state) < attendance[i]:
            players[n] = i
            n += 1
    return players[:n]


@inner
def draw_again(finished: Ints, n_busted: int, chance: float, state: State) -> Ints:
    """Draw who of the last `n_busted` players of an order buys in again."""
    again = finished[finished.size - n_busted :].copy()
    n = 0
    for player in finished[finished.size - n_busted :]:
        if uniform(state) < chance:
            again[n] = player
            n += 1
    return again[:n]


@kernel
def draw_seasons(
    seed: int,
    first: int,
    kind: int,
    strength: Floats,
    spread: Floats,
    size: int,
    attendance: Floats,
    closes_at: float,
    re_entry: float,
    orders: Orders,
) -> None:
    """Draw the finishing orders of consecutive seasons.

    Parameters
    ----------
    seed, first : int
        Seed, 0 to 2^63 - 1, and number of the first season.
    kind : int
        BY_TYPE or BY_RATING.
    strength, spread : float64, shape (n_players,)
        By type: the chance of the first place relative to the mean; `spread` is not used. By rating: mean and
        standard deviation of a performance.
    size : int
        Players of a night, or 0: each comes by his own chance, and a night with fewer than two is not held.
    attendance : float64, shape (n_players,)
        Chance to come, used if size is 0.
    closes_at : float
        End of registration as a fraction of the night, during which busts are evenly spaced.
    re_entry : float
        Chance that a player who busts before that buys in again, once. Who does is level with those still in.
    orders : int16, shape (n_seasons, n_nights, n_most_entries)
        Overwritten: the player of each entry, the winner first; NOBODY after the last. The last entry of a player is
        the one that comes first.

    References
    ----------
    Module docstring [1]_; ratings/engine/simulation/scenario.py for the chances by type.

    Examples
    --------
    >>> orders = np.empty((1, 1, 3), dtype=np.int16)
    >>> draw_seasons(1, 0, BY_TYPE, np.ones(3), np.ones(3), 3, np.ones(3), 0.0, 0.0, orders)
    >>> sorted(orders[0, 0].tolist())
    [0, 1, 2]
    """
    state = np.empty(1, dtype=np.uint64)
    orders[:] = NOBODY
    for season in range(orders.shape[0]):
        state[0] = mixed(mixed(np.uint64(seed)) + np.uint64(first + season))
        for night in range(orders.shape[1]):
            field = draw_field(strength.size, size, attendance, state)
            if field.size < LEAST_ENTRIES:
                continue
            finished = draw_order(field, kind, strength, spread, state)
            n_later = 0
            if re_entry > 0.0:
                n_busted = int(closes_at * (field.size - 1))
                again = draw_again(finished, n_busted, re_entry, state)
                if again.size:
                    n_later = field.size - n_busted + again.size
                    still_in = np.concatenate((finished[: field.size - n_busted], again))
                    orders[season, night, :n_later] = draw_order(still_in, kind, strength, spread, state)
                    orders[season, night, n_later : n_later + n_busted] = finished[field.size - n_busted :]
            if n_later == 0:
                orders[season, night, : field.size] = finished


# Columns of a player's sums; the tie-breaks are named by them.
TOTAL, POINTS, WINS, EVENTS, ENTRIES, ALL_POINTS, PROFIT = range(7)
N_SUMS = 6  # profit is computed from the others


@inner
def compare(one: Ints, other: Ints, tie_breaks: Ints, unit: int) -> int:
    """Compare two players: positive if the first is better, 0 if total and all tie-breaks are equal."""
    for column in tie_breaks:
        if column == PROFIT:
            left = (one[ALL_POINTS] - unit * one[ENTRIES]) * other[EVENTS]
            right = (other[ALL_POINTS] - unit * other[ENTRIES]) * one[EVENTS]
        elif column < 0:
            break
        else:
            left, right = one[column], other[column]
        if left != right:
            return 1 if left > right else -1
    return 0


@inner
def add_result(results: Ints, n_before: int, points: int) -> None:
    """Insert a result among a player's results so far, the best first."""
    at = n_before
    while at > 0 and results[at - 1] < points:
        results[at] = results[at - 1]
        at -= 1
    results[at] = points


@inner
def sum_up(sums: Ints, results: Ints, n_held: int, rules: Ints, unit: int) -> None:
    """Compute the points that count, and the total."""
    attendance, best_n, drop_worst, missed_first = rules[0], rules[1], rules[2], rules[3]
    n = sums[EVENTS]
    n_dropped = max(0, drop_worst - (n_held - n)) if missed_first else drop_worst
    n_kept = max(0, n - n_dropped)
    if best_n > 0:
        n_kept = min(n_kept, best_n)
    sums[POINTS] = results[:n_kept].sum()
    sums[TOTAL] = sums[POINTS] + attendance * unit * n


@inner
def mark_leaders(sums: Ints, tie_breaks: Ints, unit: int, leads: npt.NDArray[np.bool_]) -> None:
    best = -1
    for player in range(sums.shape[0]):
        if sums[player, EVENTS] and (best < 0 or compare(sums[player], sums[best], tie_breaks, unit) > 0):
            best = player
    for player in range(sums.shape[0]):
        leads[player] = (
            best >= 0
            and sums[player, EVENTS] > 0
            and compare(sums[player], sums[best], tie_breaks, unit) == 0
        )


@inner
def rank_players(sums: Ints, tie_breaks: Ints, unit: int, by_total: Ints, rank: Ints) -> int:
    """Rank those who played, 1-2-2-4; return how many they are. `by_total` lists them by falling total."""
    keys = np.where(sums[:, EVENTS] > 0, -sums[:, TOTAL], np.iinfo(np.int64).max)
    by_total[:] = np.argsort(keys, kind="mergesort")
    rank[:] = 0
    n = int((sums[:, EVENTS] > 0).sum())
    start = 0
    while start < n:
        end = start + 1
        while end < n and sums[by_total[end], TOTAL] == sums[by_total[start], TOTAL]:
            end += 1
        for i in range(start, end):
            n_better = start
            for j in range(start, end):
                if compare(sums[by_total[j]], sums[by_total[i]], tie_breaks, unit) > 0:
                    n_better += 1
            rank[by_total[i]] = n_better + 1
        start = end
    return n


@inner
def add_night(order: Orders, table: Ints, sums: Ints, results: Ints) -> int:
    """Add a night's results to the sums of its players; return the number of nights held, 1 or 0."""
    n = int((order != NOBODY).sum())
    if n == 0:
        return 0
    points, entries = np.zeros(sums.shape[0], dtype=np.int64), np.zeros(sums.shape[0], dtype=np.int64)
    for at in range(n):
        points[order[at]] += table[n, at]
        entries[order[at]] += 1
    sums[order[0], WINS] += 1
    for player in range(sums.shape[0]):
        if entries[player]:
            add_result(results[player], sums[player, EVENTS], points[player])
            sums[player, EVENTS] += 1
            sums[player, ENTRIES] += entries[player]
            sums[player, ALL_POINTS] += points[player]
    return 1


@inner
def count_players(
    sums: Ints, rank: Ints, group: Ints, unit: int, least_events: int, turnout: Ints, profit: Ints
) -> None:
    """Count final places by nights played, and profits per tourney in thousandths."""
    for player in range(group.size):
        g, n_events = group[player], sums[player, EVENTS]
        turnout[g, n_events] += rank[player]
        if n_events >= least_events:
            gain = 1000 * (sums[player, ALL_POINTS] - unit * sums[player, ENTRIES]) // (unit * n_events)
            profit[g, 0] += 1
            profit[g, 1] += gain
            profit[g, 2] += gain * gain


@kernel
def score_seasons(
    orders: Orders,
    group: Ints,
    tables: Ints,
    unit: Ints,
    rules: Ints,
    tie_breaks: Ints,
    best_won: npt.NDArray[np.bool_],
    best_place: Ints,
    three_won: Ints,
    group_won: Ints,
    total_at: Ints,
    settled: Ints,
    turnout: Ints,
    profit: Ints,
    played: Ints,
) -> None:
    """Compute the standings of simulated seasons, and add what is asked of them to the arrays.

    Parameters
    ----------
    orders : int16, shape (n_seasons, n_nights, n_most_entries)
        As `draw_seasons` makes them. Player 0 is the best, 1 and 2 follow.
    group : int64, shape (n_players,)
        Group of each player, for sums by strength.
    tables : int64, shape (n_variants, n_most_entries + 1, n_most_entries)
        Points by number of entries and place, in units of 1/unit.
    unit : int64, shape (n_variants,)
    rules : int64, shape (n_variants, 5)
        Points of attendance, best N (0: all), worst dropped, whether missed events are dropped first, least events
        for profit.
    tie_breaks : int64, shape (n_variants, n)
        Columns of sums, TOTAL first, filled up with -1.
    best_won : bool, shape (n_seasons, n_variants)
        Overwritten: whether the best player leads at the end, alone or with others.
    best_place : int64, shape (n_variants, n_players + 1)
        Seasons by final place of the best player; 0: did not play.
    three_won : int64, shape (n_variants,)
        Seasons that one of the three best wins.
    group_won : int64, shape (n_variants, n_groups)
        Seasons that somebody of the group wins.
    total_at : int64, shape (n_variants, n_players)
        Sum of the totals by position, the highest first.
    settled : int64, shape (n_variants, n_nights)
        Seasons whose leaders after the night stay the same to the end.
    turnout : int64, shape (n_variants, n_groups, n_nights + 1)
        Sum of the final places by nights played.
    profit : int64, shape (n_variants, n_groups, 3)
        Number, sum and sum of squares of profits per tourney, in thousandths rounded down.
    played : int64, shape (n_groups, n_nights + 1)
        Players by nights played.

    References
    ----------
    payouts/engine/seasons/standings.py, to which the standings are equal.

    Examples
    --------
    See lab/engine/seasons/chunks.py.
    """
    n_seasons, n_nights, _n_most = orders.shape
    n_players = group.size
    sums = np.empty((n_players, N_SUMS), dtype=np.int64)
    results = np.empty((n_players, n_nights), dtype=np.int64)
    leads = np.empty((n_nights, n_players), dtype=np.bool_)
    by_total, rank = np.empty(n_players, dtype=np.int64), np.empty(n_players, dtype=np.int64)
    for season in range(n_seasons):
        for v in range(unit.size):
            sums[:] = 0
            n_held = 0
            for night in range(n_nights):
                n_held += add_night(orders[season, night], tables[v], sums, results)
                for player in range(n_players):
                    sum_up(sums[player], results[player], n_held, rules[v], unit[v])
                mark_leaders(sums, tie_breaks[v], unit[v], leads[night])
            n_ranked = rank_players(sums, tie_breaks[v], unit[v], by_total, rank)
            best_won[season, v] = rank[0] == 1
            best_place[v, rank[0]] += 1
            three_won[v] += 1 if (rank[:3] == 1).any() else 0
            for g in range(group_won.shape[1]):
                group_won[v, g] += 1 if (rank[group == g] == 1).any() else 0
            for at in range(n_ranked):
                total_at[v, at] += sums[by_total[at], TOTAL]
            count_players(sums, rank, group, unit[v], max(1, rules[v, 4]), turnout[v], profit[v])
            night = n_nights - 1
            while night >= 0 and (leads[night] == leads[n_nights - 1]).all():
                settled[v, night] += 1
                night -= 1
        for player in range(n_players):
            played[group[player], sums[player, EVENTS]] += 1
