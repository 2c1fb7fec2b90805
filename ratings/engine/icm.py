"""Chances of places from chips: the Malmuth-Harville model, exact for hundreds of players.

The chance to win is the share of the chips; second place goes to one of the others in proportion to their
stacks, and so on down. That is a race of independent exponential clocks, player j's of rate S_j: the clock
that rings first is the winner's. Therefore, with p_j = 1 - exp(-S_j t) and q_j = 1 - p_j,

    P(place of i = k) = int_0^inf S_i q_i(t) B_i(k - 1; t) dt                                      (1)

where B_i(m; t) is the chance that exactly m of the other clocks have rung by t, a Poisson-binomial
distribution. All of them follow from B, the distribution for all clocks:

    B(m) = q_i B_i(m) + p_i B_i(m - 1)                                                             (2)

solved for B_i upwards in m while p_i <= q_i and downwards when p_i > q_i, so that errors shrink on the way.

The integral is a sum of Gauss-Legendre panels. By t the number of clocks that have rung has mean M = sum p_j
and variance V = sum p_j q_j; in the coordinate ds = dM / sqrt(V) every B_i(m; .) is a bump of width near 1, so
a panel is a few units of s long, and none but the first ends beyond RATIO times its start.

References
----------
.. [1] D. A. Harville, "Assigning Probabilities to the Outcomes of Multi-Entry Competitions", Journal of the
   American Statistical Association 68 (1973), 312-316: the model.
.. [2] R. L. Plackett, "The Analysis of Permutations", Applied Statistics 24 (1975), 193-202: the same chances
   for every place.
"""

import math
from functools import cache

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel

Floats = npt.NDArray[np.float64]

# Gauss-Legendre nodes of a panel, its largest length in s, and its largest ratio of ends in t: together
# within 1e-12 of 30 nodes on panels a quarter as long, for fields of 2 to 300 (tests/engine/ratings/test_icm.py).
NODES = 24
PANEL = 8.0
RATIO = 4.0
# End of the first panel, in units of the expected time of the first ring.
FIRST = 1.0
# The integral ends where the smallest stack's clock has not rung with a chance of exp(-LAST) = 1e-13.
LAST = 30.0
# Points per factor e of t of the grid that finds the panels.
GRID = 6
# Smaller chances of a number of rings are left out; a thousand of them sum to 1e-14.
NEGLIGIBLE = 1e-17
# Zeros before the first number of rings, so that the recurrence needs no special case.
PAD = 2


@inner
def _count_rings(rung: Floats, left: Floats, one: Floats, two: Floats) -> tuple[int, int, Floats]:
    """Find B of equation (2), at m + PAD, and the first and last number of rings m that is not negligible.

    Two clocks at a time; the arrays have an even number of them, if need be with one that never rings.
    """
    for m in range(one.size):
        one[m] = 0.0
        two[m] = 0.0
    old, new = one, two
    old[PAD] = 1.0
    low, high = 0, 0
    for j in range(0, rung.size, 2):
        none, both = left[j] * left[j + 1], rung[j] * rung[j + 1]
        either = left[j] * rung[j + 1] + rung[j] * left[j + 1]
        for m in range(low + PAD, high + PAD + 3):
            new[m] = none * old[m] + either * old[m - 1] + both * old[m - 2]
        high += 2
        while new[PAD + low] < NEGLIGIBLE:
            low += 1
        while new[PAD + high] < NEGLIGIBLE:
            high -= 1
        new[low] = new[low + 1] = 0.0
        new[PAD + high + 1] = new[PAD + high + 2] = 0.0
        old, new = new, old
    return low, high, old


@inner
def _add_players(
    first: int,
    end: int,
    start: int,
    stop: int,
    step: int,
    ratio: Floats,
    factor: Floats,
    total: Floats,
    others: Floats,
    places: Floats,
) -> None:
    """Add equation (1) for players first..end-1, with B of all m from start to before stop.

    Upwards, for p <= q, B_i(m) = (1/q) B(m) - (p/q) B_i(m - 1); downwards, for p > q, B_i(m - 1) = (1/p) B(m) -
    (q/p) B_i(m). Both times the weight, and its factor, in `factor`.
    """
    for i in range(first, end):
        others[i] = 0.0
    for m in range(start, stop, step):
        chance = total[m + PAD]
        row = places[m] if step > 0 else places[m - 1]
        for i in range(first, end):
            others[i] = factor[i] * chance - ratio[i] * others[i]
            row[i] += others[i]


@inner
def _clocks_at(
    stacks: Floats, time: float, weight: float, rung: Floats, left: Floats, ratio: Floats, factor: Floats
) -> int:
    """Write p, q and the coefficients of (2) at one time; return the number of players with p <= q."""
    n_slow = 0
    for i in range(stacks.size):
        q = math.exp(-stacks[i] * time)
        p = 1.0 - q
        rung[i], left[i] = p, q
        if p <= q:
            n_slow = i + 1
            ratio[i], factor[i] = p / q, weight * stacks[i]
        else:
            ratio[i], factor[i] = q / p, weight * stacks[i] * q / p
    return n_slow


