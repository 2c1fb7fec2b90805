"""Numba loop over the pairs of fields, which forecasts.py describes."""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
SQRT_HALF = math.sqrt(0.5)
# Chances below it count as it, so that one result that was held to be impossible costs 46 and not infinitely much.
LEAST_CHANCE = 1e-20


@kernel
def count_pairs(
    offset: Ints,
    place: Ints,
    mean: Floats,
    variance: Floats,
    luck: Floats,
    step: float,
    n: Floats,
    said: Floats,
    right: Floats,
    loss: Floats,
    gaps: Floats,
) -> None:
    """Add up the pairs of every event that are not tied.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    place : int64, shape (n_entries,)
    mean, variance : float64, shape (n_entries,)
        Mean and variance of a performance, rating points and their square.
    luck : float64, shape (n_events,)
        Share of the pairs that luck alone decides.
    step : float
        Width of a column of `gaps`, standard deviations.
    n, said, right : float64, shape (n_events, n_bins)
        Pairs by the chance of their favourite, sum of these chances, pairs whose favourite was ahead; added to.
    loss : float64, shape (n_events,)
        Sum of -log of the chance of what happened; added to.
    gaps : float64, shape (n_events, n_gaps)
        Pairs by the gap t of the one ahead to the one behind, in standard deviations; the middle column is 0; added to.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel, "TrueSkill", NIPS 2006: Phi(t), t = (mu_i - mu_j)/sqrt(s_i^2 + s_j^2).
    """
    n_bins, middle = n.shape[1], gaps.shape[1] // 2
    for e in range(offset.size - 1):
        for i in range(offset[e], offset[e + 1]):
            for j in range(offset[e], i):
                if place[i] == place[j]:
                    continue
                t = (mean[i] - mean[j]) / math.sqrt(variance[i] + variance[j])
                if place[i] > place[j]:
                    t = -t
                skill = 1.0 - luck[e]
                what_was = skill * 0.5 * math.erfc(-t * SQRT_HALF) + luck[e] / 2.0
                loss[e] -= math.log(max(what_was, LEAST_CHANCE))
                chance = skill * 0.5 * math.erfc(-abs(t) * SQRT_HALF) + luck[e] / 2.0
                b = min(int((chance - 0.5) * 2 * n_bins), n_bins - 1)
                n[e, b] += 1.0
                said[e, b] += chance
                right[e, b] += 1.0 if t > 0.0 else 0.5 if t == 0.0 else 0.0
                column = middle + math.floor(t / step + 0.5)
                gaps[e, min(max(column, 0), gaps.shape[1] - 1)] += 1.0
