"""Seats: published examples, the printed table of 1999, invariants, and comparison with the slow method."""

import csv
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.structures import dhondt
from payouts.engine.structures.dhondt import MAX_SEATS, MAX_TABLE, SeatRow, allocate, seat_order, seat_table
from payouts.engine.structures.quotients import compare_quotients
from payouts.engine.structures.tails import Tail
from payouts.engine.structures.votes import STRUCTURES, VP_KID_HEAD, StructureVotes, VotesRule

PRINTED = Path(__file__).parents[2] / "data" / "straddle-1999" / "seat_order_inverse_50.csv"
TIES = st.sampled_from(["better", "worse"])
# Small numerators and denominators: many equal votes and many equal quotients.
VOTE = st.builds(Fraction, st.integers(1, 12), st.integers(1, 6))
VOTES = st.lists(VOTE, min_size=1, max_size=12).map(lambda values: sorted(values, reverse=True))
SEATS = st.integers(0, 60)


def votes(name, n_places):
    return StructureVotes(STRUCTURES[name], n_places)[:]


def naive_order(values, seats, ties):
    """Give out seats one by one, by the definition.

    Equal claims to a point go to the better place or to the smaller vote, equal votes always to the better place.
    """
    held = [0] * len(values)
    order = []
    for _ in range(seats):
        best = max(
            range(len(values)),
            key=lambda i: (Fraction(values[i]) / (held[i] + 1), -values[i] if ties == "worse" else 0, -i),
        )
        held[best] += 1
        order.append(best + 1)
    return order


def naive_counts(values, seats, ties):
    order = naive_order(values, seats, ties)
    return [order.count(place) for place in range(1, len(values) + 1)]


# Payouts specification, section 1, "Examples to hold" (votes 100/n, ties to the better place).


def test_published_10_seats():
    assert allocate(votes("inverse", 10), 10) == [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]


def test_published_30_seats():
    assert allocate(votes("inverse", 30), 30) == [12, 5, 3, 2, 2, *[1] * 6, *[0] * 19]


def test_published_seats_of_the_winner():
    rows = seat_table(votes("inverse", 30), 30)
    assert [row.seat for row in rows if row.place == 1] == [1, 2, 4, 6, 9, 11, 15, 17, 21, 24, 28, 30]


def test_printed_table_of_50_seats():
    with PRINTED.open(encoding="utf-8") as file:
        printed = [SeatRow(**{name: int(cell) for name, cell in row.items()}) for row in csv.DictReader(file)]
    assert seat_table(votes("inverse", 50), 50) == printed


