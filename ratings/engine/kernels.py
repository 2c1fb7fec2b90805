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
`_solve_chain`, which stays finite for w = 0 and for R = 0.

The first messages are a guess: those of neighbours who are apart as neighbours of a sample of the normal distribution
are on average. It halves the number of rounds and changes nothing of what they converge to.

References
----------
.. [1] T. Minka, "A family of algorithms for approximate Bayesian inference", MIT, 2001, chapter 3.
.. [2] R. Herbrich, T. Minka, T. Graepel, "TrueSkill: A Bayesian Skill Rating System", NIPS 2006.
"""

import math

import numpy as np
import numpy.typing as npt

from ratings.engine.compiled import inner, kernel
from ratings.engine.gaussian import T_SPLIT, truncate_left, truncate_right

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOT_CONVERGED = -1
# Rounding of a difference of means, relative to its terms: changes of t below it are noise (no unit).
ROUNDING = 64.0 * 2.0**-52
# Steps along the chain until a divisor is made 1 again: eight factors of the size of a variance do not overflow.
BLOCK = 8
# Density of the standard normal at 0.
DENSITY = 1.0 / math.sqrt(2.0 * math.pi)

# Rows of the float workspace: of the chain's nodes, then sums over the members of a node that follow an entry.
BASE, OFFSET, VARIANCE, GAP = 0, 1, 2, 3
LEFT_MEAN, LEFT_VARIANCE, RIGHT_MEAN, RIGHT_VARIANCE = 4, 5, 6, 7
T, W, A, R = 8, 9, 10, 11
PRECISION, SHIFT = 12, 13
LEFT_DIVISOR, RIGHT_DIVISOR = 14, 15
AFTER_PRECISION, AFTER_SHIFT = 16, 17
FLOAT_ROWS = 18
# Rows of the integer workspace: entries in order, the first of each node.
ORDER, START = 0, 1
INT_ROWS = 2


def workspace(size: int) -> tuple[Floats, Ints]:
    """Scratch memory for fields of up to `size` entries.

    Parameters
    ----------
    size : int
        Largest number of entries of an event.

    Returns
    -------
    floats : float64, shape (FLOAT_ROWS, size)
    ints : int64, shape (INT_ROWS, size + 1)

    Examples
    --------
    >>> [rows.shape for rows in workspace(10)]
    [(18, 10), (2, 11)]
    """
    return np.empty((FLOAT_ROWS, size)), np.empty((INT_ROWS, size + 1), dtype=np.int64)


@inner
def _sort_tied(first: int, end: int, order: Ints, mu: Floats, sigma: Floats, beta_sq: Floats) -> None:
    """Sort (Shell) the members of a node by mu, sigma and beta, so that the order of names changes no bit."""
    gap = 1
    while gap < end - first:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for at in range(first + gap, end):
            i = order[at]
            to = at
            while to >= first + gap:
                j = order[to - gap]
                equal_mu = mu[i] == mu[j]
                comes_first = beta_sq[i] < beta_sq[j] if sigma[i] == sigma[j] else sigma[i] < sigma[j]
                if mu[i] > mu[j] or (equal_mu and not comes_first):
                    break
                order[to] = j
                to -= gap
            order[to] = i


@inner
def _make_nodes(
    n: int, mu: Floats, sigma: Floats, beta_sq: Floats, place: Ints, floats: Floats, ints: Ints
) -> int:
    """Multiply the Gaussians of those who share a place, means relative to the first; return the number of nodes."""
    order, start = ints[ORDER], ints[START]
    base, offset, variance = floats[BASE], floats[OFFSET], floats[VARIANCE]
    n_nodes = 0
    start[0] = 0
    while start[n_nodes] < n:
        first = start[n_nodes]
        order[first] = first
        end = first + 1
        while end < n and place[end] == place[first]:
            order[end] = end
            end += 1
        base[n_nodes] = mu[first]
        offset[n_nodes] = 0.0
        variance[n_nodes] = sigma[first] * sigma[first] + beta_sq[first]
        if end > first + 1:
            _sort_tied(first, end, order, mu, sigma, beta_sq)
            base[n_nodes] = mu[order[first]]
            precision, shift = _sum_members(first, end, mu, sigma, beta_sq, floats, order)
            variance[n_nodes] = 1.0 / precision
            offset[n_nodes] = shift / precision
        n_nodes += 1
        start[n_nodes] = end
    return n_nodes


@inner
def _sum_members(
    first: int, end: int, mu: Floats, sigma: Floats, beta_sq: Floats, floats: Floats, order: Ints
) -> tuple[float, float]:
    """Sum precision and shift of the members of a node; note the sums over those that follow each member."""
    precision = 0.0
    shift = 0.0
    for at in range(end - 1, first - 1, -1):
        i = order[at]
        floats[AFTER_PRECISION, at] = precision
        floats[AFTER_SHIFT, at] = shift
        member = 1.0 / (sigma[i] * sigma[i] + beta_sq[i])
        precision += member
        shift += member * (mu[i] - mu[order[first]])
    return precision, shift


@inner
def _start_chain(n_nodes: int, floats: Floats) -> None:
    """Guess the first messages, from the distance S/(n phi(z)) of neighbours at the quantile z of a normal sample.

    S is the standard deviation of all performances. For the share p of the field that is ahead, phi(z) is about
    phi(0) (4 p (1 - p))^(3/4). The messages are those of the limit t -> -inf, where the distance is s u: w = 1,
    A = 2 s u, R = (s u)^2.
    """
    base, offset, variance, gap = floats[BASE], floats[OFFSET], floats[VARIANCE], floats[GAP]
    t_all, w_all, a_all, r_all = floats[T], floats[W], floats[A], floats[R]
    mean = 0.0
    for k in range(n_nodes):
        mean += ((base[k] - base[0]) + offset[k]) / n_nodes
    spread = 0.0
    for k in range(n_nodes):
        from_mean = (base[k] - base[0]) + offset[k] - mean
        spread += (variance[k] + from_mean * from_mean) / n_nodes
    scale = math.sqrt(spread) / (n_nodes * DENSITY)
    for k in range(n_nodes - 1):
        ahead = (k + 1.0) / n_nodes
        middle = 4.0 * ahead * (1.0 - ahead)
        distance = scale / math.sqrt(middle * math.sqrt(middle))
        gap[k] = (base[k] - base[k + 1]) + (offset[k] - offset[k + 1])
        t_all[k] = math.inf
        w_all[k] = 1.0
        a_all[k] = 2.0 * distance
        r_all[k] = distance * distance


@inner
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


@inner
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


@inner
def _solve_chain(n_nodes: int, floats: Floats) -> None:
    """Compute left cavities down the chain and right cavities up it: independent recursions in one loop.

    A mean and a variance are fractions with one denominator, so that no step waits for the division of the step before.
    """
    variance, gap = floats[VARIANCE], floats[GAP]
    w_all, a_all, r_all = floats[W], floats[A], floats[R]
    left_mean, left_variance, left_divisor = floats[LEFT_MEAN], floats[LEFT_VARIANCE], floats[LEFT_DIVISOR]
    right_mean, right_variance, right_divisor = (
        floats[RIGHT_MEAN],
        floats[RIGHT_VARIANCE],
        floats[RIGHT_DIVISOR],
    )
    last = n_nodes - 1
    down_mean, down_variance, down = 0.0, variance[0], 1.0
    up_mean, up_variance, up = 0.0, variance[last], 1.0
    left_mean[0], left_variance[0], left_divisor[0] = down_mean, down_variance, down
    right_mean[last], right_variance[last], right_divisor[last] = up_mean, up_variance, up
    for first in range(0, last, BLOCK):
        for k in range(first, min(last, first + BLOCK)):
            w, prior = w_all[k], variance[k + 1]
            q = w * down_variance + r_all[k] * down
            down_mean = prior * (w * down_mean + (w * gap[k] - a_all[k]) * down)
            down = q + w * prior * down
            down_variance = prior * q
            left_mean[k + 1], left_variance[k + 1], left_divisor[k + 1] = down_mean, down_variance, down
            j = last - 1 - k
            w, prior = w_all[j], variance[j]
            q = w * up_variance + r_all[j] * up
            up_mean = prior * (w * up_mean + (a_all[j] - w * gap[j]) * up)
            up = q + w * prior * up
            up_variance = prior * q
            right_mean[j], right_variance[j], right_divisor[j] = up_mean, up_variance, up
        of_left, of_right = 1.0 / down, 1.0 / up
        down_mean, down_variance, down = down_mean * of_left, down_variance * of_left, 1.0
        up_mean, up_variance, up = up_mean * of_right, up_variance * of_right, 1.0
    for k in range(n_nodes):
        of_left, of_right = 1.0 / left_divisor[k], 1.0 / right_divisor[k]
        left_mean[k] *= of_left
        left_variance[k] *= of_left
        right_mean[k] *= of_right
        right_variance[k] *= of_right


@inner
def _gather_evidence(n_nodes: int, floats: Floats) -> None:
    """Sum the chain's messages to each node: precision, and precision times the offset of the mean."""
    gap, w_all, a_all, r_all = floats[GAP], floats[W], floats[A], floats[R]
    left_mean, left_variance = floats[LEFT_MEAN], floats[LEFT_VARIANCE]
    right_mean, right_variance = floats[RIGHT_MEAN], floats[RIGHT_VARIANCE]
    precision, shift = floats[PRECISION], floats[SHIFT]
    precision[0] = 0.0
    shift[0] = 0.0
    for k in range(n_nodes - 1):
        w = w_all[k]
        down = 1.0 / (w * left_variance[k] + r_all[k])
        up = 1.0 / (w * right_variance[k + 1] + r_all[k])
        precision[k] += w * up
        shift[k] += (w * (right_mean[k + 1] - gap[k]) + a_all[k]) * up
        precision[k + 1] = w * down
        shift[k + 1] = (w * (left_mean[k] + gap[k]) - a_all[k]) * down


