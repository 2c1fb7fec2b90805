"""Standings and breakdowns compared with a slow twin that applies each rule as worded, in fractions, step by step."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.seasons.breakdown import season_breakdown
from payouts.engine.seasons.season import TieBreak
from payouts.engine.seasons.selection import Verdict
from payouts.engine.seasons.standings import (
    BroughtForward,
    EventResult,
    SeasonEvent,
    SeasonRules,
    season_rows,
)

MONTHS = ("1999-01", "1999-02", "1999-03")
EVENTS = st.lists(
    st.builds(
        SeasonEvent,
        st.sampled_from(MONTHS),
        st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2)]),
        st.booleans(),
    ),
    min_size=8,
    max_size=8,
)
RESULTS = st.lists(
    st.builds(
        EventResult,
        st.integers(1, 4),
        st.integers(0, 7),
        st.fractions(-4, 6, max_denominator=3),
        st.integers(1, 3),
        st.integers(1, 4),
    ),
    max_size=24,
    unique_by=lambda result: (result.player_id, result.event_index),
)
RULES = st.builds(
    SeasonRules,
    st.sampled_from([Fraction(0), Fraction(1, 2)]),
    st.just(2),
    st.none() | st.integers(1, 5),
    st.none() | st.integers(1, 3),
    st.integers(0, 4),
    st.booleans(),
    st.lists(
        # Players have no names here.
        st.sampled_from([name for name in get_args(TieBreak) if name != "alphabetical"]),
        unique=True,
    ).map(tuple),
)
BROUGHT = st.lists(
    st.builds(
        BroughtForward, st.integers(1, 5), st.fractions(-4, 6, max_denominator=5), st.just(3), st.integers(3, 5),
        st.integers(0, 3),
    ),
    max_size=3,
    unique_by=lambda result: result.player_id,
)  # fmt: skip


def best_sum(values, count):
    """Find the largest sum of `count` of the values, by trying every choice."""
    count = max(0, min(count, len(values)))
    return max((sum(choice, Fraction(0)) for choice in combinations(values, count)), default=Fraction(0))


def without_worst(values, count):
    """Remove the worst values one by one."""
    left = list(values)
    for _ in range(min(count, len(left))):
        left.remove(min(left))
    return left


def slow_points(own, season_rules, events):
    scored = [
        (events[result.event_index], result.points * events[result.event_index].multiplier) for result in own
    ]
    finals = [points for event, points in scored if event.is_final]
    left = []
    for month in MONTHS:
        of_month = sorted(points for event, points in scored if event.month == month and not event.is_final)
        cap = season_rules.best_n_per_month
        left += of_month if cap is None else without_worst(of_month, len(of_month) - cap)
    n_missed = sum(not event.is_final for event in events) - (len(scored) - len(finals))
    if season_rules.missed_count_as_zero:
        played = [(points, True) for points in left]
        missed = [(Fraction(0), False)] * n_missed
        left = [
            points
            for points, was_played in without_worst([*played, *missed], season_rules.drop_worst)
            if was_played
        ]
    else:
        left = without_worst(left, season_rules.drop_worst)
    best = len(left) if season_rules.best_n is None else season_rules.best_n
    return best_sum(left, best) + sum(finals, Fraction(0))


def slow_keys(results, season_rules, events, brought_forward):
    """Compute points, total and profit of each player from the wording of the rules, in fractions."""
    keys = {}
    for player in {result.player_id for result in [*results, *brought_forward]}:
        own = [result for result in results if result.player_id == player]
        totals = [row for row in brought_forward if row.player_id == player]
        points = slow_points(own, season_rules, events) + sum((row.points for row in totals), Fraction(0))
        n_events = len(own) + sum(row.n_events for row in totals)
        paid = sum((result.points - result.n_entries for result in [*own, *totals]), Fraction(0))
        keys[player] = (points, points + season_rules.attendance_points * n_events, paid / n_events)
    return keys


@given(RESULTS, RULES, EVENTS, BROUGHT)
def test_points_totals_and_profit_are_those_of_the_slow_twin(results, season_rules, events, brought_forward):
    expected = slow_keys(results, season_rules, events, brought_forward)
    rows = season_rows(results, season_rules, events=events, brought_forward=brought_forward)
    assert {row.player_id: (row.points, row.total, row.profit_per_tourney) for row in rows} == expected
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)


@given(RESULTS, RULES, EVENTS, BROUGHT)
def test_breakdown_adds_up_to_the_row(results, season_rules, events, brought_forward):
    rows = {
        row.player_id: row
        for row in season_rows(results, season_rules, events=events, brought_forward=brought_forward)
    }
    for player in season_breakdown(results, season_rules, events=events, brought_forward=brought_forward):
        row = rows.pop(player.player_id)
        brought_points = player.brought_forward.points if player.brought_forward else 0
        counted = sum(event.counted for event in player.events)
        assert (
            counted + brought_points
            == sum(points for _, points in player.months) + brought_points
            == player.points
        )
        assert (player.points, player.attendance, player.total) == (row.points, row.attendance, row.total)
        assert len(player.events) == len(events)
        n_counted = sum(event.verdict.counts for event in player.events)
        assert n_counted == row.n_counted - row.n_brought
        own = [result for result in results if result.player_id == player.player_id]
        alone = season_breakdown(
            own, season_rules, events=events, brought_forward=filter(None, [player.brought_forward])
        )
        assert alone == [player]
        limits = {event.limit for event in player.events if event.verdict is Verdict.WORST}
        assert limits <= {season_rules.drop_worst}
    assert not rows


def head_to_head_score(player, group, own):
    return sum(
        (mine.place < theirs.place) - (mine.place > theirs.place)
        for rival in group
        for mine in own[player]
        for theirs in own[rival]
        if mine.event_index == theirs.event_index
    )


def slow_ranks(results, season_rules, events, brought_forward):
    """Rank players by splitting groups of equals on one criterion after the other, each from its definition."""
    keys = slow_keys(results, season_rules, events, brought_forward)
    own = {player: [result for result in results if result.player_id == player] for player in keys}
    totals = {player: [row for row in brought_forward if row.player_id == player] for player in keys}
    key = {
        "total": lambda player, _: keys[player][1],
        "points": lambda player, _: keys[player][0],
        "profit": lambda player, _: keys[player][2],
        "wins": lambda player, _: (
            sum(result.place == 1 for result in own[player]) + sum(row.wins for row in totals[player])
        ),
        "events": lambda player, _: len(own[player]) + sum(row.n_events for row in totals[player]),
        "best_places": lambda player, _: tuple(
            sum(result.place == place for result in own[player]) for place in range(1, 10)
        ),
        "head_to_head": lambda player, group: head_to_head_score(player, group, own),
    }
    groups = [sorted(keys)] if keys else []
    for criterion in ("total", *season_rules.tie_breaks):
        groups = [part for group in groups for part in split(group, key[criterion])]
    ranks = {}
    for group in groups:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks


def split(group, key):
    by_key = defaultdict(list)
    for player in group:
        by_key[key(player, group)].append(player)
    return [by_key[value] for value in sorted(by_key, reverse=True)]


@given(RESULTS, RULES, EVENTS, BROUGHT)
def test_ranks_are_those_of_the_slow_twin(results, season_rules, events, brought_forward):
    # Whole points and no attendance: many equal totals.
    results = [result._replace(points=Fraction(round(result.points / 3))) for result in results]
    season_rules = replace(season_rules, attendance_points=Fraction(0))
    rows = season_rows(results, season_rules, events=events, brought_forward=brought_forward)
    assert {row.player_id: row.points_rank for row in rows} == slow_ranks(
        results, season_rules, events, brought_forward
    )


SPLITTING = [name for name in get_args(TieBreak) if name != "alphabetical"]
LEAST_SPLITS = 30  # of the hundred examples of each tie-break


def with_equal_totals(results, attendance_points):
    """Change the points of each player's last result so that the totals of all are equal."""
    levelled = []
    for player in {result.player_id for result in results}:
        *others, last = [result for result in results if result.player_id == player]
        so_far = sum((result.points for result in others), Fraction(0))
        missing = 100 - attendance_points * (len(others) + 1) - so_far
        levelled += [*others, last._replace(points=missing)]
    return levelled


