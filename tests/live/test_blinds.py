"""Blinds that can be paid with the chips in play, stacks that can be made, and plans that end when they should."""

import random
from itertools import pairwise

import pytest

from live.engine import chips as module
from live.engine.blinds import (
    Plan,
    big_steps,
    falling,
    levels_of,
    replanned,
    unpayable,
    with_colour_ups,
    with_colour_ups_ahead,
)
from live.engine.chips import most_players, stack_of

CASE = {25: 150, 100: 150, 500: 100, 1000: 100, 5000: 20}
SETS = [(25, 100, 500, 1000, 5000), (1, 5, 25, 100), (5, 25, 100, 500), (100, 500, 1000, 5000), (10, 50, 100)]


def random_plan(rng):
    chips = rng.choice(SETS)
    return Plan(
        n_players=rng.randint(3, 200),
        stack=chips[0] * rng.randint(40, 2_000),
        chips=chips,
        minutes=rng.randrange(60, 500),
        level_minutes=rng.choice([6, 10, 12, 15, 20, 30]),
        break_every=rng.choice([0, 3, 4, 6]),
        break_minutes=rng.choice([5, 10]),
        ante_from=rng.choice([0, 0, 4]),
    )


def payable_by_hand(amounts, chips):
    """Tell which amounts are sums of chips, by counting them up: another way than dividing by the smallest."""
    most = max(amounts)
    reached = {0}
    for chip in sorted(chips):
        step = {base + chip for base in reached}
        while new := {each for each in step if each <= most} - reached:
            reached |= new
            step = {base + chip for base in new}
    return [amount for amount in amounts if amount not in reached]


def blinds_of(levels):
    return [level for level in levels if not level.get("is_break")]


@pytest.mark.parametrize("seed", range(200))
def test_every_structure_can_be_paid_rises_and_at_most_doubles(seed):
    plan = random_plan(random.Random(seed))
    levels = levels_of(plan)
    smalls = [level["sb"] for level in blinds_of(levels)]
    assert all(a < b <= 2 * a for a, b in pairwise(smalls))
    assert big_steps(levels) == []
    assert unpayable(levels, plan.chips) == []
    left = set(plan.chips)
    for level in levels:
        left -= {*level.get("gone", [])}
        if not level.get("is_break"):
            amounts = [level["sb"], level["bb"], *filter(None, [level.get("ante")])]
            assert all(amount % min(left) == 0 for amount in amounts)
    assert left


@pytest.mark.parametrize("seed", range(40))
def test_payable_is_what_chips_can_be_counted_up_to(seed):
    plan = random_plan(random.Random(1_000 + seed))
    levels = blinds_of(levels_of(plan))[:6]
    assert payable_by_hand([level["sb"] for level in levels], plan.chips) == []


def test_an_evening_of_sixteen_ends_where_evenings_end():
    """104,000 chips; half of the ten real evenings ended with less than 13 big blinds in play: a big blind of 8,000."""
    levels = levels_of(Plan(16, 6_500, tuple(CASE), minutes=195))
    blinds = blinds_of(levels)
    assert (blinds[0]["sb"], blinds[0]["bb"]) == (25, 50)
    n_planned = len(blinds) - 2
    planned_ms = sum(level["ms"] for level in levels[: levels.index(blinds[n_planned - 1]) + 1])
    assert 6_000 <= blinds[n_planned - 1]["bb"] <= 10_000
    assert 180 <= planned_ms / 60_000 <= 210


def test_chips_leave_at_the_first_break_after_which_no_level_needs_them():
    levels = [
        {"sb": 75, "bb": 150, "ms": 1},
        {"is_break": True, "ms": 1},
        {"sb": 100, "bb": 200, "ms": 1},
        {"sb": 150, "bb": 300, "ms": 1},
        {"is_break": True, "ms": 1},
        {"sb": 500, "bb": 1000, "ms": 1},
    ]
    found = with_colour_ups(levels, (25, 100, 500))
    assert [level.get("gone") for level in found if level.get("is_break")] == [None, [25, 100]]


