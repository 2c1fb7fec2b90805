"""Rate one field by its finishing order: kernels.rate_event with checked arguments."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import NotConvergedError
from ratings.engine.kernels import NOT_CONVERGED, rate_event, workspace
from ratings.engine.limits import MAX_ROUNDS, TOLERANCE

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class FieldPosterior:
    """Skills after one event.

    Attributes
    ----------
    mu, sigma : float64, shape (n,)
        Posterior mean and standard deviation in the order of the arguments, rating points.
    rounds : int
        Rounds of expectation propagation; 0 if there was nothing to iterate.
    """

    mu: Floats
    sigma: Floats
    rounds: int


def _vector(name: str, values: npt.ArrayLike, size: int | None) -> Floats:
    vector = np.array(values, dtype=np.float64)
    if size is not None and vector.ndim == 0:
        vector = np.full(size, vector)
    if vector.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {vector.shape}")
    if size is not None and vector.size != size:
        raise ValueError(f"{name} has {vector.size} entries, mu has {size}")
    bad = np.flatnonzero(~np.isfinite(vector))
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] must be finite, got {vector[bad[0]]}")
    return vector


def _positive(name: str, values: npt.ArrayLike, size: int) -> Floats:
    vector = _vector(name, values, size)
    bad = np.flatnonzero(vector <= 0.0)
    if bad.size:
        raise ValueError(f"{name}[{bad[0]}] must be positive, got {vector[bad[0]]}")
    return vector


def _competition_ranking(place: npt.ArrayLike, size: int) -> Ints:
    if np.ndim(place) != 1:
        raise ValueError(f"place must be one-dimensional, got shape {np.shape(place)}")
    given = _vector("place", place, size)
    bad = np.flatnonzero(given != competition_places(given))
    if bad.size:
        raise ValueError(
            f"place[{bad[0]}] is {given[bad[0]]:g}, but places must be a competition ranking (ties 1-2-2-4)"
        )
    return given.astype(np.int64)


def competition_places(keys: npt.ArrayLike) -> Ints:
    """Places by key, the smallest first, ties sharing the better place.

    Parameters
    ----------
    keys : array_like, shape (n,)
        Anything that sorts; no unit.

    Returns
    -------
    int64, shape (n,)
        1-based competition ranking (ties 1-2-2-4).

    Raises
    ------
    ValueError
        If a key is NaN or keys is not one-dimensional.

    References
    ----------
    .. [1] "Standard competition ranking": place = 1 + number of smaller keys.

    Examples
    --------
    >>> competition_places([30, 10, 20, 20]).tolist()
    [4, 1, 2, 2]
    """
    given = np.asarray(keys)
    if given.ndim != 1:
        raise ValueError(f"keys must be one-dimensional, got shape {given.shape}")
    bad = np.flatnonzero(given != given)  # noqa: PLR0124  # Of every dtype only NaN differs from itself.
    if bad.size:
        raise ValueError(f"keys[{bad[0]}] is NaN")
    return np.searchsorted(np.sort(given), given, side="left").astype(np.int64) + 1


def rate_field(
    mu: npt.ArrayLike,
    sigma: npt.ArrayLike,
    place: npt.ArrayLike,
    *,
    beta: npt.ArrayLike = 1000.0,
    tolerance: float = TOLERANCE,
    max_rounds: int = MAX_ROUNDS,
) -> FieldPosterior:
    """Posterior skills of a field after one event.

    Parameters
    ----------
    mu, sigma : array_like of float, shape (n,)
        Prior mean and standard deviation of skill, rating points.
    place : array_like of int, shape (n,)
        Finishing places, a competition ranking of 1..n (ties 1-2-2-4). Equal places mean equal
        performances (draw margin 0); the order of the entries changes no bit of the result.
    beta : float or array_like, shape (n,)
        Standard deviation of a performance around skill, rating points.
    tolerance : float
        Largest change of t = mean/sd of a neighbouring difference in the last round, no unit.
    max_rounds : int
        Cap on the rounds.

    Returns
    -------
    FieldPosterior

    Raises
    ------
    ValueError
        If shapes differ, the field is empty, a number is not finite or not positive where it must be,
        or places are not a competition ranking; the text names the argument and the entry.
    NotConvergedError
        If the cap on rounds is reached.

    References
    ----------
    .. [1] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006,
       equation (2) and section 3.

    Examples
    --------
    >>> posterior = rate_field([1500, 1500], [500, 500], [1, 2])
    >>> posterior.mu.round(6).tolist(), posterior.sigma.round(6).tolist()
    ([1626.156626, 1373.843374], [483.822804, 483.822804])
    """
    prior_mu = _vector("mu", mu, None)
    n = prior_mu.size
    if n == 0:
        raise ValueError("mu is empty: a field has at least one entry")
    if np.ndim(sigma) != 1:
        raise ValueError(f"sigma must be one-dimensional, got shape {np.shape(sigma)}")
    prior_sigma = _positive("sigma", sigma, n)
    beta_sq = _positive("beta", beta, n) ** 2
    places = _competition_ranking(place, n)
    order = np.argsort(places, kind="stable")
    floats, ints = workspace(n)
    rated = np.empty((2, n))
    rounds = rate_event(
        n,
        prior_mu[order],
        prior_sigma[order],
        beta_sq[order],
        places[order],
        tolerance,
        max_rounds,
        floats,
        ints,
        rated[0],
        rated[1],
    )
    if rounds == NOT_CONVERGED:
        raise NotConvergedError(f"field of {n} did not converge to {tolerance:g} in {max_rounds} rounds")
    new_mu, new_sigma = np.empty(n), np.empty(n)
    new_mu[order], new_sigma[order] = rated
    return FieldPosterior(new_mu, new_sigma, rounds)
