"""Points of an event (payouts/README.md)."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.points import event_points, points_by_place
from payouts.engine.settings import NAMES

STRUCTURE = st.sampled_from(["inverse", "vp_kid", "vp_kid_alpha", "soft_top", "winner_takes_all"])
TIES = st.sampled_from(["better", "worse"])


@st.composite
def rankings(draw):
    """Places of all entries in competition ranking, shuffled."""
    places = []
    for size in draw(st.lists(st.integers(1, 5), min_size=1, max_size=10)):
        places += [len(places) + 1] * size
    return draw(st.permutations(places))


def test_published_10_entries():
    assert points_by_place("inverse", 10) == [5, 2, 1, 1, 1, 0, 0, 0, 0, 0]
    assert points_by_place("vp_kid", 10) == [5, 3, 1, 1, 0, 0, 0, 0, 0, 0]


def test_one_entry():
    assert points_by_place("vp_kid", 1) == [1]


def test_large_field_with_a_cap():
    """Above a cap: the cap's seats, each worth entries/cap."""
    points = points_by_place("inverse", 250, seats=100, total=250)
    uncapped = points_by_place("inverse", 100)
    assert points == [Fraction(5, 2) * value for value in uncapped] + [0] * 150


def test_total_other_than_the_entries():
    assert points_by_place("inverse", 10, total=Fraction(25)) == [
        Fraction(5, 2) * value for value in points_by_place("inverse", 10)
    ]


def test_more_seats_than_entries_stay_with_the_entries():
    assert points_by_place("inverse", 2, seats=6) == [4, 2]


def test_nothing_put_up():
    assert points_by_place("inverse", 3, seats=0) == [0, 0, 0]
    assert points_by_place("inverse", 3, seats=0, total=0) == [0, 0, 0]
    assert points_by_place("inverse", 3, total=0) == [0, 0, 0]


@given(
    STRUCTURE,
    TIES,
    st.integers(1, 40),
    st.integers(1, 80),
    st.fractions(0, 1000) | st.none(),
)
def test_points_sum_to_seats_times_value_and_never_increase(structure, ties, n_entries, seats, total):
    points = points_by_place(structure, n_entries, ties, seats, total)
    assert len(points) == n_entries
    assert sum(points) == (seats if total is None else total)
    assert all(better >= worse for better, worse in pairwise(points))


@given(rankings(), STRUCTURE, TIES)
def test_tied_entries_share_and_nothing_is_lost(places, structure, ties):
    points = event_points(places, structure, ties)
    by_place = points_by_place(structure, len(places), ties)
    assert sum(points) == len(places)
    for place in set(places):
        share = {value for value, own in zip(points, places, strict=True) if own == place}
        occupied = by_place[place - 1 : place - 1 + places.count(place)]
        assert share == {sum(occupied, Fraction(0)) / len(occupied)}


def test_a_chop_for_the_win():
    assert event_points([1, 1, *range(3, 11)], "inverse")[:3] == [Fraction(7, 2), Fraction(7, 2), 1]


def test_three_out_on_the_same_hand():
    """Places 4, 5 and 6 are worth 1, 1 and 0."""
    places = [1, 2, 3, 4, 4, 4, 7, 8, 9, 10]
    assert event_points(places, "inverse")[3:6] == [Fraction(2, 3)] * 3


def test_all_tied():
    assert event_points([1, 1, 1], "vp_kid", total=10) == [Fraction(10, 3)] * 3


def test_points_come_in_the_order_given_and_the_places_stay():
    places = [3, 1, 2]
    assert event_points(places, "inverse", "worse") == [0, 2, 1]
    assert places == [3, 1, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nope", 3), f"structure: unknown structure 'nope', one of: {', '.join(NAMES)}"),
        (("inverse", 10_000_001), "n_entries: must be at most 10000000, got 10000001"),
        (("inverse", 0), "n_entries: must be at least 1, got 0"),
        (("inverse", 3, "best"), "ties: unknown tie rule 'best', one of: better, worse"),
        (("inverse", 3, "better", -1), "seats: must be 0 to 1000000000, got -1"),
        (("inverse", 3, "better", 3, -2), "total: must not be negative, got -2"),
        (("inverse", 3, "better", 0, 5), "seats: a total of 5 needs at least one seat, got 0"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(ValueError) as caught:
        points_by_place(*arguments)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ([], "places: at least one entry is needed"),
        ([0, 1], "places: found place 0 where 1 is due (competition ranking 1-2-2-4)"),
        ([2, 3], "places: found place 2 where 1 is due (competition ranking 1-2-2-4)"),
        ([1, 2, 2, 3], "places: found place 3 where 4 is due (competition ranking 1-2-2-4)"),
        ([1, 1, 2], "places: found place 2 where 3 is due (competition ranking 1-2-2-4)"),
        ([1, 5], "places: found place 5 where 2 is due (competition ranking 1-2-2-4)"),
    ],
)
def test_bad_places_name_the_place(places, message):
    with pytest.raises(ValueError) as caught:
        event_points(places, "inverse")
    assert str(caught.value) == message
