"""Fit the unpublished constants to the published figures: `python -m ratings.calibrate`.

There are two searches, each over the mean of many simulated seasons: Nelder-Mead on the sum of squared differences in
standard errors. Those of rates are standard errors of one season, because the publication shows one season.

1. hands_scale, hands_high and weight_scales_sigma from the mean rates of the five types and of all players after 20
   events, and the median sigma after 3 and after 18, where it is to be at its floor. hands_low, which these figures
   hardly depend on, is the least of LOWS with which no place is more than LARGEST_INVERSION better than the one above
   it in the fields of `largest_inversion`.
2. late_a, late_b and the end of registration of `published-late` (player_types.CLOSES_AT) from the late penalties of a
   field of 60 and the mean rates of the five types in `published-late`.

tier.FULL_LATE_B follows from these without a search (`full_late_b`, `--full`).

It prints JSON, and its progress to standard error. It changes no file: constants are copied to the code by hand.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from ratings.engine.history import EventHistory
from ratings.engine.simulation.figures import (
    LETTERS,
    badge_shares,
    late_on_average,
    late_penalty,
    penalty_figures,
    season_figures,
)
from ratings.engine.simulation.player_types import TYPES
from ratings.engine.simulation.scenario import PENALTY_LEFT, Scenario, bust_times, late_entries, published
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pipeline_arrays import PART2
from ratings.engine.tier.pool_state import PoolState

Floats = npt.NDArray[np.float64]

# Mean rate after 20 events by type and of all, rating points (publication), and its standard error in one season.
PUBLISHED_RATE = {
    "top": 1939.4, "strong": 1742.3, "average": 1621.5, "weak": 1504.0, "beginner": 1238.0, "all": 1619.0
}  # fmt: skip
STANDARD_ERROR = {"top": 24.0, "strong": 12.0, "average": 8.0, "weak": 9.0, "beginner": 29.0, "all": 1.1}
# The same of `published-late` (publication); its standard errors are taken to be the same.
PUBLISHED_LATE = {"top": 1821.2, "strong": 1632.2, "average": 1562.8, "weak": 1455.5, "beginner": 1182.6}
# Percent of badges S, A, B and C after 15 events by type (publication).
PUBLISHED_BADGES = {
    "top": (48.0, 42.0, 10.0, 0.0), "strong": (14.0, 53.0, 28.0, 5.0), "average": (5.0, 41.0, 44.0, 10.0),
    "weak": (0.4, 20.0, 58.0, 21.0), "beginner": (0.0, 2.0, 28.0, 70.0),
}  # fmt: skip
# The published top players were unlucky with their places: expected rates less published ones, rating points.
LUCK = {"top": 40.0}
EXPECTED_RATE = {name: rate + LUCK.get(name, 0.0) for name, rate in PUBLISHED_RATE.items()}
# Median sigma after 3 events and its standard error, rating points: 440 +- 5 is two of them.
SIGMA_AFTER_3, SIGMA_ERROR = 440.0, 2.5
# Events after which the median sigma is to be at its floor; "about 15" (publication).
FLOOR_AFTER = 18
# Change of rate by players left of 60 (publication), rating points.
PUBLISHED_PENALTY = dict(zip(PENALTY_LEFT, (-0.5, -3.6, -9.0, -13.3), strict=True))
# How far a penalty may be from its published value before it costs as much as a type one standard error off, points.
PENALTY_ERROR = 0.5
# First simplex of the hands search: hands_scale, hands_high.
HANDS_SIMPLEX = np.log([[0.55, 2.0], [0.5, 2.0], [0.55, 3.0]])
# Candidates of hands_low, hours, and how much better than the place above it a place may be, rating points.
LOWS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)
LARGEST_INVERSION = 2.0
# Fields whose places are compared: sizes, minutes for each entry (publication) or of an evening, sigma of everybody.
INVERSION_FIELDS, MINUTES_EACH, EVENING, SIGMAS_COMPARED = range(2, 31), 6.0, 180.0, (500.0, 300.0)
# First simplex of the late search: late_a, late_b, end of registration as a fraction of the duration.
LATE_SIMPLEX = np.log([[0.05, 0.1, 0.5], [0.1, 0.1, 0.5], [0.05, 0.2, 0.5], [0.05, 0.1, 0.7]])
# Fields in which the full charge is to take all that entering late brings: sizes, sigma of everybody.
FULL_CHARGE_SIZES, FULL_CHARGE_SIGMAS = range(20, 101, 4), (500.0, 300.0)

# Frontier: values of hands_scale (no unit) and hands_high (hours) to try, and the median sigmas after 3 events to
# report, rating points.
SCALES, HIGHS = (0.50, 0.53, 0.56, 0.59, 0.62), (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0)
SIGMAS = (434.0, 436.0, 438.0, 440.0, 442.0, 444.0, 446.0)

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """Means over seasons; `error` is the standard error of the mean rate."""

    rate: dict[str, float]
    error: dict[str, float]
    median_sigma: list[float]
    place_fraction: dict[str, float]

    def score(self, expected: dict[str, float] = EXPECTED_RATE) -> float:
        """Sum the squared differences of the types' rates in standard errors; a perfect model has 5 on average."""
        return sum(self._squared(name, expected) for name in TYPES)

    @property
    def objective(self) -> float:
        """What the hands search minimizes: score, level of all players, median sigma after 3 and FLOOR_AFTER events."""
        wanted = {3: SIGMA_AFTER_3, FLOOR_AFTER: TierParams.sigma_floor}
        sigma = sum(((self.median_sigma[n - 1] - value) / SIGMA_ERROR) ** 2 for n, value in wanted.items())
        return self.score() + self._squared("all", PUBLISHED_RATE) + sigma

    def _squared(self, name: str, expected: dict[str, float]) -> float:
        return ((self.rate[name] - expected[name]) / STANDARD_ERROR[name]) ** 2


