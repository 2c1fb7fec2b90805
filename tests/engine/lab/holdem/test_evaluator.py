"""The value of hands: two evaluators of ours against each other and against eval7, which shares no code with them."""

import itertools

import eval7
import numpy as np
import pytest

from lab.engine.holdem.cards import CARD_BITS, bits_of, card_text, cards_of
from lab.engine.holdem.evaluator import CATEGORIES, category_of, rank_hands
from lab.engine.holdem.kernels import set_values

# Five-card hands of each category, from high card to straight flush: counted, for example
# 1,098,240 pairs = 13 * C(4, 2) * C(12, 3) * 4**3 (https://en.wikipedia.org/wiki/Poker_probability).
FREQUENCIES = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 40]


def five_card_hands():
    combinations = itertools.chain.from_iterable(itertools.combinations(range(52), 5))
    return np.fromiter(combinations, dtype=np.uint8).reshape(-1, 5)


def compiled(hands):
    return set_values(np.bitwise_or.reduce(CARD_BITS[hands], axis=1))


def assert_same_order(hands, values):
    """Check that our values and those of eval7 order the hands alike; in both a larger one is better."""
    deck = [eval7.Card(card_text(card)) for card in range(52)]
    theirs = [eval7.evaluate([deck[card] for card in hand]) for hand in hands.tolist()]
    order = np.argsort(values, kind="stable")
    steps, their_steps = np.diff(values[order]), np.diff(np.array(theirs)[order])
    assert (their_steps >= 0).all()
    assert ((steps > 0) == (their_steps > 0)).all()


@pytest.mark.long
def test_all_five_card_hands_are_ordered_as_by_eval7():
    hands = five_card_hands()
    assert len(hands) == 2_598_960
    values = rank_hands(hands)
    assert (compiled(hands) == values).all()
    assert np.bincount(values >> 26).tolist() == FREQUENCIES
    assert_same_order(hands, values)


@pytest.mark.long
def test_a_million_seven_card_hands_are_ordered_as_by_eval7():
    rng = np.random.default_rng(7)
    hands = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (1_000_000, 1)), axis=1)[:, :7]
    values = rank_hands(hands)
    assert (compiled(hands) == values).all()
    assert_same_order(hands, values)


@pytest.mark.parametrize("n_cards", [5, 6, 7])
def test_the_best_five_cards_count(n_cards):
    rng = np.random.default_rng(n_cards)
    hands = np.array([rng.permutation(52)[:n_cards] for _ in range(200)], dtype=np.uint8)
    best = [max(rank_hands(np.array(list(itertools.combinations(hand, 5))))) for hand in hands]
    assert rank_hands(hands).tolist() == compiled(hands).tolist() == best


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("6c5d4h3s2c", "AcKdQhJs9c"),
        ("6c5d4h3s2c", "5cAd4h3s2c"),
        ("AcAdKhKsQc", "AcAdKhKsJc"),
        ("2c2d2hAsAc", "AcKcQc9c2c"),
        ("7c6c5c4c3c", "AcAdAhAsKc"),
    ],
)
def test_known_orders(better, worse):
    values = rank_hands(np.array([cards_of(better), cards_of(worse)]))
    assert values[0] > values[1]


def test_a_value_names_its_category():
    names = ["AcKdQhJs9c", "AcAdQhJs9c", "AcAdQhQs9c", "AcAdAhQs9c", "AcKdQhJsTc", "AcKcQcJc9c", "AcAdAhQsQc"]
    names += ["AcAdAhAsQc", "AcKcQcJcTc"]
    values = rank_hands(np.array([cards_of(name) for name in names]))
    assert [category_of(int(value)) for value in values] == list(CATEGORIES)


def test_cards_are_written_and_read():
    assert cards_of("".join(card_text(card) for card in range(52))) == tuple(range(52))
    assert bits_of(range(52)).bit_count() == 52


@pytest.mark.parametrize("text", ["1s", "Ax", "AsK", "Asd"])
def test_what_is_no_card_is_refused(text):
    with pytest.raises(ValueError):
        cards_of(text)
