"""What a history adds up to, worked out by hand."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from standings.players.comparison import Compared, Result, comparison_chart, events_they_met, pairs_of
from standings.players.figures import best_results, figures_of, is_in_best_half, longest_run, profit_interval
from standings.players.history import RatedEvent
from standings.players.sentences import comparison_in_words, curve_in_words, places_in_words, records, summary

START = datetime(2026, 1, 6, 19, tzinfo=UTC)


def event(
    day, place, *, n=8, expected=4.0, before=1500.0, rate=1500.0, badge="B2", provisional=False, season=1
):
    return RatedEvent(
        day, START + timedelta(days=day), "", season, f"Season {season}", place, n, place, n, expected, before, rate,
        400.0, badge, provisional,
    )  # fmt: skip


def test_figures_of_a_history():
    history = [
        event(0, 8, rate=1400, badge="C1", provisional=True),
        event(7, 1, expected=5.0, rate=1700, badge="B1"),
        event(14, 3, expected=3.5, rate=1650, badge="B2"),
        event(21, 2, expected=3.5, rate=1680, badge="B2"),
    ]
    figures = figures_of(history)
    assert (figures.n_events, figures.n_wins) == (4, 1)
    assert figures.last_places == [8, 1, 3, 2]
    assert (figures.mean_place, figures.mean_expected) == (3.5, 4.0)
    assert (figures.low, figures.high) == (1480.0, 1880.0)
    assert figures.highest is history[1]
    assert figures.badge_since is history[2]
    assert figures_of(history[:1]).badge_since is None


def test_best_results_are_those_with_the_most_places_won():
    history = [event(0, 1, expected=2.0), event(7, 3, expected=7.5), event(14, 5, expected=4.0)]
    assert [row.event_id for row in best_results(history)] == [7, 0]


def test_the_longest_run_is_the_earliest_of_equal_ones():
    history = [event(day, place) for day, place in enumerate([1, 1, 4, 5, 2, 1, 8])]
    wins = longest_run(history, lambda row: row.place == 1)
    assert (wins.first.event_id, wins.last.event_id, wins.n) == (0, 1, 2)
    half = longest_run(history, is_in_best_half)
    assert (half.first.event_id, half.last.event_id, half.n) == (0, 2, 3)
    assert longest_run(history[-2:], lambda row: row.place == 1) is None


def test_the_interval_of_the_profit_is_students():
    # Of -1, 1, 3, 5 the mean is 2 and the standard error sqrt(20/3)/2; t(0.9; 3) = 1.6377 in printed tables.
    low, high = profit_interval([Fraction(n) for n in (-1, 1, 3, 5)])
    half = 1.6377 * (20 / 3) ** 0.5 / 2
    assert (low, high) == (pytest.approx(2 - half, abs=1e-4), pytest.approx(2 + half, abs=1e-4))
    assert profit_interval([Fraction(1), Fraction(2)]) is None


def test_a_summary_says_wins_badges_and_the_peak():
    history = [event(day, 5, rate=1500, badge="B2") for day in range(4)]
    history += [event(day, 1 + day % 2, rate=1800 - day, badge="A3") for day in range(4, 10)]
    with translation.override("en"):
        said = " ".join(summary("Ada", history, figures_of(history)))
        assert "<b>2</b> wins in the last 5 events, 3 in all 10." in said
        assert "Since the peak on Jan. 10, 2026 the rate has come down by 5." in said
        assert summary("Ada", history[:2], figures_of(history[:2])) == []
        rising = [event(day, 4, rate=1500 + day, badge="B2" if day < 3 else "B1") for day in range(7)]
        told = " ".join(summary("<Ada>", rising, figures_of(rising)))
    assert "&lt;Ada&gt; has gone from <b>B2</b> to <b>B1</b> since Jan. 7, 2026." in told
    assert "The rate has never been higher." in told


def test_charts_in_words():
    history = [event(0, 2, expected=4.0, rate=1600), event(7, 6, expected=4.0, rate=1550)]
    with translation.override("en"):
        words = curve_in_words(history, figures_of(history))
        assert words == (
            "Rate over 2 events: from 1600 to 1550; highest 1600 on Jan. 6, 2026, lowest 1550 on Jan. 13, 2026."
        )
        assert places_in_words(history) == "Better than expected at 1 of 2 events."
        gain, half = records([event(0, 1, before=1500, rate=1620), event(7, 2, before=1620, rate=1625)])
    assert (gain.title, gain.value) == ("Biggest gain in one event", "+120")
    assert (half.value, half.when) == ("2 events", "Jan. 6, 2026 to Jan. 13, 2026")


def compared(name, *results):
    return Compared(
        len(name),
        name,
        "B2",
        False,
        [Result(day, START + timedelta(days=day), place, 9, 2.0, rate) for day, place, rate in results],
    )


def test_meetings_of_players_are_counted_by_their_places():
    ada = compared("Ada", (0, 1, 1500), (7, 2, 1500), (14, 3, 1500))
    boris = compared("Boris", (0, 2, 1500), (14, 1, 1500), (21, 1, 1500))
    cleo = compared("Cleo D", (0, 2, 1500))
    pairs = pairs_of([ada, boris, cleo])
    assert [(pair.n_events, pair.n_first, pair.n_second) for pair in pairs] == [
        (2, 1, 1),
        (1, 1, 0),
        (1, 0.5, 0.5),
    ]


def test_events_in_which_two_of_the_players_met_are_listed_the_newest_first():
    ada = compared("Ada", (0, 1, 1500), (7, 2, 1500), (14, 3, 1500))
    boris = compared("Boris", (0, 2, 1500), (14, 3, 1500), (21, 1, 1500))
    cleo = compared("Cleo D", (0, 2, 1500), (28, 2, 1500))
    met = events_they_met([ada, boris, cleo])
    assert [(each.event_id, each.places, each.best) for each in met] == [
        (14, [3, 3, None], 3),
        (0, [1, 2, 2], 1),
    ]
    assert met[0].starts_at == START + timedelta(days=14)
    assert events_they_met([boris, compared("Dora", (7, 1, 1500))]) == []


def test_over_careers_each_line_begins_at_the_first_event():
    ada = compared("Ada", *((7 * i, 1, 1500 + i) for i in range(12)))
    boris = compared("Boris", *((700 + i, 2, 1400 + i) for i in range(6)))
    chart = comparison_chart([ada, boris], 800, by_career=True)
    first, second = ([float(point.split(",")[0]) for point in line.points.split()] for line in chart.lines)
    assert first[0] == second[0] == 38
    assert first[-1] == chart.right
    assert second[-1] == pytest.approx(
        38 + (chart.right - 38) * 5 / 11, abs=0.1
    )  # the sixth of twelve events
    assert [(mark.label, mark.x) for mark in chart.years] == [
        (str(n), pytest.approx(38 + (chart.right - 38) * (n - 1) / 11, abs=0.1)) for n in (1, 5, 10)
    ]


def test_a_comparison_says_who_is_higher():
    ada, boris = compared("Ada", (0, 1, 1500.4)), compared("Boris", (0, 2, 1611.6))
    with translation.override("en"):
        assert comparison_in_words([ada, boris]) == "By rate Boris is 111 ahead of Ada."
        assert (
            comparison_in_words([ada, compared("Cleo", (0, 2, 1500.1))]) == "Ada and Cleo have the same rate."
        )


lines = st.lists(
    st.tuples(st.integers(0, 3_000), st.integers(1, 9), st.floats(900, 4_000)), min_size=1, max_size=80
)


@pytest.mark.rest
@given(st.lists(lines, min_size=2, max_size=3), st.sampled_from([340, 800]), st.booleans())
def test_a_comparison_stays_inside_and_its_names_apart(histories, width, by_career):
    players = [compared("x" * (i + 1), *sorted(rows)) for i, rows in enumerate(histories)]
    chart = comparison_chart(players, width, by_career=by_career)
    points = [tuple(map(float, point.split(","))) for line in chart.lines for point in line.points.split()]
    assert all(38 <= x <= chart.right and 11.9 <= y <= 276.1 for x, y in points)
    names = sorted(line.label_y for line in chart.lines)
    assert all(after - before >= 13.8 for before, after in pairwise(names))
    assert names[0] >= 11
    assert names[-1] <= 295
    assert 2 <= len(chart.levels) <= 8
