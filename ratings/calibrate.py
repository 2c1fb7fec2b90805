"""Fit the unpublished constants to the published figures: `python -m ratings.calibrate`.

There are three searches, each over the mean of many simulated seasons. Standard errors are those of one season,
because the publication shows one season.

1. hands_scale, hands_low, hands_high and weight_scales_sigma from the mean rates of the five types after 20 events
   and the median sigma after 3: Nelder-Mead on the sum of squared differences in standard errors.
2. late_a and late_b from the late penalties of a field of 60: non-negative least squares, as the penalty is linear in
   both.
3. The end of registration of `published-late` (scenario.CLOSES_AT) from the fall of an average player's mean rate.

It prints JSON, and its progress to standard error. It changes no file: constants are copied to the code by hand.
"""

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, minimize, nnls

from ratings.engine.scenario import PENALTY_LEFT, TYPES, Scenario, published
from ratings.engine.scenario_figures import late_penalty, penalty_figures, season_figures
from ratings.engine.tier import TierParams

Floats = npt.NDArray[np.float64]

# Mean rate after 20 events by type, rating points (publication), and its standard error in one season: 30 points for
# 50 players, 14 for 250, 11 for 400 (project's notes, section "published targets").
PUBLISHED_RATE = {"top": 1939.4, "strong": 1742.3, "average": 1621.5, "weak": 1504.0, "beginner": 1238.0}
STANDARD_ERROR = {"top": 30.0, "strong": 14.0, "average": 11.0, "weak": 14.0, "beginner": 30.0}
# The published top players were unlucky with their places: expected rates less published ones, rating points.
LUCK = {"top": 40.0}
# Median sigma after 3 events and its standard error, rating points: 440 +- 5 is two of them.
SIGMA_AFTER_3, SIGMA_ERROR = 440.0, 2.5
# Change of rate by players left of 60 (publication), rating points.
PUBLISHED_PENALTY = dict(zip(PENALTY_LEFT, (-0.5, -3.6, -9.0, -13.3), strict=True))
# Mean rate of average players after 20 events, published-late less published, rating points (publication).
LATE_FALL = -58.7
# Where the search for the end of registration begins and ends, fraction of the duration.
EARLIEST, LATEST = 0.1, 0.9
# First simplex of the hands search: hands_scale, hands_low, hands_high / hands_low.
SIMPLEX = np.log([[0.3, 0.3, 15.0], [0.27, 0.3, 15.0], [0.3, 0.1, 45.0], [0.3, 0.3, 45.0]])

# Frontier: values of hands_scale (no unit) and hands_high (hours) to try, and the median sigmas after 3 events to
# report, rating points.
SCALES, HIGHS = (0.26, 0.29, 0.32, 0.35, 0.38), (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 10.0)
SIGMAS = (434.0, 436.0, 438.0, 440.0, 442.0, 444.0, 446.0)

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """Means over seasons; `error` is the standard error of the mean rate."""

    rate: dict[str, float]
    error: dict[str, float]
    median_sigma: list[float]
    place_fraction: dict[str, float]

    @property
    def differences(self) -> dict[str, float]:
        """Rates less the expected ones by type, rating points."""
        return {name: self.rate[name] - PUBLISHED_RATE[name] - LUCK.get(name, 0.0) for name in TYPES}

    @property
    def score(self) -> float:
        """Sum of squared differences of rates in standard errors of one season; a perfect model has 5 on average."""
        return sum((self.differences[name] / STANDARD_ERROR[name]) ** 2 for name in TYPES)

    @property
    def objective(self) -> float:
        return self.score + ((self.median_sigma[2] - SIGMA_AFTER_3) / SIGMA_ERROR) ** 2


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
    scale, low, ratio = np.exp(point).tolist()
    return replace(params, hands_scale=scale, hands_low=low, hands_high=low * max(ratio, 1.0))


