"""Badges of TIER: names for ranges of rates. Imports neither numba nor the EP engine."""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.tier.params import TierParams

Floats = npt.NDArray[np.float64]

# Badges, best first (publication, 2022).
BADGES = ("S", "A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3")


def badge_bounds(params: TierParams) -> tuple[tuple[str, float], ...]:
    """Badges and the least rate of each, best first.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    tuple of (str, float)
        Bounds in rating points, inclusive; the last badge has none (-inf).

    References
    ----------
    .. [1] TIER publication of November 2022: table of badges.

    Examples
    --------
    >>> badge_bounds(TierParams())[:2], badge_bounds(TierParams())[-1]
    ((('S', 2000.0), ('A1', 1900.0)), ('C3', -inf))
    """
    bounds = [params.badge_top - i * params.badge_step for i in range(len(BADGES) - 1)]
    return tuple(zip(BADGES, [*bounds, -math.inf], strict=True))


def badges(rates: Floats, params: TierParams) -> list[str]:
    """Badge of each rate.

    Parameters
    ----------
    rates : float64, shape (n,)
        Rating points, not rounded.
    params : TierParams

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If a rate is NaN.

    References
    ----------
    See `badge`.

    Examples
    --------
    >>> badges(np.array([1900.0, 1899.999]), TierParams())
    ['A1', 'A2']
    """
    if np.isnan(rates).any():
        raise ValueError("rate has no badge, got nan")
    lowest_first = badge_bounds(params)[::-1]
    at = np.searchsorted([lower for _name, lower in lowest_first], rates, side="right") - 1
    return [lowest_first[i][0] for i in at.tolist()]


def badge(rate: float, params: TierParams) -> str:
    """Badge of a rate.

    Parameters
    ----------
    rate : float
        Rate, rating points, not rounded; lower bounds are inclusive.
    params : TierParams

    Returns
    -------
    str
        Name from BADGES.

    Raises
    ------
    ValueError
        If the rate is NaN.

    References
    ----------
    .. [1] TIER publication of November 2022: table of badges.

    Examples
    --------
    >>> badge(1900.0, TierParams()), badge(1899.999, TierParams())
    ('A1', 'A2')
    """
    return badges(np.array([rate]), params)[0]
