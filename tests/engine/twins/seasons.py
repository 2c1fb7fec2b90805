"""The slow twin of the season laboratory: plain Python, and the standings of the points engine."""

from fractions import Fraction
from itertools import groupby

import numpy as np

from lab.engine.seasons.draws import LEAST_ENTRIES, Generator, draw_field
from lab.engine.seasons.points import tables_of
from lab.engine.seasons.scenario import Scenario, Variant
from lab.engine.seasons.totals import Totals
from payouts.engine.seasons.standings import EventResult, SeasonRow, season_rows
from ratings.engine.simulation.player_types import CLOSES_AT


def draw_season(scenario: Scenario, seed: int, season: int) -> list[list[int]]:
    """Draw the finishing orders of one season, a list of players for each night.

    Examples
    --------
    >>> sorted(draw_season(Scenario(counts=(1, 1, 1, 0, 0), nights=1, size=3), 1, 0)[0])
    [0, 1, 2]
    """
    rng = Generator(seed, season)
    return [_draw_night(scenario, rng) for _night in range(scenario.nights)]


def _draw_night(scenario: Scenario, rng: Generator) -> list[int]:
    field = draw_field(scenario, rng)
    if len(field) < LEAST_ENTRIES:
        return []
    finished = _draw_order(scenario, field, rng)
    if scenario.re_entry:
        still_in = len(field) - int(CLOSES_AT * (len(field) - 1))
        again = [player for player in finished[still_in:] if rng.uniform() < scenario.re_entry]
        if again:
            return _draw_order(scenario, finished[:still_in] + again, rng) + finished[still_in:]
    return finished


def _draw_order(scenario: Scenario, field: list[int], rng: Generator) -> list[int]:
    if scenario.mu:
        performance = []
        for player in field:
            radius = np.sqrt(-2.0 * np.log(1.0 - rng.uniform()))
            normal = radius * np.cos(2.0 * np.pi * rng.uniform())
            performance.append(-(scenario.mu[player] + scenario.spread[player] * normal))
        return [field[i] for i in np.argsort(performance)]
    return _draw_by_type(scenario, field, rng)


def _draw_by_type(scenario: Scenario, field: list[int], rng: Generator) -> list[int]:
    n = len(field)
    order = rng.sample(list(range(n)), n)
    uniforms = [rng.uniform() for _entry in field]
    places: dict[int, int] = {}
    for at, uniform in zip(order, uniforms, strict=True):
        first = scenario.strength[field[at]]
        free = [place for place in range(n) if place not in places]
        weights = [first - (first - 1.0) * 2.0 / (n - 1.0) * place for place in free]
        reached = np.searchsorted(np.cumsum(weights), uniform * sum(weights), side="right")
        places[free[min(int(reached), len(free) - 1)]] = field[at]
    return [places[place] for place in range(n)]


def score_season(variant: Variant, nights: list[list[int]]) -> list[list[SeasonRow]]:
    """Compute the standings after each night.

    Examples
    --------
    >>> [row.player_id for row in score_season(Variant(), [[2, 0]])[0]]
    [2, 0]
    """
    results: list[EventResult] = []
    standings = []
    n_held = 0
    for players in nights:
        if players:
            points = variant.structure.event_points(range(1, len(players) + 1))
            by_player = sorted(zip(players, range(1, len(players) + 1), points, strict=True))
            for player, group in groupby(by_player, key=lambda entry: entry[0]):
                entries = list(group)
                total = sum((entry[2] for entry in entries), Fraction(0))
                results.append(EventResult(player, n_held, total, len(entries), entries[0][1]))
            n_held += 1
        standings.append(season_rows(results, variant.rules))
    return standings


def totals_of(scenario: Scenario, seasons: list[list[list[int]]]) -> Totals:
    """Count what `lab.engine.seasons.chunks.score_orders` counts."""
    totals = Totals.empty(scenario)
    for nights in seasons:
        totals.n_seasons[0] += 1
        totals.n_entries[0] += sum(map(len, nights))
        totals.n_nights[0] += sum(1 for players in nights if players)
        standings = [score_season(variant, nights) for variant in scenario.variants]
        firsts = [{row.player_id for row in each[-1] if row.points_rank == 1} for each in standings]
        for v, winners in enumerate(firsts):
            _add_variant(scenario, v, standings[v], totals)
            for w, others in enumerate(firsts):
                totals.ahead[v, w] += 0 in winners and (v == w or 0 not in others)
    return totals


def _add_variant(scenario: Scenario, v: int, standings: list[list[SeasonRow]], totals: Totals) -> None:
    final = {row.player_id: row for row in standings[-1]}
    winners = {player for player, row in final.items() if row.points_rank == 1}
    unit = int(tables_of(scenario)[1][v])
    totals.best_place[v, final[0].points_rank if 0 in final else 0] += 1
    totals.three_won[v] += bool(winners & {0, 1, 2})
    for g in {int(scenario.group[player]) for player in winners}:
        totals.group_won[v, g] += 1
    for at, total in enumerate(sorted((row.total for row in final.values()), reverse=True)):
        totals.total_at[v, at] += int(total * unit)
    for player, g in enumerate(scenario.group):
        row = final.get(player)
        totals.played[g, row.n_events if row else 0] += v == 0
        if row is None:
            continue
        totals.turnout[v, g, row.n_events] += row.points_rank
        if row.n_events >= scenario.variants[v].rules.min_events:
            gain = int(1000 * row.profit_per_tourney // 1)
            totals.profit[v, g] += (1, gain, gain * gain)
    for night in reversed(range(scenario.nights)):
        if {row.player_id for row in standings[night] if row.points_rank == 1} != winners:
            break
        totals.settled[v, night] += 1
