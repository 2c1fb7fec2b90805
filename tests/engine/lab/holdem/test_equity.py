"""Chances to win: published ones, and drawing against enumeration."""

import numpy as np
import pytest

from lab.engine.holdem.cards import bits_of, cards_of
from lab.engine.holdem.equity import chance_to_win, equity
from lab.engine.holdem.kernels import set_values, win_chances
from lab.engine.holdem.preflop import (
    N_CLASSES,
    cards_of_class,
    class_name,
    class_of,
    preflop_chances,
    table_text,
)

# Exact chances against a random hand, a shared pot as one half, from all 47,008 distinct match-ups of two hands:
# http://jazbo.com/poker/huholdem.html.
PUBLISHED = {
    "AA": 0.8520371, "KK": 0.8239568, "QQ": 0.7992516, "JJ": 0.7746947, "TT": 0.7501178, "99": 0.7205725,
    "88": 0.6916304, "77": 0.6623602, "AKs": 0.6704463, "A4s": 0.5903364, "A7o": 0.5884120, "A3s": 0.5822032,
    "QJo": 0.5813469, "K9o": 0.5781192, "Q9s": 0.5766432, "K5o": 0.5331397, "J9o": 0.5325120, "T8s": 0.5233437,
    "96s": 0.4742829, "J2s": 0.4737815, "T5s": 0.4721626, "97o": 0.4629781, "64s": 0.4133332, "94o": 0.4067105,
    "82s": 0.4027163,
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_stored_table_holds_published_chances(name):
    index = [class_name(index) for index in range(N_CLASSES)].index(name)
    assert preflop_chances()[index, 0] == pytest.approx(PUBLISHED[name], abs=0.001)


def test_the_stored_table_is_consistent():
    chances = preflop_chances()
    assert chances.shape == (169, 9)
    assert (np.diff(chances, axis=1) < 0).all()
    # Every player holds a random hand, so the mean chance is one in the number of players: six hands in 1,326 are of
    # each pair, four of each suited and twelve of each offsuit class.
    weights = np.array([{"s": 4, "o": 12}.get(class_name(index)[2:], 6) for index in range(N_CLASSES)]) / 1326
    assert weights @ chances == pytest.approx(1 / np.arange(2, 11), abs=2e-4)
    assert table_text(chances).splitlines()[1].startswith("22,0.50")


def test_aces_before_the_flop_are_counted_on_every_board():
    own, other = cards_of("AsAh"), cards_of("KdKc")
    chance = equity(own, [other], values=set_values)
    assert chance + equity(other, [own], values=set_values) == pytest.approx(1)
    drawn = equity(own, [other], samples=20_000, rng=np.random.default_rng(1))
    assert chance == pytest.approx(drawn, abs=4 * (0.18 * 0.82 / 20_000) ** 0.5)


def test_shares_of_three_players_sum_to_one():
    hands = [cards_of(hand) for hand in ("AsKd", "AcKh", "7c7d")]
    board = cards_of("Ah2c9d")
    shares = [equity(hand, [other for other in hands if other != hand], board) for hand in hands]
    assert sum(shares) == pytest.approx(1)
    assert shares[0] == pytest.approx(shares[1], abs=0.02)


@pytest.mark.parametrize(("board", "n_others"), [("", 1), ("2s7sTd", 3), ("2s7sTdKc", 1), ("2s7sTdKcKh", 1)])
def test_both_ways_to_draw_agree_within_their_error(board, n_others):
    own, board, samples = cards_of("AsKs"), cards_of(board), 20_000
    slow = chance_to_win(own, n_others, board, samples=samples, rng=np.random.default_rng(3))
    state = np.array([4], dtype=np.uint64)
    sets = np.array([bits_of(own)], dtype=np.uint64)
    fast = win_chances(sets, np.uint64(bits_of(board)), len(board), n_others, samples, state)[0]
    assert fast == pytest.approx(slow, abs=5 * 0.5 / samples**0.5)
    if not board:
        assert fast == pytest.approx(preflop_chances()[class_of(*own), n_others - 1], abs=0.018)


def test_every_class_has_its_cards():
    assert len({class_of(*cards_of_class(index)) for index in range(N_CLASSES)}) == 169
    assert class_name(class_of(*cards_of("2h2s"))) == "22"
    assert class_name(class_of(*cards_of("9hTs"))) == "T9o"
