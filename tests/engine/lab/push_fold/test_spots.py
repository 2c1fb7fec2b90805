"""What a push or call is worth: by hand, by slow enumeration, by sampled boards, and refused input."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.engine.errors import EngineError
from lab.engine.holdem.evaluator import rank_hands
from lab.engine.push_fold.dealing import MIXTURE, Deal, deal
from lab.engine.push_fold.equities import equities
from lab.engine.push_fold.hands import HOLDING_KINDS, HOLDINGS, KINDS, N_KINDS, PAIRINGS
from lab.engine.push_fold.places import worth
from lab.engine.push_fold.ranges import equity_against, equity_between, top
from lab.engine.push_fold.spots import Spot, chance_of_order, folded, judge, pairwise, played, worth_of

CHIPS_ONLY = [1.0]
ACES = 6 / 1326


def slow_worth(stacks, payouts, seat):
    """Sum over all orders by the definition: each place is drawn in proportion to the stacks left."""
    value = 0.0
    for order in permutations(range(len(stacks))):
        chance, left = 1.0, sum(stacks)
        for player in order:
            chance *= stacks[player] / left
            left -= stacks[player]
        value += chance * payouts[order.index(seat)]
    return value


@pytest.mark.parametrize("stacks", [[3.0, 1.0], [9.0, 14.0, 21.0, 16.0], [1.0, 2.0, 3.0, 4.0, 5.0, 60.0]])
def test_worth_of_stacks_is_that_of_all_orders(stacks):
    payouts = [6.0, 3.0, 2.0, 1.0, 0.5, 0.25]
    for seat in range(len(stacks)):
        found = worth(np.array([stacks]), payouts, seat)
        assert found == pytest.approx([slow_worth(stacks, payouts, seat)])


def test_a_push_against_one_who_calls_with_aces_alone():
    """Small blind with 10 against 8: 8 are at stake; with aces in 6 of 1,225 holdings, 1 of 1,225 if one holds an ace pair."""
    chips = judge(Spot([10.0, 8.0], 0, [0.0, ACES]), CHIPS_ONLY).chips
    assert chips.fold == 9.5
    for hand, holdings in (("KK", 6), ("AA", 1), ("AKs", 3)):
        called, won = holdings / 1225, equities()[KINDS[hand], KINDS["AA"]]
        expected = (1 - called) * 11.0 + called * (won * 18.0 + (1 - won) * 2.0)
        assert chips.play[KINDS[hand]] == pytest.approx(expected)


def test_a_call_of_one_who_pushes_aces_alone():
    """Big blind with 10, a button pushes 6, the small blind has folded: 6 to win 6 and the small blind."""
    spot = Spot([6.0, 20.0, 10.0], 2, [ACES, 0.2, 0.2], pusher=0)
    chips = judge(spot, CHIPS_ONLY).chips
    won = equities()[KINDS["KK"], KINDS["AA"]]
    assert chips.fold == 9.0
    assert chips.play[KINDS["KK"]] == pytest.approx(won * 16.5 + (1 - won) * 4.0)


def test_a_published_spot_of_points():
    """Fold with 8.5 of 60 big blinds, points 6, 3, 2, 1: the sum over all orders of the four."""
    points = judge(Spot([21.0, 16.0, 9.0, 14.0], 2, [0.45] * 4), [6.0, 3.0, 2.0, 1.0]).points
    assert points.fold == pytest.approx(slow_worth([21.0, 16.0, 8.5, 14.5], [6.0, 3.0, 2.0, 1.0], 2))
    assert points.range.sum() < judge(Spot([21.0, 16.0, 9.0, 14.0], 2, [0.45] * 4), []).chips.range.sum()


def test_who_is_out_at_once_with_a_larger_stack_is_ahead():
    """Both 3 and 5 lose to 20: the 5 is second, the 3 third."""
    for own, expected in ((3.0, 1.0), (5.0, 2.0)):
        other = 8.0 - own
        spot = Spot([own, 20.0, other], 0, [0.0, 1.0, 1.0])
        outs = [outcome for outcome in played(spot) if outcome.stacks[0] == 0 and outcome.stacks[2] == 0]
        assert outs
        assert worth_of(np.array([outs[0].stacks]), [3.0, 2.0, 1.0], spot) == pytest.approx([expected])


stacks = st.lists(st.floats(0.1, 40.0), min_size=2, max_size=5)


@settings(max_examples=30, deadline=None)
@given(stacks, st.data())
def test_chips_and_chances_are_conserved(chips, data):
    seat = data.draw(st.integers(0, len(chips) - 2))
    pusher = data.draw(st.none() | st.integers(0, seat))
    if pusher is not None:
        seat += 1
    spot = Spot(chips, seat, [0.4] * len(chips), pusher)
    outcomes = list(played(spot))
    assert sum(outcome.chance for outcome in outcomes) == pytest.approx(np.ones(N_KINDS))
    for after in [folded(spot), *(outcome.stacks for outcome in outcomes)]:
        assert after.sum() == pytest.approx(sum(chips))
        assert after.min() >= -1e-9


def sampled_share(kind, ranges, n, rng):
    """Deal the three hands and boards, and count the share of the pot that the first wins."""
    dealt = [HOLDINGS[rng.choice(np.flatnonzero(kind == HOLDING_KINDS), n)]]
    for range_ in ranges:
        weight = range_[HOLDING_KINDS]
        dealt.append(HOLDINGS[rng.choice(len(HOLDINGS), n, p=weight / weight.sum())])
    cards = np.hstack(dealt)
    cards = cards[(np.diff(np.sort(cards, axis=1), axis=1) > 0).all(axis=1)]
    keys = rng.random((len(cards), 52))
    np.put_along_axis(keys, cards, 2.0, axis=1)
    board = np.argpartition(keys, 5, axis=1)[:, :5]
    values = [rank_hands(np.hstack([cards[:, 2 * i : 2 * i + 2], board]).astype(np.uint8)) for i in range(3)]
    best = np.array(values) == np.max(values, axis=0)
    return (best[0] / best.sum(axis=0)).mean()


@pytest.mark.parametrize(
    ("hand", "shares"),
    [("87s", (0.1, 0.15)), ("44", (0.1, 0.15)), ("K5s", (0.22, 0.07)), ("64o", (0.45, 0.03))],
)
def test_three_hands_all_in_are_close_to_sampled_boards(hand, shares):
    ranges = [top(share) for share in shares]
    beats = pairwise(*map(equity_against, ranges), equity_between(*ranges))
    orders = np.array([chance_of_order(beats, order) for order in permutations(range(3))])
    assert orders.sum(axis=0) == pytest.approx(np.ones(N_KINDS))
    sampled = sampled_share(KINDS[hand], ranges, 20_000, np.random.default_rng(20))
    assert orders[:2, KINDS[hand]].sum() == pytest.approx(sampled, abs=0.055)


BAD = [
    ({"stacks": [5.0] * 11}, "seats must be a whole number from 2 to 10, got 11"),
    ({"stacks": [5.0]}, "seats must be a whole number from 2 to 10, got 1"),
    ({"stacks": [5.0, 0.0]}, "stacks must be above 0 and at most 1000, got 0"),
    ({"stacks": [5.0, math.nan]}, "stacks must be a number, got nan"),
    ({"stacks": [math.inf, 5.0]}, "stacks must be a number, got inf"),
    ({"seat": 1}, "seat must be a whole number from 0 to 0, got 1"),
    ({"seat": 0, "pusher": 0}, "seat must be a whole number from 1 to 1, got 0"),
    ({"shares": [0.2, 1.5]}, "shares must be 0 to 1, got 1.5"),
    ({"shares": [0.2, math.nan]}, "shares must be 0 to 1, got nan"),
]


@pytest.mark.parametrize(("changed", "message"), BAD)
def test_impossible_spots_are_refused(changed, message):
    with pytest.raises(EngineError) as caught:
        Spot(**{"stacks": [5.0, 5.0], "seat": 0, "shares": [0.2, 0.2], **changed})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("seats", "against", "field"), [(1, "loose", "seats"), (11, "loose", "seats"), (4, "wild", "against")]
)
def test_impossible_deals_are_refused(seats, against, field):
    with pytest.raises(EngineError) as caught:
        deal(np.random.default_rng(1), seats, against)
    assert caught.value.field == field


def test_a_range_beyond_all_hands_is_refused():
    with pytest.raises(EngineError, match="share must be 0 to 1"):
        top(1.01)


def test_deals_are_spots_of_every_kind_and_the_same_for_a_seed():
    drawn = [
        deal(np.random.default_rng(seed), seats, MIXTURE) for seed in range(10) for seats in range(2, 11)
    ]
    assert {len(one.spot.stacks) for one in drawn} == set(range(2, 11))
    assert {one.pusher is None for one in drawn} == {True, False}
    assert [Deal(**one.as_dict()) for one in drawn] == drawn
    assert deal(np.random.default_rng(3), 6, "loose") == deal(np.random.default_rng(3), 6, "loose")


def test_card_removal_is_counted():
    """Against a range of aces, a hand with an ace is called half as often as one without."""
    assert PAIRINGS[KINDS["AKo"], KINDS["AA"]] / 12 == 3
    assert PAIRINGS[KINDS["KQo"], KINDS["AA"]] / 12 == 6