@inner
def _update_skill(
    mu: float, sigma: float, beta_sq: float, precision: float, shift: float
) -> tuple[float, float]:
    """Update a skill by evidence on its performance; the ratio under the root is at most 1."""
    sigma_sq = sigma * sigma
    inverse = 1.0 / (1.0 + (sigma_sq + beta_sq) * precision)
    left = (1.0 + beta_sq * precision) * inverse
    return mu + sigma_sq * shift * inverse, sigma * math.sqrt(min(left, 1.0))


@inner
def _finish_tied(
    k: int,
    mu: Floats,
    sigma: Floats,
    beta_sq: Floats,
    floats: Floats,
    ints: Ints,
    new_mu: Floats,
    new_sigma: Floats,
) -> None:
    """Update each member by the chain and the other members; equal members get the same bits."""
    first, end, order = ints[START, k], ints[START, k + 1], ints[ORDER]
    chain_precision, chain_shift, offset = floats[PRECISION, k], floats[SHIFT, k], floats[OFFSET, k]
    precision, shift = 0.0, 0.0
    j = order[first]
    for at in range(first, end):
        i = order[at]
        distance = mu[i] - floats[BASE, k]
        if at > first and mu[i] == mu[j] and sigma[i] == sigma[j] and beta_sq[i] == beta_sq[j]:
            new_mu[i], new_sigma[i] = new_mu[j], new_sigma[j]
        else:
            others = precision + floats[AFTER_PRECISION, at]
            pull = shift + floats[AFTER_SHIFT, at] - others * distance
            pull += chain_shift + chain_precision * (offset - distance)
            updated = _update_skill(mu[i], sigma[i], beta_sq[i], chain_precision + others, pull)
            new_mu[i], new_sigma[i] = updated
        member = 1.0 / (sigma[i] * sigma[i] + beta_sq[i])
        precision += member
        shift += member * distance
        j = i