@kernel
def _integrate(stacks: Floats, times: Floats, weights: Floats, scratch: Floats, places: Floats) -> None:
    """Add equation (1) to places[k - 1, i]; stacks must rise, so that those with p <= q come first."""
    n = stacks.size
    rung, left, ratio, factor, others = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for node in range(times.size):
        slow = _clocks_at(stacks, times[node], weights[node], rung, left, ratio, factor)
        low, high, total = _count_rings(rung[: n + n % 2], left, scratch[5], scratch[6])
        for step in (1, -1):
            first, end = (0, slow) if step > 0 else (slow, n)
            start, stop = (low, min(high + 1, n)) if step > 0 else (high, max(low - 1, 0))
            _add_players(first, end, start, stop, step, ratio, factor, total, others, places)


def _scratch(n: int) -> Floats:
    """Allocate memory of `_integrate`: in the first two rows a clock that never rings follows the players' clocks."""
    scratch = np.zeros((7, n + PAD + 4))
    scratch[1, n] = 1.0
    return scratch


def _panel_edges(stacks: Floats) -> Floats:
    """Ends of the panels, equally spaced in s (or log t where RATIO is the tighter bound)."""
    first, last = np.log(FIRST / stacks.sum()), np.log(LAST / stacks.min())
    grid = np.linspace(first, last, int(np.ceil((last - first) * GRID)) + 1)
    distinct, count = np.unique(stacks, return_counts=True)
    scaled = np.outer(np.exp(grid), distinct)
    left = np.exp(-scaled)
    variance = (-np.expm1(-scaled) * left) @ count
    moved = (scaled * left) @ count / np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny))
    density = np.maximum(moved / PANEL, 1.0 / np.log(RATIO))
    n_panels = np.concatenate([[0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(grid))])
    edges: Floats = np.interp(np.linspace(0.0, n_panels[-1], int(np.ceil(n_panels[-1])) + 1), n_panels, grid)
    return np.concatenate([[0.0], np.exp(edges)])


@cache
def _gauss_legendre(n_nodes: int) -> tuple[Floats, Floats]:
    node, weight = np.polynomial.legendre.leggauss(n_nodes)
    return np.asarray(node), np.asarray(weight)


def _quadrature(stacks: Floats) -> tuple[Floats, Floats]:
    node, weight = _gauss_legendre(NODES)
    edges = _panel_edges(stacks)
    half = 0.5 * np.diff(edges)[:, np.newaxis]
    middle = 0.5 * (edges[1:] + edges[:-1])[:, np.newaxis]
    return (middle + half * node).ravel(), (half * weight).ravel()


def _checked_stacks(stacks: npt.ArrayLike) -> Floats:
    chips = np.array(stacks, dtype=np.float64)
    if chips.ndim != 1 or chips.size == 0:
        raise ValueError(f"stacks must be one-dimensional and not empty, got shape {chips.shape}")
    bad = np.flatnonzero(~((chips > 0.0) & np.isfinite(chips)))
    if bad.size:
        raise ValueError(f"stacks[{bad[0]}] must be positive and finite, got {chips[bad[0]]}")
    shares: Floats = chips / chips.max()
    return shares


def place_probabilities(stacks: npt.ArrayLike) -> Floats:
    """Chance of every place for every player (Malmuth-Harville).

    Parameters
    ----------
    stacks : array_like of float, shape (n,)
        Chips of each player, positive; only their ratios matter.

    Returns
    -------
    float64, shape (n, n)
        Row i, column k: chance that player i finishes in place k + 1. Rows and columns sum to 1.

    Raises
    ------
    ValueError
        If there is no player, or a stack is not positive and finite.

    References
    ----------
    Equations (1) and (2) of the module docstring.

    Examples
    --------
    >>> place_probabilities([3.0, 1.0]).round(12).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    chips = _checked_stacks(stacks)
    order = np.argsort(chips, kind="stable")
    rising = chips[order]
    places = np.zeros((chips.size, chips.size))
    times, weights = _quadrature(rising)
    _integrate(rising, times, weights, _scratch(chips.size), places)
    by_player = np.empty_like(places)
    by_player[order] = places.T
    return by_player


def entrant_place_probabilities(stack: float, n_others: int) -> Floats:
    """Chance of every place of one player among `n_others` with equal stacks.

    Parameters
    ----------
    stack : float
        The player's chips in units of the stack that each of the others has, positive.
    n_others : int
        At least 0.

    Returns
    -------
    float64, shape (n_others + 1,)
        Chance of place k + 1. Exact up to rounding, in O(n_others).

    Raises
    ------
    ValueError
        If the stack is not positive and finite, or there are fewer than 0 others.

    References
    ----------
    .. [1] Harville, see the module docstring: once l of the equal players have taken the first places, the player's
       chance of the next one is a / (a + m - l), where a is the player's stack and m the number of others.

    Examples
    --------
    >>> entrant_place_probabilities(2.0, 2).round(12).tolist()
    [0.5, 0.333333333333, 0.166666666667]
    """
    if not (stack > 0.0 and np.isfinite(stack)):
        raise ValueError(f"stack must be positive and finite, got {stack}")
    if n_others < 0:
        raise ValueError(f"n_others must not be negative, got {n_others}")
    still_in = np.arange(n_others, -1.0, -1.0)
    passed_over = np.concatenate([[1.0], np.cumprod((still_in / (stack + still_in))[:-1])])
    return passed_over * (stack / (stack + still_in))
