"""Rules of seasons, computed by hand: best N, finals, multipliers, totals brought forward, tie-breaks; bad input."""

from fractions import Fraction
from typing import get_args

import pytest

from payouts.engine.seasons.breakdown import season_breakdown
from payouts.engine.seasons.meets import GameResult, overall_rows
from payouts.engine.seasons.selection import Verdict
from payouts.engine.seasons.standings import (
    BroughtForward,
    EventResult,
    SeasonEvent,
    SeasonRules,
    TieBreak,
    season_rows,
)

NO_ATTENDANCE = Fraction(0)
COUNTED = (Verdict.COUNTED, None)


def result(player, event, points, *, entries=1, place=9):
    return EventResult(player, event, Fraction(points), entries, place)


def played(player, *points):
    """Make a result of each number; None is a missed event."""
    return [result(player, event, value) for event, value in enumerate(points) if value is not None]


def rules(**changes):
    return SeasonRules(attendance_points=NO_ATTENDANCE, **changes)


def totals(results, season_rules, **options):
    return {row.player_id: row.total for row in season_rows(results, season_rules, **options)}


def verdicts(results, season_rules, **options):
    return {
        player.player_id: [(event.verdict, event.limit) for event in player.events]
        for player in season_breakdown(results, season_rules, **options)
    }


# Which results count.


def test_best_n_of_all():
    results = played(1, 5, 1, 4, 4) + played(2, 9)
    assert totals(results, rules(best_n=2)) == {1: 9, 2: 9}
    # Of the two results of 4 the earlier counts.
    assert verdicts(results, rules(best_n=2))[1] == [
        COUNTED,
        (Verdict.BELOW_BEST, 2),
        COUNTED,
        (Verdict.BELOW_BEST, 2),
    ]


def test_best_n_of_each_month():
    events = [SeasonEvent(month) for month in ("jan", "jan", "jan", "feb")]
    results = played(1, 5, 7, 6, 1)
    assert totals(results, rules(best_n_per_month=2), events=events) == {1: 14}
    (player,) = season_breakdown(results, rules(best_n_per_month=2), events=events)
    assert [(event.verdict, event.limit) for event in player.events] == [
        (Verdict.BELOW_MONTH_BEST, 2),
        COUNTED,
        COUNTED,
        COUNTED,
    ]
    assert player.months == (("jan", 13), ("feb", 1))


@pytest.mark.parametrize(("as_zero", "total", "n_counted"), [(True, 14, 2), (False, 9, 1)])
def test_drop_worst_with_and_without_missed_events(as_zero, total, n_counted):
    """Four events, one missed, two to drop: the missed one and the 3, or the 3 and the 5."""
    results = played(1, 3, None, 5, 9) + played(2, 0, 0, 0, 0)
    row = season_rows(results, rules(drop_worst=2, missed_count_as_zero=as_zero))[0]
    assert (row.player_id, row.total, row.n_counted) == (1, total, n_counted)


def test_negative_results_are_dropped_before_missed_events():
    """Of -8, 5, -3, 9 and a missed event the worst three are -8, -3 and the missed one; best five keep all."""
    results = played(1, -8, 5, None, -3, 9) + played(2, 0, 0, 0, 0, 0)
    for n, total in ((0, 3), (1, 11), (2, 14), (3, 14), (4, 9)):
        season_rules = rules(drop_worst=n, missed_count_as_zero=True, best_n=5)
        assert totals(results, season_rules)[1] == total


def test_missed_events_are_those_of_the_season():
    events = [SeasonEvent()] * 6
    results = played(1, 3, 5, 9)
    season_rules = rules(drop_worst=2, missed_count_as_zero=True)
    assert totals(results, season_rules) == {1: 9}
    assert totals(results, season_rules, events=events) == {1: 17}
    assert verdicts(results, season_rules, events=events)[1] == [COUNTED] * 3 + [(Verdict.MISSED, None)] * 3


def test_a_player_of_fewer_events_than_are_dropped_keeps_only_attendance():
    season_rules = SeasonRules(drop_worst=2)
    (row,) = season_rows(played(1, 7), season_rules)
    assert (row.points, row.total, row.n_counted, row.all_points) == (0, 1, 0, 7)


def test_a_final_always_counts_and_is_never_missed():
    events = [SeasonEvent("jan"), SeasonEvent("jan"), SeasonEvent("jan", is_final=True)]
    for season_rules in (rules(best_n=1), rules(best_n_per_month=1), rules(drop_worst=1)):
        first, *others = verdicts(played(1, 3, 5, 1), season_rules, events=events)[1]
        assert others == [COUNTED, (Verdict.FINAL, None)]
        assert first[1] == 1
        assert totals(played(1, 3, 5, 1), season_rules, events=events) == {1: 6}
    as_zero = rules(drop_worst=1, missed_count_as_zero=True)
    assert totals(played(1, 3, 5), as_zero, events=events) == {1: 5}


