"""How good predictions were: places of every event against what ratings said before it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr

from ratings.engine.history import EventHistory

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Nodes of the Gauss-Hermite rule over an entry's own performance.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(64)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class Told:
    """`accuracy` and `log_loss` of pairs, `spread` of places (root mean square of z)."""

    n_pairs: int
    accuracy: float
    log_loss: float
    spread: float


def judge(history: EventHistory, mu: Floats, sigma: Floats, beta: float) -> Told:
    """All pairs of a field that are not tied count alike, and so do all entries."""
    pairs, residuals = [], []
    performance = np.hypot(sigma, beta)
    for first, end in zip(history.offset[:-1], history.offset[1:], strict=True):
        place, mean, sd = (array[first:end] for array in (history.place, mu, performance))
        pairs.append(gaps(place, mean, sd))
        residuals.append(standard_residuals(place, mean, sd))
    t, z = np.concatenate(pairs), np.concatenate(residuals)
    right = np.mean(t > 0.0) + 0.5 * np.mean(t == 0.0)
    return Told(t.size, float(right), float(-log_ndtr(t).mean()), float(np.sqrt(np.mean(z * z))))


def gaps(place: Ints, mean: Floats, sd: Floats) -> Floats:
    """Of each pair (mu ahead - mu behind)/standard deviation of the difference; Phi of it is the chance it had."""
    t = (mean[:, np.newaxis] - mean) / np.hypot(sd[:, np.newaxis], sd)
    return t[place[:, np.newaxis] < place]


def standard_residuals(place: Ints, mean: Floats, sd: Floats) -> Floats:
    """(place - expected place)/standard deviation: given its performance x, an entry is behind independent others.

    With p_j(x) the chance of j to be ahead and S = sum p_j: E = 1 + mean of S, variance = mean of sum p_j (1 - p_j)
    plus the variance of S.
    """
    x = mean[:, np.newaxis] + sd[:, np.newaxis] * NODES
    t = (mean[:, np.newaxis] - x[:, np.newaxis, :]) / sd[:, np.newaxis]  # entry, other, node
    ahead, behind = ndtr(t), ndtr(-t)
    self = np.arange(mean.size)
    ahead[self, self] = 0.0
    n_ahead = ahead.sum(axis=1)
    expected = n_ahead @ WEIGHTS
    variance = ((ahead * behind).sum(axis=1) + (n_ahead - expected[:, np.newaxis]) ** 2) @ WEIGHTS
    return (averaged_places(place) - 1.0 - expected) / np.sqrt(variance)


def averaged_places(place: Ints) -> Floats:
    """Tied entries have the mean of the places they take up."""
    return place + (np.bincount(place)[place] - 1.0) / 2.0
