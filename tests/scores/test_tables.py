"""Places and balances of a table. Expected values are worked examples of the organizations' rules, not of our code."""

from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scores.errors import ScoreError
from scores.rules import PRESETS, ScoreRules
from scores.tables import Seat, places_of, right_sum, settle

MLEAGUE = PRESETS["mleague"]
NAMES = ("Ada", "Bo", "Cy", "Di")


def seats(*scores, **more):
    return [
        Seat(name, score, **{key: values[i] for key, values in more.items()})
        for i, (name, score) in enumerate(zip(NAMES, scores, strict=False))
    ]


def balances(rules, *scores, **options):
    return [float(result.balance) for result in settle(rules, seats(*scores), **options)]


@pytest.mark.parametrize(
    ("preset", "scores", "expected"),
    [
        # M.League: 41,600 for the first is +61.6, 35,800 for the second +15.8 (worked examples of the rules).
        ("mleague", (41_600, 35_800, 12_600, 10_000), (61.6, 15.8, -27.4, -50)),
        # 112,700 is +132.7, the record of 2022-23; two on place 3 with 5,400 are -44.6 each.
        ("mleague", (112_700, 4_000, 3_300, -20_000), (132.7, -16, -36.7, -80)),
        ("mleague", (60_000, 29_200, 5_400, 5_400), (80, 9.2, -44.6, -44.6)),
        # Two first with 35,200 are +35.2 each: they share 50 and 10.
        ("mleague", (35_200, 35_200, 20_000, 9_600), (35.2, 35.2, -20, -50.4)),
        # WRC: 40,000 for the first is 25.
        ("wrc", (40_000, 32_000, 28_000, 20_000), (25, 7, -7, -25)),
        ("ema", (40_000, 30_000, 30_000, 20_000), (25, 0, 0, -25)),
        # JPML A: one, two, three and none above 30,000.
        ("jpml", (45_000, 29_000, 26_000, 20_000), (27, -2, -7, -18)),
        ("jpml", (40_000, 35_000, 25_000, 20_000), (18, 9, -9, -18)),
        ("jpml", (35_000, 33_000, 32_000, 20_000), (13, 6, 3, -22)),
        ("jpml", (30_000, 30_000, 30_000, 30_000), (0, 0, 0, 0)),
    ],
)
def test_balances_of_published_rules(preset, scores, expected):
    assert balances(PRESETS[preset], *scores) == list(expected)


def test_ties_by_wind_place_the_earlier_seat_higher():
    results = settle(replace(MLEAGUE, ties="wind"), seats(30_000, 20_000, 30_000, 20_000))
    assert [result.place for result in results] == [1, 3, 2, 4]
    assert [result.balance for result in results] == [50, -20, 10, -40]


def test_what_three_cannot_share_goes_to_the_earlier_seats_in_tenths():
    results = settle(MLEAGUE, seats(10_000, 30_000, 30_000, 30_000))
    assert [str(result.balance) for result in results] == ["-50", "16.7", "16.7", "16.6"]
    assert [result.place for result in results] == [4, 1, 1, 1]


def test_sticks_left_go_to_the_first_or_to_nobody():
    written = (41_600, 35_800, 12_600, 9_000)
    assert balances(MLEAGUE, *written, sticks_left=1) == [62.6, 15.8, -27.4, -51]
    assert balances(replace(MLEAGUE, sticks="stay"), *written, sticks_left=1) == [61.6, 15.8, -27.4, -51]


def test_chips_penalties_and_the_house():
    rules = replace(
        MLEAGUE, chip_value=Decimal(2), house_per_player=Decimal("0.5"), house_per_table=Decimal(1)
    )
    table = seats(
        41_600,
        35_800,
        12_600,
        10_000,
        chips=[3, -1, -2, 0],
        penalty=[Decimal(0), Decimal(20), Decimal(0), Decimal(0)],
    )
    results = settle(rules, table)
    assert [float(result.balance) for result in results] == [66.1, -6.7, -31.9, -50.5]
    assert sum(result.balance for result in results) == right_sum(rules, table) == -23


def test_three_players():
    rules = ScoreRules(n_players=3, start=35_000, back=40_000, uma=(Decimal(15), Decimal(0), Decimal(-15)))
    assert balances(rules, 60_000, 35_000, 10_000) == [50, -5, -45]


