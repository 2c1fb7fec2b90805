"""Weight of the place: how much of an entry's change of rating is kept.

    1st  1.00 | top 3 %  0.97 | reached the final table  0.95 | bottom 3 %  0.92 | all others  c

The first row that fits applies. c is the same for all others of the event, within [0.80, 0.90], and is chosen so that
the weighted gains of the field sum to the unweighted ones as nearly as possible: the weights then neither create
nor destroy rating:

    c = (sum g_i - sum over the other rows of w_i g_i) / (sum g_i over all others), clipped         (1)

(the distance is convex in c). If the gains of all others sum to 0, c is the upper end, which is nearest to 1.

What is then still missing, because c met an end of its interval, is shared equally by the whole field: each entry gains

    b = (sum g_i - sum w_i g_i) / n                                                                  (2)

"Top 3 %" means place <= 0.03 n; "bottom 3 %" means the same counted from the last place, where tied entries
share the worse one. In a field that fits at one table everybody has reached the final table.

References
----------
.. [1] TIER publication of November 2022, "weight of the place".
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import kernel
from ratings.engine.tier.params import TierParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Indices into tier.WEIGHT_ROWS.
FIRST, TOP, FINAL_TABLE, BOTTOM, REST = range(5)
# Rounding allowed to share times field size, entries: 0.03 * 100 is a place, not 2.9999999999999996.
ROUNDING = 1e-9
# Indices into Weights: after the weights of the first four rows come the interval of the rest and the share.
REST_LOW, REST_HIGH, SHARE = 4, 5, 6
Weights = tuple[float, float, float, float, float, float, float]


@dataclass(frozen=True)
class PlaceWeights:
    """Weights of an event.

    Attributes
    ----------
    weight : float64, shape (n,)
        In the order of the arguments, no unit.
    row : int64, shape (n,)
        Index into WEIGHT_ROWS of the row that applied.
    rest : float
        The common value c, also if no entry has it.
    balance : float
        Each entry's share b of what the weights take from the field, rating points.
    """

    weight: Floats
    row: Ints
    rest: float
    balance: float


@kernel
def weight_row(place: int, last: int, n: int, final_table_size: int, share: float) -> int:
    """Find the row of the table for one entry.

    Parameters
    ----------
    place, last, n : int
        Better and worse place of the tied group (the same without a tie), size of the field.
    final_table_size : int
        Seats of the final table.
    share : float
        Top and bottom share of the field.

    Returns
    -------
    int
        Index into WEIGHT_ROWS.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> from ratings.engine.tier.params import WEIGHT_ROWS
    >>> [WEIGHT_ROWS[weight_row(place, place, 100, 9, 0.03)] for place in (1, 3, 9, 10, 97, 98)]
    ['first', 'top', 'final_table', 'rest', 'rest', 'bottom']
    """
    reach = share * n + ROUNDING
    if place == 1:
        return FIRST
    if place <= reach:
        return TOP
    if place <= final_table_size:
        return FINAL_TABLE
    if n + 1 - last <= reach:
        return BOTTOM
    return REST


@kernel
def rest_and_balance(n: int, gain: Floats, row: Ints, weights: Weights) -> tuple[float, float]:
    """Common value of the rest, and equal share of what the weights take from a field.

    Parameters
    ----------
    n : int
        Size of the field; the arrays may be longer.
    gain : float64, shape (n,)
        Changes that the weights multiply, rating points.
    row : int64, shape (n,)
        Index into WEIGHT_ROWS.
    weights : tuple of float
        From `weights_of`.

    Returns
    -------
    rest : float
        No unit.
    balance : float
        Rating points; below 0 if the weights give more than they take.

    References
    ----------
    Equations (1) and (2) of the module docstring.

    Examples
    --------
    >>> row, weights = np.array([FIRST, FINAL_TABLE, REST, REST]), weights_of(TierParams())
    >>> [x.__round__(12) for x in rest_and_balance(4, np.array([50.0, 30.0, -5.0, -5.0]), row, weights)]
    [0.85, 0.0]
    >>> [x.__round__(12) for x in rest_and_balance(4, np.array([50.0, 30.0, -20.0, -60.0]), row, weights)]
    [0.9, -1.625]
    """
    missing, to_share = 0.0, 0.0
    for i in range(n):
        if row[i] == REST:
            to_share += gain[i]
        else:
            missing += (1.0 - weights[row[i]]) * gain[i]
    if to_share == 0.0:
        return weights[REST_HIGH], missing / n
    rest = min(max(1.0 + missing / to_share, weights[REST_LOW]), weights[REST_HIGH])
    return rest, (missing + (1.0 - rest) * to_share) / n


def weights_of(params: TierParams) -> Weights:
    """Convert the parameters of the table to the form that the kernels read.

    Parameters
    ----------
    params : TierParams

    Returns
    -------
    tuple of float
        First, top, final table, bottom, lower and upper end of the rest, share; no unit.

    Examples
    --------
    >>> weights_of(TierParams())
    (1.0, 0.97, 0.95, 0.92, 0.8, 0.9, 0.03)
    """
    return (
        params.weight_first,
        params.weight_top,
        params.weight_final_table,
        params.weight_bottom,
        params.weight_rest_low,
        params.weight_rest_high,
        params.weight_share,
    )


def place_weights(place: Ints, final_table_size: int, gain: Floats, params: TierParams) -> PlaceWeights:
    """Weight of every entry of an event.

    Parameters
    ----------
    place : int64, shape (n,)
        Competition ranking of the whole event (ties 1-2-2-4).
    final_table_size : int
        Seats of the final table.
    gain : float64, shape (n,)
        Changes that the weights multiply, rating points.
    params : TierParams
        The weights, the interval of the common value, weight_share.

    Returns
    -------
    PlaceWeights

    Raises
    ------
    ValueError
        If shapes differ or a gain is not finite.

    References
    ----------
    Equations (1) and (2) of the module docstring.

    Examples
    --------
    >>> gain = np.array([50.0, 30.0, -20.0, -60.0])
    >>> weights = place_weights(np.arange(1, 5), 2, gain, TierParams())
    >>> weights.weight.tolist(), weights.rest, round(weights.balance, 12)
    ([1.0, 0.95, 0.9, 0.9], 0.9, -1.625)
    """
    if place.ndim != 1 or gain.shape != place.shape:
        raise ValueError(f"place and gain must have one shape (n,), got {place.shape} and {gain.shape}")
    bad = np.flatnonzero(~np.isfinite(gain))
    if bad.size:
        raise ValueError(f"gain[{bad[0]}] must be finite, got {gain[bad[0]]}")
    weights = weights_of(params)
    last = np.searchsorted(np.sort(place), place, side="right")
    ends = zip(place.tolist(), last.tolist(), strict=True)
    rows = [weight_row(k, worse, place.size, final_table_size, params.weight_share) for k, worse in ends]
    row = np.array(rows, dtype=np.int64)
    rest, balance = rest_and_balance(gain.size, gain, row, weights)
    return PlaceWeights(np.where(row == REST, rest, np.array(weights)[row]), row, rest, balance)