def test_chips_that_left_at_a_break_that_is_over_do_not_come_back():
    played = [
        {"sb": 25, "bb": 50, "ms": 1},
        {"is_break": True, "ms": 1, "gone": [25]},
        {"sb": 100, "bb": 200, "ms": 1},
    ]
    ahead = [{"sb": 225, "bb": 450, "ms": 1}, {"is_break": True, "ms": 1}, {"sb": 500, "bb": 1000, "ms": 1}]
    found = with_colour_ups_ahead([*played, *ahead], (25, 100, 500), 3)
    assert found[:3] == played
    assert unpayable(found, (25, 100, 500)) == [(3, 225), (3, 450)]
    assert found[4]["gone"] == [100]


def test_blinds_that_do_not_rise_are_said():
    blinds = [
        {"sb": 25, "bb": 50},
        {"is_break": True},
        {"sb": 50, "bb": 100},
        {"sb": 25, "bb": 50},
        {"sb": 25, "bb": 50},
    ]
    assert falling(blinds) == [3, 4]


def test_what_cannot_be_paid_is_said():
    """Plain rounding gave a small blind of 40 with 25s, and 75 after they had gone."""
    levels = [
        {"sb": 40, "bb": 80, "ms": 1},
        {"is_break": True, "ms": 1, "gone": [25]},
        {"sb": 150, "bb": 300, "ms": 1},
    ]
    assert unpayable(levels, (25, 100)) == [(0, 40), (0, 80), (2, 150)]


def test_a_big_step_is_said():
    assert big_steps([{"sb": 300, "bb": 600, "ms": 1}, {"sb": 700, "bb": 1500, "ms": 1}]) == [(1, 2.5)]


def test_an_ante_begins_where_it_is_wanted():
    levels = blinds_of(levels_of(Plan(16, 6_500, tuple(CASE), ante_from=5)))
    assert [level.get("ante", 0) for level in levels[3:6]] == [0, levels[4]["bb"], levels[5]["bb"]]


def test_levels_ahead_are_shortened_for_a_wanted_end():
    levels = [{"sb": i, "bb": 2 * i, "ms": 900_000} for i in range(1, 11)]
    changed = replanned(levels, 2, 300_000, end=7, wanted_ms=300_000 + 5 * 720_000)
    assert [level["ms"] // 60_000 for level in changed] == [15, 15, 15, 12, 12, 12, 12, 12, 12, 12]
    assert min(level["ms"] for level in replanned(levels, 2, 300_000, end=7, wanted_ms=0)) == 60_000


@pytest.mark.parametrize("n", [1, 8, 16, 18])
def test_a_stack_sums_and_the_case_has_its_chips(n):
    stack = stack_of(CASE, 6_500, n)
    assert sum(value * count for value, count in stack.items()) == 6_500
    assert all(count * n <= CASE[value] for value, count in stack.items())


def test_the_case_says_for_how_many_it_is_enough():
    most = most_players(CASE, 6_500)
    assert stack_of(CASE, 6_500, most) is not None
    assert stack_of(CASE, 6_500, most + 1) is None
    assert most_players({100: 10}, 6_500) == 0
    assert stack_of({30: 100, 70: 100}, 100, 1) == {30: 1, 70: 1}
    assert stack_of({30: 100}, 100, 1) is None


def test_a_case_of_odd_values_is_given_up_in_time(monkeypatch):
    """Every further try would double with each kind of chip."""
    case = {19_000 + 74 * i: 400 for i in range(10)}
    tries = []
    counts = module._counts
    monkeypatch.setattr(module, "_counts", lambda *given: tries.append(1) or counts(*given))
    assert stack_of(case, 1_000_001, 1) is None
    assert len(tries) <= module.MOST_TRIED


@pytest.mark.parametrize("seed", range(60))
def test_stacks_of_random_cases_can_be_made_or_are_refused_rightly(seed):
    rng = random.Random(seed)
    case = {value: rng.randrange(0, 60) for value in (25, 100, 500)}
    stack, n = 25 * rng.randrange(4, 120), rng.randint(1, 6)
    found = stack_of(case, stack, n)
    possible = any(
        25 * a + 100 * b + 500 * c == stack
        for a in range(min(case[25] // n, 40) + 1)
        for b in range(min(case[100] // n, 40) + 1)
        for c in range(min(case[500] // n, 40) + 1)
    )
    assert (found is not None) == possible
    if found:
        assert sum(value * count for value, count in found.items()) == stack
