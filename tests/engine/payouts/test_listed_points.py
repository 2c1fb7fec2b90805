"""Points listed by place, shares of a pool, and single seats: expected by hand."""

from fractions import Fraction

import pytest

from payouts.engine.structures.formulas import percentage_pool
from payouts.engine.structures.structure import PointsStructure

F = Fraction


def test_a_table_of_points_gives_each_listed_place_its_own_and_the_others_nothing():
    assert PointsStructure("fixed_table", votes=(F(25), F(18))).event_points([1, 2, 3, 4]) == [25, 18, 0, 0]


@pytest.mark.parametrize(("per_entry", "text"), [(1, "60, 40 % of n"), (F(5, 2), "60, 40 % of 2.5*n")])
def test_a_pool_is_written_with_what_each_entry_puts_up(per_entry, text):
    percent = (F(60), F(40))
    assert percentage_pool(percent, F(per_entry)).parts.text == f"{text}, then nothing"
    pool = PointsStructure("percentage_pool", votes=percent, per_entry=F(per_entry))
    assert pool.event_points([1, 2, 3, 4]) == [F(60, 100) * 4 * per_entry, F(40, 100) * 4 * per_entry, 0, 0]


@pytest.mark.parametrize("n", [8, 300])
def test_a_single_seat_goes_to_the_winner(n):
    assert PointsStructure("vp_kid").event_points(range(1, n + 1), seats=1) == [1] + [0] * (n - 1)
