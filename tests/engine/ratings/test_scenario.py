"""Simulated seasons. Expected numbers: TIER publication of November 2022, simulation."""

import numpy as np
import pytest

from ratings.engine.simulation.draws import draw_places, draw_registrations, separate_doubles
from ratings.engine.simulation.figures import late_penalty, penalty_figures, season_figures
from ratings.engine.simulation.player_types import FIRST_PLACE, TYPES
from ratings.engine.simulation.scenario import (
    EVENTS_EACH,
    PLAYERS,
    bust_times,
    late_entries,
    published,
)
from ratings.engine.tier.params import TierParams


@pytest.fixture(scope="module")
def season():
    return published(np.random.default_rng(7))


@pytest.fixture(scope="module")
def late_season():
    return published(np.random.default_rng(7), closes=0.5)


def events(history):
    return zip(history.offset[:-1], history.offset[1:], history.duration, strict=True)


@pytest.mark.rest
def test_shape_of_the_published_season(season):
    """250 events of 50 over 300 minutes, 75 of 100 over 600; 1000 players, 20 events each, 9 seats."""
    history = season.history
    sizes = np.diff(history.offset)
    assert (history.n_events, history.n_entries) == (325, 20_000)
    assert (np.sum(sizes == 50), np.sum(sizes == 100)) == (250, 75)
    assert history.duration.tolist() == np.where(sizes == 50, 300.0, 600.0).tolist()
    assert (np.bincount(history.player) == EVENTS_EACH).all()
    assert np.bincount(season.kind).tolist() == list(PLAYERS)
    assert (history.table_size == 9).all()
    for start, end, duration in events(history):
        assert np.unique(history.player[start:end]).size == end - start
        assert sorted(history.place[start:end]) == list(range(1, end - start + 1))
        assert history.busted_at[start:end].max() == duration


def test_same_seed_same_season(season):
    again = published(np.random.default_rng(7)).history
    assert np.array_equal(again.player, season.history.player)
    assert np.array_equal(again.place, season.history.place)


def test_mean_places_by_type():
    """38.7, 46.9, 50.7, 54.6, 62.6 % by this way of drawing places (project's notes); mean of 6 seasons here."""
    means = np.zeros(len(TYPES))
    for seed in range(6):
        drawn = published(np.random.default_rng(seed))
        sizes = np.diff(drawn.history.offset)
        fraction = drawn.history.place / np.repeat(sizes, sizes)
        kind = drawn.kind[drawn.history.player]
        means += [100.0 * fraction[kind == index].mean() / 6 for index in range(len(TYPES))]
    np.testing.assert_allclose(means, [38.7, 46.9, 50.7, 54.6, 62.6], atol=1.2)


def test_first_to_draw_has_the_published_chances():
    """The first to draw takes place r with 1.75 falling to 0.25 percent; expected counts within 5 sd."""
    rng = np.random.default_rng(3)
    n, runs = 100, 20_000
    first, order, place = np.full(n, FIRST_PLACE[0]), np.arange(n), np.empty(n, dtype=np.int64)
    counts = np.zeros(n)
    for _ in range(runs):
        draw_places(first, order, rng.random(n), np.empty(n, np.bool_), place)
        counts[place[0] - 1] += 1
    expected = runs * np.linspace(1.75, 0.25, n) / 100.0
    assert (np.abs(counts - expected) < 5.0 * np.sqrt(expected)).all()


def test_every_draw_takes_a_free_place():
    place = np.empty(5, dtype=np.int64)
    for uniform in (0.0, np.nextafter(1.0, 0.0)):
        draw_places(np.full(5, 1.75), np.arange(5), np.full(5, uniform), np.empty(5, np.bool_), place)
        assert sorted(place) == [1, 2, 3, 4, 5]
    one = np.empty(1, dtype=np.int64)
    draw_places(np.ones(1), np.zeros(1, dtype=np.int64), np.full(1, 0.5), np.empty(1, np.bool_), one)
    assert one[0] == 1


def test_doubles_are_swapped_away():
    player = np.repeat(np.arange(10), 4)
    offset = np.arange(0, 41, 8)
    separate_doubles(offset, player, np.random.default_rng(1))
    assert (np.bincount(player) == 4).all()
    assert all(np.unique(field).size == 8 for field in player.reshape(5, 8))


def test_busts_are_evenly_spaced():
    assert bust_times(np.arange(1, 6), 5, 60.0).tolist() == [60.0, 60.0, 45.0, 30.0, 15.0]


def test_half_of_each_field_is_late(late_season):
    history = late_season.history
    for start, end, duration in events(history):
        registered = np.sort(history.registered_at[start:end])
        n_late = (end - start) // 2
        assert (registered[:n_late] == 0.0).all()
        np.testing.assert_allclose(registered[n_late:], 0.5 * duration * np.arange(1, n_late + 1) / n_late)
    assert (history.registered_at < history.busted_at).all()


def test_registrations_are_equally_likely():
    """Busts at 1, 2, 3 and slots 0, 0.5, 1.5: 2 x 2 x 1 assignments, each in a quarter of the runs."""
    rng = np.random.default_rng(5)
    drawn = np.empty((8000, 3))
    for row in drawn:
        draw_registrations(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.5]), rng.random(3), row)
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert counts.size == 4
    assert (np.abs(counts - 2000) < 200).all()


def test_figures_have_the_published_form(season):
    figures = season_figures(season, TierParams())
    rates, badges = figures["mean_rate_after_20"], figures["badge_share_after_15"]
    assert list(rates) == [*TYPES, "all"]
    assert rates["top"] > rates["strong"] > rates["average"] > rates["weak"] > rates["beginner"]
    for shares in badges.values():
        assert list(shares) == ["S", "A", "B", "C"]
        assert sum(shares.values()) == pytest.approx(100.0)
    assert list(figures["median_sigma"]) == list(range(1, 21))
    sigmas = list(figures["median_sigma"].values())
    assert sigmas == sorted(sigmas, reverse=True)
    everybody = sum(n * rates[name] for name, n in zip(TYPES, PLAYERS, strict=True)) / 1000
    assert rates["all"] == pytest.approx(everybody)


def test_late_entry_is_as_published():
    """With 59 of 60 left, one entry is bust before player 0 registers; nobody else is late."""
    for left in (59, 29):
        event = late_entries(left, (15,))
        assert np.sum(event.busted_at < event.registered_at[0]) == 60 - left
        assert (event.registered_at[1:] == 0.0).all()
        assert event.busted_at[0] > event.registered_at[0]


def test_penalty_grows_and_does_not_depend_on_the_late_players_mu():
    penalty = penalty_figures(TierParams())["penalty"]
    assert set(penalty) == {"1000", "1500", "2000"}
    for row in penalty.values():
        values = [row[left] for left in ("59", "49", "39", "29")]
        assert 0.0 > values[0] > values[1] > values[2] > values[3]
        np.testing.assert_allclose(values, list(penalty["1500"].values()), atol=0.1)
    assert late_penalty(1500.0, 60, TierParams()) == 0.0
