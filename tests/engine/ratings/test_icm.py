"""Malmuth-Harville chances of places, compared with sums over permutations and closed forms."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.engine import icm
from ratings.engine.icm import entrant_place_probabilities, place_probabilities


def by_permutations(stacks):
    """Sum over all orders by the definition: each place is drawn in proportion to the stacks left."""
    n = len(stacks)
    chance = np.zeros((n, n))
    for order in permutations(range(n)):
        product, left = 1.0, sum(stacks)
        for player in order:
            product *= stacks[player] / left
            left -= stacks[player]
        for place, player in enumerate(order):
            chance[player, place] += product
    return chance


def stacks_of(n, kind, seed=0):
    rng = np.random.default_rng([n, seed])
    return {
        "equal": np.ones(n),
        "uniform": rng.uniform(0.1, 2.0, n),
        "lognormal": np.exp(rng.normal(0.0, 1.0, n)),
        "wide": 10.0 ** rng.uniform(0.0, 4.0, n),
        "absurd": 10.0 ** rng.uniform(0.0, 6.0, n),
        "one giant": np.append(np.ones(n - 1), 1e4),
    }[kind]


KINDS = ["equal", "uniform", "lognormal", "wide", "one giant"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 7])
def test_equals_the_sum_over_permutations(n, kind):
    """To 1e-11 for stacks that differ by up to four powers of ten: the worst of 960 random cases was 3e-12."""
    for seed in range(3):
        stacks = stacks_of(n, kind, seed)
        np.testing.assert_allclose(place_probabilities(stacks), by_permutations(stacks), rtol=0.0, atol=1e-11)


def test_stacks_of_one_chip_and_a_million_are_less_accurate():
    """Measured over 960 random cases: 1.3e-10 at most. No tournament has such stacks."""
    for seed in range(20):
        stacks = stacks_of(5, "absurd", seed)
        np.testing.assert_allclose(place_probabilities(stacks), by_permutations(stacks), rtol=0.0, atol=5e-10)


def test_published_example():
    """Stacks 50, 30, 20 %: second place of the leader is .3*.5/.7 + .2*.5/.8 (textbook ICM)."""
    chance = place_probabilities([50, 30, 20])
    assert chance[0, 0] == pytest.approx(0.5, abs=1e-13)
    assert chance[0, 1] == pytest.approx(0.3 * 0.5 / 0.7 + 0.2 * 0.5 / 0.8, abs=1e-13)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [40, 300])
def test_rows_and_columns_sum_to_one(n, kind):
    chance = place_probabilities(stacks_of(n, kind))
    assert (chance >= 0.0).all()
    np.testing.assert_allclose(chance.sum(axis=0), 1.0, rtol=0.0, atol=1e-10)
    np.testing.assert_allclose(chance.sum(axis=1), 1.0, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_first_place_is_the_share_of_chips(kind):
    stacks = stacks_of(300, kind)
    chance = place_probabilities(stacks)
    np.testing.assert_allclose(chance[:, 0], stacks / stacks.sum(), rtol=0.0, atol=1e-12)


def test_300_equal_stacks_have_equal_chances():
    np.testing.assert_allclose(place_probabilities(np.full(300, 20_000)), 1 / 300, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_panels_are_fine_enough(monkeypatch, kind):
    stacks = stacks_of(120, kind)
    chance = place_probabilities(stacks)
    for name, value in {"PANEL": 2.0, "RATIO": 1.5, "NODES": 30, "LAST": 36.0}.items():
        monkeypatch.setattr(icm, name, value)
    np.testing.assert_allclose(chance, place_probabilities(stacks), rtol=0.0, atol=1e-12)


@given(stacks=st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=40), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_invariants(stacks, seed):
    chips = np.array(stacks)
    before = chips.copy()
    chance = place_probabilities(chips)
    assert np.array_equal(chips, before)
    order = np.random.default_rng(seed).permutation(chips.size)
    np.testing.assert_allclose(place_probabilities(chips[order]), chance[order], rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(place_probabilities(1e3 * chips), chance, rtol=0.0, atol=1e-12)
    # A player with more chips is at least as likely to be among the first k, for every k.
    rising = np.cumsum(chance[np.argsort(chips, kind="stable")], axis=1)
    assert (np.diff(rising, axis=0) >= -1e-12).all()


@pytest.mark.parametrize("stack", [0.01, 0.5, 1.0, 7.3, 1e4])
@pytest.mark.parametrize("n_others", [0, 1, 6, 59, 299])
def test_one_among_equals_is_the_full_matrix(stack, n_others):
    full = place_probabilities(np.append(stack, np.ones(n_others)))
    chance = entrant_place_probabilities(stack, n_others)
    assert chance.sum() == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(chance, full[0], rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("stacks", [[], [[1.0]], [1.0, 0.0], [1.0, -1.0], [1.0, np.nan], [1.0, np.inf]])
def test_stacks_that_make_no_sense(stacks):
    with pytest.raises(ValueError, match="stacks"):
        place_probabilities(stacks)


def test_entrants_that_make_no_sense():
    for stack in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="stack must be positive"):
            entrant_place_probabilities(stack, 3)
    with pytest.raises(ValueError, match="n_others"):
        entrant_place_probabilities(1.0, -1)
