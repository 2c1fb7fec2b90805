"""Deals; expected values are worked out by hand, those of ICM from Malmuth-Harville's formula."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.deals import chance_deal, chip_deal, even_deal
from payouts.engine.errors import EngineError
from ratings.engine.icm import place_probabilities

PRIZES = [Fraction(500), Fraction(300), Fraction(200)]
CHIPS = [Fraction(5000), Fraction(3000), Fraction(2000)]


def harville(chips):
    """Chances of each place by summing over all orders: the slow twin of ratings.engine.icm."""
    n = len(chips)
    chances = [[Fraction(0)] * n for _player in range(n)]
    for order in permutations(range(n)):
        chance, left = Fraction(1), sum(chips)
        for player in order:
            chance *= chips[player] / left
            left -= chips[player]
        for place, player in enumerate(order):
            chances[player][place] += chance
    return chances


def test_an_even_deal_gives_units_that_cannot_be_split_to_the_biggest_stacks():
    assert even_deal(
        [Fraction(50), Fraction(30), Fraction(20)], [Fraction(1), Fraction(3), Fraction(2)], Fraction(1)
    ) == [33, 34, 33]
    assert even_deal(
        [Fraction(50), Fraction(30), Fraction(21)], [Fraction(1), Fraction(3), Fraction(2)], Fraction(1)
    ) == [33, 34, 34]


def test_a_deal_by_chips_gives_everybody_the_smallest_prize_first():
    # 200 each; the other 400 by 5 : 3 : 2.
    assert chip_deal(PRIZES, CHIPS, Fraction(1)) == [400, 320, 280]


def test_a_deal_by_icm_pays_the_mean_prize():
    # Two players: chances 3/4 and 1/4, so 3/4 * 60 + 1/4 * 40 = 55.
    chances = place_probabilities([3.0, 1.0])
    assert chance_deal(
        [Fraction(60), Fraction(40)], [Fraction(3), Fraction(1)], chances.tolist(), Fraction(1)
    ) == [55, 45]
    # Three players, in cents, by exact chances and by the engine's.
    exact = [
        sum(chance * prize for chance, prize in zip(row, PRIZES, strict=True)) for row in harville(CHIPS)
    ]
    amounts = chance_deal(PRIZES, CHIPS, place_probabilities([5.0, 3.0, 2.0]).tolist(), Fraction(1, 100))
    assert sum(amounts) == 1000
    assert all(abs(amount - value) <= Fraction(1, 100) for amount, value in zip(amounts, exact, strict=True))


def test_equal_stacks_get_equal_amounts_but_for_a_cent_that_cannot_be_split():
    # The big stack's chances are 4/10, 6/10 * 4/8, 6/10 * 4/8 * 4/6: 0.4 * 500 + 0.3 * 300 + 0.2 * 200 = 330.
    chances = place_probabilities([4.0, 2.0, 2.0, 2.0]).tolist()
    amounts = chance_deal(
        [*PRIZES, Fraction(0)],
        [Fraction(4), Fraction(2), Fraction(2), Fraction(2)],
        chances,
        Fraction(1, 100),
    )
    assert amounts == [330, Fraction("223.34"), Fraction("223.33"), Fraction("223.33")]


@given(
    chips=st.lists(st.integers(1, 10**6), min_size=1, max_size=6),
    unit=st.sampled_from([Fraction(1, 100), Fraction(1), Fraction(5)]),
)
def test_every_deal_pays_exactly_the_prizes(chips, unit):
    prizes = sorted((Fraction(100 * i * i + 7, 4) for i in range(1, len(chips) + 1)), reverse=True)
    stacks = [Fraction(stack) for stack in chips]
    chances = place_probabilities([float(stack) for stack in chips]).tolist()
    for amounts in (
        even_deal(prizes, stacks, unit),
        chip_deal(prizes, stacks, unit),
        chance_deal(prizes, stacks, chances, unit),
    ):
        assert sum(amounts) == sum(prizes)
        assert min(amounts) >= 0


@pytest.mark.parametrize(
    ("prizes", "chips", "code"),
    [
        ((), (), "no_places"),
        ((50, 30), (1, 2, 3), "not_one_prize_each"),
        ((50, 30), (1, 0), "stack_not_positive"),
        ((30, 50), (1, 2), "more_than_place_before"),
        ((50, -1), (1, 2), "prizes_negative"),
        ((0, 0), (1, 2), "not_positive"),
    ],
)
def test_a_deal_that_cannot_be_made_is_refused(prizes, chips, code):
    with pytest.raises(EngineError) as refused:
        even_deal([Fraction(prize) for prize in prizes], [Fraction(stack) for stack in chips], Fraction(1))
    assert refused.value.code == code