def seasons(first_seed: int, count: int, *, closes: float | None = None) -> list[Scenario]:
    return [published(np.random.default_rng(first_seed + k), closes=closes) for k in range(count)]


def measure(played: list[Scenario], params: TierParams) -> Measured:
    figures = [season_figures(season, params) for season in played]
    names = (*TYPES, "all")
    rates = np.array([[each["mean_rate_after_20"][name] for name in names] for each in figures])
    sigma = np.array([list(each["median_sigma"].values()) for each in figures])
    place = np.array([[each["mean_place_fraction"][name] for name in names] for each in figures])
    spread = (
        rates.std(axis=0, ddof=1) / np.sqrt(len(played)) if len(played) > 1 else np.full(len(names), np.nan)
    )
    return Measured(
        rate=dict(zip(names, rates.mean(axis=0).tolist(), strict=True)),
        error=dict(zip(names, spread.tolist(), strict=True)),
        median_sigma=sigma.mean(axis=0).tolist(),
        place_fraction=dict(zip(names, place.mean(axis=0).tolist(), strict=True)),
    )


def _with_hands(point: Floats, params: TierParams) -> TierParams:
    scale, high = np.exp(point).tolist()
    return replace(params, hands_scale=scale, hands_high=max(high, params.hands_low))


def largest_inversion(params: TierParams) -> float:
    """Compute the largest advantage of a place over the next better one, in fields of equal players."""
    return max(
        _inversion(n, minutes, sigma, params)
        for n in INVERSION_FIELDS
        for minutes in (MINUTES_EACH * n, EVENING)
        for sigma in SIGMAS_COMPARED
    )


def _inversion(n: int, minutes: float, sigma: float, params: TierParams) -> float:
    place = np.arange(1, n + 1)
    order = EventHistory.of_orders([list(range(n))], duration=minutes)
    start = PoolState.fresh(n, params)
    start.sigma[:] = sigma
    rated = replay_events(replace(order, busted_at=bust_times(place, n, minutes)), start, params)
    changes = rated.posterior_mu - params.conservatism * rated.posterior_sigma
    return float(np.diff(changes).max())


def with_least_low(params: TierParams) -> TierParams:
    """Choose hands_low (module docstring)."""
    tried = (replace(params, hands_low=low) for low in LOWS)
    return next(each for each in tried if largest_inversion(each) <= LARGEST_INVERSION)


