"""The rating core: single events and the replay of a million participations, beside PyPI packages."""

import gc

import numpy as np
import openskill.models as openskill
import trueskill

from bench.report import Row, best_of
from ratings.engine.chain import rate_field
from ratings.engine.replay import History, PoolState, replay
from ratings.engine.tier import TierParams

# The history of the engine notes: 4,606 events of 10..999 entrants, about a million participations.
N_EVENTS = 4606
LEAST, MOST = 10, 999
N_PLAYERS = 2000
# Events of the same history that PyPI trueskill rates; its cost per participation is extrapolated.
SAMPLE_EVENTS = 60
REPLAY_GOAL = 600.0


def _trueskill_event(n):
    env = trueskill.TrueSkill(mu=1500.0, sigma=500.0, beta=1000.0, tau=0.0, draw_probability=0.0)
    groups = [(env.create_rating(),) for _ in range(n)]
    return lambda: env.rate(groups)


def _openskill_event(n):
    model = openskill.ThurstoneMostellerPart(mu=1500.0, sigma=500.0, beta=1000.0, tau=0.0)
    teams = [[model.rating()] for _ in range(n)]
    return lambda: model.rate(teams)


def _our_event(n):
    mu, sigma, place = np.full(n, 1500.0), np.full(n, 500.0), np.arange(1, n + 1)
    return lambda: rate_field(mu, sigma, place)


def _events():
    for n in (10, 100, 1000):
        ours = best_of(_our_event(n), repeat=20)
        what = f"one event, N = {n}"
        theirs = best_of(_trueskill_event(n), repeat=3)
        yield Row(what, "trueskill 0.4.5", ours, theirs, note="rate_field, validation included")
        theirs = best_of(_openskill_event(n), repeat=3)
        yield Row(what, "openskill 6.2.0, ThurstoneMostellerPart", ours, theirs)


def _history():
    rng = np.random.default_rng(4606)
    sizes = np.exp(rng.uniform(np.log(LEAST), np.log(MOST + 1), N_EVENTS)).astype(np.int64)
    return History(
        np.arange(float(N_EVENTS)),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([rng.permutation(N_PLAYERS)[:n] for n in sizes]),
        np.concatenate([rng.permutation(n) + 1 for n in sizes]),
    )


def _trueskill_replay(history, n_events):
    env = trueskill.TrueSkill(mu=1500.0, sigma=500.0, beta=1000.0, tau=0.0, draw_probability=0.0)
    pool = {who: env.create_rating() for who in range(N_PLAYERS)}
    for event in range(n_events):
        span = slice(history.offset[event], history.offset[event + 1])
        who = history.player[span].tolist()
        rated = env.rate([(pool[i],) for i in who], ranks=history.place[span].tolist())
        pool.update((i, group[0]) for i, group in zip(who, rated, strict=True))


def _replay():
    # trueskill has no floor of sigma.
    history, params = _history(), TierParams(sigma_floor=0.0)
    fresh = PoolState.fresh(N_PLAYERS, params)
    n = history.player.size
    sample = int(history.offset[SAMPLE_EVENTS])
    ours = best_of(lambda: replay(history, fresh, params), repeat=5)
    theirs = best_of(lambda: _trueskill_replay(history, SAMPLE_EVENTS), repeat=1, warm=0) * n / sample
    note = (
        f"{n:,} participations in {N_EVENTS:,} events; trueskill extrapolated from {sample:,} participations"
        f" in the first {SAMPLE_EVENTS} events"
    )
    return Row("replay of a history", "trueskill 0.4.5", ours, theirs, goal=REPLAY_GOAL, note=note)


def measure() -> list[Row]:
    # The pure-Python packages make garbage by the million; let the collector not walk our imports for it.
    gc.collect()
    gc.freeze()
    return [*_events(), _replay()]
