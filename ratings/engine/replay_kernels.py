"""Loops over the events of a history: each event's priors out of the players' state, its posteriors back into it."""

import math

import numpy as np
import numpy.typing as npt
from numba import njit

from ratings.engine.kernels import NOT_CONVERGED, rate_event

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@njit(cache=True, error_model="numpy")
def drifted(sigma: float, days: float, tau_sq: float, sigma0: float) -> float:
    """Drift widens up to sigma0; it never narrows a sigma that was wider to begin with."""
    if not days > 0.0 or tau_sq == 0.0:  # NaN: never played
        return sigma
    return max(sigma, min(math.sqrt(sigma * sigma + tau_sq * days), sigma0))


@njit(cache=True, error_model="numpy")
def _enter(  # numba loops take flat arrays by position
    day: float,
    player: Ints,
    state: Floats,
    tau_sq: float,
    sigma0: float,
    prior_mu: Floats,
    prior_sigma: Floats,
) -> None:
    for i in range(player.size):
        who = player[i]
        prior_mu[i] = state[0, who]
        prior_sigma[i] = drifted(state[1, who], day - state[2, who], tau_sq, sigma0)


@njit(cache=True, error_model="numpy")
def _leave(  # numba loops take flat arrays by position
    day: float,
    player: Ints,
    state: Floats,
    n_entries: Ints,
    sigma_floor: float,
    prior_sigma: Floats,
    new_mu: Floats,
    new_sigma: Floats,
) -> None:
    for i in range(player.size):
        who = player[i]
        new_sigma[i] = min(max(new_sigma[i], sigma_floor), prior_sigma[i])
        state[0, who] = new_mu[i]
        state[1, who] = new_sigma[i]
        state[2, who] = day
        n_entries[who] += 1


@njit(cache=True, error_model="numpy")
def replay_events(  # numba loops take flat arrays by position
    first: int,
    end: int,
    day: Floats,
    offset: Ints,
    player: Ints,
    place: Ints,
    constants: tuple[float, float, float, float, int],
    floats: Floats,
    ints: Ints,
    beta_sq: Floats,
    state: Floats,
    n_entries: Ints,
    results: Floats,
) -> int:
    """Rate events first..end-1 one after the other; arguments must have been validated.

    Parameters
    ----------
    first, end : int
        Range of events.
    day : float64, shape (n_events,)
        Days since any epoch.
    offset : int64, shape (n_events + 1,)
        Participations of event e are offset[e]..offset[e + 1] - 1.
    player, place : int64, shape (n_participations,)
        Player index and competition ranking within the event.
    constants : tuple
        tau^2 per day, sigma0, sigma floor (rating points), tolerance, cap on rounds.
    floats, ints : arrays
        From `workspace` for the largest event; overwritten.
    beta_sq : float64, shape (largest event,)
        Performance variance, rating points squared.
    state : float64, shape (3, n_players)
        mu, sigma, last day of each player; updated.
    n_entries : int64, shape (n_players,)
        Updated.
    results : float64, shape (4, n_participations)
        Prior mu and sigma, posterior mu and sigma; overwritten.

    Returns
    -------
    int
        Index of the event that did not converge, or `end`.

    References
    ----------
    See `rate_event`.

    Examples
    --------
    >>> import numpy as np
    >>> from ratings.engine.kernels import workspace
    >>> state = np.array([[1500.0, 1500.0], [500.0, 500.0], [np.nan, np.nan]])
    >>> results = np.empty((4, 2))
    >>> replay_events(0, 1, np.zeros(1), np.array([0, 2]), np.array([0, 1]), np.array([1, 2]),
    ...     (0.0, 500.0, 300.0, 1e-6, 500), *workspace(2), np.full(2, 1e6), state, np.zeros(2, np.int64),
    ...     results)
    1
    >>> results[2].round(6).tolist()
    [1626.156626, 1373.843374]
    """
    tau_sq, sigma0, sigma_floor, tolerance, max_rounds = constants
    for event in range(first, end):
        a, b = offset[event], offset[event + 1]
        if a == b:
            continue
        who = player[a:b]
        prior_mu, prior_sigma = results[0, a:b], results[1, a:b]
        new_mu, new_sigma = results[2, a:b], results[3, a:b]
        _enter(day[event], who, state, tau_sq, sigma0, prior_mu, prior_sigma)
        rounds = rate_event(
            prior_mu,
            prior_sigma,
            beta_sq[: b - a],
            place[a:b],
            tolerance,
            max_rounds,
            floats,
            ints,
            new_mu,
            new_sigma,
        )
        if rounds == NOT_CONVERGED:
            return event
        _leave(day[event], who, state, n_entries, sigma_floor, prior_sigma, new_mu, new_sigma)
    return end
