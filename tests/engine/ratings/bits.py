"""Ratings to the last bit: `python -m tests.engine.ratings.bits` prints them as a process with other settings gets them."""

import sys

import numpy as np

from ratings.engine.history import EventHistory
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState
from tests.engine.ratings.profit_games import replay, season

N_PLAYERS = 20
N_EVENTS = 12
CLOSES_AT = 90.0


def nights():
    """Events with late entries and times of bust, made of whole numbers, which no processor rounds."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(2, N_PLAYERS + 1, N_EVENTS)
    who = [rng.permutation(N_PLAYERS)[:n] for n in sizes]
    busted_at = [np.sort(rng.permutation(np.arange(20, 400))[:n])[::-1] for n in sizes]
    registered_at = [np.minimum(rng.integers(0, 90, bust.size), bust - 1) for bust in busted_at]
    return EventHistory(
        day=np.cumsum(rng.integers(0, 9, N_EVENTS)).astype(float),
        offset=np.concatenate([[0], np.cumsum(sizes)]),
        duration=np.full(N_EVENTS, np.nan),
        closes_at=np.full(N_EVENTS, CLOSES_AT),
        table_size=rng.integers(2, 11, N_EVENTS),
        final_table_size=np.full(N_EVENTS, 9),
        player=np.concatenate(who),
        number=np.ones(sizes.sum(), np.int64),
        place=np.concatenate([np.arange(1, n + 1) for n in sizes]),
        registered_at=np.concatenate(registered_at).astype(float),
        busted_at=np.concatenate(busted_at).astype(float),
    )


def ratings():
    """Every number that TIER and R compute for these events and for a season of riichi."""
    params = TierParams(late_a=0.3)
    tier = replay_events(nights(), PoolState.fresh(N_PLAYERS, params), params)
    r = replay(season(), ProfitParams(sum_tolerance=1000.0))
    return {
        "hours": tier.hours,
        "evidence": tier.evidence,
        "numbers": tier.numbers.ravel(),
        "penalty": tier.penalty,
        "mu": tier.state.mu,
        "sigma": tier.state.sigma,
        "R": r.after,
        "mean R": r.table_mean,
    }


def lines():
    return [f"{name} {' '.join(map(float.hex, column.tolist()))}" for name, column in ratings().items()]


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()))
