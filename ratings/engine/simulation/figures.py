"""Figures of a rated season as the publication's simulation gives them.

References
----------
.. [1] TIER publication of November 2022, simulation.
"""

from dataclasses import replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from ratings.engine.history import EventHistory
from ratings.engine.icm import place_probabilities
from ratings.engine.simulation.player_types import TYPES
from ratings.engine.simulation.scenario import (
    EVENTS_EACH,
    PENALTY_FIELD,
    PENALTY_LEFT,
    PENALTY_MU,
    Scenario,
    late_entries,
)
from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams, rate
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Groups = dict[str, npt.NDArray[np.bool_]]

LETTERS = ("S", "A", "B", "C")
# Events after which badges are counted [1]_.
BADGES_AFTER = 15


class SeasonFigures(TypedDict):
    """By type and for all: mean rate, percent of each badge letter, place over field size; median sigma by events."""

    mean_rate_after_20: dict[str, float]
    badge_share_after_15: dict[str, dict[str, float]]
    median_sigma: dict[int, float]
    mean_place_fraction: dict[str, float]


def _by_player(history_player: Ints, values: Floats) -> Floats:
    """Reshape values to a row for each player, in the order of the player's events."""
    order = np.argsort(history_player, kind="stable")
    return values[order].reshape(-1, EVENTS_EACH)


def _letter_bounds(params: TierParams) -> list[float]:
    """Least rate of each letter, best first."""
    bounds = badge_bounds(params)
    return [min(lower for name, lower in bounds if name[0] == letter) for letter in LETTERS]


def _groups(kind: Ints) -> Groups:
    """Members of each type, and all of them."""
    return {
        **{name: kind == index for index, name in enumerate(TYPES)},
        "all": np.ones(kind.size, dtype=np.bool_),
    }


def _badge_shares(rates: Floats, groups: Groups, params: TierParams) -> dict[str, dict[str, float]]:
    bounds = np.array(_letter_bounds(params))
    reached = {
        name: 100.0 * np.mean(rates[members, np.newaxis] >= bounds, axis=0)
        for name, members in groups.items()
    }
    return {
        name: dict(zip(LETTERS, np.diff(shares, prepend=0.0).tolist(), strict=True))
        for name, shares in reached.items()
    }


def badge_shares(season: Scenario, params: TierParams, n_events: int) -> dict[str, dict[str, float]]:
    """Rate a season and count the badges after some events.

    Parameters
    ----------
    season : Scenario
    params : TierParams
    n_events : int
        From 1 to EVENTS_EACH.

    Returns
    -------
    dict of dict
        Percent by type and letter.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> from ratings.engine.simulation.scenario import published
    >>> badge_shares(published(np.random.default_rng(1)), TierParams(), 1)["all"]["S"]
    0.0
    """
    _sigma, rates = _by_events(season, params)
    return _badge_shares(rates[:, n_events - 1], _groups(season.kind), params)


def _by_events(season: Scenario, params: TierParams) -> tuple[Floats, Floats]:
    """Compute sigma and rate of every player after each of the player's events."""
    history = season.history
    rated = replay_events(history, PoolState.fresh(season.kind.size, params), params)
    sigma = _by_player(history.player, rated.posterior_sigma)
    return sigma, rate(_by_player(history.player, rated.posterior_mu), sigma, params)


