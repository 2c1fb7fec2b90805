"""The badges of a pool: their bounds, who of a season stands where, and bounds fitted to the spread of the club."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np

from league.models import Pool, Season
from standings.goals.lessons import rating_lesson
from standings.models import Standing

FEWEST_TO_FIT = 9  # ranked players; of fewer one alone is more than a tenth
MOST_IN_ONE = 1 / 3
ROUNDED_TO = 10
LEAST_STEP = 20


class Holder(NamedTuple):
    """A player with a badge."""

    player_id: int
    name: str
    rate: float


@dataclass(frozen=True)
class Level:
    """A badge, its bounds, and who has it; `least` is None for the lowest, `below` for the highest."""

    letters: str
    least: float | None
    below: float | None
    holders: Sequence[Holder]


class Fitted(NamedTuple):
    """Bounds that put about a tenth of the ranked players into each badge: of S, and how much lower each next is."""

    top: int
    step: int
    crowded: str  # the badge that holds more than a third
    n_crowded: int
    n_ranked: int


def levels_of(pool: Pool, season: Season | None) -> list[Level]:
    """List the badges of a pool, the best first, with the ranked players of a season."""
    rows = Standing.objects.filter(season=season, season__pool=pool, is_provisional=False, is_inactive=False)
    holders: dict[str, list[Holder]] = {}
    ranked = rows.exclude(badge="").order_by("-rate", "player__key")
    for badge, player_id, name, rate in ranked.values_list("badge", "player_id", "player__name", "rate"):
        holders.setdefault(badge, []).append(Holder(player_id, name, rate or 0.0))
    bounds = rating_lesson(pool).badges
    above = [None, *(least for _letters, least in bounds)]
    return [
        Level(letters, least, below, holders.get(letters, []))
        for (letters, least), below in zip(bounds, above, strict=False)
    ]


def fitted_bounds(levels: Sequence[Level]) -> Fitted | None:
    """Propose evenly spaced bounds from the highest to the lowest tenth; None unless one badge holds a third."""
    rates = [holder.rate for level in levels for holder in level.holders]
    if len(rates) < FEWEST_TO_FIT:
        return None
    crowded = max(levels, key=lambda level: len(level.holders))
    if len(crowded.holders) <= MOST_IN_ONE * len(rates):
        return None
    low, high = np.quantile(rates, [1 / len(levels), 1 - 1 / len(levels)]).tolist()
    step = max(LEAST_STEP, ceil((high - low) / (len(levels) - 2) / ROUNDED_TO) * ROUNDED_TO)
    top = round(high / ROUNDED_TO) * ROUNDED_TO
    return Fitted(top, step, crowded.letters, len(crowded.holders), len(rates))
