"""Predictions for a field: chances of each pair, expected places, chances to win.

The performance of entry i is N(mu_i, s_i^2), s_i^2 = sigma_i^2 + beta_i^2; the best performance wins.
"""

import math

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr

from ratings.engine.tier.params import TierParams

Floats = npt.NDArray[np.float64]

# Nodes of the quadrature per smallest standard deviation of a performance; the trapezoidal rule is exact to 1e-12
# from 4 on (tests/engine/ratings/test_prediction.py).
NODES_PER_SD = 8.0
# The integral ends where a performance is this many standard deviations from its mean; 1e-19 lies beyond.
REACH = 9.0
# Most nodes: standard deviations of performance may differ by a factor of 7,000.
MOST_NODES = 1_000_000
# Cells (nodes times entries) in memory at one time.
BATCH = 1_000_000
SQRT_2PI = math.sqrt(2.0 * math.pi)


def _performances(mu: npt.ArrayLike, sigma: npt.ArrayLike, beta: npt.ArrayLike) -> tuple[Floats, Floats]:
    mean = np.array(mu, dtype=np.float64)
    if mean.ndim != 1 or mean.size == 0:
        raise ValueError(f"mu must be one-dimensional and not empty, got shape {mean.shape}")
    columns = {}
    for name, values in (("sigma", sigma), ("beta", beta)):
        column = np.asarray(values, dtype=np.float64)
        if column.ndim and column.shape != mean.shape:
            raise ValueError(f"{name} has shape {column.shape}, mu has {mean.shape}")
        columns[name] = np.broadcast_to(column, mean.shape)
    for name, column in (("mu", mean), *columns.items()):
        wrong = ~np.isfinite(column) if name == "mu" else ~(np.isfinite(column) & (column > 0.0))
        if wrong.any():
            at = int(np.argmax(wrong))
            what = "finite" if name == "mu" else "positive and finite"
            raise ValueError(f"{name}[{at}] must be {what}, got {column[at]}")
    return mean, np.hypot(columns["sigma"], columns["beta"])


def pairwise_probabilities(
    mu: npt.ArrayLike, sigma: npt.ArrayLike, *, beta: npt.ArrayLike = TierParams.beta
) -> Floats:
    """Chance of each entry to finish before each other one.

    Parameters
    ----------
    mu, sigma : array_like of float, shape (n,)
        Mean and standard deviation of skill, rating points.
    beta : float or array_like, shape (n,)
        Standard deviation of a performance around skill, rating points.

    Returns
    -------
    float64, shape (n, n)
        Row i, column j: chance that i finishes before j; 1/2 on the diagonal.

    Raises
    ------
    ValueError
        If an argument is wrong; the text names the argument and the entry.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel, "TrueSkill", NIPS 2006: Phi((mu_i - mu_j)/sqrt(s_i^2 + s_j^2)).

    Examples
    --------
    >>> pairwise_probabilities([1600, 1500], [300, 300]).round(6).tolist()
    [[0.5, 0.526999], [0.473001, 0.5]]
    """
    mean, sd = _performances(mu, sigma, beta)
    chances: Floats = ndtr((mean[:, np.newaxis] - mean) / np.hypot(sd[:, np.newaxis], sd))
    return chances


def expected_places(
    mu: npt.ArrayLike, sigma: npt.ArrayLike, *, beta: npt.ArrayLike = TierParams.beta
) -> Floats:
    """Expected place of every entry: 1 plus the chances of all others to finish before it.

    Parameters
    ----------
    mu, sigma, beta
        As for `pairwise_probabilities`.

    Returns
    -------
    float64, shape (n,)
        From 1 to n; the mean is (n + 1)/2.

    Raises
    ------
    ValueError
        If an argument is wrong; the text names the argument and the entry.

    References
    ----------
    .. [1] Linearity of expectation: place = 1 + number of those who finish before.

    Examples
    --------
    >>> expected_places([1500, 1500, 1500], [500, 300, 400]).tolist()
    [2.0, 2.0, 2.0]
    """
    places: Floats = pairwise_probabilities(mu, sigma, beta=beta).sum(axis=0) + 0.5
    return places


def expected_place(
    entry: int, mu: npt.ArrayLike, sigma: npt.ArrayLike, *, beta: npt.ArrayLike = TierParams.beta
) -> float:
    """Expected place of one entry, computed without those of the others.

    Parameters
    ----------
    entry : int
        Index in the field.
    mu, sigma, beta
        As for `pairwise_probabilities`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If an argument is wrong; the text names the argument and the entry.

    References
    ----------
    See `expected_places`.

    Examples
    --------
    >>> expected_place(1, [1500, 1500, 1500], [500, 300, 400])
    2.0
    """
    mean, sd = _performances(mu, sigma, beta)
    before = ndtr((mean - mean[entry]) / np.hypot(sd, sd[entry]))
    return float(before.sum() + 0.5)


def _nodes(mean: Floats, sd: Floats) -> Floats:
    low, high = float((mean - REACH * sd).max()), float((mean + REACH * sd).max())
    n_nodes = math.ceil((high - low) / float(sd.min()) * NODES_PER_SD) + 1
    if n_nodes > MOST_NODES:
        raise ValueError(f"performances differ too much in standard deviation: {sd.min():g} and {sd.max():g}")
    return np.linspace(low, high, n_nodes)


def win_probabilities(
    mu: npt.ArrayLike, sigma: npt.ArrayLike, *, beta: npt.ArrayLike = TierParams.beta
) -> Floats:
    """Chance of each entry to win.

    Parameters
    ----------
    mu, sigma, beta
        As for `pairwise_probabilities`.

    Returns
    -------
    float64, shape (n,)
        Sums to 1 within 1e-10.

    Raises
    ------
    ValueError
        If an argument is wrong; the text names the argument and the entry. If standard deviations of performance differ
        by more than a factor of some 7,000.

    References
    ----------
    .. [1] P(i wins) = int phi((x - mu_i)/s_i)/s_i prod_{j != i} Phi((x - mu_j)/s_j) dx: order statistics of
       independent variables; by the trapezoidal rule, which converges geometrically for such integrands.

    Examples
    --------
    >>> win_probabilities([1600, 1500], [300, 300]).round(6).tolist()
    [0.526999, 0.473001]
    """
    mean, sd = _performances(mu, sigma, beta)
    nodes = _nodes(mean, sd)
    total = np.zeros(mean.size)
    for batch in np.array_split(nodes, math.ceil(nodes.size * mean.size / BATCH)):
        z = (batch[:, np.newaxis] - mean) / sd
        below = log_ndtr(z)
        others = below.sum(axis=1, keepdims=True) - below
        total += (np.exp(others - 0.5 * z * z) / (SQRT_2PI * sd)).sum(axis=0)
    chances: Floats = total * (nodes[1] - nodes[0])
    return chances
