"""Slow twin of kernels.py, written like the paper: one Gaussian message at a time, down and up the chain.

It shares no code with kernels.py, not even the truncated Gaussian. Besides the tests only `rate --plain` uses it, for
what the kernels do not have: ties by a draw margin.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

from ratings.engine.errors import NotConvergedError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Left of this (standard deviations) the continued fraction is used.
T_TAIL = -2.0
# Terms of the continued fraction; enough for 16 digits at T_TAIL.
TERMS = 400


@dataclass(frozen=True)
class Gaussian:
    """Gaussian in natural parameters: precision and precision times mean."""

    precision: float = 0.0
    shift: float = 0.0

    @classmethod
    def of(cls, mean: float, variance: float) -> "Gaussian":
        return cls(1.0 / variance, mean / variance)

    def __mul__(self, other: "Gaussian") -> "Gaussian":
        return Gaussian(self.precision + other.precision, self.shift + other.shift)

    @property
    def variance(self) -> float:
        return 1.0 / self.precision

    @property
    def mean(self) -> float:
        return self.shift / self.precision


def truncate(t: float) -> tuple[float, float, float]:
    """v, w and r = 1 - w of a standard normal at mean t cut at zero.

    Parameters
    ----------
    t : float
        Mean over standard deviation, no unit.

    Returns
    -------
    v, w, r : float

    References
    ----------
    .. [1] Herbrich, Minka, Graepel 2006, section 3: v = phi(t)/Phi(t), w = v (v + t).
    .. [2] NIST Digital Library of Mathematical Functions, 7.9.3.

    Examples
    --------
    >>> [round(x, 12) for x in truncate(0.0)]
    [0.797884560803, 0.636619772368, 0.363380227632]
    """
    if t > T_TAIL:
        v = math.exp(-0.5 * t * t - float(log_ndtr(t))) / math.sqrt(2.0 * math.pi)
        return v, v * (v + t), 1.0 - v * (v + t)
    y = 0.0
    for n in range(TERMS, 1, -1):
        y = n / (-t + y)
    u = 1.0 / (-t + y)
    return u - t, (u - t) * u, u * (y - u)


def truncate_tie(t: float, margin: float) -> tuple[float, float, float]:
    """v, w and r = 1 - w of a standard normal at mean t cut to within `margin` of zero.

    Parameters
    ----------
    t, margin : float
        Mean and margin over standard deviation, no unit.

    Returns
    -------
    v, w, r : float

    References
    ----------
    .. [1] Herbrich, Minka, Graepel 2006, section 3: V and W of a draw.

    Examples
    --------
    >>> [round(x, 12) for x in truncate_tie(0.0, 1.0)]
    [0.0, 0.708874905227, 0.291125094773]
    """
    side = 1.0 if t >= 0.0 else -1.0  # In the left tail log_ndtr has all digits.
    low, high = -margin - abs(t), margin - abs(t)
    log_high = float(log_ndtr(high))
    log_mass = log_high + math.log1p(-math.exp(float(log_ndtr(low)) - log_high))
    at_low, at_high = (math.exp(-0.5 * z * z - log_mass) / math.sqrt(2.0 * math.pi) for z in (low, high))
    v = at_low - at_high
    w = v * v + high * at_high - low * at_low
    return side * v, w, 1.0 - w


def _pair(left: Gaussian, right: Gaussian, margin: float, is_tie: bool) -> tuple[Gaussian, Gaussian, float]:
    """Compute the messages of one truncation to the better and the worse player, and t."""
    s = math.sqrt(left.variance + right.variance)
    t = (left.mean - right.mean) / s
    v, w, r = truncate_tie(t, margin / s) if is_tie else truncate(t - margin / s)
    to_worse = w * left.variance + r * s * s
    to_better = w * right.variance + r * s * s
    return (
        Gaussian(w / to_better, (w * left.mean + s * v) / to_better),
        Gaussian(w / to_worse, (w * right.mean - s * v) / to_worse),
        t,
    )


def _product(factors: list[Gaussian]) -> Gaussian:
    result = Gaussian()
    for factor in factors:
        result = result * factor
    return result


def _pass_messages(
    nodes: list[Gaussian], is_tie: list[bool], margin: float, tolerance: float, max_sweeps: int
) -> list[Gaussian]:
    """Pass messages until they converge; return the product of the messages to each node."""
    pairs = len(nodes) - 1
    up, down = [Gaussian()] * len(nodes), [Gaussian()] * len(nodes)
    seen = [math.inf] * pairs
    for _ in range(max_sweeps):
        moved = 0.0
        for k in [*range(pairs), *reversed(range(pairs))]:
            left, right = nodes[k] * down[k], nodes[k + 1] * up[k + 1]
            up[k], down[k + 1], t = _pair(left, right, margin, is_tie[k])
            moved = max(moved, abs(t - seen[k]))
            seen[k] = t
        if moved <= tolerance:
            return [a * b for a, b in zip(up, down, strict=True)]
    raise NotConvergedError(f"no convergence in {max_sweeps} sweeps")


def rate_field_slowly(
    mu: Floats,
    sigma: Floats,
    place: Ints,
    beta: Floats,
    *,
    draw_margin: float = 0.0,
    tolerance: float = 1e-12,
    max_sweeps: int = 2000,
) -> tuple[Floats, Floats]:
    """Posterior of a field by classic sweeps of expectation propagation.

    Parameters
    ----------
    mu, sigma, beta : float64, shape (n,)
        Prior mean, prior standard deviation and standard deviation of performance, rating points.
    place : int64, shape (n,)
        Competition ranking.
    draw_margin : float
        If it is not 0, performances of neighbours differ by less if they are tied, else by more, rating points. Those
        who are tied keep the order of the arguments, which matters if they are more than two.
    tolerance : float
        Largest change of any t between sweeps, no unit.
    max_sweeps : int
        Cap on the sweeps.

    Returns
    -------
    mu, sigma : float64, shape (n,)

    Raises
    ------
    NotConvergedError
        If the sweeps do not converge.

    References
    ----------
    .. [1] Herbrich, Minka, Graepel 2006, table 1 (update equations), with ties as the limit of draw
       margin 0: the performances of those who share a place are equal.

    Examples
    --------
    >>> equal = np.full(2, 1500.0), np.full(2, 500.0)
    >>> mu, sigma = rate_field_slowly(*equal, np.array([1, 1]), np.full(2, 1000.0))
    >>> sigma.round(3).tolist()
    [474.342, 474.342]
    """
    center = float(np.mean(mu))
    performance = [Gaussian.of(m - center, s * s + b * b) for m, s, b in zip(mu, sigma, beta, strict=True)]
    order = np.argsort(place, kind="stable")
    is_first = np.append(True, (np.diff(place[order]) > 0) | (draw_margin > 0.0))
    groups = np.split(order, np.flatnonzero(is_first)[1:])
    is_tie = [bool(place[a[-1]] == place[b[0]]) for a, b in pairwise(groups)]
    nodes = [_product([performance[i] for i in group]) for group in groups]
    messages = _pass_messages(nodes, is_tie, draw_margin, tolerance, max_sweeps)
    new_mu, new_sigma = np.empty(len(mu)), np.empty(len(mu))
    for group, message in zip(groups, messages, strict=True):
        for i in group:
            evidence = message * _product([performance[j] for j in group if j != i])
            skill = Gaussian.of(mu[i] - center, sigma[i] ** 2)
            if evidence.precision > 0.0:
                skill = skill * Gaussian.of(evidence.mean, evidence.variance + beta[i] ** 2)
            new_mu[i], new_sigma[i] = skill.mean + center, math.sqrt(skill.variance)
    return new_mu, new_sigma