def search_hands(played: list[Scenario], params: TierParams, steps: int, progress: Progress) -> TierParams:
    """Find the hands constants with the lowest objective; hands_low and weight_scales_sigma stay as they are."""

    def objective(point: Floats) -> float:
        tried = _with_hands(point, params)
        value = measure(played, tried).objective
        progress(f"{value:9.3f}  {tried.hands_scale:.4f} [{tried.hands_low:.4f}, {tried.hands_high:.4f}]")
        return float(value)

    minimum = minimize(
        objective,
        HANDS_SIMPLEX[0],
        method="Nelder-Mead",
        options={"maxfev": steps, "initial_simplex": HANDS_SIMPLEX, "xatol": 1e-3, "fatol": 1e-3},
    )
    return _with_hands(minimum.x, params)


def frontier(played: list[Scenario], params: TierParams, progress: Progress) -> list[dict[str, float]]:
    """Find the least score for each median sigma after 3 events, and its constants.

    Score and sigma fall with hands_scale and hands_high; between two scales both are interpolated linearly.
    """
    best = [{"sigma": sigma, "score": np.inf} for sigma in SIGMAS]
    for high in HIGHS:
        tried = [measure(played, replace(params, hands_scale=scale, hands_high=high)) for scale in SCALES]
        sigma = [measured.median_sigma[2] for measured in tried]
        score = [measured.score() for measured in tried]
        progress(f"{high:5.1f} h: sigma {np.round(sigma, 1).tolist()}, score {np.round(score, 1).tolist()}")
        for i, target in enumerate(SIGMAS):
            if sigma[-1] <= target <= sigma[0]:
                interpolated = float(np.interp(-target, -np.array(sigma), score))
                scale = float(np.interp(-target, -np.array(sigma), SCALES))
                if interpolated < best[i]["score"]:
                    best[i] = {
                        "sigma": target,
                        "score": interpolated,
                        "hands_scale": scale,
                        "hands_high": high,
                    }
    return best


def search_late(
    first_seed: int, count: int, params: TierParams, steps: int, progress: Progress
) -> tuple[TierParams, float]:
    """Find late_a, late_b and the end of registration with the lowest objective."""

    def objective(point: Floats) -> float:
        late_a, late_b, closes = np.exp(point).tolist()
        if closes > 1.0:
            return 1e6 * float(closes)
        tried = replace(params, late_a=late_a, late_b=late_b)
        value = late_objective(measure(seasons(first_seed, count, closes=closes), tried), tried)
        progress(f"{value:9.3f}  a {late_a:.4f}, b {late_b:.4f}, registration to {closes:.3f}")
        return value

    minimum = minimize(
        objective,
        LATE_SIMPLEX[0],
        method="Nelder-Mead",
        options={"maxfev": steps, "initial_simplex": LATE_SIMPLEX, "xatol": 1e-3, "fatol": 1e-3},
    )
    late_a, late_b, closes = np.exp(minimum.x).tolist()
    return replace(params, late_a=late_a, late_b=late_b), closes


def late_objective(late: Measured, params: TierParams) -> float:
    """Compute what the late search minimizes: score of `published-late`, and late penalties."""
    penalties = [late_penalty(params.mu0, left, params) - value for left, value in PUBLISHED_PENALTY.items()]
    return late.score(PUBLISHED_LATE) + sum((by / PENALTY_ERROR) ** 2 for by in penalties)


def full_late_b(params: TierParams, progress: Progress) -> float:
    """Find the smallest charged share of the late-entry gain at which entering late does not pay."""
    free = replace(params, late_charge="published", late_b=0.0)
    found = 0.0
    for n in FULL_CHARGE_SIZES:
        for sigma in FULL_CHARGE_SIGMAS:
            shares = [_share_needed(left, n, sigma, free) for left in range(2, n)]
            found = max(found, *shares)
            progress(f"{n} entries, sigma {sigma:g}: {max(shares):.4f}")
    return found


def _share_needed(left: int, n: int, sigma: float, free: TierParams) -> float:
    start = PoolState.fresh(n, free)
    start.sigma[:] = sigma
    part2 = replay_events(late_entries(left, (1,), n_entries=n), start, free).numbers[PART2, 0]
    return float(late_on_average(left, free, n_entries=n, sigma=sigma) / (free.late_first * part2))