def search_hands(played: list[Scenario], params: TierParams, steps: int, progress: Progress) -> TierParams:
    """Find the hands constants with the lowest objective; weight_scales_sigma stays as it is."""

    def objective(point: Floats) -> float:
        tried = _with_hands(point, params)
        value = measure(played, tried).objective + 1e3 * max(-point[2], 0.0)
        progress(f"{value:9.3f}  {tried.hands_scale:.4f} [{tried.hands_low:.4f}, {tried.hands_high:.4f}]")
        return float(value)

    minimum = minimize(
        objective,
        SIMPLEX[0],
        method="Nelder-Mead",
        options={"maxfev": steps, "initial_simplex": SIMPLEX, "xatol": 1e-3, "fatol": 1e-3},
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
        score = [measured.score for measured in tried]
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


def fit_late(params: TierParams) -> TierParams:
    """Fit late_a and late_b by non-negative least squares."""
    parts = [replace(params, late_a=1.0, late_b=0.0), replace(params, late_a=0.0, late_b=1.0)]
    columns = [[late_penalty(params.mu0, left, part) for left in PENALTY_LEFT] for part in parts]
    (a, b), _ = nnls(-np.array(columns).T, -np.array(list(PUBLISHED_PENALTY.values())))
    return replace(params, late_a=float(a), late_b=float(b))


def late_fall(closes: float, first_seed: int, count: int, params: TierParams) -> float:
    """Mean rate of average players, published-late less published, in seasons with the same seeds."""
    late = measure(seasons(first_seed, count, closes=closes), params)
    return late.rate["average"] - measure(seasons(first_seed, count), params).rate["average"]


def find_closing(first_seed: int, count: int, params: TierParams, progress: Progress) -> float | None:
    """Find the end of registration that gives the published fall; None if there is none."""

    def distance(closes: float) -> float:
        value = late_fall(closes, first_seed, count, params) - LATE_FALL
        progress(f"registration to {closes:.3f}: {value + LATE_FALL:+.1f}")
        return value

    if distance(EARLIEST) <= 0.0 or distance(LATEST) >= 0.0:
        return None
    return float(brentq(distance, EARLIEST, LATEST, xtol=2e-3))


def rate_table(measured: Measured) -> str:
    """Format the table of ratings/README.md."""
    lines = [
        "| type | published | expected | ours | s.e. of ours | difference | in s.e. of one season |",
        "|---" * 7 + "|",
    ]
    for name in TYPES:
        rate, expected = PUBLISHED_RATE[name], PUBLISHED_RATE[name] + LUCK.get(name, 0.0)
        difference = measured.differences[name]
        lines.append(
            f"| {name} | {rate:.1f} | {expected:.1f} | {measured.rate[name]:.1f} | {measured.error[name]:.1f}"
            f" | {difference:+.1f} | {difference / STANDARD_ERROR[name]:+.2f} |"
        )
    return "\n".join(lines)


def report(params: TierParams, closes: float | None, first_seed: int, count: int) -> dict[str, object]:
    """Measure the constants on seasons that no search has used."""
    measured = measure(seasons(first_seed, count), params)
    names = ("hands_scale", "hands_low", "hands_high", "weight_scales_sigma", "late_a", "late_b")
    return {
        "params": {name: getattr(params, name) for name in names},
        "closes_at": closes,
        "seasons": count,
        "score": measured.score,
        "mean_rate_after_20": measured.rate,
        "standard_error": measured.error,
        "median_sigma": measured.median_sigma,
        "mean_place_fraction": measured.place_fraction,
        "late_penalty": penalty_figures(params)["penalty"],
        "late_fall": None if closes is None else late_fall(closes, first_seed, count, params),
        "table": rate_table(measured).split("\n"),
    }


def _write_progress(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def calibrate(n_search: int, n_report: int, steps: int, progress: Progress) -> dict[str, object]:
    """Run all three searches and report on other seasons than those of the searches."""
    played = seasons(1_000, n_search)
    candidates = [
        search_hands(played, replace(TierParams(), weight_scales_sigma=scales), steps, progress)
        for scales in (False, True)
    ]
    best = fit_late(min(candidates, key=lambda params: measure(played, params).objective))
    return report(best, find_closing(1_000, min(n_search, 4), best, progress), 1, n_report)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m ratings.calibrate", description=__doc__.split("\n")[0])
    parser.add_argument("--search", type=int, default=20, metavar="N", help="seasons searched on")
    parser.add_argument("--seasons", type=int, default=40, metavar="N", help="seasons reported on")
    parser.add_argument("--steps", type=int, default=60, metavar="N", help="evaluations of each search")
    parser.add_argument("--report", action="store_true", help="measure the constants in the code, no search")
    parser.add_argument("--frontier", action="store_true", help="rates against sigma, see ratings/README.md")
    given = parser.parse_args()
    result: object
    if given.frontier:
        result = frontier(seasons(1, given.search), TierParams(), _write_progress)
    elif given.report:
        from ratings.engine.scenario import CLOSES_AT

        result = report(TierParams(), CLOSES_AT, 1, given.seasons)
    else:
        result = calibrate(given.search, given.seasons, given.steps, _write_progress)
    sys.stdout.write(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
