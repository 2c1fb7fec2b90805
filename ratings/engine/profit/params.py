"""Profit rating R: parameters and formulas of a rating that follows the balance of each game. Imports no numba.

A game of n >= 2 players moves each of them by

    dR = c(games before) / c_least * (r + p (Rbar - R)),    p = g * table_pull,

where Rbar is the mean of the table, the player included. Towards the mean of the others the pull is w = p (n - 1)/n:
3/800 g at a table of four, g/300 at one of three.
"""

import math
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import EngineError

Floats = npt.NDArray[np.float64]

# What the result of a game is computed from: the balance, or the place alone.
SYSTEMS = ("balance", "placement")
# Least c(n), no unit (source).
LEAST_CORRECTION = 0.2
# Games until c(n) is least (source).
CORRECTED_GAMES = 400
# Pull towards the mean of the table, the player included, after those games, no unit: 1/40 in the source, before c(n).
TABLE_PULL = LEAST_CORRECTION / 40.0
# No unit (source): k and l measured for four players, east-only games, chip value 5.
BALANCE_F, BALANCE_G = 0.08158, 0.9575
# Upper bound of `games`: corrections are a table with a number for each game.
MOST_GAMES = 1_000_000
# Parameters that only one system uses.
_SYSTEM_OF = {"f": "balance", "g": "balance", "place_first": "placement"}


@dataclass(frozen=True)
class ProfitParams:
    """Parameters of a pool of kind profit; the defaults are the published ones.

    Scales and pulls are those after `games` games, when c(n) has come down to `least_correction`; before, both
    parts of a change are larger by c(n)/least_correction.

    Parameters
    ----------
    system : str
        One of SYSTEMS: "balance" (club mode), r = f balance/balance_unit; "placement" (ladder mode), r by place alone,
        from place_first to -place_first in equal steps, tied players the mean of their places.
    r0 : float
        R of a new player, rating points (source).
    f : float
        Result of a balance of one unit, rating points (source, 0.4079 before c(n)); of the system "balance".
    g : float
        Multiple of table_pull, no unit (source); of the system "balance".
    balance_unit : float
        Points of balance to which f refers (source: 1000).
    place_first : float
        Result of the first place, rating points (source, 30 before c(n)); of the system "placement".
    table_pull : float
        Share of the distance to the mean of the table, the player included, by which a game moves R, no unit (source:
        0.2/40, which is 3/800 of the distance to the other three).
    least_correction : float
        c(n) after `games` games, no unit (source).
    games : int
        Games until c(n) is least (source).
    house_per_table, house_per_player : float
        What the house keeps of each table and of each player, points of balance: balances of n players must sum to
        -(house_per_table + n house_per_player). R follows the recorded balance: what the house keeps lowers
        everybody a little each game, and R is not corrected for that (ours).
    sum_tolerance : float
        Largest difference from that sum, points of balance, beyond rounding (ours).
    provisional_games : int
        Games before R is ranked: until then one game moves it far (ours).

    Raises
    ------
    EngineError
        If a value makes no sense; names the field.

    References
    ----------
    .. [1] Proposal of 2010 for the club mode of an online mahjong site, as restated in ratings/README.md.

    Examples
    --------
    >>> ProfitParams().pull, ProfitParams(system="placement").pull
    (0.0047875, 0.005)
    """

    system: str = "balance"
    r0: float = 1500.0
    f: float = BALANCE_F
    g: float = BALANCE_G
    balance_unit: float = 1000.0
    place_first: float = 6.0
    table_pull: float = TABLE_PULL
    least_correction: float = LEAST_CORRECTION
    games: int = CORRECTED_GAMES
    house_per_table: float = 0.0
    house_per_player: float = 0.0
    sum_tolerance: float = 1e-6
    provisional_games: int = 20

    def __post_init__(self) -> None:
        self._require("system", "unknown_choice", self.system in SYSTEMS, known=", ".join(SYSTEMS))
        for field in fields(self):
            if field.name != "system":
                self._require(field.name, "not_finite", math.isfinite(getattr(self, field.name)))
            if _SYSTEM_OF.get(field.name, self.system) != self.system:
                is_default = getattr(self, field.name) == field.default
                self._require(field.name, "not_used", is_default, default=field.default, system=self.system)
        for name in ("f", "balance_unit", "place_first"):
            self._require(name, "not_positive", getattr(self, name) > 0.0)
        for name in ("g", "table_pull", "sum_tolerance"):
            self._require(name, "too_small", getattr(self, name) >= 0.0, least=0)
        within = 0.0 < self.least_correction <= 1.0
        self._require("least_correction", "out_of_half_open_range", within, least=0, most=1)
        within = self.games == int(self.games) and 1 <= self.games <= MOST_GAMES
        self._require("games", "no_whole_number_in_range", within, least=1, most=MOST_GAMES)
        whole = self.provisional_games == int(self.provisional_games)
        within = whole and 0 <= self.provisional_games <= MOST_GAMES
        self._require("provisional_games", "no_whole_number_in_range", within, least=0, most=MOST_GAMES)
        at_first = self.pull / self.least_correction
        name = "g" if self.system == "balance" else "table_pull"
        self._require(name, "too_strong_a_pull", at_first <= 1.0, times=f"{at_first:g}")

    @property
    def pull(self) -> float:
        """p, share of the distance to the table's mean after `games` games, no unit."""
        return self.table_pull * (self.g if self.system == "balance" else 1.0)

    @property
    def is_published(self) -> bool:
        """Tell whether (f, g) is the published pair, which is for tables of four."""
        return (self.f, self.g) == (BALANCE_F, BALANCE_G)

    def balance_sum(self, n_players: int) -> float:
        """Sum that the balances of a table must have, points of balance.

        Parameters
        ----------
        n_players : int
            Players at the table.

        Returns
        -------
        float

        Examples
        --------
        >>> ProfitParams(house_per_player=500.0).balance_sum(4)
        -2000.0
        """
        return 0.0 - self.house_per_table - n_players * self.house_per_player

    def _require(self, field: str, code: str, holds: bool, **values: object) -> None:
        if not holds:
            raise EngineError(field, code, got=getattr(self, field), **values)


