"""Part of a laboratory run: consecutive seasons of a scenario."""

import numpy as np
import numpy.typing as npt

from lab.engine.seasons import kernels
from lab.engine.seasons.badges import count_badges
from lab.engine.seasons.nights import play_seasons
from lab.engine.seasons.points import tables_of
from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import RATED_SEASONS, Totals
from ratings.engine.simulation.player_types import CLOSES_AT

Ints = npt.NDArray[np.int64]
Orders = npt.NDArray[np.int16]
COLUMNS = {"points": kernels.POINTS, "wins": kernels.WINS, "events": kernels.EVENTS, "profit": kernels.PROFIT}


def draw_orders(scenario: Scenario, seed: int, first: int, n_seasons: int) -> Orders:
    """Draw the finishing orders of consecutive seasons.

    Parameters
    ----------
    scenario : Scenario
    seed : int
        0 to 2^63 - 1.
    first, n_seasons : int
        Number of the first season, and how many.

    Returns
    -------
    int16, shape (n_seasons, nights, most_entries)
        Player of each entry, the winner first; -1 after the last.

    Examples
    --------
    >>> draw_orders(Scenario(counts=(1, 1, 1, 0, 0), nights=2, size=2), 1, 0, 3).shape
    (3, 2, 2)
    """
    if scenario.styles:
        return play_seasons(scenario, seed, first, n_seasons)
    orders = np.empty((n_seasons, scenario.nights, scenario.most_entries), dtype=np.int16)
    kernels.draw_seasons(
        seed,
        first,
        kernels.BY_TYPE if scenario.counts else kernels.BY_RATING,
        scenario.strength,
        scenario.spread,
        scenario.size or 0,
        scenario.chances_to_come,
        CLOSES_AT,
        scenario.re_entry,
        orders,
    )
    return orders


def score_orders(scenario: Scenario, orders: Orders) -> Totals:
    """Compute the standings of drawn seasons, and what is asked of them; ratings are left out.

    Parameters
    ----------
    scenario : Scenario
    orders : int16, shape (n_seasons, nights, most_entries)
        As from `draw_orders`, or from players who play hand by hand.

    Returns
    -------
    Totals

    Examples
    --------
    >>> season = Scenario(counts=(1, 1, 1, 0, 0), nights=1, size=2)
    >>> score_orders(season, np.array([[[0, 2]]], dtype=np.int16)).best_place.tolist()
    [[0, 1, 0, 0]]
    """
    totals = Totals.empty(scenario)
    tables, units = tables_of(scenario)
    best_won = np.zeros((len(orders), len(scenario.variants)), dtype=np.bool_)
    kernels.score_seasons(
        orders,
        scenario.group,
        tables,
        units,
        np.array([_rules(scenario, v) for v in range(len(scenario.variants))], dtype=np.int64),
        _tie_breaks(scenario),
        best_won,
        totals.best_place,
        totals.three_won,
        totals.group_won,
        totals.total_at,
        totals.settled,
        totals.turnout,
        totals.profit,
        totals.played,
    )
    totals.n_seasons[0] = len(orders)
    totals.n_entries[0] = (orders >= 0).sum()
    totals.n_nights[0] = (orders[:, :, 0] >= 0).sum()
    won = best_won.astype(np.int64)
    np.copyto(totals.ahead, won.T @ (1 - won) + np.diag(won.sum(axis=0)))
    return totals


def simulate(scenario: Scenario, seed: int, first: int, n_seasons: int) -> Totals:
    """Simulate consecutive seasons; the players of the first `RATED_SEASONS` of a run are also rated.

    Parameters
    ----------
    scenario, seed, first, n_seasons
        As for `draw_orders`.

    Returns
    -------
    Totals
        Of these seasons; parts of a run add up to the same totals however it is divided.

    Examples
    --------
    >>> season = Scenario(counts=(1, 1, 1, 0, 0), nights=2, size=2)
    >>> parts = [simulate(season, 7, 0, 2), simulate(season, 7, 2, 3)]
    >>> Totals.merged(parts).to_dict() == simulate(season, 7, 0, 5).to_dict()
    True
    """
    orders = draw_orders(scenario, seed, first, n_seasons)
    totals = score_orders(scenario, orders)
    if n_rated := max(0, min(RATED_SEASONS - first, n_seasons)):
        totals.n_rated[0] = n_rated
        for season in range(n_rated):
            count_badges(scenario, orders[season], (seed, first + season), totals)
    return totals


def _rules(scenario: Scenario, v: int) -> list[int]:
    rules = scenario.variants[v].rules
    return [
        int(rules.attendance_points),
        rules.best_n or 0,
        rules.drop_worst,
        int(rules.missed_count_as_zero),
        rules.min_events,
    ]


def _tie_breaks(scenario: Scenario) -> Ints:
    columns = np.full((len(scenario.variants), 1 + len(COLUMNS)), -1, dtype=np.int64)
    for row, variant in zip(columns, scenario.variants, strict=True):
        names = [COLUMNS[name] for name in variant.rules.tie_breaks]
        row[: 1 + len(names)] = [kernels.TOTAL, *names]
    return columns
