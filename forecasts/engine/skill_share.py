"""Estimate how much of the differences between a league's players is skill, and how much chance.

The standardised place of an entry is z = (mean rank of the field - rank)/(standard deviation of its ranks); tied places
have their mean rank. A league's players differ in their mean z, with the sample variance V over all players of enough
events. Without any skill V has the expectation E0 (`variance_without_skill`).

**Model.** A performance is skill + form, skill ~ N(0, s^2) once for each player, form ~ N(0, 1) at each event. So the
spread of skill s is in units of one night's form. The league's own events (who came, to which field) are simulated for
a grid of s. The spread is the s whose median V is that of the league; with 80 % it lies where V is between the 10th and
the 90th percentile. The share of skill for a given s is the squared correlation of mean z and skill there.

**Nights until half.** In a field of m players who all come to every event, z has given the skills the mean

    g_i = (sum over j of Phi((x_i - x_j)/sqrt(2)) - m/2)/sd of the ranks,   Phi(0) = 1/2 for i itself

so the share after n events is limit n/(n + half) with N = m/(m - 1) - E var g, half = N/E var g and limit the squared
correlation of g and skill; only skills are drawn for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from scipy.stats import rankdata

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

# Spreads of skill that are simulated, no unit.
SPREADS = np.array(
    [0.0, 0.03, 0.05, 0.07, 0.1, 0.14, 0.17, 0.2, 0.24, 0.28, 0.33, 0.4, 0.56, 0.8, 1.1, 1.6, 2.2, 3.2, 4.5]
)  # fmt: skip
# Simulations of each spread: as many as have these entries together, but at least and at most so many.
ENTRIES_SIMULATED, LEAST_SIMULATIONS, MOST_SIMULATIONS = 2_000_000, 200, 2_000
# Entries simulated at one time.
BATCH = 500_000
# What is said needs as many events and as many players with enough events.
LEAST_EVENTS, LEAST_PLAYERS = 5, 4
LOW, HIGH = 0.1, 0.9  # quantiles of an interval of 80 %
# Fields drawn for the nights until half.
FIELDS_DRAWN = 2_000
LARGEST_FIELD = (
    60  # larger ones are taken for this: pairs take memory, and the share hardly depends on the size
)


@dataclass(frozen=True)
class Orders:
    """Finishing orders of a league, each player once in an event.

    Attributes
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    player : int64, shape (n_entries,)
        Index of the player from 0 on.
    place : int64, shape (n_entries,)
        Equal for a tie; may have gaps.
    """

    offset: Ints
    player: Ints
    place: Ints

    @property
    def n_events(self) -> int:
        return int(self.offset.size - 1)

    @property
    def sizes(self) -> Ints:
        return np.diff(self.offset)


@dataclass(frozen=True)
class Growth:
    """Growth of the share of skill with the events of everybody: limit n/(n + half).

    `limit` is 0 without skill.
    """

    limit: float
    half: float

    def share(self, n_events: float) -> float:
        return self.limit * n_events / (n_events + self.half)

    def events_until(self, share: float) -> float | None:
        """Count the events until a share is reached; None if it never is."""
        return share * self.half / (self.limit - share) if self.limit > share else None


@dataclass(frozen=True)
class Estimate:
    """Estimate of the share of skill, with intervals of 80 %.

    Attributes
    ----------
    p : float
        Share of the simulations without skill with a V at least as large.
    spread, low, high : float
        Spread of skill in units of a night's form.
    share, share_low, share_high : float
        Share of the table's differences that is skill, 0 to 1.
    mean_events : float
        Events of a compared player, on average.
    growth, growth_low, growth_high : Growth
        By spread, low and high, for fields like the league's.
    """

    p: float
    spread: float
    low: float
    high: float
    share: float
    share_low: float
    share_high: float
    mean_events: float
    growth: Growth
    growth_low: Growth
    growth_high: Growth


@dataclass(frozen=True)
class SkillShare:
    """Figures of skill in finishing orders.

    Attributes
    ----------
    n_events, n_players : int
        Events with at least two players, and players of enough of them.
    v, e0 : float or None
        Variance of the mean standardised places, and its expectation without skill; None for less than two players.
    estimate : Estimate or None
        None if there are too few events or players.
    """

    n_events: int
    n_players: int
    v: float | None = None
    e0: float | None = None
    estimate: Estimate | None = None

    @property
    def n_missing_events(self) -> int:
        return max(LEAST_EVENTS - self.n_events, 0)

    @property
    def n_missing_players(self) -> int:
        return max(LEAST_PLAYERS - self.n_players, 0)


def standardised_places(orders: Orders) -> Floats:
    """Compute z of every entry.

    Parameters
    ----------
    orders : Orders

    Returns
    -------
    float64, shape (n_entries,)
        Mean 0 and variance 1 in every field without ties; 0 where all ranks are equal.

    References
    ----------
    Module docstring.

    Examples
    --------
    >>> three = Orders(np.array([0, 3]), np.array([0, 1, 2]), np.array([1, 2, 2]))
    >>> standardised_places(three).round(6).tolist()
    [1.414214, -0.707107, -0.707107]
    """
    z = np.zeros(orders.place.size)
    for first, end in pairwise(orders.offset.tolist()):
        rank = rankdata(orders.place[first:end])
        spread = rank.std()
        if spread > 0.0:
            z[first:end] = (rank.mean() - rank) / spread
    return z


def variance_without_skill(orders: Orders, is_counted: Bools) -> float:
    """Compute E0, the expectation of V if all players are equal.

    Parameters
    ----------
    orders : Orders
    is_counted : bool, shape (n_players,)
        Players whose means V compares, at least two.

    Returns
    -------
    float
        mean of 1/n_i + sum over i != j of c_ij/(n_i n_j)/(a (a - 1)), c_ij the sum over the events of both of
        1/(size of the field - 1), for a players with n_i events each.

    References
    ----------
    .. [1] z of two players of a field of m have the covariance -1/(m - 1).

    Examples
    --------
    >>> twice = Orders(np.array([0, 2, 4]), np.array([0, 1, 1, 0]), np.array([1, 2, 1, 2]))
    >>> variance_without_skill(twice, np.array([True, True]))
    1.0
    """
    played = np.bincount(orders.player, minlength=is_counted.size)
    a = int(is_counted.sum())
    weight = np.where(is_counted, 1.0 / np.maximum(played, 1), 0.0)[orders.player]
    first = orders.offset[:-1]
    pairs = np.add.reduceat(weight, first) ** 2 - np.add.reduceat(weight**2, first)
    shared = float(np.sum(pairs / (orders.sizes - 1)))
    return float(np.mean(1.0 / played[is_counted])) + shared / (a * (a - 1))


def skill_share(
    orders: Orders, *, min_events: int = 3, seed: int = 0, n_simulations: int | None = None
) -> SkillShare:
    """Estimate how much of the differences between players is skill.

    Parameters
    ----------
    orders : Orders
        Fields of one player say nothing and are left out.
    min_events : int
        Players of fewer events stay in the fields, but are not compared.
    seed : int
        Of the simulations: the same orders and seed give the same figures.
    n_simulations : int, optional
        Of each spread; by the size of the league if not given.

    Returns
    -------
    SkillShare

    References
    ----------
    Module docstring.

    Examples
    --------
    >>> few = Orders(np.array([0, 2]), np.array([0, 1]), np.array([1, 2]))
    >>> skill_share(few).n_missing_events, skill_share(few).estimate
    (4, None)
    """
    orders = _of_fields(orders)
    played = np.bincount(orders.player) if orders.player.size else np.zeros(0, dtype=np.int64)
    is_counted = played >= max(min_events, 1)
    n_players = int(is_counted.sum())
    if n_players < 2:
        return SkillShare(orders.n_events, n_players)
    sums = np.bincount(orders.player, weights=standardised_places(orders))
    v = float(np.var(sums[is_counted] / played[is_counted], ddof=1))
    e0 = variance_without_skill(orders, is_counted)
    if n_players < LEAST_PLAYERS or orders.n_events < LEAST_EVENTS:
        return SkillShare(orders.n_events, n_players, v, e0)
    n = n_simulations or int(
        np.clip(ENTRIES_SIMULATED // orders.player.size, LEAST_SIMULATIONS, MOST_SIMULATIONS)
    )
    return SkillShare(orders.n_events, n_players, v, e0, _estimate(orders, is_counted, v, n, seed))


def _of_fields(orders: Orders) -> Orders:
    """Leave out the events of a single player, and number the players anew."""
    is_field = orders.sizes >= 2
    kept = np.repeat(is_field, orders.sizes)
    _players, player = np.unique(orders.player[kept], return_inverse=True)
    offset = np.concatenate([[0], np.cumsum(orders.sizes[is_field])])
    return Orders(offset.astype(np.int64), player.astype(np.int64), orders.place[kept])


def _estimate(orders: Orders, is_counted: Bools, v: float, n_simulations: int, seed: int) -> Estimate:
    variances, shares = _simulate(orders, is_counted, n_simulations, np.random.default_rng(seed))
    curves = [
        np.maximum.accumulate(np.quantile(variances, quantile, axis=1)) for quantile in (0.5, HIGH, LOW)
    ]
    spreads = np.array([_spread_at(v, curve) for curve in curves])
    share, share_low, share_high = np.interp(spreads**2, SPREADS**2, np.maximum.accumulate(shares)).tolist()
    size = round(float(np.median(orders.sizes)))
    growth, growth_low, growth_high = (_growth(size, spread, seed) for spread in spreads.tolist())
    spread, low, high = spreads.tolist()
    return Estimate(
        p=float(np.mean(variances[0] >= v)),
        spread=spread,
        low=low,
        high=high,
        share=share,
        share_low=share_low,
        share_high=share_high,
        mean_events=float(np.bincount(orders.player)[is_counted].mean()),
        growth=growth,
        growth_low=growth_low,
        growth_high=growth_high,
    )


def _spread_at(v: float, curve: Floats) -> float:
    """Find the spread at which a rising curve over SPREADS has the value v; variances rise with its square."""
    return float(np.sqrt(np.interp(v, curve, SPREADS**2))) if v > curve[0] else 0.0


def _simulate(
    orders: Orders, is_counted: Bools, n_simulations: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Simulate the events for every spread: V of each simulation, and the share of skill.

    The same skills and forms are used for every spread, so that both rise smoothly.
    """
    played = np.bincount(orders.player)[is_counted]
    variances, moments = np.empty((SPREADS.size, n_simulations)), np.zeros((SPREADS.size, 3))
    for batch in _batches(n_simulations, orders.player.size):
        skill = rng.standard_normal((batch.stop - batch.start, is_counted.size))
        deviation = skill[:, is_counted] - skill[:, is_counted].mean(axis=1, keepdims=True)
        for at, sums in enumerate(_sums_by_spread(orders, skill, rng)):
            mean = sums[:, is_counted] / played
            mean -= mean.mean(axis=1, keepdims=True)
            variances[at, batch] = (mean**2).sum(axis=1) / (played.size - 1)
            products = ((mean * deviation).sum(), (mean**2).sum(), (deviation**2).sum())
            moments[at] += products
    shares = np.where(moments[:, 0] > 0.0, moments[:, 0] ** 2 / (moments[:, 1] * moments[:, 2]), 0.0)
    shares[0] = 0.0  # nobody is better than another
    return variances, shares


