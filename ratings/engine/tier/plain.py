"""Replay by the core model, with drift by events and ties by a draw margin, as other rating systems have them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import rate_field
from ratings.engine.history import EventHistory
from ratings.engine.reference import rate_field_slowly
from ratings.engine.tier.core_model import PlainParams
from ratings.engine.tier.pipeline import Progress, replay_events
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class PlainReplay:
    """Result of a replay by the core model.

    Attributes
    ----------
    history : EventHistory
    prior_mu, prior_sigma, posterior_mu, posterior_sigma : float64, shape (n_entries,)
        In the order of the history, rating points.
    state : PoolState
        After the last event.
    """

    history: EventHistory
    prior_mu: Floats
    prior_sigma: Floats
    posterior_mu: Floats
    posterior_sigma: Floats
    state: PoolState


def replay_plainly(
    history: EventHistory, start: PoolState, params: PlainParams, *, progress: Progress | None = None
) -> PlainReplay:
    """Rate every event of a history in order.

    Parameters
    ----------
    history : EventHistory
        From `order_history`.
    start : PoolState
        State before the first event; left unchanged.
    params : PlainParams
        Without a drift by events and a draw margin, the loops of the pipeline do it, a thousand times as fast.
    progress : callable, optional
        Called with (number of rated events, n_events).

    Returns
    -------
    PlainReplay

    Raises
    ------
    BadEventError, NotConvergedError
        As for `replay_events`.

    References
    ----------
    .. [1] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006, section 3.

    Examples
    --------
    >>> from ratings.engine.tier.core_model import order_history
    >>> history = order_history(np.zeros(1), np.array([0, 2]), np.array([0, 1]), np.array([1, 2]))
    >>> classic = PlainParams(mu0=25, sigma0=25 / 3, beta=25 / 6, tau_per_event=25 / 300, draw_margin=0.740466587)
    >>> replayed = replay_plainly(history, PoolState.fresh(2, classic.tier), classic)
    >>> replayed.state.mu.round(3).tolist(), replayed.state.sigma.round(3).tolist()
    ([29.396, 20.604], [7.171, 7.171])
    """
    if params.tau_per_event == 0.0 and params.draw_margin == 0.0:
        fast = replay_events(history, start, params.tier, progress=progress)
        return PlainReplay(
            history, fast.prior_mu, fast.prior_sigma, fast.posterior_mu, fast.posterior_sigma, fast.state
        )
    mu, sigma, last_day = start.mu.copy(), start.sigma.copy(), start.last_day.copy()
    n_entries = start.n_entries.copy()
    rated = np.empty((4, history.n_entries))
    for e, day in enumerate(history.day.tolist()):
        span = slice(history.offset[e], history.offset[e + 1])
        who = history.player[span]
        prior_mu, prior_sigma = mu[who], _drifted(sigma[who], day - last_day[who], params)
        mu[who], sigma[who] = _rate(prior_mu, prior_sigma, history.place[span], params)
        rated[:, span] = prior_mu, prior_sigma, mu[who], sigma[who]
        last_day[who] = day
        n_entries[who] += 1
        if progress is not None:
            progress(e + 1, history.n_events)
    state = PoolState(mu, sigma, last_day, n_entries)
    return PlainReplay(history, rated[0], rated[1], rated[2], rated[3], state)


def _drifted(sigma: Floats, days: Floats, params: PlainParams) -> Floats:
    """Widen sigma by the days since the last event up to sigma0, then by the event."""
    by_days = np.sqrt(sigma**2 + params.tau_per_day**2 * np.fmax(days, 0.0))  # Days are NaN for a new player.
    by_event: Floats = np.hypot(np.maximum(sigma, np.minimum(by_days, params.sigma0)), params.tau_per_event)
    return by_event


def _rate(mu: Floats, sigma: Floats, place: Ints, params: PlainParams) -> tuple[Floats, Floats]:
    most = int(params.max_rounds)
    if params.draw_margin == 0.0:
        field = rate_field(mu, sigma, place, beta=params.beta, tolerance=params.tolerance, max_rounds=most)
        return field.mu, field.sigma
    beta, margin = np.full(mu.size, params.beta), params.draw_margin
    return rate_field_slowly(
        mu, sigma, place, beta, draw_margin=margin, tolerance=params.tolerance, max_sweeps=most
    )
