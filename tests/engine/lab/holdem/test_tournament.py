"""Tournaments: the compiled one against a slow one, the same for a seed, and places that make sense."""

import numpy as np
import pytest

from lab.engine.errors import EngineError
from lab.engine.holdem.hand import Blinds
from lab.engine.holdem.tournament import (
    Structure,
    finishing_order,
    play_duels,
    play_tournaments,
)
from lab.engine.utility import Style
from tests.engine.twins.tournament import Tournament

STYLES = [
    Style(),
    Style(gamma=3.0, loose_preflop=-0.3, loose_river=-0.1),
    Style(gamma=0.5, loose_preflop=0.2),
    Style(noise=0.1),
    Style(gamma=2.0, inconsistency=4.0),
    Style(bias=0.5),
    Style(gamma=6.0, limp=0.7),
    Style(gamma=8.0, loose_river=-0.4),
]
SHORT = Structure(
    stack=1_000, levels=(Blinds(10, 20), Blinds(25, 50, 5)), hands_per_level=6, seats=3, samples=6
)


@pytest.mark.rest
@pytest.mark.parametrize("seed", [1, 2])
def test_the_compiled_tournament_is_the_slow_one(seed):
    fast = play_tournaments(STYLES, 1, seed, SHORT)
    slow = Tournament(STYLES, seed, SHORT).play()
    assert fast.n_hands == slow.n_hands > 15
    assert fast.places[0].tolist() == slow.places
    assert sum(slow.chips) == len(STYLES) * SHORT.stack
    assert fast.busted_after[0].tolist() == slow.busted_after


def test_a_seed_gives_the_same_tournaments_and_another_seed_others():
    first, again, other = (play_tournaments(STYLES, 5, seed, SHORT) for seed in (3, 3, 4))
    assert (first.places == again.places).all()
    assert (first.busted_after == again.busted_after).all()
    assert (first.busted_after != other.busted_after).any()


def test_everybody_has_a_place_and_those_who_stay_longer_finish_higher():
    result = play_tournaments([Style()] * 40, 3, 5, Structure(hands_per_level=10, samples=50))
    for places, busted_after in zip(result.places, result.busted_after, strict=True):
        assert (places == 1).sum() == 1
        assert all(place == 1 + (places < place).sum() for place in places)
        order = np.argsort(places, kind="stable")
        assert (np.diff(busted_after[order]) <= 0).all()


def test_equal_players_win_equally_often_and_an_inconsistent_one_loses():
    n = 1000
    structure = Structure(stack=500, levels=(Blinds(10, 20),), hands_per_level=10, seats=2, samples=50)
    four_errors = 4 * 0.5 * n**0.5
    assert play_duels(Style(), Style(), n, 1, structure) == pytest.approx(n / 2, abs=four_errors)
    # Who shuns risk with good hands and seeks it with bad ones is beaten.
    assert play_duels(Style(), Style(inconsistency=5.0), n, 1, structure) > n / 2 + four_errors


@pytest.mark.parametrize(
    ("change", "field"),
    [({"seats": 1}, "seats"), ({"seats": 11}, "seats"), ({"stack": 0}, "stack"), ({"samples": 0}, "samples")],
)
def test_impossible_structures_are_refused(change, field):
    with pytest.raises(EngineError) as error:
        Structure(**change)
    assert (error.value.field, error.value.code) == (field, "no_whole_number_in_range")


@pytest.mark.parametrize(
    ("n_players", "seed", "field"),
    [(1, 1, "players"), (10_001, 1, "players"), (2, -1, "seed"), (2, 2**64, "seed")],
)
def test_impossible_tournaments_are_refused(n_players, seed, field):
    with pytest.raises(EngineError) as error:
        finishing_order([Style()] * n_players, seed)
    assert error.value.field == field
