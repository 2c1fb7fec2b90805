"""The value of hands: two evaluators of ours against each other."""

import itertools

import numpy as np
import pytest

from lab.engine.holdem.cards import CARD_BITS, bits_of, card_text, cards_of
from lab.engine.holdem.evaluator import CATEGORIES, category_of, rank_hands
from lab.engine.holdem.kernels import set_values


def compiled(hands):
    return set_values(np.bitwise_or.reduce(CARD_BITS[hands], axis=1))


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
