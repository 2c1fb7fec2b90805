"""Speed of the standings of a season of 100 events and 5,000 players, as a recomputation makes them."""

import gc
import os
import time
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np

from bench.points import CAPS, N_EVENTS, N_PLAYERS, fraction_totals, season
from bench.report import Row, met

START = datetime(2026, 1, 1, 19, tzinfo=UTC)
GOAL = 2.0  # seconds of processor time


def cpu_seconds(run):
    """Measure the processor time of this process, which other work on the machine does not change."""
    gc.disable()  # the recomputation does so too
    start = time.process_time()
    run()
    seconds = time.process_time() - start
    gc.enable()
    return seconds


def measure() -> list[Row]:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    from payouts.engine.seasons.season import DEFAULT_RULES

    results = season()
    rows = []
    for what, rules in (("", DEFAULT_RULES), (", every cap and tie-break", CAPS)):
        ours = min(cpu_seconds(computed_standings(results, rules)) for _run in range(3))
        theirs = min(cpu_seconds(lambda: fraction_totals(results)) for _run in range(3))
        rows.append(
            Row(
                what=f"standings of {N_EVENTS} events, {N_PLAYERS:,} players, with multipliers{what}",
                theirs_name="totals in fractions only",
                ours=ours,
                theirs=theirs,
                note="before and after the last event, all orders; "
                f"goal {GOAL:g} s of processor time: {met(ours <= GOAL)}",
            )
        )
    return rows


def computed_standings(results, rules):
    """Make the function that computes the standings of a season of these results."""
    from payouts.engine.results import ints
    from standings.recomputation.columns import EntryColumns, RatedColumns
    from standings.recomputation.season import SeasonInput, season_standings

    names = {player: f"Player {player}" for player in range(N_PLAYERS)}
    entries = EntryColumns(
        pk=np.arange(len(results)),
        event_index=ints(result.event_index for result in results),
        player_id=ints(result.player_id for result in results),
        place=ints(result.place for result in results),
        is_last=np.ones(len(results), dtype=bool),
        numerator=ints(result.points.numerator for result in results),
        denominator=ints(result.points.denominator for result in results),
    )
    rated = RatedColumns.of_rows(
        ((result.player_id, 1500.0, 1510.0, 4, False, False) for result in results), entries.event_index
    )
    season_input = SeasonInput(
        season_id=1,
        rules=rules,
        events=held_events(),
        entries=entries,
        brought_forward=[],
        rated=rated,
        names=names,
        sort_keys=names,
    )
    return lambda: season_standings(season_input)


def held_events():
    """Make the events of the season, every tenth worth double, the last one final."""
    from payouts.engine.seasons.season import SeasonEvent
    from payouts.queries import PlayedEvent

    starts = [START + timedelta(days=3 * event) for event in range(N_EVENTS)]
    return [
        PlayedEvent(
            i,
            start,
            "",
            SeasonEvent(f"{start:%Y-%m}", Fraction(1 + (i % 10 == 0)), i == N_EVENTS - 1),
            start.date(),
        )
        for i, start in enumerate(starts)
    ]
