"""Points of an event by the structures that need no settings (payouts/README.md)."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.structures.structure import PointsStructure

INVERSE, VP_KID = PointsStructure("inverse"), PointsStructure("vp_kid")
STRUCTURES = st.builds(
    PointsStructure,
    st.sampled_from(["inverse", "vp_kid", "vp_kid_alpha", "soft_top", "winner_takes_all"]),
    st.sampled_from(["better", "worse"]),
)


@st.composite
def rankings(draw):
    """Places of all entries in competition ranking, shuffled."""
    places = []
    for size in draw(st.lists(st.integers(1, 5), min_size=1, max_size=10)):
        places += [len(places) + 1] * size
    return draw(st.permutations(places))


def test_published_10_entries():
    assert INVERSE.points(10) == [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    assert VP_KID.points(10) == [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]


def test_one_entry():
    assert VP_KID.points(1) == [1]


def test_large_field_with_a_cap():
    """Above a cap there are as many seats as the cap, each worth entries/cap."""
    points = INVERSE.points(250, seats=100, total=250)
    uncapped = INVERSE.points(100)
    assert points == [Fraction(5, 2) * value for value in uncapped] + [0] * 150


def test_total_other_than_the_entries():
    assert INVERSE.points(10, total=Fraction(25)) == [Fraction(5, 2) * value for value in INVERSE.points(10)]


def test_more_seats_than_entries_stay_with_the_entries():
    assert INVERSE.points(2, seats=6) == [4, 2]


def test_nothing_put_up():
    assert INVERSE.points(3, seats=0) == [0, 0, 0]
    assert INVERSE.points(3, seats=0, total=0) == [0, 0, 0]
    assert INVERSE.points(3, total=0) == [0, 0, 0]


@given(
    STRUCTURES,
    st.integers(1, 40),
    st.integers(1, 80),
    st.fractions(0, 1000, max_denominator=1000) | st.none(),
)
def test_points_sum_to_seats_times_value_and_never_increase(structure, n_entries, seats, total):
    points = structure.points(n_entries, seats=seats, total=total)
    assert len(points) == n_entries
    assert sum(points) == (seats if total is None else total)
    assert all(better >= worse for better, worse in pairwise(points))


@given(rankings(), STRUCTURES)
def test_tied_entries_share_and_nothing_is_lost(places, structure):
    points = structure.event_points(places)
    by_place = structure.points(len(places))
    assert sum(points) == len(places)
    for place in set(places):
        share = {value for value, its_place in zip(points, places, strict=True) if its_place == place}
        occupied = by_place[place - 1 : place - 1 + places.count(place)]
        assert share == {sum(occupied, Fraction(0)) / len(occupied)}


def test_a_chop_for_the_win():
    assert INVERSE.event_points([1, 1, *range(3, 11)])[:3] == [Fraction(7, 2), Fraction(7, 2), 1]


def test_three_out_on_the_same_hand():
    """Places 4, 5 and 6 are worth 1, 1 and 0."""
    places = [1, 2, 3, 4, 4, 4, 7, 8, 9, 10]
    assert INVERSE.event_points(places)[3:6] == [Fraction(2, 3)] * 3


def test_all_tied():
    assert VP_KID.event_points([1, 1, 1], total=10) == [Fraction(10, 3)] * 3


def test_points_come_in_the_order_given_and_the_places_stay():
    places = [3, 1, 2]
    assert PointsStructure("inverse", "worse").event_points(places) == [0, 2, 1]
    assert places == [3, 1, 2]


@pytest.mark.parametrize(
    ("n_entries", "options", "message"),
    [
        (10_000_001, {}, "n_entries: must be at most 10000000, got 10000001"),
        (0, {}, "n_entries: must be at least 1, got 0"),
        (3, {"seats": -1}, "seats: must be 0 to 1000000000, got -1"),
        (3, {"seats": 3, "total": -2}, "total: must not be negative, got -2"),
        (3, {"seats": 0, "total": 5}, "seats: a total of 5 needs at least one seat, got 0"),
    ],
)
def test_bad_input(n_entries, options, message):
    with pytest.raises(ValueError) as caught:
        INVERSE.points(n_entries, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ([], "places: at least one entry is needed"),
        ([0, 1], "places: place 0 where place 1 is expected (competition ranking 1-2-2-4)"),
        ([2, 3], "places: place 2 where place 1 is expected (competition ranking 1-2-2-4)"),
        ([1, 2, 2, 3], "places: place 3 where place 4 is expected (competition ranking 1-2-2-4)"),
        ([1, 1, 2], "places: place 2 where place 3 is expected (competition ranking 1-2-2-4)"),
        ([1, 5], "places: place 5 where place 2 is expected (competition ranking 1-2-2-4)"),
    ],
)
def test_bad_places_name_the_place(places, message):
    with pytest.raises(ValueError) as caught:
        INVERSE.event_points(places)
    assert str(caught.value) == message
