"""What the totals of a run say: shares with intervals, means, and which differences are more than chance."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.engine.seasons.estimate import QUANTILE
from lab.engine.seasons.points import tables_of
from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import Totals

Ints = npt.NDArray[np.int64]
# Fewest players on whom a mean by nights played is given.
LEAST_COUNTED = 30


@dataclass(frozen=True)
class Share:
    """A share of all seasons with the interval of 95 percent around it; all from 0 to 1."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Profit:
    """Profit per tourney of the players of a group: its mean, and its standard deviation from season to season."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class VariantFigures:
    """Figures of one structure with its rules.

    Attributes
    ----------
    best, three, first_three, weakest : Share
        The best player wins; one of the best three wins; the best player comes in the first three; somebody of the
        last group wins. A win that is shared counts for each.
    group_wins : tuple of float
        Share of seasons that somebody of each group wins.
    mean_place : float, optional
        Of the best player, in seasons he played in.
    totals : tuple of float
        Mean total by position, the highest first, in points.
    settled : tuple of float
        Share of seasons whose leaders after each night stay the same to the end.
    turnout : tuple of tuple of (int, float)
        By group: nights played and mean final place, where enough players were counted.
    profit : tuple of Profit or None
        By group.
    """

    best: Share
    three: Share
    first_three: Share
    weakest: Share
    group_wins: tuple[float, ...]
    mean_place: float | None
    totals: tuple[float, ...]
    settled: tuple[float, ...]
    turnout: tuple[tuple[tuple[int, float], ...], ...]
    profit: tuple[Profit | None, ...]


@dataclass(frozen=True)
class Figures:
    """Figures of a run.

    Attributes
    ----------
    n_seasons, n_rated : int
    mean_entries : float
        Of a night.
    variants : tuple of VariantFigures
    is_chance : tuple of tuple of bool
        Whether the best player's shares under two variants differ by no more than chance. All variants see the same
        nights, so only seasons in which they disagree count.
    badges : tuple of tuple of tuple of float
        By quarter of the season and group: share of S, A, B, C and none yet.
    late_cost : tuple of float or None
        By group: mean change of the final rate because some come late, in rating points.
    """

    n_seasons: int
    n_rated: int
    mean_entries: float
    variants: tuple[VariantFigures, ...]
    is_chance: tuple[tuple[bool, ...], ...]
    badges: tuple[tuple[tuple[float, ...], ...], ...]
    late_cost: tuple[float | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        return asdict(self)


def wilson(n_hits: int, n: int) -> Share:
    """Compute a share and its interval of 95 percent.

    Parameters
    ----------
    n_hits, n : int
        0 to n of at least 1.

    Returns
    -------
    Share

    References
    ----------
    .. [1] Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA 22.

    Examples
    --------
    >>> share = wilson(1, 10)
    >>> round(share.low, 4), round(share.high, 4)
    (0.0179, 0.4042)
    """
    p, z_sq = n_hits / n, QUANTILE**2
    middle = (p + z_sq / (2 * n)) / (1 + z_sq / n)
    half = QUANTILE * math.sqrt(p * (1 - p) / n + z_sq / (4 * n * n)) / (1 + z_sq / n)
    return Share(p, max(0.0, middle - half), min(1.0, middle + half))


def is_within_chance(only_first: int, only_second: int) -> bool:
    """Tell whether two shares of the same seasons differ by no more than chance.

    Parameters
    ----------
    only_first, only_second : int
        Seasons that count for one of them only.

    Returns
    -------
    bool
        True if the difference is within 1.96 standard deviations of 0.

    References
    ----------
    .. [1] McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions.
       Psychometrika 12.

    Examples
    --------
    >>> is_within_chance(20, 12), is_within_chance(40, 12)
    (True, False)
    """
    return (only_first - only_second) ** 2 <= QUANTILE**2 * (only_first + only_second)


def figures_of(scenario: Scenario, totals: Totals) -> Figures:
    """Compute the figures of a run, or of what is done of it.

    Parameters
    ----------
    scenario : Scenario
    totals : Totals
        Of at least one season.

    Returns
    -------
    Figures

    Examples
    --------
    >>> from lab.engine.seasons.chunks import score_orders
    >>> season = Scenario(counts=(1, 1, 1, 0, 0), nights=1, size=2)
    >>> figures = figures_of(season, score_orders(season, np.array([[[0, 2]]], dtype=np.int16)))
    >>> figures.variants[0].best.value, figures.variants[0].totals
    (1.0, (2.0, 2.0, 0.0))
    """
    units = tables_of(scenario)[1]
    n_variants = range(len(scenario.variants))
    return Figures(
        n_seasons=int(totals.n_seasons[0]),
        n_rated=int(totals.n_rated[0]),
        mean_entries=float(totals.n_entries[0] / max(1, totals.n_nights[0])),
        variants=tuple(_variant(v, int(units[v]), totals) for v in n_variants),
        is_chance=tuple(
            tuple(
                v == w or is_within_chance(int(totals.ahead[v, w]), int(totals.ahead[w, v]))
                for w in n_variants
            )
            for v in n_variants
        ),
        badges=tuple(tuple(_shares(row) for row in quarter) for quarter in totals.badges),
        late_cost=tuple(
            float((with_late - on_time) / 1000 / n) if n else None for n, with_late, on_time in totals.rates
        ),
    )


def _variant(v: int, unit: int, totals: Totals) -> VariantFigures:
    n = int(totals.n_seasons[0])
    places = totals.best_place[v]
    n_played = int(places[1:].sum())
    present = np.flatnonzero(totals.played.sum(axis=1))
    return VariantFigures(
        best=wilson(int(places[1]), n),
        three=wilson(int(totals.three_won[v]), n),
        first_three=wilson(int(places[1:4].sum()), n),
        weakest=wilson(int(totals.group_won[v, present[-1]]), n),
        group_wins=tuple((totals.group_won[v] / n).tolist()),
        mean_place=float(np.arange(places.size) @ places / n_played) if n_played else None,
        totals=tuple((totals.total_at[v] / (n * unit)).tolist()),
        settled=tuple((totals.settled[v] / n).tolist()),
        turnout=tuple(
            _means(places, played) for places, played in zip(totals.turnout[v], totals.played, strict=True)
        ),
        profit=tuple(_profit(*row) for row in totals.profit[v].tolist()),
    )


def _shares(counts: Ints) -> tuple[float, ...]:
    return tuple((counts / max(1, counts.sum())).tolist())


def _means(places: Ints, played: Ints) -> tuple[tuple[int, float], ...]:
    """Mean final place by nights played, from one night on."""
    nights = [int(n) for n in np.flatnonzero(played >= LEAST_COUNTED) if n]
    return tuple((n, float(places[n] / played[n])) for n in nights)


def _profit(n: int, total: int, squares: int) -> Profit | None:
    if not n:
        return None
    # Squares are whole numbers, so that nothing is lost where the mean is large.
    return Profit(total / n / 1000, math.sqrt((n * squares - total * total) / (n * n)) / 1000)
