"""Speed of the season laboratory: seasons for each second and core, and what a second worker adds."""

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from bench.report import Row, best_of, met
from lab.engine.seasons.chunks import simulate
from lab.engine.seasons.estimate import seconds_of
from lab.engine.seasons.scenario import Scenario, Variant
from payouts.engine.structures.structure import PointsStructure

N_SEASONS, GOAL_SECONDS = 2_000, 60.0
N_MANY, N_CHUNKS, LEAST_GAIN = 40_000, 40, 1.7
STRUCTURES = ("linear", "vp_kid", "inverse", "winner_takes_all")
CLUB = Scenario(
    counts=(1, 6, 10, 6, 1),
    nights=12,
    size=15,
    variants=tuple(Variant(PointsStructure(name)) for name in STRUCTURES),
)
LARGE = Scenario(counts=(10, 50, 80, 50, 10), nights=30, size=100, variants=CLUB.variants)


def measure():
    return [_run(), *map(_each, (CLUB, LARGE)), _two_workers()]


def _run():
    seconds = best_of(lambda: simulate(CLUB, 1, 0, N_SEASONS), repeat=3)
    note = f"12 nights of 15 of 24 players, 100 seasons rated; goal {GOAL_SECONDS:g} s: {met(seconds <= GOAL_SECONDS)}"
    return Row(f"{N_SEASONS:,} seasons under {len(STRUCTURES)} structures", "", seconds, None, note=note)


def _each(scenario):
    n = N_SEASONS if scenario is CLUB else 100
    first = 1_000_000  # seasons that are not rated
    seconds = best_of(lambda: simulate(scenario, 1, first, n), repeat=3) / n
    estimate = (seconds_of(scenario, 2 * N_SEASONS) - seconds_of(scenario, N_SEASONS)) / N_SEASONS
    note = f"{1 / seconds:,.0f} seasons for each second and core; the page promises {1 / estimate:,.0f}"
    what = f"season of {scenario.nights} nights of {scenario.size} of {scenario.n_players} players"
    return Row(what, "", seconds, None, note=note)


def _chunk(first):
    simulate(CLUB, 1, first, N_MANY // N_CHUNKS)


def _with(n_workers):
    """Seconds for all chunks, by workers that have loaded everything."""
    with ProcessPoolExecutor(n_workers, mp_context=get_context("spawn")) as workers:
        list(workers.map(_chunk, range(4 * n_workers)))
        began_at = time.perf_counter()
        list(workers.map(_chunk, range(0, N_MANY, N_MANY // N_CHUNKS)))
        return time.perf_counter() - began_at


def _two_workers():
    one, two = _with(1), _with(2)
    return Row(
        f"{N_MANY:,} seasons in {N_CHUNKS} chunks, two processes", "one process", two, one, goal=LEAST_GAIN
    )
