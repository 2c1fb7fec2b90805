"""Hands played in an entry, and the weight of evidence that follows from them.

At a short table a player plays a larger share of the hands than at a full one. With VPIP(i) the percentage of
hands that a player voluntarily pays into at a table of i seats, playing time is converted to time at a table of
nine, and the weight of evidence of an entry grows with its cube root:

    VPIP(i)   as in `ratings.engine.vpip` with phi = 25, but VPIP(2) = 80
    h_unit(i) = h_unit(9) + (VPIP(i)/VPIP(9) - 1)/2,  h_unit(9) = 1
    h         = t h_unit(i)
    H         = hands_scale cbrt(min(max(h, hands_low), hands_high))

The performance of the entry has the standard deviation beta / H, so that little play changes a rating little.

i is the *table size of the event* (its largest number of seats at a table, n_max of the publication). The
number of players at the table rises and falls as tables break, and organizers do not record it.

References
----------
.. [1] TIER publication of November 2022, "hands played": h_unit, VPIP(9) = 20 %, VPIP(2) = 80 %.
.. [2] The same author's note on VPIP by table size: VPIP(i) from the percentage phi at six seats; phi = 25
   passes through VPIP(9) = 20.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.cube_root import cube_root
from ratings.engine.tier.params import TierParams
from ratings.engine.vpip import vpip_by_table_size

Floats = npt.NDArray[np.float64]

# VPIP at six seats, percent [2]_.
BASELINE_VPIP = 25.0
# VPIP heads up, percent [1]_; the model alone would say 75.
HEADS_UP_VPIP = 80.0
# Seats whose h_unit is 1 [1]_.
FULL_TABLE = 9
# Change of h_unit per doubling of VPIP, no unit [1]_.
SLOPE = 0.5
MINUTES_PER_HOUR = 60.0


def _checked_seats(table_size: npt.ArrayLike) -> Floats:
    seats = np.asarray(table_size, dtype=np.float64)
    bad = seats[~((seats >= 2.0) & np.isfinite(seats))]
    if bad.size:
        raise ValueError(f"table_size must be at least 2, got {bad.flat[0]:g}")
    return seats


def vpip(table_size: npt.ArrayLike) -> Floats:
    """Share of hands a player pays into, by the number of seats.

    Parameters
    ----------
    table_size : array_like of int, any shape
        Seats at the table, at least 2.

    Returns
    -------
    float64 array, the same shape
        Percent.

    Raises
    ------
    ValueError
        If a table has fewer than two seats.

    References
    ----------
    [1]_ and [2]_ of the module docstring.

    Examples
    --------
    >>> vpip([2, 3, 6, 9]).tolist()
    [80.0, 50.0, 25.0, 20.0]
    """
    seats = _checked_seats(table_size)
    return np.where(seats == 2.0, HEADS_UP_VPIP, vpip_by_table_size(seats, BASELINE_VPIP))


def h_unit(table_size: npt.ArrayLike) -> Floats:
    """Worth of an hour at a table, in hours at a table of nine.

    Parameters
    ----------
    table_size : array_like of int, any shape
        Seats at the table, at least 2.

    Returns
    -------
    float64 array, the same shape
        No unit.

    Raises
    ------
    ValueError
        If a table has fewer than two seats.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> h_unit([2, 6, 9]).tolist()
    [2.5, 1.125, 1.0]
    """
    return 1.0 + (vpip(table_size) / vpip(FULL_TABLE) - 1.0) * SLOPE


def playing_hours(minutes: npt.ArrayLike, table_size: npt.ArrayLike) -> Floats:
    """Playing time from registration to bust, converted to a table of nine: h.

    Parameters
    ----------
    minutes : array_like of float
        Wall-clock minutes at the table, at least 0.
    table_size : array_like of int, broadcasts with `minutes`
        Seats at a table of the event.

    Returns
    -------
    float64 array
        Hours of nine-seat play, not clipped.

    Raises
    ------
    ValueError
        If a time is negative or not finite, or a table has fewer than two seats.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> playing_hours([60.0, 300.0], 6).tolist()
    [1.125, 5.625]
    """
    played = np.asarray(minutes, dtype=np.float64)
    bad = played[~((played >= 0.0) & np.isfinite(played))]
    if bad.size:
        raise ValueError(f"minutes played must be finite and not negative, got {bad.flat[0]:g}")
    return played / MINUTES_PER_HOUR * h_unit(table_size)


def evidence_weight(hours: npt.ArrayLike, params: TierParams) -> Floats:
    """Weight of the evidence of an entry: H.

    Parameters
    ----------
    hours : array_like of float, any shape
        Hours of nine-seat play, from `playing_hours`.
    params : TierParams
        hands_scale, hands_low, hands_high.

    Returns
    -------
    float64 array, the same shape
        H, no unit; the entry's performance has the standard deviation beta / H.

    References
    ----------
    [1]_ of the module docstring; constant and bounds are calibrated.

    Examples
    --------
    >>> evidence_weight([0.0, 1.0, 8.0], TierParams(hands_scale=0.3, hands_low=0.5, hands_high=8.0)).round(12).tolist()
    [0.238110157795, 0.3, 0.6]
    """
    clipped = np.clip(np.asarray(hours, dtype=np.float64), params.hands_low, params.hands_high)
    return params.hands_scale * cube_root(clipped)
