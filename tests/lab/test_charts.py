"""The charts of the laboratory say in words what they show."""

from lab.charts import line_charts
from lab.holdem.chip_curve import chip_curve


def test_a_line_chart_says_where_each_line_begins_and_ends():
    lines = [("Best 6", [(1, 0.25), (2, 0.5), (8, 1.0)]), ("All", [(1, 0.4), (8, 0.9)])]
    for chart in line_charts(lines, (0.0, 1.0), {0.0: "0 %"}, "{:.0%}".format):
        assert (
            chart.in_words == "Best 6: from 25% to 100% (nights 1 to 8); All: from 40% to 90% (nights 1 to 8)"
        )


def test_the_curve_of_chips_says_its_highest_point():
    curve = chip_curve([1_500, 1_200, 4_000, 0], 6_000)
    assert curve.in_words == "Your chips: 1500 at first, at most 4000 after hand 2, 0 at the end."
