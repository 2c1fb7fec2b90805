"""Ratios of sums over events, with standard errors that count what happens in one event as dependent."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class Ratio(NamedTuple):
    """A ratio of sums, its standard error (infinite with fewer than two events), and the sum below."""

    value: float
    error: float
    n: float


def ratio(above: Floats, below: Floats) -> Ratio:
    """Divide the sum of one column by that of another.

    Parameters
    ----------
    above, below : float64, shape (n_events,)
        Sums of each event; events with nothing below are left out.

    Returns
    -------
    Ratio
        0 where there is nothing.

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", 3rd edition, 1977, section 2.11: the variance of a ratio estimate is
       n/(n - 1) sum (y_i - R x_i)^2/(sum x_i)^2.

    Examples
    --------
    >>> ratio(np.array([1.0, 3.0]), np.array([2.0, 2.0]))
    Ratio(value=1.0, error=0.5, n=4.0)
    """
    counted = below > 0.0
    above, below = above[counted], below[counted]
    n, total = below.size, float(below.sum())
    if not n:
        return Ratio(0.0, float("inf"), 0.0)
    value = float(above.sum()) / total
    if n == 1:
        return Ratio(value, float("inf"), total)
    squares = float(((above - value * below) ** 2).sum())
    return Ratio(value, float(np.sqrt(n / (n - 1) * squares)) / total, total)
