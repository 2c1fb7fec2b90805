from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.tier.badges import badge_bounds
from ratings.engine.tier.params import TierParams
from standings.explanations.steps import apportioned, tenths
from standings.explanations.waterfall import SIZES, waterfall

BOUNDS = badge_bounds(TierParams())
ENDS = ("Rate before", "Rate after")
sizes = st.sampled_from(sorted(SIZES))
changes = st.lists(st.floats(-400, 400).map(lambda value: round(value, 1)), min_size=1, max_size=6)


@given(st.floats(900, 3000), st.lists(st.floats(-300, 300) | st.just(0.0), min_size=1, max_size=6))
def test_rounded_steps_add_up_and_are_near_the_exact_ones(start, steps):
    total = tenths(start + sum(steps)) - tenths(start)
    rounded = apportioned(steps, total)
    assert sum(rounded) == total
    moving = [step for step in steps if abs(step) > 1e-9]
    for by, step in zip(rounded, steps, strict=True):
        if moving:
            assert abs(by - step * 10) < 2.0 + 1e-6
            assert by == 0 or step != 0.0


def test_missing_tenths_go_to_the_largest_remainders():
    assert apportioned([0.14, 0.13, -0.05], 2) == [1, 1, 0]
    assert apportioned([-129.44, 9.44, 11.24], -1088) == [-1294, 94, 112]
    assert apportioned([0.0, 10.04, 0.0], 101) == [0, 101, 0]
    assert apportioned([0.0, 0.0], 1) == [1, 0]
    assert apportioned([-0.04, -0.04, -0.04], -2) == [0, -1, -1]


def test_tenths_are_rounded_as_printed():
    assert [tenths(value) for value in (1822.05, 1822.15, -0.04, 900.0)] == [
        round(float(f"{value:.1f}") * 10) for value in (1822.05, 1822.15, -0.04, 900.0)
    ]


@given(st.floats(900, 3000).map(lambda value: round(value, 1)), changes, sizes)
def test_bars_stay_inside_and_each_begins_where_the_last_ended(start, steps, size):
    drawn = waterfall(start, [(f"step {i}", by) for i, by in enumerate(steps)], ENDS, BOUNDS, size=size)
    dimensions = SIZES[size]
    assert len(drawn.bars) == len(steps) + 2
    for bar in drawn.bars:
        assert dimensions.left <= bar.x
        assert bar.x + bar.width <= dimensions.right + 1
        assert bar.height > 0
        assert bar.y + bar.height <= drawn.bottom
    first, *middle, last = drawn.bars
    level = first.x + first.width
    for bar in middle:
        assert abs(bar.connector[0] - level) < 0.6
        level = bar.x + bar.width if bar.kind == "up" else bar.x - 1 if bar.kind == "dn" else level
    assert abs(last.x + last.width - level) < 1.6
    assert [bar.kind for bar in (first, last)] == ["end", "end"]
    xs = [x for x, _label in drawn.ticks]
    assert xs == sorted(set(xs))
    assert 2 <= len(xs) <= dimensions.most_ticks + 1
    assert all(dimensions.left <= x <= dimensions.right for x, _letters, _bound in drawn.edges)


def test_an_example_with_every_kind_of_bar():
    steps = [("order", -129.4), ("partial", 9.4), ("place", 19.1), ("late", 0.0), ("floor", 4.9)]
    drawn = waterfall(1822.1, steps, ENDS, BOUNDS, size="wide")
    assert [bar.value for bar in drawn.bars] == ["1822.1", "−129.4", "+9.4", "+19.1", "0.0", "+4.9", "1726.1"]
    assert [bar.kind for bar in drawn.bars] == ["end", "dn", "up", "up", "none", "up", "end"]
    assert [edge[1:] for edge in drawn.edges] == [("A3", "1700"), ("A2", "1800")]


def test_a_change_of_zero_can_be_drawn():
    for size in SIZES:
        drawn = waterfall(900.0, [("order", 0.0)], ENDS, BOUNDS, size=size)
        assert [bar.value for bar in drawn.bars] == ["900.0", "0.0", "900.0"]
        assert drawn.bars[0].width > 10


@given(st.floats(900, 3000).map(lambda value: round(value, 1)), changes, sizes)
def test_no_badge_line_runs_through_a_value(start, steps, size):
    drawn = waterfall(start, [(f"step {i}", by) for i, by in enumerate(steps)], ENDS, BOUNDS, size=size)
    assert {x for x, _top, _bottom in drawn.edge_lines} == {x for x, _letters, _bound in drawn.edges}
    for x, top, bottom in drawn.edge_lines:
        assert 0 <= top < bottom <= drawn.bottom
        for bar in drawn.bars:
            beside = x < bar.value_x or x > bar.value_end
            assert beside or bottom <= bar.value_y - 10 or top >= bar.value_y + 2


def test_a_badge_line_is_interrupted_only_at_a_value():
    drawn = waterfall(1699.0, [("step", -2.0), ("next", 30.0)], ENDS, [("A3", 1700.0)], size="wide")
    crossed = [bar.value for bar in drawn.bars if bar.value_x <= drawn.edges[0][0] <= bar.value_end]
    assert crossed
    assert len(drawn.edge_lines) == len(crossed) + 1
