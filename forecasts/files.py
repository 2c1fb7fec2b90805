"""The share of skill of an event file, for the command line."""

from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from forecasts.engine.skill_share import Growth, Orders, SkillShare, skill_share
from ratings.files.reading import read_rated_file


def orders_of_file(path: Path) -> Orders:
    """Read the finishing orders of an event file, the last entry of each player; a ValueError names what is wrong."""
    history = read_rated_file(path).history
    is_last = history.last_entries()
    event = np.repeat(np.arange(history.n_events), np.diff(history.offset))
    sizes = np.bincount(event[is_last], minlength=history.n_events)
    offset = np.concatenate([[0], np.cumsum(sizes)])
    return Orders(offset, history.player[is_last], history.place[is_last])


def share_of_file(path: Path, *, min_events: int, seed: int) -> tuple[SkillShare, dict[str, Any]]:
    """Compute the share of skill of an event file, and its figures as they are printed."""
    found = skill_share(orders_of_file(path), min_events=min_events, seed=seed)
    estimate = found.estimate
    names = ("p", "spread", "low", "high", "share", "share_low", "share_high")
    figures: dict[str, Any] = {"v": found.v, "e0": found.e0}
    figures |= {name: getattr(estimate, name, None) for name in names}
    growth = estimate.growth if estimate else None
    figures |= {"nights_to_half": _nights(growth, 0.5), "nights_to_80": _nights(growth, 0.8)}
    return found, figures | {"n_events": found.n_events, "n_players": found.n_players}


def _nights(growth: Growth | None, share: float) -> int | None:
    until = growth.events_until(share) if growth else None
    return None if until is None else ceil(until)
