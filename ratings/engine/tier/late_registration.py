"""Penalty for late registration.

A player who registers when others are already bust gains twice: partial fields spare those others a worse place, and
the player cannot finish behind them. The player's rate is lowered by f p, with f = late_first for a first entry,
late_reentry for a re-entry, and

    p   = a part1 + b part2
    part1 = (Pb/Pe) * sum over early busts of R_n'(k') - R_n(k)
    part2 = sum_k P(place = k) R_Pe(k) - mean of R_Pe

Pe entries have registered by then, the player's own among them, and Pb of those are bust. R_n(k) is the rate gain of
place k in a field of n. An early bust had place k of the whole field of n and k' of its partial field of n'.

**Which share.** "In proportion to Pb/Pe" is read as the factor Pb/Pe, not as a division of the sum among all late
entries. With a division, no closing time of registration makes rates in the published scenario with half of each field
late lower than in the one without (average players +7 to +319 instead of -58.7, for closing times of 10 to 100 % of
the event and the a and b that fit the published penalties); with a factor, one does.

**Which R.** The penalty must not depend on the late player's own rating, but the real gain of place k does: a strong
or weak late player changes the gains of the places nearby (part 1 of the published example would move by a third
between mu 1000 and 2000). So R_n(k) is the gain of place k in a field of n *equal* players who are as uncertain as
the *others* of this field are on average (mean sigma^2, mean performance variance). The only scale of such a field is
the standard deviation s of a performance: with the curves g, q of n equal players of s = 1,

    R_n(k) = sigma^2/s g_n(k) + K sigma (1 - sqrt(1 - sigma^2/s^2 q_n(k)))

**Part 2** uses the field at the moment of registration: one starting stack beside m = Pe - 1 - Pb equal ones that share
the chips of Pe - 1 entries. For one stack x among m equal ones Malmuth-Harville has a closed form:
P(place = 1) = x/(x + m), and likewise for each next place with one other player less. A player seated at the start
expects the mean of R.

References
----------
.. [1] TIER publication of November 2022, late registration.
.. [2] D. A. Harville, "Assigning Probabilities to the Outcomes of Multi-Entry Competitions", Journal of the
   American Statistical Association 68 (1973), 312-316.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import rate_field
from ratings.engine.compiled import kernel

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Tolerance of t for the curves, no unit.
CURVE_TOLERANCE = 1e-10
# Curves in the cache: sizes 1 to 2048 take 34 MB.
CURVES_KEPT = 2048
# Sets of curves in the cache: those of the last histories.
CURVE_SETS_KEPT = 16


class Curves(NamedTuple):
    """Curves of several sizes: size n is at start[n]..start[n] + n - 1; start[n] is -1 if size n is missing."""

    start: Ints
    gain: Floats
    shrink: Floats


@lru_cache(maxsize=CURVES_KEPT)
def unit_curve(n: int) -> tuple[Floats, Floats]:
    """Gain and shrinkage by place in a field of n equal players whose performances have variance 1.

    Parameters
    ----------
    n : int
        Size of the field.

    Returns
    -------
    gain, shrink : float64, shape (n,), read-only
        g_n and q_n of the module docstring: posterior mean is sigma^2 g, posterior variance
        sigma^2 (1 - sigma^2 q).

    References
    ----------
    Module docstring; the posterior of a skill given precision pi and shift h of its performance has
    g = h / (1 + pi), q = pi / (1 + pi).

    Examples
    --------
    >>> gain, shrink = unit_curve(2)
    >>> gain.round(6).tolist(), shrink.round(6).tolist()
    ([0.56419, -0.56419], [0.31831, 0.31831])
    """
    half = math.sqrt(0.5)
    sigma = np.full(n, half)
    field = rate_field(np.zeros(n), sigma, np.arange(1, n + 1), beta=half, tolerance=CURVE_TOLERANCE)
    gain, shrink = field.mu / 0.5, (1.0 - (field.sigma / half) ** 2) / 0.5
    gain.flags.writeable = shrink.flags.writeable = False
    return gain, shrink


@lru_cache(maxsize=CURVE_SETS_KEPT)
def curves_for(sizes: tuple[int, ...]) -> Curves:
    """Concatenate the curves of the given sizes.

    Parameters
    ----------
    sizes : tuple of int
        Distinct, rising.

    Returns
    -------
    Curves
        Shared with later calls of the same sizes; do not write to it.

    Examples
    --------
    >>> curves_for((2, 3)).start.tolist()
    [-1, -1, 0, 2]
    """
    lengths = list(sizes)
    start = np.full(max(lengths, default=0) + 1, -1, dtype=np.int64)
    start[lengths] = np.concatenate([[0], np.cumsum(lengths)])[: len(lengths)]
    pairs = [unit_curve(n) for n in lengths]
    if not pairs:
        return Curves(start, np.empty(0), np.empty(0))
    return Curves(start, np.concatenate([g for g, _ in pairs]), np.concatenate([q for _, q in pairs]))


@kernel
def place_gain(
    n: int, place: int, sigma_sq: float, performance_sq: float, conservatism: float, curves: Curves
) -> float:
    """R_n(k), the rate gain of a place.

    Parameters
    ----------
    n, place : int
        Size of the field, which `curves` must hold, and place in it.
    sigma_sq, performance_sq : float
        Variance of skill and of performance (skill included), rating points squared.
    conservatism : float
        K, no unit.
    curves : Curves

    Returns
    -------
    float
        Rating points.

    References
    ----------
    Module docstring, third equation.

    Examples
    --------
    >>> place_gain(2, 1, 250000.0, 1250000.0, 0.0, curves_for((2,))).__round__(6)
    126.156626
    """
    at = curves.start[n] + place - 1
    shrunk = 1.0 - math.sqrt(1.0 - sigma_sq / performance_sq * curves.shrink[at])
    mu_gain = sigma_sq / math.sqrt(performance_sq) * curves.gain[at]
    return float(mu_gain + conservatism * math.sqrt(sigma_sq) * shrunk)


@kernel
def late_gain(
    n_entered: int,
    n_bust: int,
    sigma_sq: float,
    performance_sq: float,
    conservatism: float,
    curves: Curves,
) -> float:
    """Part 2: expected rate gain of entering now less that of a player seated at the start.

    Parameters
    ----------
    n_entered, n_bust : int
        Pe and Pb when the late entry registers.
    sigma_sq, performance_sq, conservatism, curves
        As for `place_gain`; `curves` must hold size Pe.

    Returns
    -------
    float
        Rating points, not negative.

    References
    ----------
    Module docstring, second equation; the chances of the places are Harville's [2]_.

    Examples
    --------
    >>> late_gain(60, 1, 250000.0, 1250000.0, 0.84162123357, curves_for((60,))).__round__(2)
    5.82
    """
    n_others = n_entered - 1 - n_bust
    stack = n_others / (n_entered - 1.0) if n_others > 0 else 1.0
    late, seated = 0.0, 0.0
    passed_over = 1.0
    for place in range(1, n_entered + 1):
        gain = place_gain(n_entered, place, sigma_sq, performance_sq, conservatism, curves)
        seated += gain
        others = n_others + 1 - place
        if others >= 0:
            late += passed_over * stack / (stack + others) * gain
            passed_over *= others / (stack + others)
    return max(late - seated / n_entered, 0.0)


def count_entered(offset: Ints, registered_at: Floats, busted_at: Floats) -> tuple[Ints, Ints]:
    """Count Pe and Pb for every entry.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    registered_at, busted_at : float64, shape (n_entries,)
        Minutes from the start of the event.

    Returns
    -------
    n_entered, n_bust : int64, shape (n_entries,)
        Number of entries registered by the time this one registers, itself included, and the number of those that
        are bust by then. The entry is late if that is not 0.

    References
    ----------
    [1]_ of the module docstring.

    Examples
    --------
    >>> times = np.array([0.0, 20.0, 0.0]), np.array([60.0, 60.0, 10.0])
    >>> entered, bust = count_entered(np.array([0, 3]), *times)
    >>> entered.tolist(), bust.tolist()
    ([2, 3, 2], [0, 1, 0])
    """
    first, sizes = offset[:-1], np.diff(offset)
    n_entered, n_bust = np.repeat(sizes, sizes), np.zeros(registered_at.size, dtype=np.int64)
    earliest, latest = np.minimum.reduceat(registered_at, first), np.maximum.reduceat(registered_at, first)
    # If all registered together before any bust, there is nothing to search for.
    for e in np.flatnonzero((earliest < latest) | (np.minimum.reduceat(busted_at, first) <= latest)):
        span = slice(offset[e], offset[e + 1])
        registered, busted = registered_at[span], busted_at[span]
        n_entered[span] = np.searchsorted(np.sort(registered), registered, side="right")
        n_bust[span] = np.searchsorted(np.sort(busted), registered, side="right") - (busted <= registered)
    return n_entered, n_bust
