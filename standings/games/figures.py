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
INTERVAL = NormalDist().inv_cdf(0.9)  # standard errors on both sides of an 80 % interval
MOST_PLACES = 10  # with a bar of their own; later places share the last


@dataclass(frozen=True)
class Mean:
    """A mean and half of its 80 % interval; None for a single value."""

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
class PlaceShare:
    """A place: how often it was reached, and the share that chance alone would give it."""

    place: int
    n: int
    share: float
    even: float


@dataclass(frozen=True)
class GameFigures:
    n_games: int
    n_won: int
    n_last: int
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
    shares: list[PlaceShare]

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
        n_won=sum(game.place == 1 for game in games),
        n_last=sum(game.place == game.n_players for game in games),
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
        shares=_shares(games),
    )


def _mean(values: Sequence[float]) -> Mean:
    n = len(values)
    return Mean(fmean(values), INTERVAL * stdev(values) / sqrt(n) if n > 1 else None)


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


def _shares(games: Sequence[PlayedGame]) -> list[PlaceShare]:
    n_bars = min(max(game.n_players for game in games), MOST_PLACES)
    counts, even = [0] * n_bars, [0.0] * n_bars
    for game in games:
        counts[min(game.place, n_bars) - 1] += 1
        for place in range(1, game.n_players + 1):
            even[min(place, n_bars) - 1] += 1 / game.n_players
    n = len(games)
    return [PlaceShare(i + 1, counts[i], counts[i] / n, even[i] / n) for i in range(n_bars)]


def is_uncalibrated(games: Sequence[PlayedGame], params: ProfitParams) -> bool:
    """Tell whether games of three are rated by a pair that was measured at no table of three."""
    is_own = params.system != "balance" or is_measured_at(3, params)
    return not is_own and any(game.n_players == 3 for game in games)  # noqa: PLR2004
