"""What the stored ratings said before each event of a pool, and what happened."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from league.models import Pool, PoolKind
from ratings.engine.profit.params import ProfitParams
from ratings.models import RatedEntry, RatedGame
from ratings.queries import Era, applied_eras

if TYPE_CHECKING:
    from ratings.engine.forecasts.scores import Forecasts

BATCH = 5_000
# Spread of R where nothing pulls it, so that it promises no place; calibration finds what a gap is worth.
SPREAD_WITHOUT_PULL = 400.0


class PoolHistory(NamedTuple):
    """Forecasts of all events of a pool, and when each of these events began."""

    starts: list[datetime]
    forecasts: "Forecasts"


def history_of(pool: Pool) -> PoolHistory:
    """Read a pool's events in the order of rating, each player once: rated before the event, placed at its end."""
    from ratings.engine.forecasts.scores import Forecasts

    is_profit = pool.kind == PoolKind.PROFIT
    rows = _games(pool) if is_profit else _entries(pool)
    event, player, place = (np.array([row[column] for row in rows], dtype=np.int64) for column in (0, 1, 3))
    mean, sigma = (np.array([row[column] for row in rows], dtype=np.float64) for column in (4, 5))
    begins = np.flatnonzero(np.diff(event, prepend=-1))
    starts = [rows[at][2] for at in begins.tolist()]
    number = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(event)))
    sd = np.hypot(sigma, noises(pool, starts)[number])
    return PoolHistory(starts, Forecasts.of_entries(number, player, place, mean, sd, len(begins)))


def _entries(pool: Pool) -> Sequence[tuple[int, int, datetime, int, float, float]]:
    rows = RatedEntry.objects.filter(pool=pool).order_by("starts_at", "event_id", "number", "place", "pk")
    columns = ("event_id", "player_id", "starts_at", "place", "prior_mu", "prior_sigma")
    return list(rows.values_list(*columns).iterator(BATCH))


def _games(pool: Pool) -> Sequence[tuple[int, int, datetime, int, float, float]]:
    rows = RatedGame.objects.filter(pool=pool).order_by("starts_at", "event_id", "place", "player_id")
    columns = ("event_id", "player_id", "starts_at", "place", "r_before")
    return [(*row, 0.0) for row in rows.values_list(*columns).iterator(BATCH)]


def noises(pool: Pool, starts: Sequence[datetime]) -> npt.NDArray[np.float64]:
    """Compute the standard deviation of one performance in each event, by the settings at its time."""
    eras = applied_eras(pool.pk)
    begun = [era.starts_at for era in eras]
    by_era = [noise_of(pool, era) for era in eras]
    return np.array([by_era[bisect_right(begun, start) - 1] for start in starts], dtype=np.float64)


def noise_of(pool: Pool, era: Era) -> float:
    return _spread_of_r(era.profit_params) if pool.kind == PoolKind.PROFIT else era.params.beta


def _spread_of_r(params: ProfitParams) -> float:
    """Compute the spread at which a normal model gives two players the same expected places as R."""
    from ratings.engine.profit.figures import expected_place

    if params.pull == 0.0:
        return SPREAD_WITHOUT_PULL
    two = np.array([1.0, 0.0])
    places = expected_place(two, two[::-1].copy(), np.full(2, 2), params)
    per_point = float(places[1] - places[0]) / 2.0  # chance gained by a lead of one point
    return float(1.0 / (per_point * np.sqrt(2.0 * np.pi) * np.sqrt(2.0)))
