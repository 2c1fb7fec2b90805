"""Numba loops of the rating engine: parallel expectation propagation on a chain of tie groups.

Player i has performance p_i ~ N(mu_i, sigma_i^2 + beta_i^2). Players who share a place share a node k
of the chain and its performance x_k (ties are the exact limit of draw margin 0). Neighbouring nodes obey
d_k = x_k - x_{k+1} > 0. Each round refreshes the Gaussian approximation of each of these truncations and then
solves the Gaussian chain exactly, once down and once up.

All means are kept as offsets from the node's own prior mean, so only differences of neighbouring means
matter and a common shift of all ratings has no effect. Precisions are added, never subtracted.

With left cavity (m_l, V_l) of the better node, right cavity (m_r, V_r) of the worse one, s^2 = V_l + V_r,
t = (m_l - m_r)/s and v, u, w, r of gaussian.py, the truncation is kept as three numbers

    w,  A = s v (r + u^2),  R = s^2 r

and its message to the worse node has precision w/(w V_l + R) and mean m_l - A/w; to the better one
w/(w V_r + R) and m_r + A/w. Multiplied with a node's prior of variance V this is the recursion in
`_solve_chain`, which has one division and stays finite for w = 0 and for R = 0.

References
----------
.. [1] T. Minka, "A family of algorithms for approximate Bayesian inference", MIT, 2001, chapter 3.
.. [2] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006.
"""

import math

import numpy as np
import numpy.typing as npt
from numba import njit

from ratings.engine.gaussian import T_SPLIT, truncate_left, truncate_right

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOT_CONVERGED = -1
# Rounding of a difference of means, relative to its terms: changes of t below it are noise (no unit).
ROUNDING = 64.0 * 2.0**-52

# Rows of the float workspace. Entry rows first, then rows of the chain's nodes.
MU, SIGMA, BETA_SQ, AFTER_PRECISION, AFTER_SHIFT = 0, 1, 2, 3, 4
BASE, OFFSET, VARIANCE, GAP = 5, 6, 7, 8
LEFT_MEAN, LEFT_VARIANCE, RIGHT_MEAN, RIGHT_VARIANCE = 9, 10, 11, 12
T, W, A, R = 13, 14, 15, 16
PRECISION, SHIFT = 17, 18
FLOAT_ROWS = 19
# Rows of the integer workspace, one longer than the field.
ORDER, START, COUNT = 0, 1, 2
INT_ROWS = 3


def workspace(size: int) -> tuple[Floats, Ints]:
    """Scratch memory for fields of up to `size` entries.

    Parameters
    ----------
    size : int
        Largest number of entries of an event.

    Returns
    -------
    floats : float64, shape (FLOAT_ROWS, size + 1)
    ints : int64, shape (INT_ROWS, size + 2)

    Examples
    --------
    >>> [rows.shape for rows in workspace(10)]
    [(19, 11), (3, 12)]
    """
    return np.empty((FLOAT_ROWS, size + 1)), np.empty((INT_ROWS, size + 2), dtype=np.int64)


@njit(cache=True, error_model="numpy")
def _order_by_place(place: Ints, order: Ints, count: Ints) -> None:
    n = place.size
    for i in range(n + 1):
        count[i] = 0
    for i in range(n):
        at = place[i] - 1 + count[place[i]]
        count[place[i]] += 1
        order[at] = i


@njit(cache=True, error_model="numpy")
def _comes_first(i: int, j: int, mu: Floats, sigma: Floats, beta_sq: Floats) -> bool:
    if mu[i] != mu[j]:
        return bool(mu[i] < mu[j])
    if sigma[i] != sigma[j]:
        return bool(sigma[i] < sigma[j])
    return bool(beta_sq[i] < beta_sq[j])


@njit(cache=True, error_model="numpy")
def _shell_sort(order: Ints, mu: Floats, sigma: Floats, beta_sq: Floats) -> None:
    gap = 1
    while gap < order.size:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for at in range(gap, order.size):
            moving = order[at]
            to = at
            while to >= gap and _comes_first(moving, order[to - gap], mu, sigma, beta_sq):
                order[to] = order[to - gap]
                to -= gap
            order[to] = moving


