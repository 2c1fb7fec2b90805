"""How well a pool's history would have been forecast under other settings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from league.models import BEGINNING
from ratings.engine.tier.params import TierParams
from ratings.services.rerating import PoolInput, read_pool

if TYPE_CHECKING:
    from ratings.engine.forecasts.ratios import Ratio
    from ratings.engine.forecasts.scores import Forecasts

# Chance in a performance, as multiples of the settings in force, and drift in rating points for the root of a day.
BETA_FACTORS = (0.25, 0.5, 1.0, 2.0)
DRIFTS = (0.0, 5.0, 10.0, 20.0)
# Fewer events cannot tell settings apart.
LEAST_EVENTS = 40


@dataclass(frozen=True)
class TriedSettings:
    """Scores of a pool's forecasts under one pair of settings; `better` is by how much less they cost than now."""

    beta: float
    tau_per_day: float
    is_now: bool
    accuracy: float
    log_loss: float
    better: "Ratio"


def fit_pool(pool_id: int) -> list[TriedSettings]:
    """Replay a pool of kind TIER under other beta and drift, and score what would have been said before each event.

    The best comes first; empty without a pair of players.
    """
    from ratings.engine.forecasts.ratios import ratio
    from ratings.engine.forecasts.scores import score_pairs

    pool = read_pool(pool_id, since=BEGINNING)
    now = pool.parts[-1].params
    said_now = forecasts_under(pool, now.beta, now.tau_per_day)
    losses_now, pairs = said_now.losses()
    if not pairs.any():
        return []
    tried = []
    for beta, drift in _settings(now):
        said = forecasts_under(pool, beta, drift)
        scores, (losses, _pairs) = score_pairs(said), said.losses()
        is_now = (beta, drift) == (now.beta, now.tau_per_day)
        better = ratio(losses_now - losses, pairs)
        tried.append(TriedSettings(beta, drift, is_now, scores.accuracy.value, scores.log_loss, better))
    return sorted(tried, key=lambda each: (each.log_loss, not each.is_now))


def _settings(now: TierParams) -> Iterator[tuple[float, float]]:
    betas = [now.beta * factor for factor in BETA_FACTORS]
    yield from ((beta, drift) for beta in betas for drift in sorted({now.tau_per_day, *DRIFTS}))


def forecasts_under(pool: PoolInput, beta: float, tau_per_day: float) -> "Forecasts":
    """Replay all events with this beta and drift, and the other settings of their time."""
    from ratings.engine.forecasts.scores import Forecasts
    from ratings.engine.tier import pipeline_arrays as rows
    from ratings.engine.tier.pipeline import replay_events

    state, n_events = pool.start_state, 0
    columns: list[tuple[npt.NDArray[Any], ...]] = []
    for part in pool.parts:
        params, history = replace(part.params, beta=beta, tau_per_day=tau_per_day), part.history
        replayed = replay_events(history, state.with_newcomers(params), params)
        event = n_events + np.repeat(np.arange(history.n_events), np.diff(history.offset))
        mu, sigma = replayed.numbers[rows.PRIOR_MU], replayed.numbers[rows.PRIOR_SIGMA]
        order = np.lexsort((history.number, event))
        own = (event, history.player, history.place, mu, np.hypot(sigma, beta))
        columns.append(tuple(column[order] for column in own))
        state, n_events = replayed.state, n_events + history.n_events
    event, player, place, mean, sd = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return Forecasts.of_entries(event, player, place, mean, sd, n_events)