def test_a_multiplier_applies_to_points_that_count_and_not_to_profit():
    events = [SeasonEvent(), SeasonEvent(multiplier=Fraction(3, 2)), SeasonEvent(multiplier=Fraction(0))]
    (row,) = season_rows(played(1, 4, 3, 8), SeasonRules(best_n=1), events=events)
    assert (row.points, row.attendance, row.total, row.all_points) == (Fraction(9, 2), 3, Fraction(15, 2), 15)
    assert row.profit_per_tourney == 4
    (player,) = season_breakdown(played(1, 4, 3, 8), SeasonRules(best_n=1), events=events)
    assert [(event.points, event.multiplier, event.counted) for event in player.events] == [
        (4, 1, 0),
        (3, Fraction(3, 2), Fraction(9, 2)),
        (8, 0, 0),
    ]


def test_steps_follow_each_other():
    """January keeps 9 and 8; the worst of 9, 8, 5, 4 is dropped; the best two of 9, 8, 5 count."""
    events = [SeasonEvent(month) for month in ("jan", "jan", "jan", "feb", "feb")]
    season_rules = rules(best_n_per_month=2, drop_worst=1, best_n=2)
    assert verdicts(played(1, 8, 7, 9, 5, 4), season_rules, events=events)[1] == [
        COUNTED,
        (Verdict.BELOW_MONTH_BEST, 2),
        COUNTED,
        (Verdict.BELOW_BEST, 2),
        (Verdict.WORST, 1),
    ]


def test_brought_forward_counts_in_full():
    brought_forward = [BroughtForward(1, Fraction(24), 9, 10, wins=2), BroughtForward(2, Fraction(5), 4, 4)]
    rows = {
        row.player_id: row
        for row in season_rows(played(1, 3, 1), SeasonRules(best_n=1), brought_forward=brought_forward)
    }
    assert (rows[1].points, rows[1].total, rows[1].n_events, rows[1].n_brought) == (27, 38, 11, 9)
    assert (rows[1].wins, rows[1].n_entries, rows[1].n_counted) == (2, 12, 10)
    assert rows[1].profit_per_tourney == Fraction(28 - 12, 11)
    assert (rows[2].total, rows[2].n_brought, rows[2].profit_rank) == (9, 4, 2)
    first, second = season_breakdown(played(1, 3, 1), SeasonRules(best_n=1), brought_forward=brought_forward)
    assert (first.brought_forward, first.points, second.brought_forward) == (
        brought_forward[0],
        27,
        brought_forward[1],
    )
    assert [event.verdict for event in second.events] == [Verdict.MISSED] * 2


# Tie-breaks.


@pytest.mark.parametrize(
    ("tie_breaks", "order"),
    [
        ((), [(1, 1), (2, 1), (3, 1)]),
        (("wins",), [(2, 1), (1, 2), (3, 2)]),
        # Places of player 1: 2, 4; of player 2: 1, 3; of player 3: 2, 3, 5.
        (("best_places",), [(2, 1), (3, 2), (1, 3)]),
        # Order of the players in event 0: 1, 2, 3; in event 1: 3, 1; in event 2: 2, 3.
        (("head_to_head",), [(1, 1), (2, 1), (3, 3)]),
        (("head_to_head", "wins"), [(2, 1), (1, 2), (3, 3)]),
        (("events",), [(3, 1), (1, 2), (2, 2)]),
        (("profit",), [(1, 1), (2, 1), (3, 3)]),
        (("events", "alphabetical"), [(3, 1), (2, 2), (1, 3)]),
        (("alphabetical",), [(2, 1), (3, 2), (1, 3)]),
    ],
)
def test_tie_breaks_of_equal_totals(tie_breaks, order):
    results = [
        result(1, 0, 4, place=2), result(1, 1, 2, place=4),
        result(2, 0, 1, place=3), result(2, 2, 5, place=1),
        result(3, 0, 1, place=5), result(3, 1, 3, place=3), result(3, 2, 2, place=2),
    ]  # fmt: skip
    rows = season_rows(results, rules(tie_breaks=tie_breaks), names={1: "c", 2: "a", 3: "b"})
    assert [(row.player_id, row.points_rank) for row in rows] == order


def test_points_as_a_tie_break_are_those_without_attendance():
    results = played(1, 5) + played(2, 2, 2)
    assert [row.points_rank for row in season_rows(results, SeasonRules(tie_breaks=()))] == [1, 1]
    assert [row.player_id for row in season_rows(results, SeasonRules(tie_breaks=("points",)))] == [1, 2]


