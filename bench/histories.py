"""A long random history; `python -m bench.histories` replays it and prints the peak memory of its process."""

import resource
import sys
from pathlib import Path

import numpy as np

from ratings.engine.history import EventHistory
from ratings.engine.tier.core_model import core_only, order_history
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import TierReplay, replay_events
from ratings.engine.tier.pool_state import PoolState

# 4,606 events of 10 to 999 entries: about a million participations.
N_EVENTS = 4606
LEAST, MOST = 10, 999
N_PLAYERS = 2000
# The packages have no floor of sigma.
PLAIN = core_only(TierParams(sigma_floor=0.0))
STATUS = Path("/proc/self/status")


def long_history() -> EventHistory:
    rng = np.random.default_rng(4606)
    sizes = np.exp(rng.uniform(np.log(LEAST), np.log(MOST + 1), N_EVENTS)).astype(np.int64)
    return order_history(
        np.arange(float(N_EVENTS)),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([rng.permutation(N_PLAYERS)[:n] for n in sizes]),
        np.concatenate([rng.permutation(n) + 1 for n in sizes]),
    )


def plain_replay(history: EventHistory) -> TierReplay:
    return replay_events(history, PoolState.fresh(N_PLAYERS, PLAIN), PLAIN)


def peak_mb() -> float:
    """Read the peak memory of this process in megabytes.

    On Linux a child inherits ru_maxrss through exec and would report a larger parent, so /proc is used instead.
    """
    if STATUS.exists():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    scale = 2**20 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale


if __name__ == "__main__":
    replayed = plain_replay(long_history())
    print(f"{peak_mb():.1f}")
