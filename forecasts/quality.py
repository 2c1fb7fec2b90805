"""The figures of a pool's quality as plain values that can be stored."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from forecasts.histories import PoolHistory

if TYPE_CHECKING:
    from ratings.engine.forecasts.ratios import Ratio
    from ratings.engine.forecasts.scores import PairScores, PlaceScores


class Correction(NamedTuple):
    """What leads are multiplied by, and the share of pairs that luck alone decides."""

    scale: float
    luck: float


def quality_figures(history: PoolHistory) -> dict[str, Any]:
    """Score a pool's forecasts as they were, and calibrated by what was known before each event."""
    from ratings.engine.forecasts.scores import fit_corrections, score_pairs, score_places, winner_losses

    said = history.forecasts
    found = fit_corrections(said)
    calibrated = said.corrected(found)
    winner, equal = winner_losses(said)
    return {
        "n_events": said.n_events,
        "scale": found.scale,
        "luck": found.luck,
        "corrections": _changes(history.starts, found.scale_before.tolist(), found.luck_before.tolist()),
        "pairs": _pairs(score_pairs(said)),
        "calibrated": _pairs(score_pairs(calibrated)),
        "places": _places(score_places(said)),
        "calibrated_places": _places(score_places(calibrated)),
        "winner": winner,
        "winner_equal": equal,
    }


def correction_at(figures: Mapping[str, Any], moment: datetime) -> Correction:
    """Find the correction fitted to the events before a moment; without any, all players are equal."""
    stored: list[list[float]] = figures.get("corrections", [])
    at = bisect_right([since for since, _scale, _luck in stored], moment.timestamp())
    return Correction(*stored[at - 1][1:]) if at else Correction(0.0, 0.0)


def _changes(
    starts: Sequence[datetime], scales: Sequence[float], lucks: Sequence[float]
) -> list[list[float]]:
    """List when the correction changed, with its new values."""
    kept: list[list[float]] = []
    for start, *values in zip(starts, scales, lucks, strict=True):
        if not kept or values != kept[-1][1:]:
            kept.append([start.timestamp(), *values])
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
    """Convert a ratio to value, standard error (None if unknown) and count."""
    return [ratio.value, ratio.error if isfinite(ratio.error) else None, ratio.n]
