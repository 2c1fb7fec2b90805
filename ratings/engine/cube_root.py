"""Cube roots that do not depend on the processor.

Every processor and library computes sums, products, quotients and square roots to the nearest float64, as IEEE 754
demands, but not other functions: `numpy.cbrt` gives other last bits on processors with AVX-512 than on those without.
Ratings must be the same bits on each machine that computes them, so cube roots are made of those operations alone.

References
----------
.. [1] T. J. Dekker, "A floating-point technique for extending the available precision", Numerische Mathematik 18,
   1971, pages 224-242 (exact products).
.. [2] E. Halley, "Methodus nova accurata et facilis inveniendi radices aequationum", Philosophical Transactions 18,
   1694.
"""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel

Floats = npt.NDArray[np.float64]

# This line is within a tenth of the root from 1/2 to 4; each step makes an error e less than e^3.
LINE = 0.69, 0.23
N_STEPS = 3
# Cuts a float64 of 53 bits into two halves [1]_.
CUT = 2.0**27 + 1.0


def cube_root(values: npt.ArrayLike) -> Floats:
    """Cube root of positive numbers, the same bits on every processor.

    Parameters
    ----------
    values : array_like of float, any shape
        Positive, finite and not below 1e-300.

    Returns
    -------
    float64 array, the same shape
        The nearest float64, or one of two that are equally near up to 1e-13 of their distance.

    References
    ----------
    Steps of [2]_ of the module docstring, then one of Newton's with the exact cube [1]_.

    Examples
    --------
    >>> cube_root([0.001, 1.0, 27.0]).tolist()
    [0.1, 1.0, 3.0]
    """
    given = np.asarray(values, dtype=np.float64)
    roots = np.empty(given.size)
    _write_roots(given.ravel(), roots)
    return roots.reshape(given.shape)


@kernel
def _write_roots(values: Floats, roots: Floats) -> None:
    for i in range(values.size):
        roots[i] = _root(values[i])


@inner
def _root(value: float) -> float:
    mantissa, exponent = math.frexp(value)
    thirds = exponent // 3
    scaled = math.ldexp(mantissa, exponent - 3 * thirds)  # from 1/2 to 4
    root = LINE[0] + LINE[1] * scaled
    for _ in range(N_STEPS):
        cube = root * root * root
        root = root * (cube + 2.0 * scaled) / (2.0 * cube + scaled)
    square, of_square = _product(root, root)
    cube, of_cube = _product(square, root)
    missing = (scaled - cube) - (of_cube + of_square * root)
    return math.ldexp(root + missing / (3.0 * square), thirds)


@inner
def _product(a: float, b: float) -> tuple[float, float]:
    """Multiply exactly: the product as float64, and what it misses [1]_."""
    product = a * b
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@inner
def _halves(value: float) -> tuple[float, float]:
    cut = CUT * value
    high = cut - (cut - value)
    return high, value - high