def test_head_to_head_counts_ties_and_only_tied_players():
    """A third player with another total is not counted; a shared place is neither ahead nor behind."""
    results = [
        result(1, 0, 2, place=1), result(2, 0, 2, place=1), result(3, 0, 9, place=3),
        result(1, 1, 2, place=3), result(2, 1, 2, place=2), result(3, 1, 9, place=1),
    ]  # fmt: skip
    rows = season_rows(results, rules(tie_breaks=("head_to_head",)))
    assert [(row.player_id, row.points_rank) for row in rows] == [(3, 1), (2, 2), (1, 3)]
    assert [row.points_rank for row in season_rows(results[:3], rules(tie_breaks=("head_to_head",)))] == [
        1,
        2,
        2,
    ]


def test_more_results_of_a_place_beat_fewer():
    results = [result(1, 0, 4, place=1), result(2, 0, 2, place=1), result(2, 1, 2, place=8)]
    rows = season_rows(results, rules(tie_breaks=("best_places",)))
    assert [row.player_id for row in rows] == [2, 1]


def test_alphabetical_needs_names_only_of_the_tied():
    results = played(1, 5) + played(2, 5) + played(3, 9)
    with pytest.raises(ValueError, match=r"^names: alphabetical order needs the name of player 2$"):
        season_rows(results, rules(tie_breaks=("alphabetical",)), names={1: "a"})
    assert len(season_rows(results, rules(tie_breaks=("alphabetical",)), names={1: "b", 2: "a"})) == 3


# Bad input.


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"best_n": 0}, "best_n: must be at least 1, got 0"),
        ({"best_n_per_month": -1}, "best_n_per_month: must be at least 1, got -1"),
        ({"best_n_per_month": 1}, "events: best_n_per_month needs the month of each event"),
        ({"drop_worst": -1}, "drop_worst: must not be negative, got -1"),
        (
            {"tie_breaks": ("wins", "coin")},
            f"tie_breaks: number 2 is unknown: 'coin', one of: {', '.join(get_args(TieBreak))}",
        ),
        ({"tie_breaks": ("wins", "wins")}, "tie_breaks: number 2 repeats 'wins'"),
    ],
)
@pytest.mark.parametrize("function", [season_rows, season_breakdown])
def test_bad_rules_name_the_field(function, changes, message):
    with pytest.raises(ValueError) as caught:
        function([], rules(**changes))
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("results", "options", "message"),
    [
        ([result(8, 1, 1)], {"events": [SeasonEvent()]}, "event_index: no such event in the season (player 8, event 1)"),
        ([result(8, -1, 1)], {"events": [SeasonEvent()]}, "event_index: no such event in the season (player 8, event -1)"),
        ([], {"events": [SeasonEvent(), SeasonEvent(multiplier=Fraction(-1))]},
            "multiplier: must be 0 to 1000, got -1 (event 1)"),
        ([], {"brought_forward": [BroughtForward(8, Fraction(1), 0, 0)]},
            "n_events: must be at least 1, got 0 (brought forward, player 8)"),
        ([], {"brought_forward": [BroughtForward(8, Fraction(1), 3, 2)]},
            "n_entries: must be at least the 3 events, got 2 (brought forward, player 8)"),
        ([], {"brought_forward": [BroughtForward(8, Fraction(1), 3, 3, 4)]},
            "wins: must be 0 to the 3 events, got 4 (brought forward, player 8)"),
        ([], {"brought_forward": [BroughtForward(8, Fraction(1), 3, 3)] * 2},
            "player_id: totals brought forward twice (player 8)"),
    ],
)  # fmt: skip
def test_bad_seasons_name_field_player_and_event(results, options, message):
    with pytest.raises(ValueError) as caught:
        season_rows(results, rules(), **options)
    assert str(caught.value) == message


def test_a_balance_per_game_has_no_stake_in_it():
    """Source: specification of standings, section 3: 385.8 in 24 games is +16.08, not +15.08."""
    results = [EventResult(1, day, Fraction("385.8") / 24, 1, 1) for day in range(24)]
    (of_balances,) = season_rows(results, SeasonRules(attendance_points=Fraction(0), stake=0))
    (of_points,) = season_rows(results, SeasonRules(attendance_points=Fraction(0)))
    assert (f"{float(of_balances.profit_per_tourney):+.2f}", f"{float(of_points.profit_per_tourney):+.2f}") == (
        "+16.07", "+15.07",
    )  # fmt: skip
    assert of_balances.profit_per_tourney == Fraction("385.8") / 24
    assert of_balances.all_points == of_points.all_points == Fraction("385.8")


def test_games_of_balances_have_no_stake_in_a_meet():
    results = [GameResult(0, 1, 1, Fraction(30)), GameResult(1, 1, 1, Fraction(5))]
    (both,) = overall_rows(2, results, "profit", of_balances={0})
    assert both.profit_per_tourney == Fraction(30 + 5 - 1, 2)
    (mixed,) = overall_rows(2, results, "profit")
    assert mixed.profit_per_tourney == Fraction(30 + 5 - 2, 2)
