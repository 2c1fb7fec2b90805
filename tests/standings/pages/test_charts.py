from hypothesis import given
from hypothesis import strategies as st

from standings.pages.charts.ratings import (
    badge_histogram,
    spark,
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


def test_badges_are_drawn_from_c3_to_s():
    bars = badge_histogram([("C3", 0), ("B2", 4), ("S", 1)])
    assert [(bar.label, bar.count, bar.family) for bar in bars] == [
        ("C3", 0, "c"),
        ("B2", 4, "b"),
        ("S", 1, "s"),
    ]
    assert bars[1].height == 4 * bars[2].height > 0
    assert badge_histogram([("C3", 0), ("S", 0)]) == []
