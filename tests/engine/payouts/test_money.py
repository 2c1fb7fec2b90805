"""Prize pools and payouts; expected values are worked out by hand from the rules in docs/money.md."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.errors import EngineError
from payouts.engine.money import (
    Prices,
    amount_payouts,
    apportion,
    percentage_payouts,
    prize_pool,
    shared_prizes,
)

CENT = Fraction(1, 100)
AMOUNTS = st.integers(0, 10**7).map(lambda cents: Fraction(cents, 100))


def fractions(*numbers):
    return [Fraction(number) for number in numbers]


def test_an_entry_pays_its_buy_in_fee_rebuys_and_add_ons():
    prices = Prices(Fraction(20), fee=Fraction(2), rebuy=Fraction(15), add_on=Fraction(10))
    assert prices.cost(2, 1) == 20 + 2 + 2 * 15 + 10
    assert prices.stake(2, 1) == 20 + 2 * 15 + 10


@pytest.mark.parametrize(
    ("stated", "guarantee", "amount", "overlay"),
    [
        (None, None, 800, 0),
        (None, 1000, 1000, 200),
        (None, 700, 800, 0),
        (750, None, 750, -50),
        (0, 900, 0, -800),
    ],
)
def test_the_prize_pool_is_stated_or_collected_and_never_less_than_the_guarantee(
    stated, guarantee, amount, overlay
):
    pool = prize_pool(
        Fraction(800),
        stated=None if stated is None else Fraction(stated),
        guarantee=guarantee and Fraction(guarantee),
    )
    assert (pool.amount, pool.overlay) == (amount, overlay)


def test_percentages_are_rounded_down_and_the_rest_goes_to_the_first_places():
    # 50, 30 and 20 % of 1,237 are 618.5, 371.1 and 247.4: down to fives 615, 370, 245, a rest of 7 = 5 + 2.
    assert percentage_payouts(Fraction(1237), fractions(50, 30, 20), 20, Fraction(5)) == [622, 370, 245]
    # Thirds of 100 in cents: 33.33 each and a cent over.
    thirds = [Fraction(100, 3)] * 3
    assert percentage_payouts(Fraction(100), thirds, 3, CENT) == [
        Fraction("33.34"),
        Fraction("33.33"),
        Fraction("33.33"),
    ]


def test_fewer_entries_than_paid_places_share_the_whole_pool():
    assert percentage_payouts(Fraction(80), fractions(50, 30, 20), 2, Fraction(1)) == [50, 30]


def test_units_left_over_can_go_to_those_who_lost_the_most():
    # 100 by 1 : 1 : 4 is 16.67, 16.67 and 66.67: equal losses, so the first two get a unit more.
    assert apportion(Fraction(100), fractions(1, 1, 4), Fraction(1), by_remainder=True) == [17, 17, 66]
    # 10 by 5 : 2 : 8 is 3.33, 1.33 and 5.33; 10 by 1 : 8 is 1.11 and 8.89, and the second lost more.
    assert apportion(Fraction(10), fractions(1, 8), Fraction(1), by_remainder=True) == [1, 9]
    assert apportion(Fraction(10), fractions(1, 8), Fraction(1)) == [2, 8]


@given(
    total=AMOUNTS,
    weights=st.lists(st.integers(0, 1000), min_size=1, max_size=9).filter(any),
    unit=st.sampled_from(fractions("0.01", "0.5", 1, 5, 100)),
    by_remainder=st.booleans(),
)
def test_shares_sum_to_the_total_and_differ_from_exact_ones_by_less_than_two_units(
    total, weights, unit, by_remainder
):
    shares = apportion(total, [Fraction(weight) for weight in weights], unit, by_remainder=by_remainder)
    assert sum(shares) == total
    assert all(share >= 0 for share in shares)
    assert all((share / unit).denominator == 1 for share in shares[1:])
    exact = [total * weight / sum(weights) for weight in weights]
    assert all(abs(share - value) < 2 * unit for share, value in zip(shares, exact, strict=True))


@given(pool=AMOUNTS, n_entries=st.integers(1, 9), unit=st.sampled_from(fractions("0.01", 1, 5)))
def test_a_better_place_is_never_paid_less(pool, n_entries, unit):
    payouts = percentage_payouts(pool, fractions(40, 25, 15, 10, 10), n_entries, unit)
    assert sum(payouts) == pool
    assert all(better >= worse for better, worse in pairwise(payouts))


@pytest.mark.parametrize(
    ("amounts", "code"),
    [
        ((60, 30), "payouts_not_the_pool"),
        ((40, 60), "more_than_place_before"),
        ((100, 0), "payouts_not_positive"),
        ((), "no_places"),
        ((40, 30, 20, 10), "too_many_places"),
    ],
)
def test_amounts_are_refused_unless_they_pay_the_pool_to_the_first_places(amounts, code):
    with pytest.raises(EngineError) as refused:
        amount_payouts(Fraction(100), fractions(*amounts), 3)
    assert refused.value.code == code


def test_amounts_that_sum_to_the_pool_are_paid_as_they_are():
    assert amount_payouts(Fraction(100), fractions("62.5", "37.5"), 5) == fractions("62.5", "37.5")


def test_a_rounding_unit_must_be_positive():
    with pytest.raises(EngineError) as refused:
        percentage_payouts(Fraction(100), [Fraction(100)], 3, Fraction(0))
    assert (refused.value.field, refused.value.code) == ("round_to", "not_positive")


def test_tied_entries_share_what_their_places_are_paid():
    payouts = fractions(50, 30, 15)
    assert shared_prizes([1, 1, 3], payouts, CENT) == [40, 40, 15]
    # Places 2 to 4 are paid 45 together, for the three of them.
    assert shared_prizes([2, 1, 2, 2], payouts, CENT) == [15, 50, 15, 15]
    # 45 for two: the first of them has the unit that cannot be split.
    assert shared_prizes([2, 2, 1], payouts, Fraction(1)) == [23, 22, 50]


@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=6),
    payouts=st.lists(AMOUNTS, min_size=1, max_size=6),
)
def test_prizes_sum_to_the_payouts_whatever_the_ties(sizes, payouts):
    places = [1 + sum(sizes[:i]) for i, size in enumerate(sizes) for _entry in range(size)]
    paid = payouts[: len(places)]
    assert sum(shared_prizes(places, paid, CENT)) == sum(paid)
