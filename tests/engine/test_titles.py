"""Chances of final positions: against enumeration, and against the standings of the payouts engine run by run."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from forecasts.engine import titles
from forecasts.engine.titles import SeasonSoFar, Strengths, position_chances
from payouts.engine.results import EventResult
from payouts.engine.seasons.season import BroughtForward, SeasonEvent, SeasonRules
from payouts.engine.seasons.standings import SeasonResults, season_rows

POINTS = (Fraction(5), Fraction(3), Fraction(3, 2), Fraction(0))


def rng():
    return np.random.default_rng(7)


def a_season(nights=2, rules=None, **changes):
    """Four players; the order of night n is turned by n."""
    results = [
        EventResult((place + night) % 4, night, POINTS[place], 1, place + 1)
        for night in range(nights)
        for place in range(4)
    ]
    fields = {
        "n_players": 4,
        "results": SeasonResults.of(results),
        "events": [SeasonEvent(month="1")] * nights,
        "nights": [[night] for night in range(nights)],
        "to_come": [SeasonEvent(month="2")],
        "rules": rules or SeasonRules(tie_breaks=("wins", "alphabetical")),
        "names": ["a", "b", "c", "d"],
    }
    return SeasonSoFar(**fields | changes)


def results_of(season):
    own = season.results
    columns = (own.player_id, own.event_index, own.points, own.n_entries, own.place)
    return [
        EventResult(player, event, Fraction(int(points), own.unit), entries, place)
        for player, event, points, entries, place in zip(
            *(column.tolist() for column in columns), strict=True
        )
    ]


def test_equal_players_have_the_chances_of_all_orders_of_the_last_night():
    season = a_season()
    wins = np.zeros(4)
    for order in permutations(range(4)):
        last = [EventResult(player, 2, POINTS[k], 1, k + 1) for k, player in enumerate(order)]
        rows = season_rows(
            [*results_of(season), *last],
            season.rules,
            events=[*season.events, *season.to_come],
            names=dict(enumerate(season.names)),
        )
        wins[rows[0].player_id] += 1 / 24
    chances = position_chances(season, Strengths.equal(4), n_runs=4_000, rng=rng())
    assert chances[:, 0] == pytest.approx(wins, abs=4 * np.sqrt(0.25 / 4_000))
    assert chances.sum(axis=0) == pytest.approx(np.ones(4))
    assert chances.sum(axis=1) == pytest.approx(np.ones(4))


@pytest.mark.parametrize(
    "rules",
    [
        SeasonRules(tie_breaks=("wins", "profit", "alphabetical")),
        SeasonRules(best_n=2, tie_breaks=("points", "alphabetical")),
        SeasonRules(
            Fraction(1, 3), drop_worst=2, missed_count_as_zero=True, tie_breaks=("events", "alphabetical")
        ),
        SeasonRules(best_n_per_month=1, tie_breaks=("wins", "alphabetical")),
    ],
)
def test_each_run_counts_as_the_payouts_engine_counts(rules, monkeypatch):
    """The results of every run are taken from the simulation and ranked by season_rows, one season after the other."""
    finals = [SeasonEvent(month="2", multiplier=Fraction(3, 2)), SeasonEvent(month="2", is_final=True)]
    brought = [BroughtForward(2, Fraction(7, 2), 1, 1, wins=1)]
    season = a_season(3, rules=rules, to_come=finals, brought_forward=brought)
    seen = []
    played = titles._played
    monkeypatch.setattr(titles, "_played", lambda *args: seen.append(played(*args)) or seen[-1])
    chances = position_chances(season, Strengths.equal(4), n_runs=40, rng=rng())
    expected = np.zeros((4, 4))
    for run in range(40):
        own = seen[0].where(seen[0].player_id // 4 == run)
        rows = season_rows(
            SeasonResults(own.player_id % 4, own.event_index, own.points, own.n_entries, own.place, own.unit),
            rules,
            events=[*season.events, *finals],
            brought_forward=brought,
            names=dict(enumerate(season.names)),
        )
        for row in rows:
            expected[row.player_id, row.points_rank - 1] += 1 / 40
    assert chances == pytest.approx(expected)


def test_those_whom_nothing_parts_share_their_positions():
    level = [EventResult(player, 0, Fraction(1), 1, 1) for player in range(2)]
    season = SeasonSoFar(2, SeasonResults.of(level), [SeasonEvent()], [[0]], [], SeasonRules())
    chances = position_chances(season, Strengths.equal(2), n_runs=10, rng=rng())
    assert chances.tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("luck", [0.0, 0.5])
def test_the_better_player_wins_the_night_as_often_as_the_formula_says(luck):
    one = [EventResult(0, 0, Fraction(1), 1, 1), EventResult(1, 0, Fraction(0), 1, 2)]
    back = [EventResult(0, 1, Fraction(0), 1, 2), EventResult(1, 1, Fraction(1), 1, 1)]
    season = SeasonSoFar(
        2, SeasonResults.of([*one, *back]), [SeasonEvent()] * 2, [[0], [1]], [SeasonEvent()], SeasonRules()
    )
    strengths = Strengths.corrected(
        np.array([300.0, 0.0]), np.array([300.0, 400.0]), 1000.0, scale=0.5, luck=luck
    )
    chances = position_chances(season, strengths, n_runs=20_000, rng=rng())
    # Phi(0.5 * 300 / sqrt(2 * 1000^2 + 300^2 + 400^2)) = Phi(0.1) = 0.5398
    assert chances[0, 0] == pytest.approx(0.5398 * (1 - luck) + luck / 2, abs=4 * 0.5 / np.sqrt(20_000))


def test_a_night_of_several_tables_comes_again_with_all_of_them():
    tables = [
        EventResult(player, event, Fraction(2 - place), 1, place)
        for event, players in enumerate([(0, 1), (2, 3)])
        for place, player in enumerate(players, start=1)
    ]
    season = SeasonSoFar(
        4, SeasonResults.of(tables), [SeasonEvent()] * 2, [[0, 1]], [SeasonEvent()] * 2, SeasonRules()
    )
    results = titles._played(season, Strengths.equal(4), 3, rng())
    assert len(results) == 3 * (4 + 2 * 4)
    assert sorted(set(results.event_index.tolist())) == [0, 1, 2, 3, 4, 5]


def test_the_same_seed_gives_the_same_chances_in_any_batches(monkeypatch):
    season = a_season()
    first = position_chances(season, Strengths.equal(4), n_runs=50, rng=rng())
    assert position_chances(season, Strengths.equal(4), n_runs=50, rng=rng()).tolist() == first.tolist()
    monkeypatch.setattr(titles, "BATCH", 100)
    others = position_chances(season, Strengths.equal(4), n_runs=50, rng=rng())
    assert others.sum() == pytest.approx(4.0)