@pytest.mark.parametrize("name", SPLITTING)
def test_each_tie_break_splits_equal_totals_as_its_slow_twin(name):
    season_rules = SeasonRules(attendance_points=Fraction(1), tie_breaks=(name,))
    events = [SeasonEvent(MONTHS[0])] * 8
    n_split = n_unequal = 0

    @given(RESULTS)
    def agrees(results):
        nonlocal n_split, n_unequal
        results = with_equal_totals(results, season_rules.attendance_points)
        rows = season_rows(results, season_rules, events=events)
        assert len({row.total for row in rows}) <= 1
        ranks = {row.player_id: row.points_rank for row in rows}
        assert ranks == slow_ranks(results, season_rules, events, [])
        n_split += len(set(ranks.values())) > 1
        n_unequal += len({row.n_events for row in rows}) > 1

    agrees()
    assert min(n_split, n_unequal) >= LEAST_SPLITS


def test_head_to_head_counts_nothing_of_events_that_a_rival_has_not_played():
    """A beats B once; C plays three events without them. By hand: A is 1 ahead, C 0, B 1 behind."""
    a, b, c = 1, 2, 3
    results = [EventResult(a, 0, Fraction(3), 1, 1), EventResult(b, 0, Fraction(3), 1, 2)]
    results += [EventResult(c, event, Fraction(1), 1, 1) for event in (1, 2, 3)]
    season_rules = SeasonRules(attendance_points=Fraction(0), tie_breaks=("head_to_head",))
    rows = season_rows(results, season_rules, events=[SeasonEvent()] * 4)
    assert {row.player_id: row.points_rank for row in rows} == {a: 1, c: 2, b: 3}


