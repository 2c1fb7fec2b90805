"""Partial fields: which entries an early bust has met, and in what order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.tier.partial_field import count_field, make_field


def field_at(moment, registered, busted, place):
    member, member_place = np.zeros(len(place), np.int64), np.zeros(len(place), np.int64)
    size = make_field(
        len(place),
        moment,
        np.array(registered, float),
        np.array(busted, float),
        np.array(place, np.int64),
        member,
        member_place,
    )
    return member[:size].tolist(), member_place[:size].tolist()


@pytest.mark.parametrize(
    ("moment", "members", "places"),
    [
        (10.0, [0, 2, 3], [1, 2, 3]),  # before entry 1 registers
        (20.0, [0, 1, 2, 3], [1, 2, 3, 4]),  # in the minute in which entry 1 registers
        (30.0, [0, 1, 2, 3], [1, 2, 3, 4]),
    ],
)
def test_entries_registered_at_or_before_the_bust(moment, members, places):
    assert field_at(moment, [0, 20, 0, 0], [90, 80, 30, 10], [1, 2, 3, 4]) == (members, places)


def test_entries_still_in_come_before_entries_out():
    """Entry 1 was recorded out at 10 min, but has a better place than entry 2, which was still in."""
    assert field_at(15.0, [0, 0, 0], [90, 10, 80], [1, 2, 3]) == ([0, 2, 1], [1, 2, 3])
    assert count_field(3, 15.0, np.zeros(3), np.array([90.0, 10.0, 80.0])) == (3, False)


def test_ties_stay_ties_in_and_out():
    assert field_at(15.0, [0] * 4, [90, 90, 10, 10], [1, 1, 3, 3]) == ([0, 1, 2, 3], [1, 1, 3, 3])
    assert field_at(15.0, [0, 20, 0, 0], [90, 50, 50, 10], [1, 2, 2, 4]) == ([0, 2, 3], [1, 2, 3])


@given(st.integers(0, 2**32 - 1))
def test_slow_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    registered, busted = rng.integers(0, 10, n), rng.integers(0, 10, n)
    busted = np.maximum(registered, busted)
    place = np.sort(rng.integers(1, n + 1, n))
    moment = float(rng.integers(0, 10))
    inside = [i for i in range(n) if registered[i] <= moment]
    keys = [(bool(busted[i] <= moment), int(place[i])) for i in inside]
    expected = sorted(zip(keys, inside, strict=True))
    members, places = field_at(moment, registered, busted, place)
    assert members == [i for _key, i in expected]
    assert places == [1 + sum(other < key for other in keys) for key, _i in expected]
    size, in_order = count_field(n, moment, registered.astype(float), busted.astype(float))
    assert size == len(inside)
    assert in_order == ([key for key, _i in expected] == keys)