@kernel
def rate_event(  # Numba loops take flat arrays by position.
    n: int,
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
    n : int
        Size of the field; the arrays may be longer.
    mu, sigma : float64, shape (n,)
        Prior mean and standard deviation, rating points.
    beta_sq : float64, shape (n,)
        Performance variance of each entry, rating points squared.
    place : int64, shape (n,)
        Equal places mean a tie. They must not fall: entries come in the order of their places.
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
    >>> field = mu, sigma, np.full(2, 1e6), np.array([1, 2])
    >>> rate_event(2, *field, 1e-6, 500, *workspace(2), new_mu, new_sigma)
    2
    >>> new_mu.round(6).tolist()
    [1626.156626, 1373.843374]
    """
    n_nodes = _make_nodes(n, mu, sigma, beta_sq, place, floats, ints)
    _start_chain(n_nodes, floats)
    rounds, moved = 0, n_nodes - 1
    _solve_chain(n_nodes, floats)
    while moved:
        if rounds == max_rounds:
            return NOT_CONVERGED
        moved = _refresh_truncations(n_nodes, floats, tolerance)
        _solve_chain(n_nodes, floats)
        rounds += 1
    _gather_evidence(n_nodes, floats)
    for k in range(n_nodes):
        i = ints[START, k]
        if ints[START, k + 1] > i + 1:
            _finish_tied(k, mu, sigma, beta_sq, floats, ints, new_mu, new_sigma)
        else:
            precision, shift = floats[PRECISION, k], floats[SHIFT, k]
            new_mu[i], new_sigma[i] = _update_skill(mu[i], sigma[i], beta_sq[i], precision, shift)
    return rounds
