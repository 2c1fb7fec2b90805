"""Chances to win, enumerated with phevaluator."""

import itertools

import numpy as np
import pytest
from phevaluator import evaluate_cards

from lab.engine.holdem.cards import cards_of
from lab.engine.holdem.equity import chance_to_win, equity


def slow_equity(own, other, board):
    """Enumerate the boards with phevaluator."""
    rest = [card for card in range(52) if card not in {*own, *other, *board}]
    shares = []
    for more in itertools.combinations(rest, 5 - len(board)):
        mine, theirs = (evaluate_cards(*hand, *board, *more) for hand in (own, other))
        shares.append((mine < theirs) + (mine == theirs) / 2)
    return np.mean(shares)


@pytest.mark.parametrize(
    ("own", "other", "board"),
    [
        ("AsKs", "QhQd", "2s7sTd"),
        ("AsKs", "AdKd", "2s7sTd"),
        ("8c8d", "AhJh", "Jc8h3h"),
        ("7c2d", "AcAd", "7d7h2s"),
        ("5s4s", "AsAd", "6s7hKsQd"),
    ],
)
def test_enumeration_agrees_with_an_independent_evaluator(own, other, board):
    own, other, board = map(cards_of, (own, other, board))
    assert equity(own, [other], board) == pytest.approx(slow_equity(own, other, board), abs=1e-12)


def test_one_hand_on_the_river_is_counted_not_drawn():
    own, board = cards_of("AsKs"), cards_of("2s7sTdKcKh")
    rest = [card for card in range(52) if card not in {*own, *board}]
    exact = np.mean([slow_equity(own, other, board) for other in itertools.combinations(rest, 2)])
    for seed in (1, 2):
        chance = chance_to_win(own, 1, board, samples=1, rng=np.random.default_rng(seed))
        assert chance == pytest.approx(exact, abs=1e-12)