def corrections(params: ProfitParams) -> Floats:
    """c(n) of the first games; the last value applies to all later games.

    Parameters
    ----------
    params : ProfitParams

    Returns
    -------
    float64, shape (games + 1,)
        By number of games played before, no unit: least_correction^(n/games) where the balance counts, a straight line
        where the place does.

    References
    ----------
    .. [1] Proposal of 2010: max(0.2, 0.2^(n/400)), and 1 - 0.002 n for n < 400, then 0.2.

    Examples
    --------
    >>> corrections(ProfitParams())[[0, 200, 400]].round(6).tolist()
    [1.0, 0.447214, 0.2]
    >>> corrections(ProfitParams(system="placement"))[[0, 200, 400]].round(6).tolist()
    [1.0, 0.6, 0.2]
    """
    share, least = np.arange(int(params.games) + 1) / params.games, float(params.least_correction)
    table: Floats = least**share if params.system == "balance" else 1.0 - (1.0 - least) * share
    table[-1] = least
    return table


def pull_to_others(n_players: int, params: ProfitParams) -> float:
    """w, the pull of a game towards the mean of the *others*, after `games` games.

    Parameters
    ----------
    n_players : int
        Players at the table, at least 2.
    params : ProfitParams

    Returns
    -------
    float
        No unit.

    References
    ----------
    .. [1] Proposal of 2010: 0.2 (Rbar - R)/40 = 3/800 (mean of the three others - R).

    Examples
    --------
    >>> pull_to_others(4, ProfitParams(system="placement"))  # 3/800
    0.00375
    """
    return params.pull * (n_players - 1) / n_players


def carried_over(k: float, l: float) -> tuple[float, float]:  # noqa: E741  These are the source's letters.
    """Compute (f, g) for which a rating behaves as before when the rules of the game change.

    Parameters
    ----------
    k, l : float
        Mean and variance of the new results, as multiples of those of the old ones; positive.

    Returns
    -------
    tuple of (float, float)
        f = k/l scales the result, g = k^2/l the pull; exact as long as w is small.

    Raises
    ------
    ValueError
        If an argument is out of range; the text names it.

    References
    ----------
    .. [1] Proposal of 2010, (k, l) = (11.737, 143.87) from placement to balances in thousands.

    Examples
    --------
    >>> f, g = carried_over(11.737, 143.87)
    >>> round(f, 5), round(g, 4)
    (0.08158, 0.9575)
    """
    for name, value in (("k", k), ("l", l)):
        if not (math.isfinite(value) and value > 0.0):
            raise ValueError(f"{name} must be positive, got {value}")
    return k / l, k * (k / l)


def stationary(e: float, v: float, w: float) -> tuple[float, float]:
    """Mean and variance at which R - Rothers settles against constant opponents.

    Parameters
    ----------
    e, v : float
        Mean and variance of the result of a game, rating points and their square.
    w : float
        Pull towards the others, above 0 and below 2.

    Returns
    -------
    tuple of (float, float)
        Mean e/w and variance v/(w (2 - w)).

    Raises
    ------
    ValueError
        If an argument is out of range; the text names it.

    References
    ----------
    .. [1] Proposal of 2010: R_n - Rothers = sum of r_k (1 - w)^(n - k).

    Examples
    --------
    >>> stationary(0.0, 20.0, 0.00375)[1] ** 0.5  # the spread of a rating that is luck alone
    51.688258427594675
    """
    if not v >= 0.0:
        raise ValueError(f"v must be at least 0, got {v}")
    if not 0.0 < w < 2.0:
        raise ValueError(f"w must be above 0 and below 2, got {w}")
    return e / w, v / (w * (2.0 - w))
