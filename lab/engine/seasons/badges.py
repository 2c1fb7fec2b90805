"""Ratings and badges of simulated seasons: each season is replayed through TIER, with and without late entries."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import LETTERS, QUARTERS, Totals
from ratings.engine.history import EventHistory
from ratings.engine.simulation.draws import draw_registrations
from ratings.engine.simulation.player_types import CLOSES_AT
from ratings.engine.simulation.scenario import SEATS, bust_times
from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Orders = npt.NDArray[np.int16]


def season_history(orders: Orders, late: float, rng: np.random.Generator) -> EventHistory:
    """Make the event history of one season from its finishing orders.

    Parameters
    ----------
    orders : int16, shape (nights, most_entries)
        Player of each entry, the winner first; -1 after the last.
    late : float
        Share of each night's players who come late: at equal intervals until registration closes.
    rng : numpy.random.Generator

    Returns
    -------
    EventHistory
        A night a week, six minutes for each entry, busts evenly spaced; a re-entry registers when its player busts.

    Examples
    --------
    >>> season = season_history(np.array([[1, 0, 0]], dtype=np.int16), 0.0, np.random.default_rng(1))
    >>> season.number.tolist(), season.registered_at.tolist()
    ([1, 2, 1], [0.0, 9.0, 0.0])
    """
    held = [night[night >= 0].astype(np.int64) for night in orders if night[0] >= 0]
    nights = [_night(players, late, rng) for players in held]
    duration = TierParams.minutes_per_entry * np.array([float(players.size) for players in held])
    seats = np.full(len(held), SEATS, dtype=np.int64)
    number, registered, busted = (
        np.concatenate([np.empty(0), *column]) for column in zip(*nights, strict=True)
    )
    return EventHistory(
        day=np.flatnonzero(orders[:, 0] >= 0) * np.float64(7.0),
        offset=np.cumsum([0, *(players.size for players in held)], dtype=np.int64),
        duration=duration,
        closes_at=CLOSES_AT * duration,
        table_size=seats,
        final_table_size=seats,
        player=np.concatenate(held),
        number=number.astype(np.int64),
        place=np.concatenate([np.arange(1, players.size + 1) for players in held]),
        registered_at=registered,
        busted_at=busted,
    )


def _night(players: Ints, late: float, rng: np.random.Generator) -> tuple[Ints, Floats, Floats]:
    """Number, registration and bust of each entry."""
    n = players.size
    duration = TierParams.minutes_per_entry * n
    busted = bust_times(np.arange(1, n + 1), n, duration)
    number, registered = np.ones(n, dtype=np.int64), np.zeros(n)
    last_of = {int(player): at for at, player in reversed(list(enumerate(players)))}
    is_first = np.ones(n, dtype=np.bool_)
    for at, player in enumerate(players.tolist()):
        if (again := last_of[player]) != at:
            number[again], registered[again], is_first[again] = 2, busted[at], False
    firsts = np.flatnonzero(is_first)[::-1]  # in the order of their busts
    n_late = int(late * firsts.size)
    times = CLOSES_AT * duration * (np.arange(1, n_late + 1) / max(n_late, 1))  # the last at the close
    drawn = np.empty(firsts.size)
    slots = np.concatenate([np.zeros(firsts.size - n_late), times])
    draw_registrations(busted[firsts], slots, rng.random(firsts.size), drawn)
    registered[firsts] = drawn
    return number, registered, busted


def count_badges(scenario: Scenario, orders: Orders, seed: tuple[int, int], totals: Totals) -> None:
    """Rate the players of one season, and add their badges and final rates to the totals.

    Parameters
    ----------
    scenario : Scenario
    orders : int16, shape (nights, most_entries)
    seed : tuple of int
        Of the draws of late entries.
    totals : Totals
        `badges` and `rates` are changed.

    Examples
    --------
    See lab/engine/seasons/chunks.py.
    """
    if not (orders[:, 0] >= 0).any():
        return
    params, group = TierParams(beta=scenario.beta), scenario.group
    rates, has_badge = _rates_over_time(scenario, orders, scenario.late, seed, params)
    bounds = [min(low for name, low in badge_bounds(params) if name[0] == letter) for letter in "SAB"]
    for quarter in range(QUARTERS):
        letters = np.searchsorted(-np.array(bounds), -rates[quarter], side="left")
        letters = np.where(has_badge[quarter], letters, LETTERS - 1)
        np.add.at(totals.badges[quarter], (group, letters), 1)
    on_time = _rates_over_time(scenario, orders, 0.0, seed, params)[0] if scenario.late else rates
    seen = np.isin(np.arange(scenario.n_players), orders)
    for column, values in enumerate((np.ones(len(group)), 1000 * rates[-1], 1000 * on_time[-1])):
        np.add.at(totals.rates[:, column], group[seen], np.rint(values[seen]).astype(np.int64))


def _rates_over_time(
    scenario: Scenario, orders: Orders, late: float, seed: tuple[int, int], params: TierParams
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Rate after each quarter of the season, and whether the placement is over; shape (QUARTERS, n_players)."""
    from ratings.engine.tier.pipeline import replay_events

    history = season_history(orders, late, np.random.default_rng(seed))
    state = PoolState.fresh(scenario.n_players, params)
    if scenario.mu:
        placed = np.full(scenario.n_players, params.provisional_entries, dtype=np.int64)
        state = PoolState(np.array(scenario.mu), np.array(scenario.sigma), state.last_day, placed)
    ends = [-(-history.n_events * quarter // QUARTERS) for quarter in range(QUARTERS + 1)]
    rates, n_entries = [], []
    for start, end in pairwise(ends):
        if end > start:
            state = replay_events(history.part(start, end), state, params).state
        rates.append(rate(state.mu, state.sigma, params))
        n_entries.append(state.n_entries)
    return np.array(rates), np.array(n_entries) >= params.provisional_entries