def rate_table(measured: Measured, published: dict[str, float], expected: dict[str, float]) -> str:
    """Format a table of ratings/README.md."""
    lines = [
        "| type | published | expected | ours | s.e. of ours | difference | s.e. of one season | in those |",
        "|---" * 8 + "|",
    ]
    for name, rate in published.items():
        ours, error = measured.rate[name], STANDARD_ERROR[name]
        difference = ours - expected[name]
        lines.append(
            f"| {name} | {rate:.1f} | {expected[name]:.1f} | {ours:.1f} | {measured.error[name]:.1f}"
            f" | {difference:+.1f} | {error:g} | {difference / error:+.2f} |"
        )
    return "\n".join(lines)


def badge_table(played: list[Scenario], params: TierParams) -> str:
    """Format the table of badges in ratings/README.md: shares of S, A, B and C in percent."""
    ours = [_mean_badges([badge_shares(season, params, n) for season in played]) for n in (15, 3)]
    lines = ["| type | published, 15 events | ours, 15 events | ours, 3 events |", "|---" * 4 + "|"]
    for name in (*TYPES, "all"):
        columns = [PUBLISHED_BADGES.get(name, ()), *(shares[name] for shares in ours)]
        shown = [" / ".join(f"{share:.1f}" for share in column) or "–" for column in columns]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join(lines)


def _mean_badges(seasons: list[dict[str, dict[str, float]]]) -> dict[str, list[float]]:
    return {
        name: np.mean([[season[name][letter] for letter in LETTERS] for season in seasons], axis=0).tolist()
        for name in (*TYPES, "all")
    }


def report(params: TierParams, closes: float, first_seed: int, count: int) -> dict[str, object]:
    """Measure the constants on seasons that no search has used."""
    played = seasons(first_seed, count)
    measured = measure(played, params)
    late = measure(seasons(first_seed, count, closes=closes), params)
    names = ("hands_scale", "hands_low", "hands_high", "weight_scales_sigma", "late_a", "late_b")
    return {
        "params": {name: getattr(params, name) for name in names},
        "closes_at": closes,
        "seasons": count,
        "score": measured.score(),
        "late_score": late.score(PUBLISHED_LATE),
        "median_sigma": measured.median_sigma,
        "mean_place_fraction": measured.place_fraction,
        "late_penalty": penalty_figures(params)["penalty"],
        "table": rate_table(measured, PUBLISHED_RATE, EXPECTED_RATE).split("\n"),
        "badge_table": badge_table(played, params).split("\n"),
        "late_table": rate_table(late, PUBLISHED_LATE, PUBLISHED_LATE).split("\n"),
    }


def _write_progress(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def calibrate(n_search: int, n_report: int, steps: int, progress: Progress) -> dict[str, object]:
    """Run both searches and report on other seasons than those of the searches."""
    played = seasons(1_000, n_search)
    candidates = [
        search_hands(
            played, with_least_low(replace(TierParams(), weight_scales_sigma=scales)), steps, progress
        )
        for scales in (False, True)
    ]
    best = min(candidates, key=lambda params: measure(played, params).objective)
    return report(*search_late(1_000, n_search, best, steps, progress), 1, n_report)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ratings.calibrate", description=__doc__.split("\n")[0])
    parser.add_argument("--search", type=int, default=20, metavar="N", help="seasons searched on")
    parser.add_argument("--seasons", type=int, default=40, metavar="N", help="seasons reported on")
    parser.add_argument("--steps", type=int, default=60, metavar="N", help="evaluations of each search")
    parser.add_argument("--report", action="store_true", help="measure the constants in the code, no search")
    parser.add_argument("--frontier", action="store_true", help="rates against sigma, see ratings/README.md")
    parser.add_argument(
        "--full", action="store_true", help="share that the full late charge takes, see tier.FULL_LATE_B"
    )
    given = parser.parse_args()
    result: object
    if given.frontier:
        result = frontier(seasons(1, given.search), TierParams(), _write_progress)
    elif given.full:
        result = full_late_b(TierParams(), _write_progress)
    elif given.report:
        from ratings.engine.simulation.player_types import CLOSES_AT

        result = report(TierParams(), CLOSES_AT, 1, given.seasons)
    else:
        result = calibrate(given.search, given.seasons, given.steps, _write_progress)
    sys.stdout.write(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
