"""Season standings: both lists of the Straddle Cup 1999 (tests/data/straddle-1999), ranks, bad input."""

import csv
from collections import defaultdict
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from payouts.engine.seasons.standings import BroughtForward, EventResult, SeasonRules, season_rows

DATA = Path(__file__).parents[2] / "data" / "straddle-1999"
# Places were not published, so nobody is credited with a win.
NOT_A_WIN = 2


def printed(name):
    with (DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def results_of(rows):
    """Make results of a printed list; a player's id is the position in the list."""
    return [
        EventResult(int(row["position"]), event, points, 1, NOT_A_WIN)
        for row in rows
        for event, points in enumerate(event_points_of(row))
    ]


def event_points_of(row):
    points = [Fraction(cell) for cell in row["event_points_in_order"].split()]
    return points + [Fraction(0)] * (int(row["events"]) - len(points))


BY_POINTS = printed("standings_by_points.csv")
BY_PROFIT = printed("standings_by_profit.csv")


def test_only_one_zero_is_missing_from_the_printed_lists():
    missing = {
        row["player"]: int(row["events"]) - len(row["event_points_in_order"].split()) for row in BY_POINTS
    }
    assert {player: count for player, count in missing.items() if count} == {"kankon": 1}


@pytest.mark.parametrize("rows", [BY_POINTS, BY_PROFIT], ids=["by points", "by profit"])
def test_every_printed_row_of_1999(rows):
    ours = {row.player_id: row for row in season_rows(results_of(rows))}
    assert len(ours) == len(rows) in (52, 18)
    for row in rows:
        mine = ours[int(row["position"])]
        assert mine.points == int(row["total_points"])
        assert mine.n_events == mine.n_entries == mine.attendance == int(row["events"])
        assert mine.total == int(row["points_with_attendance"])
        decimals = len(row["profit_per_tourney"].partition(".")[2])
        assert round(mine.profit_per_tourney, decimals) == Fraction(row["profit_per_tourney"])


def test_printed_order_of_1999_by_points_up_to_equal_totals():
    """The printed list is in order of total; players of equal total are the same players in both."""
    ours = season_rows(results_of(BY_POINTS))
    assert [row.total for row in ours] == [int(row["points_with_attendance"]) for row in BY_POINTS]
    groups = defaultdict(set)
    for row in ours:
        groups[row.total].add(row.player_id)
    for total, rows in groupby(BY_POINTS, key=lambda row: int(row["points_with_attendance"])):
        assert groups[total] == {int(row["position"]) for row in rows}


def test_no_rule_gives_the_printed_order_of_equal_totals():
    """genkiyo stands between players whose rows are alike in all that was published."""
    rows = {row["player"]: row for row in BY_POINTS}
    position = {player: int(row["position"]) for player, row in rows.items()}
    assert position["heaven"] < position["genkiyo"] < position["bert_99"]
    alike = ("event_points_in_order", "total_points", "events")
    assert [rows["heaven"][name] for name in alike] == [rows["bert_99"][name] for name in alike]
    # Players with more events do not always come first, nor do players with fewer.
    assert position["soufull"] < position["tamapon"]
    assert int(rows["soufull"]["events"]) > int(rows["tamapon"]["events"])
    assert position["osakana"] < position["surrender"]
    assert int(rows["osakana"]["events"]) < int(rows["surrender"]["events"])


def test_printed_order_of_1999_by_profit():
    """Reproduced by profit, then points: the printed order never contradicts our rank."""
    ours = {row.player_id: row for row in season_rows(results_of(BY_POINTS), SeasonRules(min_events=5))}
    ids = {row["player"]: int(row["position"]) for row in BY_POINTS}
    ranks = [ours[ids[row["player"]]].profit_rank for row in BY_PROFIT]
    assert ranks == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 14, 14, 16, 17, 18]
    others = set(ours) - {ids[row["player"]] for row in BY_PROFIT}
    assert all(ours[player].profit_rank is None for player in others)


def test_both_lists_of_1999_from_points_and_number_of_events():
    """Use only totals brought forward: each player's points and number of events."""
    ids = {row["player"]: int(row["position"]) for row in BY_POINTS}
    brought_forward = [
        BroughtForward(
            ids[row["player"]], Fraction(row["total_points"]), int(row["events"]), int(row["events"])
        )
        for row in BY_POINTS
    ]
    ours = season_rows([], SeasonRules(min_events=5), brought_forward=brought_forward)
    assert [row.total for row in ours] == [int(row["points_with_attendance"]) for row in BY_POINTS]
    by_id = {row.player_id: row for row in ours}
    for row in BY_POINTS + BY_PROFIT:
        mine = by_id[ids[row["player"]]]
        assert (mine.points, mine.total, mine.n_brought) == (
            int(row["total_points"]), int(row["points_with_attendance"]), int(row["events"]),
        )  # fmt: skip
        decimals = len(row["profit_per_tourney"].partition(".")[2])
        assert round(mine.profit_per_tourney, decimals) == Fraction(row["profit_per_tourney"])
    printed = [by_id[ids[row["player"]]].profit_rank for row in BY_PROFIT]
    assert printed == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 14, 14, 16, 17, 18]
    assert sum(row.profit_rank is not None for row in ours) == len(BY_PROFIT)


