"""Speed of the whole TIER pipeline for one event, compared with one run of trueskill, which rates only the field."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import trueskill

from bench.report import Row, best_of, met
from ratings.engine.history import EventHistory
from ratings.engine.tier.figures import explain_entries
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import rate_event, replay_events
from ratings.engine.tier.pool_state import PoolState

# The event: 100 entries, of which 50 bust before registration closes, 20 are late and 5 are re-entries.
N, N_EARLY, N_LATE, N_AGAIN = 100, 50, 20, 5
CLOSES_AT, ENDS_AT = 120.0, 600.0
# Seconds for this event, kernels compiled before.
GOAL = 0.35e-3
# Number of such events in the replay.
N_EVENTS = 200
ROOT = Path(__file__).resolve().parent.parent
# Seconds for a simulated season from the command line, kernels compiled before.
SIMULATE_GOAL = 5.0


def _event(day=0.0):
    player, number, registered = np.arange(N), np.ones(N, dtype=np.int64), np.zeros(N)
    busted = np.concatenate([np.linspace(ENDS_AT, 125.0, N - N_EARLY), np.linspace(119.0, 10.0, N_EARLY)])
    registered[2 : 2 + 2 * N_LATE : 2] = np.linspace(13.0, 118.0, N_LATE)
    for k in range(N_AGAIN):  # the first players out come back and finish at 2, 12, 22...
        at = 1 + 10 * k
        player[at], number[at], registered[at] = N - 1 - k, 2, busted[N - 1 - k] + 1.0
    return EventHistory(
        np.full(1, day),
        np.array([0, N]),
        np.array([ENDS_AT]),
        np.array([CLOSES_AT]),
        np.array([9]),
        np.array([9]),
        np.unique(player, return_inverse=True)[1].astype(np.int64),
        number,
        np.arange(1, N + 1),
        registered,
        busted,
    )


def _history():
    one = _event()
    repeated = {
        name: np.tile(getattr(one, name), N_EVENTS)
        for name in (
            "duration", "closes_at", "table_size", "final_table_size", "player", "number", "place",
            "registered_at", "busted_at",
        )
    }  # fmt: skip
    return EventHistory(np.arange(float(N_EVENTS)), np.arange(N_EVENTS + 1) * N, **repeated)


def _trueskill_run():
    env = trueskill.TrueSkill(mu=1500.0, sigma=500.0, beta=1000.0, tau=0.0, draw_probability=0.0)
    groups = [(env.create_rating(),) for _ in range(N)]
    return lambda: env.rate(groups)


def _simulate():
    command = [sys.executable, "manage.py", "simulate", "--scenario", "published"]
    ours = best_of(lambda: subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL), repeat=3)
    goal = f"goal {SIMULATE_GOAL:g} s: {met(ours <= SIMULATE_GOAL)}"
    note = f"20,000 entries in 325 events, start-up included, kernels compiled before; {goal}"
    return Row("manage.py simulate --scenario published", "", ours, None, note=note)


def measure() -> list[Row]:
    params, event, history = TierParams(), _event(), _history()
    fresh = PoolState.fresh(N - N_AGAIN, params)
    theirs = best_of(_trueskill_run(), repeat=5)
    ours = best_of(lambda: rate_event(event, fresh, params), repeat=200, warm=5)
    note = (
        f"{N} entries: {N_EARLY} early busts, {N_LATE} late, {N_AGAIN} re-entries; theirs rates the field once;"
        f" goal {GOAL * 1e3:g} ms: {met(ours <= GOAL)}"
    )
    rows = [Row("one TIER event, whole pipeline", "trueskill 0.4.5", ours, theirs, note=note)]
    replayed = rate_event(event, fresh, params)
    ours = best_of(lambda: explain_entries(replayed), repeat=20)
    note = "theirs rates the field once"
    rows.append(Row(f"explanations of its {N} entries", "trueskill 0.4.5", ours, theirs, note=note))
    ours = best_of(lambda: replay_events(history, fresh, params), repeat=3) / N_EVENTS
    note = f"mean of {N_EVENTS} such events"
    return [*rows, Row("one such event in a replay", "trueskill 0.4.5", ours, theirs, note=note), _simulate()]
