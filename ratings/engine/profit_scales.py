"""What the slope of places on balances and the spread of balances say about f and g."""

import numpy as np
import numpy.typing as npt

from ratings.engine.profit import ProfitParams

Floats = npt.NDArray[np.float64]
PLACEMENT = ProfitParams(system="placement")
# Players at the tables for which (f, g) are published (source).
PUBLISHED_SIZE = 4


def step_between_places(n_players: int) -> float:
    """Difference of the results of neighbouring places.

    Parameters
    ----------
    n_players : int
        Players at the table, at least 2.

    Returns
    -------
    float
        Rating points: 4 for four players (source), 6 for three.

    Examples
    --------
    >>> step_between_places(4), step_between_places(3)
    (4.0, 6.0)
    """
    return 2.0 * PLACEMENT.place_first / (n_players - 1)


def k_of_slope(m: float, n_players: int = PUBLISHED_SIZE) -> float:
    """Compute k from the slope of expected place on expected balance.

    Parameters
    ----------
    m : float
        Places that a player gains for each unit of balance, positive.
    n_players : int
        Players at the table.

    Returns
    -------
    float
        1/(4 m) for four players (source), 1/(6 m) for three.

    Examples
    --------
    >>> round(k_of_slope(0.0213), 3)
    11.737
    """
    return 1.0 / (step_between_places(n_players) * m)


def l_of_spread(spread: float, n_players: int = PUBLISHED_SIZE) -> float:
    """Compute l from the standard deviation of balances.

    Parameters
    ----------
    spread : float
        Units of balance.
    n_players : int
        Players at the table.

    Returns
    -------
    float
        spread^2/20 for four players (source), spread^2/24 for three.

    Examples
    --------
    >>> round(l_of_spread(53.6), 2)
    143.65
    """
    by_place = step_between_places(n_players) * np.arange(n_players)
    return float(spread**2 / by_place.var())


def quick_start(mean_balances: Floats) -> float:
    """Compute f from mean balances by place: the ratio of norms of results by place and balances.

    Parameters
    ----------
    mean_balances : float64, shape (n_players,)
        Of the first place to the last, units of balance.

    Returns
    -------
    float
        Rating points for a unit of balance.

    References
    ----------
    .. [1] Proposal of 2010: r' = |r|/|A| balance.

    Examples
    --------
    >>> round(quick_start(np.array([45.0, 15.0, -15.0, -45.0])), 6)
    0.133333
    """
    n = mean_balances.size
    by_place = step_between_places(n) * (np.arange(n) - (n - 1) / 2.0)
    return float(np.linalg.norm(by_place) / np.linalg.norm(mean_balances))


def stretch(before: ProfitParams, after: ProfitParams) -> float:
    """Compute by how much distances between players grow once all ratings have settled.

    Parameters
    ----------
    before, after : ProfitParams
        Of the system "balance".

    Returns
    -------
    float
        A rating settles at a distance of e/w from its opponents, which is proportional to f/(g table_pull).

    Examples
    --------
    >>> round(stretch(ProfitParams(), ProfitParams(f=2 * 0.08158)), 9)
    2.0
    """
    return (after.f / after.balance_unit / after.pull) / (before.f / before.balance_unit / before.pull)
