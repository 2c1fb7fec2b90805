"""Figures that explain R: where a game points to, the place it promised, the spread by luck, the steps of a change.

No numba is needed here, so pages can import this module.
"""

import numpy as np
import numpy.typing as npt

from ratings.engine.profit import ProfitParams

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

# Rating points of result between two neighbouring places, of the system to which k compares balances: 0.2 (30 - 10).
PLACE_STEP = 4.0


def _pulls(n_players: Ints, params: ProfitParams) -> Floats:
    """w of each game (`pull_to_others`)."""
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
    R - Rothers settles at e/w, so a settled player's mean result is e = w (R - Rothers). With the place alone counting,
    a place better is 2 place_first/(n - 1) points of result. With the balance counting, e is a mean balance of e/f units,
    and a unit of balance is worth m = 1/(4 k) places, k = g/f: the place is (n + 1)/2 - m e/f.

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
    if params.system == "placement":
        better = e * (n_players - 1) / (2.0 * params.place_first)
    elif params.g == 0.0:  # Nothing pulls, so R promises nothing.
        better = np.zeros_like(e)
    else:  # m e/f with m = f/(4 g).
        better = e / (PLACE_STEP * params.g)
    return np.clip((n_players + 1) / 2.0 - better, 1.0, n_players)
