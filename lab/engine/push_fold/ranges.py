"""Ranges: the hands that a player of a style pushes or calls with, as the top share of all hands."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from lab.engine.errors import EngineError
from lab.engine.push_fold.equities import equities
from lab.engine.push_fold.hands import COMBINATIONS, N_KINDS, PAIRINGS

Floats = npt.NDArray[np.float64]

# Shares of all hands that players of a style push and call with, all in; assumed, not measured.
PUSHES: Final = {"tight": 0.15, "average": 0.30, "loose": 0.50}
CALLS: Final = {"tight": 0.10, "average": 0.22, "loose": 0.45}
# A second player to call has this share of the usual range.
OVERCALLS: Final = 1.0 / 3.0


@cache
def ranking() -> npt.NDArray[np.int64]:
    """Order the kinds of hands by their equity against a random hand, the best first."""
    against_any = (equities() * PAIRINGS).sum(axis=1) / PAIRINGS.sum(axis=1)
    return np.argsort(-against_any, kind="stable")


def top(share: float) -> Floats:
    """Find the share of each kind that is in the best `share` of all hands; the last kind may be in it in part.

    Examples
    --------
    >>> from lab.engine.push_fold.hands import KINDS
    >>> [round(float(top(10 / 1326)[KINDS[name]]), 3) for name in ("AA", "KK", "QQ")]
    [1.0, 0.667, 0.0]
    """
    if not 0.0 <= share <= 1.0:
        raise EngineError("share", "out_of_range", least=0, most=1, got=share)
    order = ranking()
    before = np.cumsum(COMBINATIONS[order]) - COMBINATIONS[order]
    inside = np.clip((share * COMBINATIONS.sum() - before) / COMBINATIONS[order], 0.0, 1.0)
    range_ = np.zeros(N_KINDS)
    range_[order] = inside
    return range_


def share_of(range_: Floats) -> float:
    """Count the share of all hands that are in a range."""
    return float(range_ @ COMBINATIONS / COMBINATIONS.sum())


def chance_of(range_: Floats) -> Floats:
    """Find the chance that another player's hand is in a range, by the kind of one's own, shape (169,)."""
    return np.asarray(PAIRINGS @ range_ / PAIRINGS.sum(axis=1))


def equity_against(range_: Floats) -> Floats:
    """Average equity against a range, by the kind of one's own hand, shape (169,); one half against no hand at all."""
    weights = PAIRINGS * range_
    total = weights.sum(axis=1)
    won = (weights * equities()).sum(axis=1)
    return np.asarray(np.divide(won, total, out=np.full(N_KINDS, 0.5), where=total > 0.0))


def equity_between(first: Floats, second: Floats) -> float:
    """Average equity of one range against another; one half if no two hands of them fit together."""
    weights = PAIRINGS * np.outer(first, second)
    total = weights.sum()
    return float((weights * equities()).sum() / total) if total > 0.0 else 0.5