@njit(cache=True, error_model="numpy")
def _sort_field(mu: Floats, sigma: Floats, beta_sq: Floats, place: Ints, ints: Ints) -> int:
    """Sort by (place, mu, sigma, beta), so that the order of names changes no bit; return the number of nodes."""
    order, start, count = ints[ORDER], ints[START], ints[COUNT]
    _order_by_place(place, order, count)
    n_nodes = 0
    first = 0
    while first < place.size:
        size = count[first + 1]
        start[n_nodes] = first
        if size > 1:
            _shell_sort(order[first : first + size], mu, sigma, beta_sq)
        n_nodes += 1
        first += size
    start[n_nodes] = place.size
    return n_nodes


@njit(cache=True, error_model="numpy")
def _copy_sorted(mu: Floats, sigma: Floats, beta_sq: Floats, order: Ints, floats: Floats) -> None:
    sorted_mu, sorted_sigma, sorted_beta_sq = floats[MU], floats[SIGMA], floats[BETA_SQ]
    for at in range(mu.size):
        i = order[at]
        sorted_mu[at] = mu[i]
        sorted_sigma[at] = sigma[i]
        sorted_beta_sq[at] = beta_sq[i]


@njit(cache=True, error_model="numpy")
def _make_nodes(n_nodes: int, start: Ints, floats: Floats) -> None:
    """Multiply the Gaussians of each node's members; means are relative to the first member."""
    mu, sigma, beta_sq = floats[MU], floats[SIGMA], floats[BETA_SQ]
    base, offset, variance = floats[BASE], floats[OFFSET], floats[VARIANCE]
    for k in range(n_nodes):
        first = start[k]
        base[k] = mu[first]
        offset[k] = 0.0
        variance[k] = sigma[first] * sigma[first] + beta_sq[first]
        if start[k + 1] - first > 1:
            precision = 0.0
            shift = 0.0
            for at in range(first, start[k + 1]):
                member = 1.0 / (sigma[at] * sigma[at] + beta_sq[at])
                precision += member
                shift += member * (mu[at] - mu[first])
            variance[k] = 1.0 / precision
            offset[k] = shift / precision


@njit(cache=True, error_model="numpy")
def _start_chain(n_nodes: int, floats: Floats) -> None:
    base, offset, gap = floats[BASE], floats[OFFSET], floats[GAP]
    for k in range(n_nodes - 1):
        gap[k] = (base[k] - base[k + 1]) + (offset[k] - offset[k + 1])
    for k in range(n_nodes):
        floats[LEFT_MEAN, k] = floats[RIGHT_MEAN, k] = 0.0
        floats[LEFT_VARIANCE, k] = floats[RIGHT_VARIANCE, k] = floats[VARIANCE, k]
        floats[T, k] = math.inf


@njit(cache=True, error_model="numpy")
def _refresh_truncations(n_nodes: int, floats: Floats, tolerance: float) -> int:
    """Refresh w, A and R of every neighbouring pair; return the number of pairs whose t still moved."""
    gap, t_all, w_all, a_all, r_all = floats[GAP], floats[T], floats[W], floats[A], floats[R]
    left_mean, left_variance = floats[LEFT_MEAN], floats[LEFT_VARIANCE]
    right_mean, right_variance = floats[RIGHT_MEAN], floats[RIGHT_VARIANCE]
    moved = 0
    n_right = 0
    for k in range(n_nodes - 1):
        left, right = left_mean[k], right_mean[k + 1]
        s_sq = left_variance[k] + right_variance[k + 1]
        s = math.sqrt(s_sq)
        t = (left - right + gap[k]) / s
        noise = ROUNDING * (abs(left) + abs(right) + abs(gap[k]))
        moved += 1 if abs(t - t_all[k]) * s > tolerance * s + noise else 0
        n_right += 1 if t > T_SPLIT else 0
        v, u, w, r = truncate_left(min(T_SPLIT, t))
        t_all[k] = t
        w_all[k] = w
        a_all[k] = s * v * (r + u * u)
        r_all[k] = s_sq * r
    if n_right:
        _refresh_right(n_nodes, floats)
    return moved


@njit(cache=True, error_model="numpy")
def _refresh_right(n_nodes: int, floats: Floats) -> None:
    """Refresh the pairs with t > 1; they have a loop of their own so that the first loop vectorizes."""
    for k in range(n_nodes - 1):
        t = floats[T, k]
        if t > T_SPLIT:
            s_sq = floats[LEFT_VARIANCE, k] + floats[RIGHT_VARIANCE, k + 1]
            v, u, w, r = truncate_right(t)
            floats[W, k] = w
            floats[A, k] = math.sqrt(s_sq) * v * (r + u * u)
            floats[R, k] = s_sq * r


