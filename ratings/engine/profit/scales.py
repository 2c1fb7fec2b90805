"""What the slope of places on balances and the spread of balances say about f and g."""

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import EngineError
from ratings.engine.profit.params import BALANCE_F, BALANCE_G, ProfitParams, carried_over

Floats = npt.NDArray[np.float64]
PLACEMENT = ProfitParams(system="placement")
# Players at the tables for which (f, g) are published (source).
PUBLISHED_SIZE = 4
# Chip value of the games for which (f, g) are published (source).
PUBLISHED_CHIPS = 5
# Standard deviation of a balance, thousands of points, by players at the table and chip value (source).
SPREADS: Mapping[tuple[int, int], float] = MappingProxyType(
    {(4, 0): 40.5, (4, 2): 45.4, (4, 5): 53.6, (3, 0): 50.0, (3, 2): 54.7, (3, 5): 62.2}
)
# Places gained for each thousand of mean balance, by players at the table: of players with 100 games (source).
SLOPES: Mapping[int, float] = MappingProxyType({4: 0.0213, 3: 0.0129})
PRESET_DIGITS = 5


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


def preset(n_players: int, chips: int) -> tuple[float, float]:
    """Compute the pair to begin with where a pool has no results of its own.

    Parameters
    ----------
    n_players : int
        Players at the table, 3 or 4.
    chips : int
        Chip value, 0, 2 or 5 thousand points.

    Returns
    -------
    f, g : float
        k/l and k^2/l of the printed spread and slope, for balances in thousands [1]_; the printed pair for the games it
        was printed for. The variance of places at a table of three, 24, is not printed: it is that of 6, 0, -6 (ours).

    Raises
    ------
    EngineError
        If nothing is printed for such games.

    References
    ----------
    .. [1] Proposal of 2010, section on other rules: spreads of balances and slopes of places.

    Examples
    --------
    >>> preset(4, 5), preset(4, 0), preset(3, 2)
    ((0.08158, 0.9575), (0.14311, 1.67973), (0.10363, 1.33892))
    """
    if (n_players, chips) not in SPREADS:
        known = ", ".join(f"{n}/{value}" for n, value in SPREADS)
        raise EngineError("preset", "unknown_choice", known=known, got=f"{n_players}/{chips}")
    if (n_players, chips) == (PUBLISHED_SIZE, PUBLISHED_CHIPS):
        return BALANCE_F, BALANCE_G
    k = k_of_slope(SLOPES[n_players], n_players)
    l = l_of_spread(SPREADS[n_players, chips], n_players)  # noqa: E741  These are the source's letters.
    f, g = carried_over(k, l)
    return round(f, PRESET_DIGITS), round(g, PRESET_DIGITS)


def scale_of_places(mean_balances: Floats) -> float:
    """Compute f where only mean balances by place are known: the ratio of norms of results by place and balances.

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
    >>> round(scale_of_places(np.array([45.0, 15.0, -15.0, -45.0])), 6)
    0.133333
    """
    n = mean_balances.size
    by_place = step_between_places(n) * (np.arange(n) - (n - 1) / 2.0)
    return float(np.linalg.norm(by_place) / np.linalg.norm(mean_balances))


def is_measured_at(n_players: int, params: ProfitParams) -> bool:
    """Tell whether a pair can have been measured at such tables: neither printed for four nor inferred for three.

    Parameters
    ----------
    n_players : int
        Players at the table.
    params : ProfitParams
        Of the system "balance".

    Returns
    -------
    bool
        True for tables of four, whose pair is printed, and for any pair of the pool's own.

    Examples
    --------
    >>> is_measured_at(3, ProfitParams()), is_measured_at(4, ProfitParams()), is_measured_at(3, ProfitParams(f=0.1))
    (False, True, True)
    """
    return n_players == PUBLISHED_SIZE or (params.f, params.g) not in {preset(*key) for key in SPREADS}


def rescaled(l: float) -> tuple[float, float]:  # noqa: E741
    """Compute the pair that changes the scale alone, before skill in balances is known.

    Parameters
    ----------
    l : float
        Variance of balances, of single games, divided by that of results by place.

    Returns
    -------
    f, g : float
        1/sqrt(l) and 1: k = sqrt(l), so that R moves from game to game as far as by place [1]_.

    References
    ----------
    .. [1] Proposal of 2010, section on other rules: display scaling.

    Examples
    --------
    >>> rescaled(64.0)
    (0.125, 1.0)
    """
    return 1.0 / math.sqrt(l), 1.0


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
