"""The order of a night recorded by several phones: the rule is right in every simulated night, others are not."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from live.engine.actions import Action
from live.engine.order import JUMP, N_SAMPLES, UNSURE_FROM, ClockOffset, is_unsure, recorded_at
from live.engine.project import project
from live.engine.summary import places_of
from tests.live.phones import NIGHTS, night, recorded

FEW, MANY = 2, 60  # runs of each of the ten nights


def names_by(taps, key):
    return [tap.name for tap in sorted(taps, key=key)]


def is_right(taps, key):
    return names_by(taps, key) == [tap.name for tap in taps]


def by_rule(tap):
    return tap.at_ms, str(tap.phone), tap.counter


def by_arrival(tap):
    return tap.received_ms


def by_clock(tap):
    return tap.tap_ms


def share_wrong(runs, key):
    return sum(not is_right(taps, key) for taps in runs) / len(runs)


def runs_of(n, **more):
    return [
        recorded(path, random.Random(f"{path.stem} {run}"), **more) for path in NIGHTS for run in range(n)
    ]


def test_ten_nights_are_there_and_minutes_cannot_order_their_busts():
    minutes = [[minute for _name, minute in night(path)] for path in NIGHTS]
    assert len(minutes) == 10
    assert sum(len(of_night) - len(set(of_night)) for of_night in minutes) > 15


@pytest.mark.parametrize("n", [FEW, pytest.param(MANY, marks=pytest.mark.rest)])
def test_the_rule_is_right_in_every_night_and_arrival_in_far_from_all(n):
    """Property 4, and its negative control."""
    runs = runs_of(n)
    assert share_wrong(runs, by_rule) == 0
    assert share_wrong(runs, by_arrival) > 0.2
    assert share_wrong(runs, by_clock) > 0.5


def test_the_projection_of_what_was_recorded_has_the_true_places():
    for taps in runs_of(FEW):
        entered = [
            Action(tap.name, "door", i, "enter", {"name": tap.name}, 0) for i, tap in enumerate(taps, 1)
        ]
        winner = Action("the winner", "door", len(taps) + 1, "enter", {"name": "the winner"}, 0)
        outs = [tap.action(tap.at_ms) for tap in taps]
        random.Random(1).shuffle(outs)
        found = places_of(project([*outs, *entered, winner]))
        assert found == {tap.name: len(taps) + 1 - i for i, tap in enumerate(taps)} | {"the winner": 1}


@pytest.mark.parametrize("n", [FEW, pytest.param(MANY, marks=pytest.mark.rest)])
def test_with_clocks_that_jump_it_is_right_or_says_that_it_is_unsure(n):
    runs = runs_of(n, jumps=True)
    wrong = [taps for taps in runs if not is_right(taps, by_rule)]
    assert all(any(tap.is_unsure for tap in taps) for taps in wrong)
    assert sum(tap.is_unsure for taps in runs for tap in taps) > 0


@given(
    st.integers(0, 10**13),
    st.integers(-(10**8), 10**8),
    st.integers(0, 10**13),
    st.lists(st.integers(0, 10**13)),
)
def test_what_a_phone_had_seen_is_before_what_it_records(tap, offset, received, seen):
    """Property 5; and nothing is later than its arrival but for that."""
    at = recorded_at(tap, offset, received_ms=received, seen_ms=seen)
    assert all(at > other for other in seen)
    assert at <= max([received, *(other + 1 for other in seen)])
    assert at >= 0


def test_the_date_is_the_tap_by_the_servers_clock():
    assert recorded_at(5_000, 1_000, received_ms=9_000) == 6_000
    assert recorded_at(5_000, 9_000, received_ms=9_000) == 9_000
    assert recorded_at(5_000, 1_000, received_ms=9_000, seen_ms=[7_000, 6_500]) == 7_001


@pytest.mark.parametrize(
    ("tap", "offset", "sent", "received", "unsure"),
    [
        (1_000, 500, 2_000, 2_500, False),
        (1_000, 500, 2_000, 2_500 + UNSURE_FROM, False),
        (1_000, 500, 2_000, 2_501 + UNSURE_FROM, True),
        (1_000, None, 2_000, 2_500, True),
        (1_000, 500, 2_000 - 3_600_000, 2_500, True),  # set back an hour before sending
    ],
)
def test_a_clock_that_was_changed_or_never_compared_is_unsure(tap, offset, sent, received, unsure):
    assert is_unsure(tap, offset, sent_ms=sent, received_ms=received) is unsure


def test_the_offset_is_that_of_the_shortest_round_trip_of_the_last_polls():
    offset = ClockOffset()
    assert offset.best is None
    offset.add(sent_ms=0, returned_ms=100, server_ms=1_050)
    offset.add(sent_ms=2_000, returned_ms=2_800, server_ms=3_500)
    assert (offset.best.offset_ms, offset.best.error_ms) == (1_000, 50)
    for i in range(N_SAMPLES):
        offset.add(sent_ms=4_000 + i, returned_ms=4_400 + i, server_ms=5_250 + i)
    assert (offset.best.offset_ms, offset.best.error_ms) == (1_050, 200)


def test_a_changed_clock_begins_anew():
    offset = ClockOffset()
    offset.add(sent_ms=0, returned_ms=100, server_ms=1_050)
    offset.add(sent_ms=0, returned_ms=400, server_ms=1_200 + JUMP + 250)  # within both errors and the jump
    assert offset.best.offset_ms == 1_000
    offset.add(sent_ms=0, returned_ms=400, server_ms=1_200 + JUMP + 251)
    assert offset.best.offset_ms == 1_000 + JUMP + 251