@njit(cache=True, error_model="numpy")
def _solve_chain(n_nodes: int, floats: Floats) -> None:
    """Compute left cavities down the chain and right cavities up it: independent recursions in one loop."""
    variance, gap = floats[VARIANCE], floats[GAP]
    w_all, a_all, r_all = floats[W], floats[A], floats[R]
    left_mean, left_variance = floats[LEFT_MEAN], floats[LEFT_VARIANCE]
    right_mean, right_variance = floats[RIGHT_MEAN], floats[RIGHT_VARIANCE]
    last = n_nodes - 1
    down_mean, down_variance = 0.0, variance[0]
    up_mean, up_variance = 0.0, variance[last]
    for k in range(last):
        w = w_all[k]
        q = w * down_variance + r_all[k]
        weight = variance[k + 1] / (q + w * variance[k + 1])
        down_mean = weight * (w * (down_mean + gap[k]) - a_all[k])
        down_variance = weight * q
        left_mean[k + 1] = down_mean
        left_variance[k + 1] = down_variance
        j = last - 1 - k
        w = w_all[j]
        q = w * up_variance + r_all[j]
        weight = variance[j] / (q + w * variance[j])
        up_mean = weight * (w * (up_mean - gap[j]) + a_all[j])
        up_variance = weight * q
        right_mean[j] = up_mean
        right_variance[j] = up_variance


@njit(cache=True, error_model="numpy")
def _iterate(n_nodes: int, floats: Floats, tolerance: float, max_rounds: int) -> int:
    if n_nodes < 2:
        return 0
    for round_number in range(1, max_rounds + 1):
        moved = _refresh_truncations(n_nodes, floats, tolerance)
        _solve_chain(n_nodes, floats)
        if moved == 0:
            return round_number
    return NOT_CONVERGED


@njit(cache=True, error_model="numpy")
def _gather_evidence(n_nodes: int, floats: Floats) -> None:
    """Sum the chain's messages to each node: precision, and precision times the offset of the mean."""
    gap, w_all, a_all, r_all = floats[GAP], floats[W], floats[A], floats[R]
    left_mean, left_variance = floats[LEFT_MEAN], floats[LEFT_VARIANCE]
    right_mean, right_variance = floats[RIGHT_MEAN], floats[RIGHT_VARIANCE]
    precision, shift = floats[PRECISION], floats[SHIFT]
    precision[0] = 0.0
    shift[0] = 0.0
    for k in range(n_nodes - 1):
        inverse = 1.0 / (w_all[k] * left_variance[k] + r_all[k])
        precision[k + 1] = w_all[k] * inverse
        shift[k + 1] = (w_all[k] * (left_mean[k] + gap[k]) - a_all[k]) * inverse
    for k in range(n_nodes - 1):
        inverse = 1.0 / (w_all[k] * right_variance[k + 1] + r_all[k])
        precision[k] += w_all[k] * inverse
        shift[k] += (w_all[k] * (right_mean[k + 1] - gap[k]) + a_all[k]) * inverse


@njit(cache=True, error_model="numpy")
def _update_skill(
    mu: float, sigma: float, beta_sq: float, precision: float, shift: float
) -> tuple[float, float]:
    """Update a skill by evidence on its performance; the ratio under the root is at most 1."""
    sigma_sq = sigma * sigma
    inverse = 1.0 / (1.0 + (sigma_sq + beta_sq) * precision)
    left = (1.0 + beta_sq * precision) * inverse
    return mu + sigma_sq * shift * inverse, sigma * math.sqrt(min(left, 1.0))


@njit(cache=True, error_model="numpy")
def _sum_members_after(first: int, end: int, floats: Floats) -> None:
    """Sum precision and shift of the members that follow each member of a tie group."""
    mu, sigma, beta_sq = floats[MU], floats[SIGMA], floats[BETA_SQ]
    precision = 0.0
    shift = 0.0
    for at in range(end - 1, first - 1, -1):
        floats[AFTER_PRECISION, at] = precision
        floats[AFTER_SHIFT, at] = shift
        member = 1.0 / (sigma[at] * sigma[at] + beta_sq[at])
        precision += member
        shift += member * (mu[at] - mu[first])


