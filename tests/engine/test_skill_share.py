"""The share of skill: figures of an independent program, closed forms, and intervals on leagues of known spread."""

import csv
from itertools import pairwise
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from forecasts.engine import skill_share as engine
from forecasts.engine.skill_share import (
    Growth,
    Orders,
    skill_share,
    standardised_places,
    variance_without_skill,
)

MLEAGUE = Path(__file__).parents[1] / "data" / "mleague-2025-26" / "results.csv"


def orders_of(events):
    """Orders of events, each a list of (player, place)."""
    entries = [entry for event in events for entry in event]
    offset = np.cumsum([0, *(len(event) for event in events)])
    player, place = (np.array(column, dtype=np.int64) for column in zip(*entries, strict=True))
    return Orders(offset, player, place)


def league(n_players, n_events, spread, rng):
    """A league of which everybody comes to every event."""
    skill = spread * rng.standard_normal(n_players)
    performances = skill + rng.standard_normal((n_events, n_players))
    return orders_of(
        [list(zip(np.argsort(-each), range(1, n_players + 1), strict=True)) for each in performances]
    )


@pytest.fixture(scope="module")
def mleague():
    rows = list(csv.DictReader(MLEAGUE.read_text().splitlines()))
    events = {}
    names = {name: i for i, name in enumerate(sorted({row["player"] for row in rows}))}
    for row in rows:
        events.setdefault(row["event"], []).append((names[row["player"]], int(row["place"])))
    return orders_of(list(events.values()))


def test_places_are_standardised_with_mean_ranks_for_ties():
    orders = orders_of([[(0, 1), (1, 2), (2, 3)], [(0, 1), (1, 1), (2, 3), (3, 4)], [(0, 1), (1, 1)]])
    z = standardised_places(orders)
    assert z[:3] == pytest.approx([sqrt(1.5), 0.0, -sqrt(1.5)])
    # Ranks 1.5, 1.5, 3, 4: mean 2.5, variance (1 + 1 + 0.25 + 2.25)/4.
    assert z[3:7] == pytest.approx(np.array([1.0, 1.0, -0.5, -1.5]) / sqrt(1.125))
    assert z[7:].tolist() == [0.0, 0.0]


@pytest.mark.parametrize("n", [3, 10])
def test_two_players_who_only_ever_meet_each_other(n):
    """They are perfectly opposed: E0 = 1/n + 1/n."""
    orders = orders_of([[(0, 1), (1, 2)]] * n)
    assert variance_without_skill(orders, np.array([True, True])) == pytest.approx(2 / n)
    found = skill_share(orders)
    assert (found.n_events, found.n_players, found.estimate) == (n, 2, None)
    assert (found.e0, found.v) == (pytest.approx(2 / n), pytest.approx(2.0))


def test_the_variance_without_skill_is_that_of_random_orders():
    """Irregular attendance, by 20,000 shuffles of every field; players of two events are not compared."""
    rng = np.random.default_rng(4)
    fields = [[0, 1, 2, 3, 4], [0, 1, 2], [1, 2, 3], [0, 3, 4, 1], [2, 0, 3, 5]]
    orders = orders_of([[(player, place) for place, player in enumerate(field, start=1)] for field in fields])
    counted = np.bincount(orders.player) >= 3
    z = standardised_places(orders)
    found = []
    for _each in range(20_000):
        shuffled = np.concatenate([rng.permutation(z[a:b]) for a, b in pairwise(orders.offset)])
        means = np.bincount(orders.player, weights=shuffled) / np.bincount(orders.player)
        found.append(np.var(means[counted], ddof=1))
    error = np.std(found) / sqrt(len(found))
    assert variance_without_skill(orders, counted) == pytest.approx(np.mean(found), abs=4 * error)