def result(player, event, points, *, entries=1, place=NOT_A_WIN):
    return EventResult(player, event, Fraction(points), entries, place)


def test_re_entries_cost_their_stake():
    row = season_rows([result(1, 0, 5, entries=3), result(1, 1, 0)])[0]
    assert (row.points, row.n_events, row.n_entries) == (5, 2, 4)
    assert row.profit_per_tourney == Fraction(1, 2)


def test_attendance_points_can_be_nothing_or_a_fraction():
    results = [result(1, event, Fraction(1, 3)) for event in range(3)]
    assert season_rows(results, SeasonRules(attendance_points=Fraction(0)))[0].total == 1
    row = season_rows(results, SeasonRules(attendance_points=Fraction(1, 2)))[0]
    assert (row.attendance, row.total) == (Fraction(3, 2), Fraction(5, 2))


def test_equal_totals_are_ranked_on_wins_then_profit():
    rows = season_rows(
        [
            result(1, 0, 3),
            result(1, 1, 1),
            result(2, 0, 1),
            result(2, 1, 3, place=1),
            result(3, 0, 5),
            result(4, 0, 2),
            result(4, 1, 2),
            result(5, 0, 0),
        ]
    )
    assert [(row.player_id, row.points_rank, row.wins) for row in rows] == [
        (2, 1, 1),
        (3, 2, 0),
        (1, 3, 0),
        (4, 3, 0),
        (5, 5, 0),
    ]


def test_profit_rank_needs_the_events_and_falls_back_on_points():
    results = [result(1, event, 2) for event in range(4)]
    results += [result(2, event, 2) for event in range(3)]
    results += [result(3, event, 9) for event in range(2)]
    results += [result(4, event, 2) for event in range(3)]
    ranks = {row.player_id: row.profit_rank for row in season_rows(results)}
    assert ranks == {1: 1, 2: 2, 4: 2, 3: None}


def test_a_tie_for_first_is_a_win_for_each():
    rows = season_rows([result(1, 0, 2, place=1), result(2, 0, 2, place=1)])
    assert [(row.wins, row.points_rank) for row in rows] == [(1, 1), (1, 1)]


def test_no_results():
    assert season_rows([]) == []


RESULTS = st.lists(
    st.builds(
        EventResult,
        st.integers(1, 6),
        st.integers(0, 9),
        st.fractions(0, 20, max_denominator=6),
        st.integers(1, 3),
        st.integers(1, 4),
    ),
    unique_by=lambda one: (one.player_id, one.event_index),
)


@pytest.mark.rest
@given(RESULTS, st.fractions(0, 2, max_denominator=4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_definitions_hold_whatever_the_order_of_results(results, attendance, least, random):
    rules = SeasonRules(attendance, least)
    rows = season_rows(results, rules)
    shuffled = random.sample(results, len(results))
    assert season_rows(shuffled, rules) == rows
    keys = [(row.total, row.wins, row.profit_per_tourney) for row in rows]
    assert all(better >= worse for better, worse in pairwise(keys))
    for row in rows:
        own = [one for one in results if one.player_id == row.player_id]
        assert row.points == sum(one.points for one in own)
        assert row.total == row.points + row.attendance == row.points + attendance * len(own)
        assert row.profit_per_tourney == (row.points - sum(one.n_entries for one in own)) / len(own)
        key = (row.total, row.wins, row.profit_per_tourney)
        assert row.points_rank == 1 + sum(other > key for other in keys)
        rivals = [(other.profit_per_tourney, other.points) for other in rows if other.n_events >= least]
        beaten_by = sum(other > (row.profit_per_tourney, row.points) for other in rivals)
        assert row.profit_rank == (1 + beaten_by if row.n_events >= least else None)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_entries": 0}, "n_entries: must be at least 1, got 0 (player 8, event 4)"),
        ({"place": 0}, "place: must be at least 1, got 0 (player 8, event 4)"),
        ({"event_index": 3}, "event_index: a second result of the player in the event (player 8, event 3)"),
    ],
)
def test_bad_results_name_field_player_and_event(changes, message):
    good = [result(8, 3, 1), result(8, 4, 1)]
    with pytest.raises(ValueError) as caught:
        season_rows([good[0], good[1]._replace(**changes)])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (SeasonRules(attendance_points=Fraction(-1, 2)), "attendance_points: must not be negative, got -1/2"),
        (SeasonRules(min_events=-1), "min_events: must not be negative, got -1"),
    ],
)
def test_bad_rules_name_the_field(rules, message):
    with pytest.raises(ValueError) as caught:
        season_rows([], rules)
    assert str(caught.value) == message
