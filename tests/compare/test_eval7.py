"""The value of hands of cards against eval7, which shares no code with our two evaluators."""

import itertools

import eval7
import numpy as np

from lab.engine.holdem.cards import card_text
from lab.engine.holdem.evaluator import rank_hands
from tests.engine.lab.holdem.test_evaluator import compiled

# Five-card hands of each category, from high card to straight flush: counted, for example
# 1,098,240 pairs = 13 * C(4, 2) * C(12, 3) * 4**3 (https://en.wikipedia.org/wiki/Poker_probability).
FREQUENCIES = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]


def five_card_hands():
    combinations = itertools.chain.from_iterable(itertools.combinations(range(52), 5))
    return np.fromiter(combinations, dtype=np.uint8).reshape(-1, 5)


def assert_same_order(hands, values):
    """Check that our values and those of eval7 order the hands alike; in both a larger one is better."""
    deck = [eval7.Card(card_text(card)) for card in range(52)]
    theirs = [eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()]
    order = np.argsort(values, kind="stable")
    steps, their_steps = np.diff(values[order]), np.diff(np.array(theirs)[order])
    assert (their_steps >= 0).all()
    assert ((steps > 0) == (their_steps > 0)).all()


def test_all_five_card_hands_are_ordered_as_by_eval7():
    hands = five_card_hands()
    assert len(hands) == 2_598_960
    values = rank_hands(hands)
    assert (compiled(hands) == values).all()
    assert np.bincount(values >> 26).tolist() == FREQUENCIES
    assert_same_order(hands, values)


def test_a_million_seven_card_hands_are_ordered_as_by_eval7():
    rng = np.random.default_rng(7)
    hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (1_000_000, 1)), axis=1)[:, :7]
    values = rank_hands(hands)
    assert (compiled(hands) == values).all()
    assert_same_order(hands, values)