@given(RESULTS, EVENTS)
def test_without_rules_events_change_nothing(results, events):
    plain = [replace(event, multiplier=Fraction(1)) for event in events]
    assert season_rows(results, events=plain) == season_rows(results)


def test_points_too_large_for_a_machine_word_are_exact():
    large = Fraction(10**30, 7)
    results = [
        EventResult(1, 0, large, 1, 1),
        EventResult(2, 0, large / 3, 1, 2),
        EventResult(1, 1, large, 1, 1),
    ]
    events = [SeasonEvent(multiplier=Fraction(1, 3)), SeasonEvent(multiplier=Fraction(1000))]
    for season_rules in (SeasonRules(), SeasonRules(best_n=1, tie_breaks=("best_places",))):
        first, second = season_rows(results, season_rules, events=events)
        assert first.points == large * 1000 + (0 if season_rules.best_n else large / 3)
        assert (first.all_points, second.points) == (2 * large, large / 9)


def test_large_points_times_0_and_small_points_with_long_fractions():
    results = [EventResult(1, 0, Fraction(10**30), 1, 1), EventResult(2, 0, Fraction(0), 1, 2)]
    nothing = [SeasonEvent(multiplier=Fraction(0))]
    assert {row.points for row in season_rows(results, events=nothing)} == {0}
    brought_forward = [BroughtForward(3, Fraction(1, prime), 1, 1) for prime in (10**30 + 57,)]
    rows = season_rows(results[1:], events=[SeasonEvent()], brought_forward=brought_forward)
    assert {row.player_id: row.points for row in rows} == {2: 0, 3: Fraction(1, 10**30 + 57)}
