"""Speed of the rating core, compared with PyPI packages: single events, and the replay of a million participations."""

import gc
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import openskill.models as openskill
import trueskill

from bench.histories import N_PLAYERS, long_history, plain_replay
from bench.report import Row, best_of, met
from ratings.engine.chain import rate_field

ROOT = Path(__file__).resolve().parent.parent
# The packages rate only this many events of the long history; their time is extrapolated by participation.
SAMPLE_EVENTS = 60
REPLAY_GOAL = 1_200.0
# Megabytes, for the whole process of the replay.
MEMORY_GOAL = 500.0
TRUESKILL, OPENSKILL = "trueskill 0.4.5", "openskill 6.2.0, ThurstoneMostellerPart"
SCALE = {"mu": 1500.0, "sigma": 500.0, "beta": 1000.0, "tau": 0.0}


def _trueskill_event(n):
    env = trueskill.TrueSkill(**SCALE, draw_probability=0.0)
    groups = [(env.create_rating(),) for _ in range(n)]
    return lambda: env.rate(groups)


def _openskill_event(n):
    model = openskill.ThurstoneMostellerPart(**SCALE)
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
        yield Row(what, TRUESKILL, ours, theirs, note="rate_field, validation included")
        theirs = best_of(_openskill_event(n), repeat=3)
        yield Row(what, OPENSKILL, ours, theirs)


def _trueskill_rate():
    env = trueskill.TrueSkill(**SCALE, draw_probability=0.0)
    return env.create_rating, lambda teams, ranks: env.rate([tuple(team) for team in teams], ranks=ranks)


def _openskill_rate():
    model = openskill.ThurstoneMostellerPart(**SCALE)
    return model.rating, lambda teams, ranks: model.rate(teams, ranks=ranks)


def _package_replay(history, new, rate):
    pool = {who: new() for who in range(N_PLAYERS)}
    for event in range(SAMPLE_EVENTS):
        span = slice(history.offset[event], history.offset[event + 1])
        who = history.player[span].tolist()
        rated = rate([[pool[i]] for i in who], history.place[span].tolist())
        pool.update((i, group[0]) for i, group in zip(who, rated, strict=True))


def _memory_note():
    """Describe the peak memory of a process that only creates the history and replays it."""
    child = [sys.executable, "-m", "bench.histories"]
    peak = float(subprocess.run(child, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    goal = f"goal {MEMORY_GOAL:g} MB: {met(peak <= MEMORY_GOAL)}"
    return f"our peak memory, in a separate process with kernels compiled before, {peak:.0f} MB, {goal}"


def _replay(history):
    n, sample = history.n_entries, int(history.offset[SAMPLE_EVENTS])
    ours = best_of(lambda: plain_replay(history), repeat=10)
    notes = {TRUESKILL: _memory_note(), OPENSKILL: ""}
    for name, (new, rate) in ((TRUESKILL, _trueskill_rate()), (OPENSKILL, _openskill_rate())):
        theirs = best_of(lambda new=new, rate=rate: _package_replay(history, new, rate), repeat=1, warm=0)
        goal = REPLAY_GOAL if name == TRUESKILL else None
        note = f"theirs extrapolated from {sample:,} participations; {notes[name]}".removesuffix("; ")
        yield Row(f"replay of {n:,} participations", name, ours, theirs * n / sample, goal, note)


def _linear(history):
    """Measure the time for each participation, which must not grow with the history."""
    start = time.perf_counter()
    long_history()
    seconds = time.perf_counter() - start
    for n in (10_000, 100_000, history.n_entries):
        part = history.part(0, int(np.searchsorted(history.offset, n)))
        ours = best_of(lambda part=part: plain_replay(part), repeat=5) / part.n_entries
        note = f"of {part.n_entries:,} in {part.n_events:,} events"
        yield Row("replay, for each participation", "", ours, None, note=note)
    note = f"drawing {history.n_entries:,} results at random and validating them"
    yield Row("creating that history", "", seconds, None, note=note)


def measure() -> list[Row]:
    # The packages create millions of objects; frozen, our imports do not slow down each garbage collection.
    gc.collect()
    gc.freeze()
    history = long_history()
    return [*_events(), *_replay(history), *_linear(history)]