def test_vp_kid_10_entries():
    assert allocate(votes("vp_kid", 10), 10) == [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("ties", ["better", "worse"])
def test_vp_kid_table_of_60_seats_by_brute_force(ties):
    """Every quotient of 60 places and 60 points, in whole numbers, sorted."""
    numerators = [100, 60, 40, 25]
    denominators = [1] * 4 + list(range(5, 61))
    numerators += [100] * 56
    scale = 1
    for number in range(1, 61):
        scale *= number * number
    sign = 1 if ties == "better" else -1
    cells = sorted(
        (-(top * scale // (bottom * kth)), sign * place, kth)
        for place, (top, bottom) in enumerate(zip(numerators, denominators, strict=True), start=1)
        for kth in range(1, 61)
    )
    expected = sorted(
        (SeatRow(sign * place, kth, seat) for seat, (_, place, kth) in enumerate(cells[:60], start=1)),
        key=lambda row: (row.place, row.kth_point),
    )
    assert seat_table(votes("vp_kid", 60), 60, ties) == expected


# Ties.


def test_equal_quotients_are_compared_exactly():
    """100/3 and 50/1.5 are the same number but not the same float arithmetic."""
    values = [Fraction(100), Fraction(50) / Fraction(3, 2), Fraction(100, 3) - Fraction(1, 10**30)]
    assert seat_order(values, 5, "better") == [1, 1, 1, 2, 3]
    assert seat_order(values, 5, "worse") == [1, 1, 2, 1, 3]


def test_a_difference_too_small_for_a_float_decides():
    least = Fraction(1, 10**40)
    assert allocate([2 + least, Fraction(1)], 2, "worse") == [2, 0]
    assert allocate([Fraction(2), Fraction(1)], 2, "worse") == [1, 1]


@pytest.mark.parametrize("ties", ["better", "worse"])
def test_with_equal_votes_the_better_place_goes_first_under_both_rules(ties):
    """The tie rule applies only to equal quotients of different votes, so a worse place never gets more."""
    assert allocate([Fraction(50), Fraction(50)], 3, ties) == [2, 1]
    assert seat_order([Fraction(50)] * 3, 5, ties) == [1, 2, 3, 1, 2]
    # 2/2 = 1/1: the rule decides who gets the third and fourth seat; places of equal votes stay in order.
    by_rule = {"better": [1, 2, 1, 2, 3, 4], "worse": [1, 2, 3, 4, 1, 2]}[ties]
    assert seat_order([Fraction(2), Fraction(2), Fraction(1), Fraction(1)], 6, ties) == by_rule


def test_tie_rule_moves_the_last_seat():
    assert allocate(votes("inverse", 2), 2, "better") == [2, 0]
    assert allocate(votes("inverse", 2), 2, "worse") == [1, 1]


@given(VOTES, SEATS, TIES)
def test_the_fast_and_the_naive_method_agree(values, seats, ties):
    assert allocate(values, seats, ties) == naive_counts(values, seats, ties)
    assert seat_order(values, seats, ties) == naive_order(values, seats, ties)


@given(VOTES, SEATS, TIES, st.sampled_from([Fraction(10) ** 400, Fraction(10) ** -400]))
def test_only_ratios_of_votes_matter(values, seats, ties, scale):
    assert allocate([scale * value for value in values], seats, ties) == allocate(values, seats, ties)


@given(VOTES, SEATS)
def test_a_vote_too_small_for_a_float_gets_nothing(values, seats):
    assert allocate([*values, Fraction(1, 10**400)], seats) == [*allocate(values, seats), 0]


@given(VOTES, SEATS, TIES)
def test_one_more_seat_takes_from_nobody(values, seats, ties):
    before, after = allocate(values, seats, ties), allocate(values, seats + 1, ties)
    assert sum(after) == sum(before) + 1 == seats + 1
    assert all(more >= less for more, less in zip(after, before, strict=True))


@given(VOTES, SEATS, TIES)
def test_a_better_place_never_gets_fewer(values, seats, ties):
    assert all(better >= worse for better, worse in pairwise(allocate(values, seats, ties)))


@given(VOTES, SEATS, TIES)
def test_table_is_the_order_by_place(values, seats, ties):
    order = seat_order(values, seats, ties)
    rows = seat_table(values, seats, ties)
    assert [(row.place, row.kth_point) for row in rows] == sorted((row.place, row.kth_point) for row in rows)
    assert all(order[row.seat - 1] == row.place for row in rows)
    for _, group in groupby(rows, key=lambda row: row.place):
        seats_of_place = [row.seat for row in group]
        assert seats_of_place == sorted(seats_of_place)
    assert len(rows) == seats


@given(VOTES, SEATS, TIES, st.integers(1, 4))
def test_looking_at_few_places_first_changes_nothing(values, seats, ties, first_look):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dhondt, "FIRST_LOOK", first_look)
        assert allocate(values, seats, ties) == naive_counts(values, seats, ties)


@pytest.mark.parametrize("ties", ["better", "worse"])
@pytest.mark.parametrize("structure", ["inverse", "vp_kid", "soft_top"])
def test_the_seats_of_a_large_field_are_in_order_of_quotients(structure, ties):
    n = 20_000
    values = votes(structure, n)
    counts = allocate(StructureVotes(STRUCTURES[structure], n), n, ties)
    assert sum(counts) == n
    assert counts == allocate(values, n, ties)
    # Optimality (Balinski and Young, min-max inequality): nobody's next quotient beats anybody's last one.
    last = min(vote / held for vote, held in zip(values, counts, strict=True) if held)
    upcoming = [vote / (held + 1) for vote, held in zip(values, counts, strict=True)]
    assert max(upcoming) <= last
    tied_in = [i for i, held in enumerate(counts) if held and values[i] / held == last]
    tied_out = [i for i, quotient in enumerate(upcoming) if quotient == last]
    if ties == "better":
        assert all(i < j for i in tied_in for j in tied_out)
    else:
        assert all(i > j for i in tied_in for j in tied_out)


def test_votes_that_are_all_equal():
    assert allocate([Fraction(7)] * 5000, 4999, "better") == [1] * 4999 + [0]
    assert allocate([Fraction(7)] * 5000, 4999, "worse") == [1] * 4999 + [0]


def test_most_seats_allowed():
    assert allocate(votes("inverse", 3), MAX_SEATS) == [545_454_546, 272_727_273, 181_818_181]


def test_no_seats():
    assert allocate(votes("inverse", 3), 0) == [0, 0, 0]
    assert seat_order(votes("inverse", 3), 0) == []
    assert seat_table(votes("inverse", 3), 0) == []


def test_votes_are_not_changed():
    values = votes("vp_kid", 12)
    seat_table(values, 12)
    assert values == votes("vp_kid", 12)


@pytest.mark.parametrize("function", [seat_order, seat_table])
def test_longest_order(function):
    with pytest.raises(ValueError, match=r"^seats: at most 1000000 can be put in order, got 1000001$"):
        function(votes("inverse", 3), MAX_TABLE + 1)


# Votes with a fractional power.


def powers_order(alpha, n_places, seats, ties):
    """Sort every quotient raised to the power q of alpha = p/q, computed from the definition."""
    p, q = Fraction(alpha).as_integer_ratio()
    powers = [Fraction(vote) ** q for vote in (100, 60, 40, 25)][:n_places]
    powers += [Fraction(25) ** q * Fraction(4, n) ** p for n in range(5, n_places + 1)]
    cells = sorted(
        (-power / kth**q, -power if ties == "better" else power, place)
        for place, power in enumerate(powers, start=1)
        for kth in range(1, seats + 1)
    )
    return [place for _, _, place in cells[:seats]]


@pytest.mark.parametrize("ties", ["better", "worse"])
@pytest.mark.parametrize("alpha", ["1", "1.05", "1.2", "1.25", "1.5", "2", "2.5"])
def test_powers_by_brute_force(alpha, ties):
    rule = VotesRule(VP_KID_HEAD, Tail("power", Fraction(alpha)))
    assert seat_order(StructureVotes(rule, 60), 60, ties) == powers_order(alpha, 60, 60, ties)


def test_irrational_votes_tie_where_they_are_equal():
    """25*(4/16)^1.5 = 25/8: the first seat of place 16 ties with the eighth of place 4 and the 32nd of place 1."""
    values = StructureVotes(VotesRule(VP_KID_HEAD, Tail("power", Fraction(3, 2))), 16)
    assert compare_quotients(values[15], 1, values[3], 8) == 0
    assert compare_quotients(values[15], 1, values[0], 32) == 0
    assert compare_quotients(values[14], 1, values[3], 8) == 1
    better, worse = (seat_order(values, 120, ties) for ties in ("better", "worse"))
    assert worse.index(16) < better.index(16)


@pytest.mark.rest
@given(
    st.sampled_from(["1.5", "1.25", "1.2", "2.5", "1.05"]),
    st.integers(1, 40),
    st.integers(0, 70),
    TIES,
)
def test_fast_powers_agree_with_sorting_and_are_house_monotone(alpha, n_places, seats, ties):
    values = StructureVotes(VotesRule(VP_KID_HEAD, Tail("power", Fraction(alpha))), n_places)
    order = powers_order(alpha, n_places, seats, ties)
    counts = allocate(values, seats, ties)
    assert counts == [order.count(place) for place in range(1, n_places + 1)]
    assert allocate(values[:], seats, ties) == counts
    assert all(better >= worse for better, worse in pairwise(counts))
    after = allocate(values, seats + 1, ties)
    assert all(more >= less for more, less in zip(after, counts, strict=True))


@pytest.mark.parametrize("alpha", ["1.05", "1.0001", "10", "1.5"])
def test_power_of_a_large_field_is_a_divisor_allocation(alpha):
    n = 3000
    values = StructureVotes(VotesRule(VP_KID_HEAD, Tail("power", Fraction(alpha))), n)
    counts = allocate(values, n)
    assert sum(counts) == n
    paid = [(float(vote) / held) for vote, held in zip(values, counts, strict=True) if held]
    upcoming = [float(vote) / (held + 1) for vote, held in zip(values, counts, strict=True)]
    assert max(upcoming) <= min(paid) * (1 + 1e-12)


def test_ratios_agree_with_exact_votes():
    """Compare with votes to 50 digits, to a relative error of 1e-13, also far beyond the first places."""
    for alpha in ("1.05", "10", "0.3"):
        rule = VotesRule((Fraction(100), Fraction(7, 3)), Tail("power", Fraction(alpha)))
        ratios = rule.ratios(200_000)
        with mpmath.workdps(50):
            for place in (1, 2, 3, 1000, 200_000):
                exact = (
                    mpmath.mpf(7) / 300 * (mpmath.mpf(2) / place) ** (mpmath.mpf(alpha))
                    if place > 2
                    else None
                )
                exact = exact or [mpmath.mpf(1), mpmath.mpf(7) / 300][place - 1]
                assert abs(ratios[place - 1] / exact - 1) < 1e-13


@pytest.mark.parametrize("function", [allocate, seat_order, seat_table])
@pytest.mark.parametrize(
    ("values", "seats", "ties", "message"),
    [
        ([Fraction(1)], -1, "better", "seats: must be 0 to 1000000000, got -1"),
        ([Fraction(1)], MAX_SEATS + 1, "better", "seats: must be 0 to 1000000000, got 1000000001"),
        ([Fraction(1)], 1, "best", "ties: unknown tie rule 'best', one of: better, worse"),
        ([], 1, "better", "votes: at least one place is needed"),
        (StructureVotes(STRUCTURES["inverse"], 0), 0, "better", "votes: at least one place is needed"),
        ([Fraction(3), Fraction(4)], 1, "worse", "votes: place 2 has 4, more than the 3 of place 1"),
        ([Fraction(3), Fraction(0)], 0, "worse", "votes: place 2 has 0, votes must be positive"),
    ],
)
def test_bad_input(function, values, seats, ties, message):
    with pytest.raises(ValueError) as caught:
        function(values, seats, ties)
    assert str(caught.value) == message
