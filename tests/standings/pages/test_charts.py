from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.tier import TierParams, badge
from standings.pages.charts import (
    badge_histogram,
    place_histogram,
    rating_curve,
    shortened,
    spark,
    text_width,
)
from standings.queries import RatedEvent


@dataclass
class Season:
    name: str


@dataclass
class Event:
    season_id: int

    @property
    def season(self):
        return Season(f"Season {self.season_id}")


PARAMS = TierParams()


def played(rate, *, sigma=400.0, place=2, n_entries=10, season=1):
    return RatedEvent(
        Event(season), place, n_entries, 1500.0, rate, sigma, badge(rate, PARAMS), is_provisional=False
    )


rates = st.lists(st.floats(900, 4000), min_size=1, max_size=40)


@given(rates)
def test_sparks_stay_inside_their_box(values):
    drawn = spark(values)
    points = [tuple(map(float, point.split(","))) for point in drawn.line.split()]
    assert len(points) == len(values)
    assert all(0 <= x <= 68 and 0 <= y <= 20 for x, y in points)
    assert (float(drawn.x), float(drawn.y)) == points[-1]


def test_a_higher_rate_is_drawn_higher():
    line = [tuple(map(float, point.split(","))) for point in spark([1500, 1600, 1400]).line.split()]
    assert line[1][1] < line[0][1] < line[2][1]


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
    assert [bar.count for bar in drawn.bars] == [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]


def test_badges_are_drawn_from_c3_to_s():
    bars = badge_histogram([("C3", 0), ("B2", 4), ("S", 1)])
    assert [(bar.label, bar.count, bar.family) for bar in bars] == [
        ("C3", 0, "c"),
        ("B2", 4, "b"),
        ("S", 1, "s"),
    ]
    assert bars[1].height == 4 * bars[2].height > 0
    assert badge_histogram([("C3", 0), ("S", 0)]) == []
