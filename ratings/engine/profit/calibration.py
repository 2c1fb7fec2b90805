"""Calibration of the profit rating: the scale f and the pull g that fit a pool's own results, with intervals.

A game is compared with the placement system, whose behaviour the published parameters keep: each player's result by
place e, in equal steps from 6 to -6, and balance b, counted from the mean of the table.

    l = sum b^2 / sum e^2,    k: mean of b = k (mean of e) for every player,    f = k/l,    g = k^2/l.

At tables of four, steps are 4 and the mean of e^2 is 20: l = (variance of balances)/20, and k = 1/(4 m) with the slope
m by which the expected place falls as the expected balance rises. At tables of n, steps are 12/(n - 1) and that mean is
12 (n + 1)/(n - 1); hence k = (n - 1)/(12 m), and k = 1/(6 m) and l = (variance)/24 for three.

The slope of *observed* means of places on observed means of balances is not m: both means contain the same luck, which
has a slope of its own. Two different games of a player have no luck in common. The mean of products over all pairs
of games estimates the product of expected values without bias, so k comes from sums of such products. An interval holds
every k that the results do not contradict; it has no upper end where they do not tell skill from luck.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.profit.history import ProfitHistory, results, wrong_sums
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.scales import (
    PLACEMENT,
    PUBLISHED_SIZE,
    k_of_slope,
    rescaled,
    step_between_places,
)

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
# Games from which an estimate is made at all (ours), and from which l is firm (source).
LEAST_GAMES, FIRM_GAMES = 20, 100
# Games of a player whose results count for k (source).
REGULAR_GAMES = 50
# Such players from which k is estimated at all (ours), and from which it is firm (source).
LEAST_REGULARS, FIRM_REGULARS = 3, 100
# Share of intervals that contain the true value.
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimate:
    """An estimated parameter with its interval; `high` is infinite if the results set no upper end.

    Parameters
    ----------
    value, low, high : float
        Positive; low <= value <= high.
    """

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float | None]:
        """Write the estimate as values of JSON; `high` is None if the interval has no end."""
        return {"value": self.value, "low": self.low, "high": self.high if self.is_bounded else None}

    @property
    def is_bounded(self) -> bool:
        return math.isfinite(self.high)


@dataclass(frozen=True)
class Calibration:
    """What the results of a pool say about its parameters.

    Balances are in units of ProfitParams.balance_unit. An estimate is None if there are too few results for any.

    Parameters
    ----------
    table_size : int
        Players at most of the tables; 0 without games.
    n_games, n_players, n_regulars : int
        Games used, their players, and how many of these have at least REGULAR_GAMES games.
    n_other_sizes : int
        Games used whose tables have another size.
    left_out : int64, shape (n_left_out,)
        Events that are not used because their balances are incomplete or have a wrong sum.
    spread : float
        Standard deviation of the balance of a game; NaN without games.
    l, k, m, f, g : Estimate or None
        As in the module's docstring; m belongs to tables of table_size.
    player, games, mean_balance, mean_place : arrays, shape (n_players,)
        Index of each player, games used, means; places as at tables of table_size.
    """

    table_size: int
    n_games: int
    n_players: int
    n_regulars: int
    n_other_sizes: int
    left_out: Ints
    spread: float
    l: Estimate | None  # noqa: E741  These are the source's letters.
    k: Estimate | None
    m: Estimate | None
    f: Estimate | None
    g: Estimate | None
    player: Ints
    games: Ints
    mean_balance: Floats
    mean_place: Floats

    @property
    def quick_start(self) -> tuple[float, float] | None:
        """Compute (f, g) from the spread of balances alone; None without one."""
        return rescaled(self.l.value) if self.l else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Codes of what a reader has to know before the figures, the most important first."""
        found = {
            "too_few_games": self.n_games < LEAST_GAMES,
            "few_games": LEAST_GAMES <= self.n_games < FIRM_GAMES,
            "too_few_regulars": self.n_games >= LEAST_GAMES and self.n_regulars < LEAST_REGULARS,
            "no_skill_seen": self.n_regulars >= LEAST_REGULARS and not self.is_bounded,
            "few_regulars": LEAST_REGULARS <= self.n_regulars < FIRM_REGULARS and self.is_bounded,
            "not_published": self.table_size not in {0, PUBLISHED_SIZE},
            "other_sizes": self.n_other_sizes > 0,
            "wrong_sums": self.left_out.size > 0,
        }
        return tuple(code for code, holds in found.items() if holds)

    @property
    def is_bounded(self) -> bool:
        """Tell whether there are estimates of f and g with an interval that ends."""
        return self.g is not None and self.g.is_bounded


def calibrate_profit(history: ProfitHistory, params: ProfitParams) -> Calibration:
    """Estimate the parameters that fit a pool's results.

    Parameters
    ----------
    history : ProfitHistory
    params : ProfitParams
        For the unit of balances and their sums; f and g are not used.

    Returns
    -------
    Calibration
        The same bits for the same arguments: nothing is drawn at random.

    References
    ----------
    .. [1] Proposal of 2010, section on other rules.
    .. [2] E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954): interval of k.
    .. [3] G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a general approach",
       Stat. Med. 27 (2008): f and g.

    Examples
    --------
    >>> games = [{0: 40e3, 1: 10e3, 2: -20e3, 3: -30e3}] * 30
    >>> found = calibrate_profit(ProfitHistory.of_balances(games), ProfitParams())
    >>> found.n_games, found.l.value, found.k, found.warnings
    (30, 37.5, None, ('few_games', 'too_few_regulars'))
    """
    left_out = wrong_sums(history, params)
    used = _Used.of(history.without(left_out), params)
    l = _ratio_of_variances(used)  # noqa: E741
    k = _ratio_of_means(used) if l else None
    return Calibration(
        table_size=used.table_size,
        n_games=used.history.n_events,
        n_players=used.player.size,
        n_regulars=int((used.games >= REGULAR_GAMES).sum()),
        n_other_sizes=int((used.size != used.table_size).sum()),
        left_out=left_out,
        spread=float(np.sqrt((used.b**2).mean())) if used.b.size else math.nan,
        l=l,
        k=k,
        m=_slope(k, used.table_size) if k else None,
        f=_quotient(k, l, power=1) if k and l else None,
        g=_quotient(k, l, power=2) if k and l else None,
        player=used.player,
        games=used.games,
        mean_balance=used.sums(used.b) / used.games,
        mean_place=(used.table_size + 1) / 2.0
        - used.sums(used.e) / used.games / step_between_places(max(used.table_size, 2)),
    )


