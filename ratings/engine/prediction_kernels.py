"""Numba loop for expected places, which prediction.py defines."""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel

Floats = npt.NDArray[np.float64]
SQRT_HALF = math.sqrt(0.5)


@kernel
def add_expected_places(mu: Floats, variance: Floats, place: Floats) -> None:
    """Compute the expected place of every entry of a field, each pair once.

    Parameters
    ----------
    mu, variance : float64, shape (n,)
        Mean and variance of a performance, rating points and their square.
    place : float64, shape (n,)
        Overwritten with 1 plus the chances of all others to finish before.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel, "TrueSkill", NIPS 2006: Phi((mu_i - mu_j)/sqrt(s_i^2 + s_j^2)).
    """
    place[:] = 1.0
    for i in range(mu.size):
        for j in range(i):
            z = (mu[j] - mu[i]) / math.sqrt(variance[i] + variance[j])
            before = 0.5 * math.erfc(-z * SQRT_HALF)
            place[i] += before
            place[j] += 1.0 - before
