"""The one-sided truncated standard normal, accurate from t = -1e8 to the far right.

An observation d > 0 of d ~ N(t s, s^2) changes mean and variance by

    v = phi(t) / Phi(t)      mean of (d - t s)/s, the additive correction
    u = v + t                mean of d/s after truncation
    w = v (v + t) = v u      share of the variance the truncation takes away
    r = 1 - w                share it leaves

In this form u and r lose every digit when t is far negative, as it is in large fields (t is about
-0.9 sqrt(N) for every neighbouring pair of a field of N). The continued fraction of Laplace,

    u = 1/(x + y),  y = 2/(x + 3/(x + 4/(x + ...))),  r = u (y - u),   x = -t,

has no cancellation. y is evaluated as a rational function of 1 - t for t <= 1; for t > 1 the plain
definition is stable.

References
----------
.. [1] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006,
   section 3 (functions V and W).
.. [2] NIST Digital Library of Mathematical Functions, 7.9.3 (continued fraction of erfc).
"""

import math

from ratings.engine.compiled import inner, kernel

# y(x) = P(x + 1) / Q(x + 1), x >= -1. Unitless. Rational least-squares fit in 50 digits of the function
# above in the variable 3/(x + 4), degrees 12 and 13, largest relative error 1.4e-17; all coefficients
# are positive, so the sums do not cancel. tests/engine/ratings/test_gaussian.py compares with mpmath.
P = (
    164591643.94945174,
    257676280.54278493,
    202547314.02556977,
    106583534.28214511,
    41612325.21305937,
    12643991.607582683,
    3057713.122767127,
    592576.4120380023,
    91487.77546623083,
    11024.234277172933,
    992.8527796950898,
    60.966354291581695,
    2.0,
)
Q = (
    92642157.13341618,
    177375594.6010202,
    170889744.64881915,
    109815472.69206741,
    52284429.78991568,
    19398378.820427746,
    5754856.013102947,
    1380901.5934939594,
    268262.60017154703,
    41803.49929675714,
    5110.140280167375,
    468.94321270178716,
    29.483177145790798,
    1.0,
)
# Border between the two forms, in standard deviations: where both keep 15 digits.
T_SPLIT = 1.0
# Beyond this (standard deviations) u = 1/|t| and w = 1 to the last bit; keeps (1 - t)^14 below overflow.
T_LEAST = -1e20
SQRT_HALF = math.sqrt(0.5)
SQRT_2_OVER_PI = math.sqrt(2.0 / math.pi)


@inner
def _numerator(x: float) -> float:
    """P(x) by Estrin's scheme: a third of the latency of Horner's."""
    x2 = x * x
    x4 = x2 * x2
    low = (P[0] + P[1] * x) + (P[2] + P[3] * x) * x2
    middle = (P[4] + P[5] * x) + (P[6] + P[7] * x) * x2
    high = (P[8] + P[9] * x) + (P[10] + P[11] * x) * x2
    return (low + middle * x4) + (high + P[12] * x4) * (x4 * x4)


@inner
def _denominator(x: float) -> float:
    """Q(x) by Estrin's scheme."""
    x2 = x * x
    x4 = x2 * x2
    low = (Q[0] + Q[1] * x) + (Q[2] + Q[3] * x) * x2
    middle = (Q[4] + Q[5] * x) + (Q[6] + Q[7] * x) * x2
    high = (Q[8] + Q[9] * x) + (Q[10] + Q[11] * x) * x2
    return (low + middle * x4) + (high + (Q[12] + x) * x4) * (x4 * x4)


@kernel
def truncate_left(t: float) -> tuple[float, float, float, float]:
    """v, u, w and r for t <= 1, without a branch, so that loops vectorize.

    Parameters
    ----------
    t : float64
        Mean over standard deviation of the truncated difference, at most 1.

    Returns
    -------
    v, u, w, r : float64
        See the module docstring; relative error below 5e-15.

    References
    ----------
    Module docstring, the second pair of equations, with y = P/Q:
    u = Q/S, r = P/S - u^2, S = P - t Q.

    Examples
    --------
    >>> v, u, w, r = truncate_left(-1e8)
    >>> f"{u:.12e} {r:.12e}"
    '1.000000000000e-08 1.000000000000e-16'
    """
    t = max(T_LEAST, t)
    p = _numerator(1.0 - t)
    q = _denominator(1.0 - t)
    inverse = 1.0 / (p - t * q)
    u = q * inverse
    v = u - t
    return v, u, v * u, p * inverse - u * u


@kernel
def truncate_right(t: float) -> tuple[float, float, float, float]:
    """v, u, w and r for t > 1, by the definition.

    Parameters
    ----------
    t : float64
        Mean over standard deviation of the truncated difference, above 1.

    Returns
    -------
    v, u, w, r : float64
        See the module docstring; relative error below 5e-15 until v underflows near t = 38.

    Notes
    -----
    exp(-t^2/2) is split at a multiple of 1/16, whose square is exact: the rounding of t^2 alone would
    cost 1e-13 at t = 37.

    References
    ----------
    [1]_ of the module docstring, section 3.

    Examples
    --------
    >>> v, u, w, r = truncate_right(2.0)
    >>> round(v, 12), round(r, 12)
    (0.055247862679, 0.886451948311)
    """
    near = math.floor(min(t, 64.0) * 16.0) / 16.0
    density = math.exp(-0.5 * near * near) * math.exp(-0.5 * (t - near) * (t + near))
    v = SQRT_2_OVER_PI * density / math.erfc(-t * SQRT_HALF)
    u = v + t
    return v, u, v * u, 1.0 - v * u


@kernel
def truncate(t: float) -> tuple[float, float, float, float]:
    """v, u, w and r of the standard normal shifted by t and cut at zero.

    Parameters
    ----------
    t : float64
        Mean over standard deviation of the difference, any finite number.

    Returns
    -------
    v, u, w, r : float64
        See the module docstring; no unit.

    References
    ----------
    [1]_ of the module docstring, section 3; r = 1 - w.

    Examples
    --------
    >>> [round(x, 12) for x in truncate(0.0)]
    [0.797884560803, 0.797884560803, 0.636619772368, 0.363380227632]
    """
    if t > T_SPLIT:
        return truncate_right(t)
    return truncate_left(t)
