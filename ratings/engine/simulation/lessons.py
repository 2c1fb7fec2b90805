"""Figures that explain settings: what a place brings, what a late entry costs, when a rate has settled."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ratings.engine.history import EventHistory
from ratings.engine.simulation.figures import late_on_average, late_penalty
from ratings.engine.simulation.scenario import PENALTY_LEFT
from ratings.engine.tier.next_event import rates_by_place
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]

# The field of the published table of penalties, who is left of it when the late entry comes, and when that is.
SEATS = 9
# Where sigma counts as settled, relative to its floor, no unit.
SETTLED = 1.0001
# Events after which a rate that has not settled is said never to.
MOST_EVENTS = 200


@dataclass(frozen=True)
class PlaceLesson:
    """Changes of the rate for one place, rating points: of a newcomer, a settled player, that one among stronger."""

    newcomer: float
    settled: float
    among_stronger: float


def place_lesson(
    n_players: int,
    place: int,
    params: TierParams,
    *,
    minutes: float = np.nan,
    seats: int = SEATS,
    final_seats: int = SEATS,
) -> PlaceLesson:
    """Rate one place of a field of settled players.

    Parameters
    ----------
    n_players : int
        At least 2.
    place : int
        From 1 to `n_players`.
    params : TierParams
    minutes, seats, final_seats
        As for `rates_by_place`.

    Returns
    -------
    PlaceLesson
        The stronger field is by two badges.

    Examples
    --------
    >>> lesson = place_lesson(10, 1, TierParams())
    >>> lesson.newcomer > lesson.among_stronger > lesson.settled > 0
    True
    """
    floor = settled_sigma(params)
    stronger = params.mu0 + 2.0 * params.badge_step
    fields = ((params.sigma0, params.mu0), (floor, params.mu0), (floor, stronger))
    table: dict[str, Any] = {"minutes": minutes, "seats": seats, "final_seats": final_seats}
    rates = [
        rates_by_place(_field(n_players, params, sigma=sigma, others=others), [place], params, **table)
        for sigma, others in fields
    ]
    newcomer, settled, among_stronger = (float(after[0] - before) for before, after in rates)
    return PlaceLesson(newcomer, settled, among_stronger)


def settled_sigma(params: TierParams) -> float:
    """Return sigma after many events: the floor, or half of sigma0 without a floor."""
    return params.sigma_floor or params.sigma0 / 2.0


def _field(n: int, params: TierParams, *, sigma: float, others: float) -> PoolState:
    """Build a field of settled players with a given mean, and one player of mean skill and given sigma."""
    fresh = PoolState.fresh(n, params)
    mu, sigmas = np.full(n, others), np.full(n, settled_sigma(params))
    mu[0], sigmas[0] = params.mu0, sigma
    return PoolState(mu, sigmas, fresh.last_day, fresh.n_entries)


def late_costs(params: TierParams) -> dict[int, tuple[float, float]]:
    """Penalty and mean gain of a first entry in the published field, by the players who are left when it comes.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    dict of int to (float, float)
        The penalty, rating points, not negative, of which a re-entry pays late_reentry/late_first; and by how much more
        the rate changes on average than that of a player there from the start (`late_on_average`).

    References
    ----------
    .. [1] TIER publication of November 2022: table of penalties in a field of 60 new players, by the scenario of
       `scenario_figures.late_penalty`.

    Examples
    --------
    >>> {left: round(cost, 1) for left, (cost, _gain) in late_costs(TierParams()).items()}
    {59: 0.6, 49: 4.4, 39: 8.3, 29: 13.4}
    """
    return {
        left: (-late_penalty(params.mu0, left, params), late_on_average(left, params))
        for left in PENALTY_LEFT
    }


def events_to_settle(
    n_players: int, params: TierParams, *, minutes: float = np.nan, seats: int = SEATS
) -> int | None:
    """Count the events until sigma of a newcomer who finishes in the middle of settled players is at its floor.

    Parameters
    ----------
    n_players : int
        Size of every field.
    params : TierParams
    minutes, seats
        As for `rates_by_place`.

    Returns
    -------
    int or None
        None if that takes more than MOST_EVENTS, or if there is no floor.

    Examples
    --------
    >>> events_to_settle(50, TierParams())
    16
    """
    if params.sigma_floor == 0.0:
        return None
    others = [list(range(e * (n_players - 1) + 1, (e + 1) * (n_players - 1) + 1)) for e in range(MOST_EVENTS)]
    middle = (n_players - 1) // 2
    orders = [[*field[:middle], 0, *field[middle:]] for field in others]
    fresh = PoolState.fresh(1 + MOST_EVENTS * (n_players - 1), params)
    sigma = np.full(fresh.sigma.size, settled_sigma(params))
    sigma[0] = params.sigma0
    start = PoolState(fresh.mu, sigma, fresh.last_day, fresh.n_entries)
    replay = replay_events(EventHistory.of_orders(orders, duration=minutes, seats=seats), start, params)
    after = replay.posterior_sigma[replay.history.player == 0]
    settled = np.flatnonzero(after <= params.sigma_floor * SETTLED)
    return int(settled[0]) + 1 if settled.size else None
