"""Scores of predictions: the places of every event compared with the ratings before it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr, ndtr

from ratings.engine.history import EventHistory

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Nodes and weights of the Gauss-Hermite rule over an entry's own performance.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(64)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class Score:
    """How good predictions are: `accuracy` and `log_loss` of pairs, `spread` of places (root mean square of z)."""

    n_pairs: int
    accuracy: float
    log_loss: float
    spread: float


def score_predictions(history: EventHistory, mu: Floats, sigma: Floats, beta: float) -> Score:
    """Score the priors of all entries; all pairs that are not tied have the same weight, and so have all entries."""
    pairs, residuals = [], []
    performance = np.hypot(sigma, beta)
    for first, end in zip(history.offset[:-1], history.offset[1:], strict=True):
        place, mean, sd = (array[first:end] for array in (history.place, mu, performance))
        pairs.append(gaps(place, mean, sd))
        residuals.append(standard_residuals(place, mean, sd))
    t, z = np.concatenate(pairs), np.concatenate(residuals)
    right = np.mean(t > 0.0) + 0.5 * np.mean(t == 0.0)
    return Score(t.size, float(right), float(-log_ndtr(t).mean()), float(np.sqrt(np.mean(z * z))))


def gaps(place: Ints, mean: Floats, sd: Floats) -> Floats:
    """Compute (mu ahead - mu behind)/standard deviation of the difference, for each pair that is not tied.

    Phi of this value is the predicted probability of the pair's order.
    """
    t = (mean[:, np.newaxis] - mean) / np.hypot(sd[:, np.newaxis], sd)
    return t[place[:, np.newaxis] < place]


def standard_residuals(place: Ints, mean: Floats, sd: Floats) -> Floats:
    """Compute (place - expected place)/standard deviation of each entry.

    Given an entry's performance x, the others are ahead of it independently, j with probability p_j(x). With
    S = sum p_j: expected place = 1 + mean of S, variance = mean of sum p_j (1 - p_j) plus the variance of S.
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
    """Give tied entries the mean of the places they occupy."""
    return place + (np.bincount(place)[place] - 1.0) / 2.0
