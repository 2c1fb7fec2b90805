"""Decisions of simulated players. Expected values are those of the author's note, or follow from its formulas."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.engine.errors import EngineError
from lab.engine.utility import (
    Spot,
    Style,
    best_share,
    biased_chance,
    decide,
    perceived_chance,
    risk_aversion,
    utility,
)

# The note's example: five percent are in the pot, calling costs fifteen, four players, a chance of one in five.
EXAMPLE = Spot(p=0.2, n=4, own=100.0, paid=5.0, call=15.0, min_raise=10.0)


@pytest.mark.parametrize(
    ("gamma", "folded", "expected"),
    [
        (1.0, 0.0, 0.7333), (2.0, 0.0, 0.3812), (3.0, 0.0, 0.2438), (4.0, 0.0, 0.1772), (5.0, 0.0, 0.1386),
        (1.0, 0.05, 0.73), (2.0, 0.05, 0.3735), (5.0, 0.05, 0.1279),
    ],
)  # fmt: skip
def test_the_best_share_of_the_note(gamma, folded, expected):
    assert best_share(0.8, 4, folded, gamma) == pytest.approx(expected, abs=5e-5)


def test_the_example_of_the_note():
    found = decide(EXAMPLE, padding=0.0)
    assert found.fold == pytest.approx(-0.05129, abs=5e-6)
    assert found.call == pytest.approx(-0.0557, abs=5e-5)
    assert found.choice == "fold"
    neutral = decide(EXAMPLE, Style(gamma=0.0), padding=0.0)
    assert (1.0 + neutral.fold, 1.0 + neutral.call) == pytest.approx((0.95, 0.97))
    assert neutral.choice != "fold"


def test_who_is_indifferent_in_the_example():
    """The note: at a risk aversion of 0.8106 folding and calling are worth the same."""
    found = decide(EXAMPLE, Style(gamma=0.8106), padding=0.0)
    assert found.fold == pytest.approx(found.call, abs=1e-6)
    bolder, shyer = (decide(EXAMPLE, Style(gamma=gamma), padding=0.0) for gamma in (0.80, 0.82))
    assert bolder.call > bolder.fold
    assert shyer.call < shyer.fold


@pytest.mark.parametrize(("p", "expected"), [(0.2, 0.2759), (0.5, 0.5743), (0.8, 0.8365)])
def test_a_loose_player_overrates_the_hand(p, expected):
    assert perceived_chance(p, Style(loose_preflop=0.2)) == pytest.approx(expected, abs=5e-5)


def test_looseness_changes_from_street_to_street():
    """The note: 0.3 before the flop and 0 on the river give 0.2 on the flop and 0.1 on the turn."""
    style = Style(loose_preflop=0.3)
    streets = {"preflop": 0.3, "flop": 0.2, "turn": 0.1, "river": 0.0}
    for street, loose in streets.items():
        assert perceived_chance(0.4, style, street) == pytest.approx(0.4 ** (1.0 - loose), rel=1e-12)


@pytest.mark.parametrize(
    ("p", "expected"), [(0.0, 0.2), (0.25, 0.25), (0.5, 0.36667), (0.75, 0.55), (1.0, 0.8)]
)
def test_biased_odds_of_the_note(p, expected):
    assert biased_chance(p, 0.25, 0.8) == pytest.approx(expected, abs=5e-6)


@pytest.mark.parametrize(("p", "expected"), [(0.2, 0.9), (0.8, 2.1)])
def test_an_inconsistent_player_fears_risk_more_with_a_good_hand(p, expected):
    assert risk_aversion(p, 0.25, Style(inconsistency=2.0)) == pytest.approx(expected)


@given(st.floats(0.05, 20.0), st.floats(-1e-7, 1e-7))
def test_utility_is_continuous_at_the_kelly_player(wealth, step):
    assert utility(wealth, 1.0 + step) == pytest.approx(math.log(wealth), rel=1e-6, abs=1e-12)


@given(st.floats(0.01, 0.99), st.integers(2, 10), st.floats(0.0, 2.0), st.floats(0.3, 20.0))
def test_the_best_share_is_the_best(p, n, folded, gamma):
    """Compared with a grid of commitments."""

    def expected(share):
        won = utility(1.0 + (n - 1) * share + folded, gamma)
        return p * won + (1.0 - p) * utility(1.0 - share, gamma)

    best = best_share(p, n, folded, gamma)
    assert 0.0 <= best < 1.0
    for share in np.linspace(0.0, 0.99, 34):
        assert expected(min(best, 1.0 - 1e-9)) >= expected(share) - 1e-9 * max(1.0, abs(expected(share)))


chips = st.floats(1.0, 1e9)
shares = st.floats(0.0, 1.0)


@given(
    shares,
    st.integers(2, 10),
    chips,
    shares,
    shares,
    st.floats(0.0, 1e9),
    st.floats(0.0, 1e9),
    st.floats(0.0, 100.0),
)
def test_every_decision_that_can_be_has_numbers(p, n, own, paid, more, min_raise, folded, gamma):
    paid *= own
    spot = Spot(p=p, n=n, own=own, paid=paid, call=paid + more * own, min_raise=min_raise, folded=folded)
    found = decide(spot, Style(gamma=gamma))
    assert not any(math.isnan(value) for value in (found.fold, found.call, found.raise_, found.f_star))
    best = {"fold": found.fold, "call": found.call, "raise": found.raise_}
    assert best[found.choice] == max(best.values())
    assert found.commitment <= own


def test_a_raise_is_at_least_the_least_and_at_most_the_stack():
    weak = decide(replace(EXAMPLE, p=0.3))
    assert weak.f_star * 102.0 < weak.commitment == 25.0
    strong = decide(replace(EXAMPLE, p=0.99, n=2))
    assert 90.0 < strong.commitment <= 100.0
    short = decide(replace(EXAMPLE, own=20.0, p=0.9))
    assert short.commitment == 20.0
    caller = decide(replace(EXAMPLE, own=12.0, p=0.9))
    assert (caller.raise_, caller.choice) == (-math.inf, "call")


def test_noise_is_drawn_and_reproducible():
    style = Style(noise=0.2)
    drawn = [decide(EXAMPLE, style, rng=np.random.default_rng(seed)).p for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert decide(EXAMPLE, style).p == EXAMPLE.p


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Spot(p=1.1, n=2, own=1.0), "p"),
        (lambda: Spot(p=-0.1, n=2, own=1.0), "p"),
        (lambda: Spot(p=math.nan, n=2, own=1.0), "p"),
        (lambda: Spot(p=0.5, n=1, own=1.0), "n"),
        (lambda: Spot(p=0.5, n=11, own=1.0), "n"),
        (lambda: Spot(p=0.5, n=2.5, own=1.0), "n"),
        (lambda: Spot(p=0.5, n=2, own=0.0), "own"),
        (lambda: Spot(p=0.5, n=2, own=math.inf), "own"),
        (lambda: Spot(p=0.5, n=2, own=5.0, paid=6.0), "paid"),
        (lambda: Spot(p=0.5, n=2, own=5.0, paid=2.0, call=1.0), "call"),
        (lambda: Spot(p=0.5, n=2, own=5.0, min_raise=-1.0), "min_raise"),
        (lambda: Spot(p=0.5, n=2, own=5.0, folded=-1.0), "folded"),
        (lambda: Style(gamma=1e6), "gamma"),
        (lambda: Style(gamma=-1.0), "gamma"),
        (lambda: Style(loose_preflop=1.0), "loose_preflop"),
        (lambda: Style(bias=1.5), "bias"),
        (lambda: Style(noise=2.0), "noise"),
        (lambda: Style(inconsistency=math.inf), "inconsistency"),
        (lambda: decide(EXAMPLE, street="showdown"), "street"),
    ],
)
def test_what_cannot_be_is_refused_by_field(make, field):
    with pytest.raises(EngineError) as refused:
        make()
    assert refused.value.field == field