def _batches(n_simulations: int, n_entries: int) -> Iterator[slice]:
    size = max(BATCH // n_entries, 1)
    for first in range(0, n_simulations, size):
        yield slice(first, min(first + size, n_simulations))


def _sums_by_spread(orders: Orders, skill: Floats, rng: np.random.Generator) -> Iterator[Floats]:
    """Sum z of every player in each simulation, for one spread after the other; fields of a size at one time."""
    n, n_players = skill.shape
    sums = np.zeros((SPREADS.size, n * n_players))
    row = n_players * np.arange(n)[:, np.newaxis, np.newaxis]
    for size in np.unique(orders.sizes).tolist():
        first = orders.offset[:-1][orders.sizes == size]
        who = orders.player[first[:, np.newaxis] + np.arange(size)] + row
        form, own = rng.standard_normal(who.shape), skill.ravel()[who]
        z = np.broadcast_to(_z_of_ranks(size)[::-1], who.shape).ravel()  # of the lowest performance first
        for at, spread in enumerate(SPREADS.tolist()):
            order = np.argsort(spread * own + form, axis=2)
            players = np.take_along_axis(who, order, axis=2)
            sums[at] += np.bincount(players.ravel(), weights=z, minlength=sums.shape[1])
    return iter(sums.reshape(SPREADS.size, n, n_players))


def _z_of_ranks(size: int) -> Floats:
    rank = np.arange(1.0, size + 1.0)
    z: Floats = (rank.mean() - rank) / rank.std()
    return z


def _growth(size: int, spread: float, seed: int) -> Growth:
    """Find how the share grows in fields of a size (module docstring)."""
    if spread == 0.0:
        return Growth(0.0, 1.0)
    m = min(max(size, 2), LARGEST_FIELD)
    skill = spread * np.random.default_rng(seed).standard_normal((FIELDS_DRAWN, m))
    ahead = np.array([ndtr((each[:, np.newaxis] - each) / np.sqrt(2.0)).sum(axis=1) for each in skill])
    g = (ahead - m / 2.0) / np.arange(m).std()
    skill -= skill.mean(axis=1, keepdims=True)
    variance = float((g**2).sum() / (FIELDS_DRAWN * (m - 1)))
    limit = float((g * skill).sum() ** 2 / ((g**2).sum() * (skill**2).sum()))
    return Growth(limit, (m / (m - 1.0) - variance) / variance)
