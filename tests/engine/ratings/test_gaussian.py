"""Truncated Gaussian compared with mpmath: the definition in 450 digits, or the continued fraction.

NIST DLMF 7.9.3 gives the continued fraction; 120 terms are exact in double precision beyond |t| = 30.
"""

import functools
import math
import random

import mpmath
import pytest

from ratings.engine import reference
from ratings.engine.gaussian import T_SPLIT, truncate, truncate_left, truncate_right


@functools.cache
def exact(t):
    if t > -30:
        with mpmath.workdps(450):
            x = mpmath.mpf(t)
            v = mpmath.npdf(x) / mpmath.ncdf(x)
            return v, v + x, v * (v + x), 1 - v * (v + x)
    with mpmath.workdps(40):
        x = -mpmath.mpf(t)
        y = mpmath.mpf(0)
        for n in range(120, 1, -1):
            y = n / (x + y)
        u = 1 / (x + y)
        return x + u, u, u * (x + u), u * (y - u)


def grid():
    draw = random.Random(20261121)
    near = [draw.uniform(-40.0, 37.0) for _ in range(250)]
    tail = [-(10 ** draw.uniform(0.0, 8.0)) for _ in range(250)]
    return [*near, *tail, -1e8, -2.0, -1.0, 0.0, 0.5, 1.0, math.nextafter(1.0, 2.0), 2.0, 37.0]


@pytest.mark.rest
def test_v_u_w_r_against_mpmath():
    for t in grid():
        for name, got, want in zip("vuwr", truncate(t), exact(t), strict=True):
            assert abs(got / want - 1) < 8e-15, (name, t)


def test_reference_truncation_against_mpmath():
    for t in grid():
        v, _u, w, r = exact(t)
        for got, want in zip(reference.truncate(t), (v, w, r), strict=True):
            assert abs(got / want - 1) < 2e-13, t  # The exponential of a logarithm loses a factor of t^2/2.


def test_both_forms_meet_at_the_border():
    assert truncate_left(T_SPLIT) == pytest.approx(truncate_right(T_SPLIT), rel=1e-14)


@pytest.mark.parametrize("t", [-1e300, -1e21, -1e20, 38.0, 40.0, 1e8, 1e300])
def test_limits_are_finite(t):
    """w -> 1 and r -> 0 on the left, w -> 0 and r -> 1 on the right."""
    v, u, w, r = truncate(t)
    assert all(map(math.isfinite, (v, u, w, r)))
    assert (w, r) == pytest.approx((1.0, 0.0) if t < 0 else (0.0, 1.0), abs=1e-15)