@njit(cache=True, error_model="numpy")
def _same(at: int, other: int, floats: Floats) -> bool:
    return bool(
        floats[MU, at] == floats[MU, other]
        and floats[SIGMA, at] == floats[SIGMA, other]
        and floats[BETA_SQ, at] == floats[BETA_SQ, other]
    )


@njit(cache=True, error_model="numpy")
def _finish_group(k: int, floats: Floats, ints: Ints, new_mu: Floats, new_sigma: Floats) -> None:
    """Update each member by the chain and the other members; equal members get the same bits."""
    first, end, order = ints[START, k], ints[START, k + 1], ints[ORDER]
    chain_precision, chain_shift = floats[PRECISION, k], floats[SHIFT, k]
    _sum_members_after(first, end, floats)
    before_precision = 0.0
    before_shift = 0.0
    for at in range(first, end):
        mu, sigma, beta_sq = floats[MU, at], floats[SIGMA, at], floats[BETA_SQ, at]
        distance = mu - floats[MU, first]
        if at > first and _same(at, at - 1, floats):
            new_mu[order[at]] = new_mu[order[at - 1]]
            new_sigma[order[at]] = new_sigma[order[at - 1]]
        else:
            others = before_precision + floats[AFTER_PRECISION, at]
            shift = before_shift + floats[AFTER_SHIFT, at] - others * distance
            shift += chain_shift + chain_precision * (floats[OFFSET, k] - distance)
            updated = _update_skill(mu, sigma, beta_sq, chain_precision + others, shift)
            new_mu[order[at]], new_sigma[order[at]] = updated
        member = 1.0 / (sigma * sigma + beta_sq)
        before_precision += member
        before_shift += member * distance


@njit(cache=True, error_model="numpy")
def _finish(n_nodes: int, floats: Floats, ints: Ints, new_mu: Floats, new_sigma: Floats) -> None:
    mu, sigma, beta_sq = floats[MU], floats[SIGMA], floats[BETA_SQ]
    precision, shift = floats[PRECISION], floats[SHIFT]
    order, start = ints[ORDER], ints[START]
    _gather_evidence(n_nodes, floats)
    for k in range(n_nodes):
        at = start[k]
        if start[k + 1] - at > 1:
            _finish_group(k, floats, ints, new_mu, new_sigma)
        else:
            updated = _update_skill(mu[at], sigma[at], beta_sq[at], precision[k], shift[k])
            new_mu[order[at]], new_sigma[order[at]] = updated


@njit(cache=True, error_model="numpy")
def rate_event(  # Numba loops take flat arrays by position.
    mu: Floats,
    sigma: Floats,
    beta_sq: Floats,
    place: Ints,
    tolerance: float,
    max_rounds: int,
    floats: Floats,
    ints: Ints,
    new_mu: Floats,
    new_sigma: Floats,
) -> int:
    """Posterior of one event; arguments must have been validated.

    Parameters
    ----------
    mu, sigma : float64, shape (n,)
        Prior mean and standard deviation, rating points.
    beta_sq : float64, shape (n,)
        Performance variance of each entry, rating points squared.
    place : int64, shape (n,)
        Competition ranking 1..n (ties 1-2-2-4).
    tolerance : float
        Largest change of any t in the last round, no unit.
    max_rounds : int
        Cap on the rounds.
    floats, ints : arrays
        From `workspace(n)` or larger; overwritten.
    new_mu, new_sigma : float64, shape (n,)
        Overwritten with the posterior.

    Returns
    -------
    int
        Rounds used, or NOT_CONVERGED.

    References
    ----------
    [1]_ of the module docstring, section 3.2; the messages are the module's.

    Examples
    --------
    >>> mu, sigma = np.full(2, 1500.0), np.full(2, 500.0)
    >>> new_mu, new_sigma = np.empty(2), np.empty(2)
    >>> rate_event(mu, sigma, np.full(2, 1e6), np.array([2, 1]), 1e-6, 500, *workspace(2), new_mu, new_sigma)
    2
    >>> new_mu.round(6).tolist()
    [1373.843374, 1626.156626]
    """
    n_nodes = _sort_field(mu, sigma, beta_sq, place, ints)
    _copy_sorted(mu, sigma, beta_sq, ints[ORDER], floats)
    _make_nodes(n_nodes, ints[START], floats)
    _start_chain(n_nodes, floats)
    rounds = _iterate(n_nodes, floats, tolerance, max_rounds)
    if rounds != NOT_CONVERGED:
        _finish(n_nodes, floats, ints, new_mu, new_sigma)
    return rounds
