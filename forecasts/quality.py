"""The figures of a pool's quality as plain values that can be stored."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from forecasts.histories import PoolHistory

if TYPE_CHECKING:
    from ratings.engine.forecasts import PairScores, PlaceScores
    from ratings.engine.ratios import Ratio

# A scale is stored again when it has moved by so much.
SCALE_STEP = 0.005


def quality_figures(history: PoolHistory) -> dict[str, Any]:
    """Score a pool's forecasts as they were, and calibrated by what was known before each event."""
    from ratings.engine.forecasts import fit_scales, score_pairs, score_places, winner_losses

    said = history.forecasts
    scales = fit_scales(said)
    calibrated = said.scaled(scales.before)
    winner, equal = winner_losses(said)
    return {
        "n_events": said.n_events,
        "scale": scales.now,
        "scales": _thinned(history.starts, scales.before.tolist()),
        "pairs": _pairs(score_pairs(said)),
        "calibrated": _pairs(score_pairs(calibrated)),
        "places": _places(score_places(said)),
        "calibrated_places": _places(score_places(calibrated)),
        "winner": winner,
        "winner_equal": equal,
    }


def scale_at(figures: Mapping[str, Any], moment: datetime) -> float:
    """Find the scale that the events before a moment gave; 0 before any."""
    stored: list[list[float]] = figures.get("scales", [])
    at = bisect_right([since for since, _scale in stored], moment.timestamp())
    return stored[at - 1][1] if at else 0.0


def _thinned(starts: Sequence[datetime], scales: Sequence[float]) -> list[list[float]]:
    kept: list[list[float]] = []
    for start, scale in zip(starts, scales, strict=True):
        if not kept or abs(scale - kept[-1][1]) >= SCALE_STEP:
            kept.append([start.timestamp(), scale])
    return kept


def _pairs(scores: "PairScores") -> dict[str, Any]:
    return {
        "n": scores.n_pairs,
        "accuracy": _ratio(scores.accuracy),
        "log_loss": scores.log_loss,
        "gain": _ratio(scores.gain),
        "bins": [[said, *_ratio(was)] for said, was in scores.bins],
    }


def _places(scores: "PlaceScores") -> dict[str, Any]:
    return {
        "correlation": scores.correlation,
        "bins": [[said, *_ratio(off)] for said, off in scores.bins],
    }


def _ratio(ratio: "Ratio") -> list[float | None]:
    """Value, standard error (None if it is not known) and number."""
    return [ratio.value, ratio.error if isfinite(ratio.error) else None, ratio.n]