@dataclass(frozen=True)
class _Used:
    """The games that count: `b` and `e` of each entry, games of each player."""

    history: ProfitHistory
    size: Ints
    table_size: int
    b: Floats
    e: Floats
    player: Ints
    games: Ints
    of_entry: Ints

    @classmethod
    def of(cls, history: ProfitHistory, params: ProfitParams) -> "_Used":
        size = np.diff(history.offset)
        player, of_entry, games = np.unique(history.player, return_inverse=True, return_counts=True)
        b = history.balance / params.balance_unit
        event = history.event
        return cls(
            history,
            size,
            int(np.bincount(size).argmax()) if size.size else 0,
            b - (np.bincount(event, b, minlength=size.size) / size)[event],
            results(history, PLACEMENT),
            player,
            games.astype(np.int64),
            of_entry,
        )

    def sums(self, values: Floats) -> Floats:
        """Sum values of entries by player."""
        sums: Floats = np.bincount(self.of_entry, values, minlength=self.player.size).astype(np.float64)
        return sums


def _quantile(degrees: int) -> float:
    """Quantile of Student's distribution for a two-sided interval."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1.0 + CONFIDENCE) / 2.0))


def _ratio_of_variances(used: _Used) -> Estimate | None:
    """Estimate l; the interval is symmetric in log l, with the standard error of a ratio of sums over games."""
    n = used.history.n_events
    if n < LEAST_GAMES:
        return None
    first = used.history.offset[:-1]
    balance, place = np.add.reduceat(used.b**2, first), np.add.reduceat(used.e**2, first)
    if not (balance.sum() > 0.0 and place.sum() > 0.0):
        return None
    value = float(balance.sum() / place.sum())
    error = math.sqrt(n) * float((balance - value * place).std(ddof=1) / balance.sum())
    by = math.exp(_quantile(n - 1) * error)
    return Estimate(value, value / by, value * by)


def _ratio_of_means(used: _Used) -> Estimate | None:
    """Estimate k from pairs of different games of each player with enough games; each player weighs by games.

    The sum of b (b - k e) over such pairs has mean 0 for the true k; its variance is a square polynomial in k.
    """
    is_regular = used.games >= REGULAR_GAMES
    if is_regular.sum() < LEAST_REGULARS:
        return None
    n = used.games[is_regular].astype(np.float64)
    b, e, bb, be, ee = (
        used.sums(values)[is_regular] for values in (used.b, used.e, used.b**2, used.b * used.e, used.e**2)
    )
    pairs_bb, pairs_be = (b * b - bb) / (n - 1.0), (b * e - be) / (n - 1.0)
    luck_bb, luck_be, luck_ee = (
        (both - one * other / n) / (n - 1.0) for both, one, other in ((bb, b, b), (be, b, e), (ee, e, e))
    )
    share = n / (n - 1.0)
    return _fieller(
        float(pairs_bb.sum()),
        float(pairs_be.sum()),
        float((pairs_bb * luck_bb + 2.0 * share * luck_bb**2).sum()),
        float((pairs_bb * luck_be + 2.0 * share * luck_bb * luck_be).sum()),
        float((pairs_bb * luck_ee + share * (luck_bb * luck_ee + luck_be**2)).sum()),
        _quantile(n.size - 1),
    )


def _fieller(above: float, below: float, vaa: float, vab: float, vbb: float, t: float) -> Estimate | None:
    """Estimate above/below, two sums with these variances; None if that is not positive."""
    if not (above > 0.0 and below > 0.0):
        return None
    value = above / below
    a, b, c = below**2 - t**2 * vbb, above * below - t**2 * vab, above**2 - t**2 * vaa
    root = b * b - a * c
    if not (a > 0.0 and b > 0.0 and c > 0.0 and root >= 0.0):
        return Estimate(value, 0.0, math.inf)
    return Estimate(value, (b - math.sqrt(root)) / a, (b + math.sqrt(root)) / a)


def _slope(k: Estimate, table_size: int) -> Estimate:
    high = k_of_slope(k.low, table_size) if k.is_bounded else math.inf
    return Estimate(k_of_slope(k.value, table_size), k_of_slope(k.high, table_size), high)


def _quotient(k: Estimate, l: Estimate, *, power: int) -> Estimate:  # noqa: E741
    """Estimate k^power/l: squared distances of the ends of both intervals add up, on a log scale."""
    value = k.value**power / l.value
    if not k.is_bounded:
        return Estimate(value, 0.0, math.inf)
    down = math.hypot(power * math.log(k.value / k.low), math.log(l.high / l.value))
    up = math.hypot(power * math.log(k.high / k.value), math.log(l.value / l.low))
    return Estimate(value, value * math.exp(-down), value * math.exp(up))
