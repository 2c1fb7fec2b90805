"""The curve of a player's rate and the charts of places: everything inside its box, labels apart, nothing left out."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.tier.badges import badge
from ratings.engine.tier.params import TierParams
from standings.players.axes import round_levels
from standings.players.curve import LONG_FROM, long_curve, rating_curve
from standings.players.history import RatedEvent
from standings.players.labels import shortened, text_width
from standings.players.places import place_histogram, places_chart

PARAMS = TierParams()
START = datetime(2020, 1, 7, 19, tzinfo=UTC)


def played(rate, *, sigma=400.0, place=2, n_entries=10, season=1, day=0, expected=5.0):
    return RatedEvent(
        1, START + timedelta(days=day), "", season, f"Season {season}", place, n_entries, place, n_entries, expected,
        1500.0, rate, sigma, badge(rate, PARAMS), is_provisional=False,
    )  # fmt: skip


rates = st.lists(st.floats(900, 4000), min_size=1, max_size=40)


@given(rates, st.floats(300, 500), st.sampled_from([340, 800]))
def test_curves_bands_and_ribbon_stay_between_the_axes(values, sigma, width):
    curve = rating_curve([played(value, sigma=sigma) for value in values], PARAMS, width)
    assert len(curve.dots) == len(values)
    ys = [float(point.split(",")[1]) for point in (curve.ribbon + " " + curve.line).split()]
    assert min(ys) >= 11.9
    assert max(ys) <= 276.1
    assert curve.bands
    assert sum(band.height for band in curve.bands) == pytest.approx(276 - 12, abs=1)
    assert curve.bands[0].y == pytest.approx(12, abs=0.2)


def test_each_rate_is_drawn_in_the_band_of_its_badge():
    values = [1050, 1250, 1450, 1650, 1850, 2050]
    curve = rating_curve([played(value) for value in values], PARAMS, 800)
    for value, dot in zip(values, curve.dots, strict=True):
        band = next(band for band in curve.bands if band.y <= dot.y < band.y + band.height)
        assert band.name == badge(value, PARAMS)


def test_wins_are_marked_and_seasons_begin_at_their_first_event():
    history = [played(1500, place=1, season=1), played(1600, season=2), played(1700, season=2)]
    curve = rating_curve(history, PARAMS, 340)
    assert [dot.won for dot in curve.dots] == [True, False, False]
    assert [season.name for season in curve.seasons] == ["Season 1", "Season 2"]
    assert curve.last_label == "1700"


@pytest.mark.parametrize(("rates", "above"), [([1500], 1), ([1500, 1600], 1), ([1600, 1500], 0)])
def test_the_last_value_stands_off_the_line(rates, above):
    curve = rating_curve([played(value) for value in rates], PARAMS, 340)
    assert (curve.last_label_y < curve.last.y) == above


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=30),
    st.text("Cup 2026冬杯戦", max_size=25),
    st.sampled_from([340, 800]),
)
def test_names_of_seasons_do_not_overprint_each_other(seasons, words, width):
    history = [played(1500, season=f"{season}{words}") for season in sorted(seasons)]
    marks = rating_curve(history, PARAMS, width).seasons
    assert [mark.name for mark in marks] == [f"Season {season}{words}" for season in sorted(set(seasons))]
    for mark, after in zip(marks, [*(mark.x for mark in marks[1:]), width], strict=True):
        assert mark.x + text_width(mark.label) <= after
        assert not mark.label or mark.name.startswith(mark.label.rstrip("…"))


def test_a_name_is_cut_short_or_left_out_where_there_is_no_room():
    history = [played(1500, season="A"), played(1500, season="B"), *[played(1500, season="C")] * 5]
    assert [mark.label for mark in rating_curve(history, PARAMS, 340).seasons] == ["Sea…", "Sea…", "Season C"]
    history = [played(1500, season="A"), *[played(1500, season="C")] * 25]
    assert [mark.label for mark in rating_curve(history, PARAMS, 340).seasons] == ["", "Season C"]
    assert shortened("第十二回大会", 44) == "第十二…"


def test_places_are_counted_by_tenth_of_the_field():
    history = [played(1500, place=place, n_entries=20) for place in (1, 2, 3, 19, 20)]
    drawn = place_histogram(history)
    assert [bar.n for bar in drawn.bars] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_of_small_fields_each_place_has_a_bar_and_the_average_player_a_line():
    history = [
        played(1500, place=4, n_entries=4),
        played(1500, place=1, n_entries=4),
        played(1500, place=2, n_entries=2),
    ]
    drawn = place_histogram(history)
    assert drawn.is_by_place
    assert [bar.label for bar in drawn.bars] == ["1", "2", "3", "4"]
    assert [bar.n for bar in drawn.bars] == [1, 1, 0, 1]
    # Of two fields of four and one of two, an average player is first or second 1/4 + 1/4 + 1/2 times.
    per_unit = 102 / 1
    assert [round((124 - bar.average_y) / per_unit, 2) for bar in drawn.bars] == [1.0, 1.0, 0.5, 0.5]


@pytest.mark.rest
@given(st.lists(st.tuples(st.floats(900, 6400), st.integers(0, 9_000)), min_size=LONG_FROM, max_size=90))
def test_long_curves_stay_inside_and_keep_their_ends(values):
    history = [
        played(rate, day=day, place=1 + i % 3)
        for i, (rate, day) in enumerate(sorted(values, key=lambda pair: pair[1]))
    ]
    for width in (340, 800):
        curve = long_curve(history, PARAMS, width)
        points = [tuple(map(float, point.split(","))) for point in (curve.line + " " + curve.ribbon).split()]
        assert all(38 <= x <= curve.right and 11.9 <= y <= 276.1 for x, y in points)
        line = [tuple(map(float, point.split(","))) for point in curve.line.split()]
        assert line[-1] == (curve.last.x, curve.last.y)
        highest = min(y for _x, y in line)
        assert highest == (curve.peak.y if curve.peak else highest)
        assert curve.wins.count("M") == sum(row.place == 1 for row in history)
        labels = [year.x for year in curve.years]
        assert all(after - before >= 40 for before, after in pairwise(labels))
        assert 2 <= len(curve.levels) <= 9


def test_a_long_curve_has_plain_numbers_above_s_and_a_strip_of_badges():
    history = [played(1500 + 10 * i, day=7 * i) for i in range(400)]
    curve = long_curve(history, PARAMS, 800)
    assert [level.label for level in curve.levels] == ["1000", "2000", "3000", "4000", "5000", "6000"]
    assert [family.letter for family in curve.families] == ["S", "A", "B", "C"]
    assert sum(family.height for family in curve.families) == pytest.approx(276 - 12, abs=1)
    assert [year.label for year in curve.years] == ["2021", "2022", "2023", "2024", "2025", "2026", "2027"]
    assert curve.peak is None  # it is the last value


def test_a_mark_shows_whether_a_place_was_better_than_expected():
    history = [
        played(1500, place=place, expected=expected) for place, expected in ((1, 4.2), (9, 5.0), (3, 3.0))
    ]
    for width in (340, 800):
        chart = places_chart(history, width)
        expected = re.findall(r"M([\d.]+) ([\d.]+)h14", chart.strokes)
        assert len(expected) == 3
        assert all(float(x) >= 26 and float(x) + 14 <= chart.right for x, _y in expected)
        tops = [float(y) for _x, y in expected]
        better = re.findall(r"M([\d.]+) ([\d.]+)h0", chart.better)
        worse = re.findall(r"M([\d.]+) ([\d.]+)h0", chart.worse)
        middles = [float(x) for x, _y in (better[0], worse[0], better[1])]
        assert [float(x) + 7 for x, _y in expected] == pytest.approx(middles, abs=0.06)
        assert float(better[0][1]) < tops[0]
        assert float(worse[0][1]) > tops[1]
        assert float(better[1][1]) == tops[2]
        assert chart.losses == f"M{worse[0][0]} {expected[1][1]}V{worse[0][1]}"
        assert [value.text for value in chart.values] == ["1", "9", "3"]
        assert next(level.label for level in chart.levels) == "1"


def test_of_a_long_history_each_season_has_a_mark():
    history = [played(1500, place=1 + i % 5, season=i // 20, day=i) for i in range(100)]
    chart = places_chart(history, 800)
    assert [label.text for label in chart.labels] == [f"Season {i}" for i in range(5)]
    assert len(set(re.findall(r"V([\d.]+)", chart.gains + chart.losses))) == 1
    assert not chart.values


@given(st.integers(-(10**14), 10**14), st.integers(-(10**14), 10**14))
def test_an_axis_has_few_levels_however_large_the_numbers_of_a_result_are(one, other):
    low, high = sorted((one / 100, other / 100))  # numbers of results have few decimals
    levels = round_levels(low, high, most=6)
    assert 2 <= len(levels) <= 6
    assert levels[0] <= low <= high <= levels[-1]