def season_figures(season: Scenario, params: TierParams) -> SeasonFigures:
    """Rate a season and compute the figures that were published.

    Parameters
    ----------
    season : Scenario
        Every player has EVENTS_EACH events.
    params : TierParams

    Returns
    -------
    SeasonFigures
        mean_rate_after_20 (by type, rating points), badge_share_after_15 (percent, by type and letter),
        median_sigma (rating points, by number of events), mean_place_fraction (by type).

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> from ratings.engine.simulation.scenario import published
    >>> figures = season_figures(published(np.random.default_rng(1)), TierParams())
    >>> sorted(figures["badge_share_after_15"]["top"])
    ['A', 'B', 'C', 'S']
    """
    history = season.history
    sigma, rates = _by_events(season, params)
    sizes = np.diff(history.offset)
    fraction = _by_player(history.player, history.place / np.repeat(sizes, sizes))
    groups = _groups(season.kind)
    return {
        "mean_rate_after_20": {name: float(rates[members, -1].mean()) for name, members in groups.items()},
        "badge_share_after_15": _badge_shares(rates[:, BADGES_AFTER - 1], groups, params),
        "median_sigma": {n: float(np.median(sigma[:, n - 1])) for n in range(1, EVENTS_EACH + 1)},
        "mean_place_fraction": {name: float(fraction[members].mean()) for name, members in groups.items()},
    }


def late_penalty(mu: float, left: int, params: TierParams) -> float:
    """Change of rate by the late penalty alone.

    Parameters
    ----------
    mu : float
        The late player's prior mean, rating points; the player's sigma and all others have the start values.
    left : int
        Players of PENALTY_FIELD not bust at the late registration, the late player included.
    params : TierParams

    Returns
    -------
    float
        Rating points, not positive.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> late_penalty(1500.0, 60, TierParams())
    0.0
    """
    start = PoolState.fresh(PENALTY_FIELD, params)
    first = np.concatenate([[mu], start.mu[1:]])
    state = PoolState(first, start.sigma, start.last_day, start.n_entries)
    event = late_entries(left, (PENALTY_FIELD // 4,))
    free = replace(params, late_charge="published", late_a=0.0, late_b=0.0)
    paid = [replay_events(event, state, each).posterior_mu[0] for each in (params, free)]
    return float(paid[0] - paid[1])


def late_on_average(
    left: int, params: TierParams, *, n_entries: int = PENALTY_FIELD, sigma: float | None = None
) -> float:
    """Expected change of rate of a late entry less that of one there from the start, among equal players.

    Parameters
    ----------
    left : int
        Players not bust at the late registration, the late player included.
    params : TierParams
    n_entries : int
        Size of the field.
    sigma : float, optional
        Uncertainty of everybody, rating points; sigma0 if not given.

    Returns
    -------
    float
        Rating points; positive if entering late pays on average.

    References
    ----------
    [1]_ of the module docstring for the scenario; chances of the places are those of Malmuth-Harville for one starting
    stack among players who share the chips of all earlier entries (`icm.place_probabilities`).

    Examples
    --------
    >>> late_on_average(59, TierParams()) > 0.0
    True
    """
    stacks = np.full(left, (n_entries - 1.0) / max(left - 1, 1))
    stacks[0] = 1.0
    chances = place_probabilities(stacks)[0]
    late = _changes(late_entries(left, range(1, left + 1), n_entries=n_entries), params, sigma)
    seated = _changes(late_entries(n_entries, (1,), n_entries=n_entries), params, sigma)
    return float(np.sum(chances * late[::n_entries]) - seated.mean())


def _changes(history: EventHistory, params: TierParams, sigma: float | None) -> Floats:
    """Change of the rate of every entry, each of a player of its own; no floor applied."""
    start = PoolState.fresh(history.n_entries, params)
    if sigma is not None:
        start.sigma[:] = sigma
    rated = replay_events(history, start, params)
    change_of_sigma = rated.posterior_sigma - start.sigma
    return rated.posterior_mu - start.mu - params.conservatism * change_of_sigma


def penalty_figures(params: TierParams) -> dict[str, dict[str, dict[str, float]]]:
    """Compute the figures of scenario `late-penalty`.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    dict
        penalty: by mu, by players left, change of rate in rating points.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> list(penalty_figures(TierParams())["penalty"])
    ['1000', '1500', '2000']
    """
    return {
        "penalty": {
            f"{mu:g}": {str(left): late_penalty(mu, left, params) for left in PENALTY_LEFT}
            for mu in PENALTY_MU
        }
    }