def test_points_are_taken_as_they_are():
    points = [
        Seat(name, points=Decimal(value))
        for name, value in zip(NAMES, ("54.9", "9.8", "-15.9", "-48.8"), strict=True)
    ]
    results = settle(MLEAGUE, points)
    assert [(result.place, str(result.balance)) for result in results] == [
        (1, "54.9"), (2, "9.8"), (3, "-15.9"), (4, "-48.8"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "field", "code", "values"),
    [
        (seats(25_000, 25_000, 25_000), "seats", "wrong_table", {"n": 4, "got": 3}),
        ([*seats(25_000, 25_000, 25_000, 25_000), Seat("Eve", 0)], "seats", "wrong_table", {"n": 4, "got": 5}),
        ([*seats(25_000, 25_000, 25_000), Seat("Ada", 25_000)], "name", "player_twice", {"name": "Ada"}),
        ([*seats(25_000, 25_000, 25_000), Seat("", 25_000)], "name", "no_name", {"seat": 4}),
        (seats(25_000, None, 25_000, 50_000), "score", "no_score", {"name": "Bo"}),
        ([*seats(25_000, 25_000, 50_000), Seat("Di", points=Decimal(3))], "score", "mixed", {"name": "Ada"}),
        (seats(25_050, 24_950, 25_000, 25_000), "score", "not_hundreds", {"got": 25_050}),
        (seats(4_530_000, 0, 0, 0), "score", "score_out_of_range",
         {"least": -1_000_000, "most": 1_000_000, "got": 4_530_000, "name": "Ada"}),
        (seats(45_300, 31_200, 18_400, 4_200), "sum", "wrong_sum", {"got": 99_100, "right": 100_000}),
        (seats(25_000, 25_000, 25_000, 25_000, chips=[1, 0, 0, 0]), "chips", "chips_not_used", {}),
        (seats(25_000, 25_000, 25_000, 25_000, penalty=[Decimal(-20), 0, 0, 0]), "penalty", "penalty_out_of_range",
         {"least": 0, "most": 1_000, "got": -20, "name": "Ada"}),
    ],
)  # fmt: skip
def test_incomplete_tables_are_refused(table, field, code, values):
    with pytest.raises(ScoreError) as caught:
        settle(MLEAGUE, table)
    assert (caught.value.field, caught.value.code, caught.value.values) == (field, code, values)


@pytest.mark.parametrize(
    ("chips", "code", "values"),
    [([3, None, -3, 0], "no_chips", {"name": "Bo"}), ([3, -1, -1, 0], "chips_not_zero", {"got": 1})],
)
def test_chips_are_complete_and_add_up_to_zero(chips, code, values):
    with pytest.raises(ScoreError) as caught:
        settle(replace(MLEAGUE, chip_value=Decimal(1)), seats(25_000, 25_000, 25_000, 25_000, chips=chips))
    assert (caught.value.code, caught.value.values) == (code, values)


HUNDREDS = st.integers(-300, 700)
UMA = st.tuples(st.integers(0, 60), st.integers(0, 20)).map(
    lambda ab: tuple(map(Decimal, (ab[0] + ab[1], ab[1], -ab[1], -ab[0] - ab[1])))
)


@given(
    st.lists(HUNDREDS, min_size=3, max_size=3),
    UMA,
    st.sampled_from(["wind", "split"]),
    st.sampled_from(["first", "stay"]),
    st.sampled_from([25_000, 27_000, 30_000]),
    st.integers(0, 3),
    st.decimals(0, 2, places=1),
)
def test_balances_add_up_to_minus_the_house_and_places_are_a_ranking(
    three, uma, ties, sticks, back, left, house
):
    rules = ScoreRules(uma=uma, ties=ties, sticks=sticks, back=back, house_per_table=house)
    scores = [100 * value for value in three]
    table = seats(*scores, rules.total - 1_000 * left - sum(scores))
    results = settle(rules, table, sticks_left=left)
    assert sum(result.balance for result in results) == right_sum(rules, table, sticks_left=left)
    places = [result.place for result in results]
    assert sorted(places) == (
        [1, 2, 3, 4] if ties == "wind" else sorted(places_of([-place for place in places], by_wind=False))
    )
    in_order = sorted(zip(places, table, results, strict=True), key=lambda row: row[0])
    assert [row[1].score for row in in_order] == sorted((seat.score for seat in table), reverse=True)
    assert all(a[2].balance >= b[2].balance - Decimal("0.1") - house for a, b in pairwise(in_order))