def test_three_hundred_games_of_forty_professionals(mleague):
    """The figures of the specification, which another program found."""
    found = skill_share(mleague)
    assert (found.n_events, found.n_players) == (300, 40)
    assert found.v == pytest.approx(0.03727, abs=5e-6)
    assert found.e0 == pytest.approx(0.03504, abs=5e-6)
    estimate = found.estimate
    assert estimate.p == pytest.approx(0.345, abs=0.05)
    assert estimate.spread == pytest.approx(0.07, abs=0.02)
    assert estimate.low == 0.0
    assert estimate.high == pytest.approx(0.155, abs=0.02)
    assert estimate.share == pytest.approx(0.1, abs=0.05)
    assert estimate.growth.share(300 * 4 / 40) == pytest.approx(estimate.share, abs=0.03)


def test_variances_and_shares_by_spread(mleague, monkeypatch):
    """Means of V, and squared correlations, which another program found; about 1/s^2 games make half."""
    spreads = np.array([0.0, 0.1, 0.2, 0.3, 0.5, 1.0])
    monkeypatch.setattr(engine, "SPREADS", spreads)
    counted = np.bincount(mleague.player) >= 3
    variances, shares = engine._simulate(mleague, counted, 400, np.random.default_rng(1))
    assert variances.mean(axis=1)[1:] == pytest.approx([0.0397, 0.0578, 0.0824, 0.148, 0.331], rel=0.05)
    assert shares[1:] == pytest.approx([0.16, 0.42, 0.60, 0.79, 0.92], abs=0.03)
    assert shares[0] == 0.0


@pytest.mark.parametrize("spread", [0.2, 0.5])
def test_the_share_grows_with_events_as_simulated(spread):
    """Ten players who all come: the share after 5, 20 and 80 events against simulations of as many."""
    growth = engine._growth(10, spread, 0)
    rng = np.random.default_rng(2)
    for n_events in (5, 20, 80):
        skill = spread * rng.standard_normal((2_000, 10))
        form = rng.standard_normal((2_000, n_events, 10))
        places = np.argsort(np.argsort(skill[:, None] + form, axis=2), axis=2).mean(axis=1)
        means, skill = (each - each.mean(axis=1, keepdims=True) for each in (places, skill))
        share = (means * skill).sum() ** 2 / ((means**2).sum() * (skill**2).sum())
        assert growth.share(n_events) == pytest.approx(share, abs=0.015)
        assert growth.events_until(growth.share(n_events)) == pytest.approx(n_events)


def test_a_share_that_is_never_reached():
    assert Growth(0.0, 1.0).events_until(0.5) is None
    assert Growth(0.7, 10.0).events_until(0.8) is None


def test_too_few_events_or_players_make_no_claim():
    four_events = league(6, 4, 1.0, np.random.default_rng(1))
    assert (skill_share(four_events).n_missing_events, skill_share(four_events).estimate) == (1, None)
    three_players = league(3, 9, 1.0, np.random.default_rng(1))
    assert (skill_share(three_players).n_missing_players, skill_share(three_players).estimate) == (1, None)
    nothing = skill_share(Orders(np.array([0]), np.zeros(0, np.int64), np.zeros(0, np.int64)))
    assert (nothing.n_events, nothing.n_players, nothing.v) == (0, 0, None)


def test_fields_of_one_player_say_nothing():
    events = [[(i, i + 1) for i in range(6)] for _each in range(8)]
    alone = skill_share(orders_of([*events, [(0, 1)], [(7, 1)]]))
    assert alone == skill_share(orders_of(events))
    assert alone.estimate.share > 0.85


def test_the_same_orders_and_seed_give_the_same_figures():
    orders = league(8, 12, 0.4, np.random.default_rng(3))
    assert skill_share(orders) == skill_share(orders)
    assert skill_share(orders).estimate != skill_share(orders, seed=1).estimate


@pytest.mark.night
@pytest.mark.parametrize("n_players", [4, 10, 16])
def test_intervals_of_80_percent_are_right_75_to_85_times_of_100(n_players):
    """200 leagues of 20 events with a spread of 0.5."""
    rng = np.random.default_rng(n_players)
    found = [skill_share(league(n_players, 20, 0.5, rng), n_simulations=400).estimate for _each in range(200)]
    right = sum(each.low <= 0.5 <= each.high for each in found) / 200
    assert 0.75 <= right <= 0.85
