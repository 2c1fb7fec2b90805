"""What a player's games say beside R: how much of it is luck, where results point to, places and balance."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, stdev, variance

import numpy as np

from ratings.engine.profit.figures import correction, luck_spread
from ratings.engine.profit.params import ProfitParams, corrections, pull_to_others, stationary
from ratings.engine.profit.scales import is_measured_at
from standings.games.queries import PlayedGame

FEW_GAMES = 50  # from which on R says something (source: slopes are taken from players with as many)
LEAST_OF_AN_INTERVAL = 10  # values, from which on their spread says something
INTERVAL = NormalDist().inv_cdf(0.9)  # standard errors on both sides of an 80 % interval


@dataclass(frozen=True)
class Mean:
    """A mean and half of its 80 % interval; None for a few values, and for equal ones, which show no spread."""

    value: float
    within: float | None


@dataclass(frozen=True)
class Luck:
    """Spread by luck alone, in points of R: after each game so far, and after many (None if R never settles)."""

    spreads: list[float]
    settled: float | None
    step: float  # by which the next game moves R, about

    @property
    def now(self) -> float:
        return self.spreads[-1]

    @property
    def apart(self) -> float:
        """Distance that one pair of equal players in three exceeds."""
        return sqrt(2.0) * self.now


@dataclass(frozen=True)
class GameFigures:
    n_games: int
    r: float
    change: float
    above: float  # R less that of a new player
    luck: Luck
    stable: Mean | None
    place: Mean
    expected_place: float
    average_place: float
    balance: float | None  # a game; None if no balance is recorded
    balance_sum: float | None

    @property
    def is_few(self) -> bool:
        return self.n_games < FEW_GAMES

    @property
    def n_missing(self) -> int:
        return FEW_GAMES - self.n_games


def game_figures(
    games: Sequence[PlayedGame], results: Sequence[tuple[float, int]], params: ProfitParams
) -> GameFigures:
    """The figures of a player with at least one game; `results` are the pool's last ones."""
    balances = [game.balance for game in games if game.balance is not None]
    stable = [game.stable_r for game in games if game.stable_r is not None]
    last = games[-1]
    return GameFigures(
        n_games=len(games),
        r=last.r_after,
        change=last.change,
        above=last.r_after - params.r0,
        luck=_luck(games, results, params),
        stable=_mean(stable) if stable else None,
        place=_mean([game.place for game in games]),
        expected_place=fmean(game.expected_place for game in games),
        average_place=fmean((game.n_players + 1) / 2 for game in games),
        balance=fmean(balances) if balances else None,
        balance_sum=sum(balances) if balances else None,
    )


def _mean(values: Sequence[float]) -> Mean:
    n = len(values)
    spread = stdev(values) if n >= LEAST_OF_AN_INTERVAL else 0.0
    return Mean(fmean(values), INTERVAL * spread / sqrt(n) if spread else None)


def _luck(games: Sequence[PlayedGame], results: Sequence[tuple[float, int]], params: ProfitParams) -> Luck:
    v = result_variance(results, params)
    sizes = np.array([game.n_players for game in games])
    usual = int(np.bincount(sizes).argmax())
    pull = pull_to_others(usual, params)
    step = correction(len(games), params) / params.least_correction
    return Luck(
        spreads=luck_spread(sizes, v, params).tolist(),
        settled=sqrt(stationary(0.0, v, pull)[1]) if pull > 0.0 else None,
        step=step * sqrt(v),
    )


def result_variance(results: Sequence[tuple[float, int]], params: ProfitParams) -> float:
    """Variance of a result as it is after `params.games` games, from parts of changes; 0 for a single one."""
    counted = corrections(params) / params.least_correction
    values = [part / counted[min(n_before, counted.size - 1)] for part, n_before in results]
    return float(variance(values)) if len(values) > 1 else 0.0


def is_uncalibrated(games: Sequence[PlayedGame], params: ProfitParams) -> bool:
    """Tell whether games of three are rated by a pair that was measured at no table of three."""
    is_own = params.system != "balance" or is_measured_at(3, params)
    return not is_own and any(game.n_players == 3 for game in games)  # noqa: PLR2004
