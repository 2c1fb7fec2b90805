"""Kinds of hands and their equities against each other."""

import math

import numpy as np
import pytest

from lab.engine.holdem.cards import bits_of, cards_of
from lab.engine.holdem.evaluator import rank_hands
from lab.engine.push_fold.enumeration import BOARDS_OF_A_PAIRING, boards_by_suits, equities_of, margins
from lab.engine.push_fold.equities import equities, write_equities
from lab.engine.push_fold.hands import COMBINATIONS, HOLDING_KINDS, HOLDINGS, KINDS, N_KINDS, NAMES, PAIRINGS
from lab.engine.push_fold.ranges import ranking, share_of, top

# Percent, as poker calculators print them for two hands all in before the flop (ties half), averaged over suits.
PUBLISHED = {
    ("AA", "KK"): 81.95,
    ("AKs", "QQ"): 46.05,
    ("22", "AKo"): 52.65,
    ("AA", "AKs"): 87.86,
    ("KK", "AKo"): 69.88,
    ("QQ", "AKo"): 56.76,
    ("AA", "72o"): 88.20,
    ("AKo", "AQo"): 74.39,
}


@pytest.mark.parametrize(("hands", "percent"), PUBLISHED.items())
def test_published_equities(hands, percent):
    own, other = hands
    assert 100 * equities()[KINDS[own], KINDS[other]] == pytest.approx(percent, abs=0.1)


def test_the_two_equities_of_a_pair_sum_to_one():
    table = equities()
    assert np.array_equal(table + table.T, np.ones((N_KINDS, N_KINDS)))


def test_kinds_and_their_numbers_of_holdings():
    assert [NAMES[0], NAMES[1], NAMES[13], NAMES[-1]] == ["AA", "AKs", "AKo", "22"]
    assert len(set(NAMES)) == N_KINDS
    assert {(len(name), name[2:]): count for name, count in zip(NAMES, COMBINATIONS, strict=True)} == {
        (2, ""): 6,
        (3, "s"): 4,
        (3, "o"): 12,
    }
    # Each of 1,326 holdings leaves 50 cards, hence 1,225 holdings.
    assert PAIRINGS.sum() == 1326 * 1225
    assert PAIRINGS[KINDS["AA"], KINDS["AA"]] == 6
    assert PAIRINGS[KINDS["AA"], KINDS["AKs"]] == 6 * 2


def test_margins_count_what_comparing_hand_by_hand_counts():
    board = cards_of("2c2d7h9sJc")
    found = margins(np.array([bits_of(board)], dtype=np.uint64), np.array([12]))
    free = ~np.isin(HOLDINGS, board).any(axis=1)
    holdings, kinds = HOLDINGS[free], HOLDING_KINDS[free]
    values = rank_hands(np.hstack([holdings, np.tile(board, (len(holdings), 1))]).astype(np.uint8))
    won = 12 * np.sign(values[:, None] - values).astype(int)
    shared = (holdings[:, None, :, None] == holdings[None, :, None, :]).any(axis=(2, 3))
    expected = np.zeros((N_KINDS, N_KINDS), dtype=int)
    np.add.at(expected, (kinds[:, None], kinds), np.where(shared, 0, won))
    assert np.array_equal(found, expected)


def test_boards_that_differ_in_suits_names_alone_are_counted_together():
    boards, counts = boards_by_suits(range(16))  # the four lowest ranks: C(16, 5) boards
    assert counts.sum() == math.comb(16, 5)
    assert set(counts.tolist()) <= {4, 6, 12, 24}
    assert len(set(boards.tolist())) == len(boards)


def test_equities_are_stored_to_a_thousandth_of_a_percent(tmp_path):
    total = np.zeros((N_KINDS, N_KINDS), dtype=int)
    total[0, 1] = BOARDS_OF_A_PAIRING * 12 // 3
    total -= total.T
    exact = equities_of(total)
    assert exact[0, 1] == pytest.approx(0.5 + 1 / 6)
    write_equities(exact, tmp_path / "equities.npz")
    with np.load(tmp_path / "equities.npz") as stored:
        assert stored["above"][0] / 65_534 == pytest.approx(exact[0, 1], abs=1e-5)


@pytest.mark.parametrize("share", [0.0, 0.003, 0.1, 0.455, 1.0])
def test_a_range_has_the_share_it_is_made_for(share):
    assert share_of(top(share)) == pytest.approx(share)


def test_the_ranking_begins_with_the_pairs():
    assert [NAMES[kind] for kind in ranking()[:5]] == ["AA", "KK", "QQ", "JJ", "TT"]
    assert NAMES[ranking()[-1]] == "32o"
