"""Figures that explain R: where a game points to, the place it promised, the spread by luck, the steps of a change.

No numba is needed here, so pages can import this module.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.profit.params import ProfitParams, corrections

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def _pulls(n_players: Ints, params: ProfitParams) -> Floats:
    """Compute w of each game (`pull_to_others`)."""
    pulls: Floats = params.pull * (n_players - 1) / n_players
    return pulls


def mean_of_others(table_mean: Floats, before: Floats, n_players: Ints) -> Floats:
    """Mean R of the others at the table.

    Parameters
    ----------
    table_mean, before : float64, shape (n,)
        Mean R of the table, the player included, and R of the player, rating points.
    n_players : int64, shape (n,)
        Players at the table.

    Returns
    -------
    float64, shape (n,)
        Rating points.

    Examples
    --------
    >>> mean_of_others(np.array([1500.0]), np.array([1530.0]), np.array([4])).tolist()
    [1490.0]
    """
    mean: Floats = (n_players * table_mean - before) / (n_players - 1)
    return mean


def stable_r(
    table_mean: Floats, before: Floats, result: Floats, n_players: Ints, params: ProfitParams
) -> Floats:
    """One-game stable R: where R would end if every game were like this one.

    Parameters
    ----------
    table_mean, before : float64, shape (n,)
        Mean R of the table, the player included, and R of the player, before the game, rating points.
    result : float64, shape (n,)
        Result r, as it is after `params.games` games (`results`), rating points.
    n_players : int64, shape (n,)
        Players at the table.
    params : ProfitParams

    Returns
    -------
    float64, shape (n,)
        Rating points; NaN if nothing pulls R to the table, because R then never settles.

    Notes
    -----
    dR = r + w (Rothers - R) is 0 at R = Rothers + r/w. The correction c(n) multiplies both parts and does not matter.

    References
    ----------
    .. [1] Proposal of 2010: stable R, Rbar + r/w, with the mean of the others.

    Examples
    --------
    >>> table = np.full(4, 1500.0), np.full(4, 1500.0)
    >>> result, four = np.array([6.0, 2.0, -2.0, -6.0]), np.full(4, 4)
    >>> (stable_r(*table, result, four, ProfitParams(system="placement")) - 1500.0).round(2).tolist()
    [1600.0, 533.33, -533.33, -1600.0]
    """
    if params.pull == 0.0:
        return np.full_like(before, np.nan)
    stable: Floats = mean_of_others(table_mean, before, n_players) + result / _pulls(n_players, params)
    return stable


def expected_place(before: Floats, others_mean: Floats, n_players: Ints, params: ProfitParams) -> Floats:
    """Place that a player's R promises at a table.

    Parameters
    ----------
    before, others_mean : float64, shape (n,)
        R of the player and mean R of the others, before the game, rating points.
    n_players : int64, shape (n,)
        Players at the table.
    params : ProfitParams

    Returns
    -------
    float64, shape (n,)
        From 1 to n_players.

    Notes
    -----
    R - Rothers settles at e/w, so a settled player's mean result is e = w (R - Rothers). Where the place alone counts,
    a better place is worth s = 2 place_first/(n - 1). Where the balance counts, e is a mean balance of e/f units, each
    worth m = 1/(s k) places, k = g/f: the place is (n + 1)/2 - m e/f. s is 4 at a table of four, 6 at one of three.

    References
    ----------
    .. [1] Proposal of 2010: mean e/w, (f, g) = (k/l, k^2/l), slope m of mean place against mean balance, k = 1/(4 m).

    Examples
    --------
    >>> r, others, four = np.array([1500.0, 1600.0, 9000.0]), np.full(3, 1500.0), np.full(3, 4)
    >>> expected_place(r, others, four, ProfitParams()).round(5).tolist()
    [2.5, 2.40625, 1.0]
    >>> expected_place(r, others, four, ProfitParams(system="placement")).round(5).tolist()
    [2.5, 2.40625, 1.0]
    """
    e = _pulls(n_players, params) * (before - others_mean)
    if params.pull == 0.0:  # Nothing pulls, so R promises nothing.
        return (n_players + 1) / 2.0
    better = e * (n_players - 1) / (2.0 * params.place_first)
    if params.system == "balance":  # m e/f with m = f/(s g).
        better = better / params.g
    return np.clip((n_players + 1) / 2.0 - better, 1.0, n_players)


def luck_spread(n_players: Ints, v: float, params: ProfitParams) -> Floats:
    """Spread of R by luck alone, after each of a player's first games.

    Parameters
    ----------
    n_players : int64, shape (n,)
        Players at the table of each game, in order.
    v : float
        Variance of the result of a game, as it is after `params.games` games, rating points squared.
    params : ProfitParams

    Returns
    -------
    float64, shape (n,)
        Standard deviation of R - Rothers, rating points, of a player who is as good as constant opponents.

    Notes
    -----
    With s = c(n)/c_least, a game takes R - Rothers = d to (1 - s w) d + s r, so its variance goes from V to
    (1 - s w)^2 V + s^2 v. It starts from 0 and settles at v/(w (2 - w)) (`stationary`).

    References
    ----------
    .. [1] Proposal of 2010: R_n - Rothers = sum of r_k (1 - w)^(n - k), with c(n) as in `corrections`.

    Examples
    --------
    >>> ladder = ProfitParams(system="placement")
    >>> luck_spread(np.full(3000, 4), 20.0, ladder)[[0, 399, 2999]].round(3).tolist()
    [22.361, 69.69, 51.688]
    """
    steps = corrections(params) / params.least_correction
    pulls = _pulls(n_players, params).tolist()
    spreads, variance = np.empty(n_players.size), 0.0
    for n, pull in enumerate(pulls):
        step = float(steps[min(n, steps.size - 1)])
        variance = (1.0 - step * pull) ** 2 * variance + step * step * v
        spreads[n] = variance
    root: Floats = np.sqrt(spreads)
    return root


def correction(n_before: int, params: ProfitParams) -> float:
    """c(n), the share at which a game counts; 1 for the first.

    Parameters
    ----------
    n_before : int
        Games of the player before this one.
    params : ProfitParams

    Returns
    -------
    float
        No unit.

    Examples
    --------
    >>> round(correction(74, ProfitParams()), 3)
    0.742
    """
    table = corrections(params)
    return float(table[min(n_before, table.size - 1)])


def change_steps(
    result_part: float, pull_part: float, n_before: int, params: ProfitParams
) -> tuple[tuple[str, float], ...]:
    """Steps from R before a game to R after it.

    Parameters
    ----------
    result_part, pull_part : float
        Change of R by the result and by the pull to the table, c(n) included (`ProfitReplay`), rating points.
    n_before : int
        Games of the player before this one.
    params : ProfitParams

    Returns
    -------
    tuple of (str, float)
        "result" and "table_pull" as they are in a first game, and "count_correction": what c(n) takes off both.
        Rating points; they add up to the change.

    References
    ----------
    .. [1] Proposal of 2010: dR = c(n) (r + u (Rbar - R)).

    Examples
    --------
    >>> [(name, round(by, 1)) for name, by in change_steps(17.914, -2.135, 74, ProfitParams())]
    [('result', 24.1), ('table_pull', -2.9), ('count_correction', -5.5)]
    """
    share = correction(n_before, params)
    whole = (result_part + pull_part) / share
    return (
        ("result", result_part / share),
        ("table_pull", pull_part / share),
        ("count_correction", (share - 1.0) * whole),
    )


def badge_of(r: float, bounds: tuple[tuple[str, float], ...]) -> str:
    """Badge of R by a club's own bounds.

    Parameters
    ----------
    r : float
        Rating points.
    bounds : tuple of (str, float)
        Badges and the R from which they are given, the highest first; the last holds for everybody below.

    Returns
    -------
    str
        Empty without bounds.

    Examples
    --------
    >>> badge_of(1650.0, (("S", 1700.0), ("A", 1600.0), ("B", float("-inf"))))
    'A'
    """
    return next((letters for letters, bound in bounds if r >= bound), "")
