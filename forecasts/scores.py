"""Scores of the odds of titles once a season has ended, and what they say together."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log, sqrt
from typing import Any, NamedTuple

# A winner whose chance was 0 counts as if one of 2,000 runs had shown the title.
LEAST_CHANCE = 0.0005
BOUNDS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8)  # where the groups of said chances begin
# Fewer seasons cannot show whether chances are right.
LEAST_SEASONS = 5


class TitleBin(NamedTuple):
    """Chances of about the same size: their mean, how often they came true, two standard errors, their number."""

    said: float
    was: float
    two_errors: float
    n: int

    @property
    def is_right(self) -> bool:
        return abs(self.said - self.was) <= self.two_errors


class TitleScores(NamedTuple):
    """Scores of the forecasts of all ended seasons, beside those of the same chance for all."""

    n_seasons: int
    n_forecasts: int
    brier: float
    brier_equal: float
    loss: float
    loss_equal: float
    bins: list[TitleBin]
    trust: float = 1.0  # share of a chance's distance from an even one that came true

    @property
    def is_enough(self) -> bool:
        return self.n_seasons >= LEAST_SEASONS

    @property
    def is_right(self) -> bool:
        return all(each.is_right for each in self.bins)

    @property
    def is_better(self) -> bool:
        return self.brier < self.brier_equal


def season_scores(before: Iterable[Mapping[str, Any]], champions: Collection[int]) -> list[dict[str, Any]]:
    """Score each forecast of a season: the chances, which came true, and both rules of scoring.

    Champions who share the title have equal parts of it.
    """
    return [_score(forecast["odds"], champions) for forecast in before]


def _score(odds: Mapping[str, float], champions: Collection[int]) -> dict[str, Any]:
    won = {str(player): 1.0 / len(champions) for player in champions}
    names = {*odds, *won}
    equal = 1.0 / len(odds)
    pairs = [(odds.get(name, 0.0), won.get(name, 0.0)) for name in names]
    known = [equal if name in odds else 0.0 for name in names]
    return {
        "brier": sum((said - was) ** 2 for said, was in pairs),
        "brier_equal": sum((said - was) ** 2 for said, (_odds, was) in zip(known, pairs, strict=True)),
        "spread": sum((said - even) ** 2 for (said, _was), even in zip(pairs, known, strict=True)),
        "loss": -sum(was * log(max(said, LEAST_CHANCE)) for said, was in pairs),
        "loss_equal": -sum(
            was * log(max(said, LEAST_CHANCE)) for said, (_odds, was) in zip(known, pairs, strict=True)
        ),
        "groups": [_group(pairs, group) for group in range(len(BOUNDS))],
    }


def _group(pairs: Sequence[tuple[float, float]], group: int) -> list[float]:
    """Sum the chances of one group, what came true of them, their variance and their number."""
    end = BOUNDS[group + 1] if group + 1 < len(BOUNDS) else 2.0
    own = [(said, was) for said, was in pairs if BOUNDS[group] <= said < end]
    variance = sum(said * (1.0 - said) for said, _was in own)
    return [sum(said for said, _was in own), sum(was for _said, was in own), variance, len(own)]


def all_scores(seasons: Iterable[Sequence[Mapping[str, Any]]]) -> TitleScores | None:
    """Put the scores of all ended seasons together, each season with the same weight; None without any."""
    # Scores of before the spread was kept are computed again by the next sweep.
    scored = [season for season in seasons if season and "spread" in season[0]]
    if not scored:
        return None

    brier, brier_equal, loss, loss_equal, spread = (
        sum(sum(float(each[name]) for each in season) / len(season) for season in scored) / len(scored)
        for name in ("brier", "brier_equal", "loss", "loss_equal", "spread")
    )
    bins = [each for group in range(len(BOUNDS)) if (each := _bin(scored, group)).n]
    trust = _trust(brier, brier_equal, spread)
    return TitleScores(len(scored), sum(map(len, scored)), brier, brier_equal, loss, loss_equal, bins, trust)


def _trust(brier: float, brier_equal: float, spread: float) -> float:
    """Find the share of each chance's distance from an even one with the least squared error.

    With even chances e, said ones s and outcomes w the error of e + t (s - e) is a parabola in t through the scores of
    t = 0 and t = 1; its square has the factor sum (s - e)^2, which is `spread`.
    """
    best = 0.5 * (1.0 + (brier_equal - brier) / spread) if spread else 1.0
    return round(min(max(best, 0.0), 1.0), 4)


def _bin(scored: Sequence[Sequence[Mapping[str, Any]]], group: int) -> TitleBin:
    """Compare one group of chances with what came true.

    The forecasts of one season have the same outcome, so the error is that of the sums of the seasons; it is at least
    what chance makes of forecasts that are right.
    """
    by_season = [[sum(each["groups"][group][i] for each in season) for i in range(4)] for season in scored]
    n = sum(season[3] for season in by_season)
    if not n:
        return TitleBin(0.0, 0.0, 0.0, 0)
    said, was = (sum(season[i] for season in by_season) / n for i in (0, 1))
    seen = sum((season[1] - season[0]) ** 2 for season in by_season)
    by_chance = sum(season[2] for season in by_season)
    return TitleBin(said, was, 2.0 * sqrt(max(seen, by_chance)) / n, int(n))
