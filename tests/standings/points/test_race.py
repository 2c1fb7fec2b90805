"""The points race of a season: the totals after each event are those of the standings on that day."""

import random
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from django.urls import reverse

from league.services.seasons import close_season
from payouts.models import SeasonRules
from standings.pages.charts.race import MOST_POINTS, position_race_chart, race_chart
from standings.pages.season_story import decision_in_words, race_in_words
from standings.points.breakdowns import MOST_RACERS, season_table
from standings.points.race import Race, RaceLine
from standings.recomputation.service import recompute
from standings.seasons.past import season_at
from tests.cases import seeds
from tests.factories import SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", seeds(4, first=20))
def test_totals_after_each_event_are_those_of_the_standings_of_its_day(seed):
    rng = random.Random(seed)
    season = SeasonFactory()
    SeasonRules.objects.update_or_create(season=season, defaults={"best_n": 3})
    events = [
        enter(season, "\n".join(rng.sample(["Ada", "Boris", "Cleo", "Dora"], 3)), day=2 * day)
        for day in range(6)
    ]
    recompute(season.pool_id)
    season.refresh_from_db()
    race = season_table(season, page=1).race
    assert race.n_events == len(events)
    for i, event in enumerate(events):
        rows = season_at(season, event.starts_at.date() + timedelta(days=1)).standings
        then = {row.player_id: row.total for row in rows}
        for line in race.lines:
            assert Decimal(round(float(line.totals[i]), 4)) == pytest.approx(then.get(line.player_id, 0))


def line(name, *totals):
    return RaceLine(len(name), name, list(totals))


def test_the_words_say_since_when_the_first_was_not_behind():
    race = Race(4, [line("Ada", 1, 2, 6, 9), line("Boris", 2, 5, 6, 7)])
    assert race_in_words(race) == (
        "After event 4: Ada 9 points, Boris 7. Of these players nobody has been ahead of Ada since event 3."
    )
    level = Race(2, [line("Ada", 1, 2), line("Boris", 2, 2)])
    assert race_in_words(level) == "After event 2: Ada and Boris level with 2 points."


@pytest.mark.parametrize("draw", [race_chart, position_race_chart])
@pytest.mark.parametrize("n_events", [2, 3, 240])
def test_a_chart_has_names_apart_and_few_points(n_events, draw):
    lines = [RaceLine(i, f"Player {i}", [0] * (n_events - 1) + [20 - i % 2]) for i in range(MOST_RACERS)]
    race = Race(n_events, sorted(lines, key=lambda line: -line.totals[-1]))
    chart = draw(race, 320)
    heights = [curve.label_y for curve in chart.curves]
    assert all(after - before >= 13.9 for before, after in pairwise(heights))
    assert 0 < min(heights) < max(heights) < 300
    assert {len(curve.points.split()) for curve in chart.curves} == {min(n_events, MOST_POINTS)}


def test_positions_are_among_the_players_shown_and_equal_totals_share_one():
    race = Race(3, [line("Ada", 1, 4, 9), line("Boris", 2, 4, 7), line("Cleo", 2, 3, 3)])
    assert race.positions == [[3, 1, 1], [1, 1, 2], [1, 3, 3]]
    chart = position_race_chart(race, 320)
    assert [curve.label for curve in chart.curves] == ["1 Ada", "2 Boris", "3 Cleo"]
    top, middle, bottom = (y for y, _text in chart.grid)
    assert [text for _y, text in chart.grid] == ["1", "2", "3"]
    heights = [[float(point.split(",")[1]) for point in curve.points.split()] for curve in chart.curves]
    assert heights == [[bottom, top, top], [top, top, middle], [top, bottom, bottom]]


def test_one_line_has_a_chart_of_positions_too():
    chart = position_race_chart(Race(2, [line("Ada", 1, 2)]), 320)
    assert {height for height, _text in chart.grid} == {chart.curves[0].end_y}


def test_the_race_stands_on_the_first_page_by_points(client):
    season = SeasonFactory()
    address = reverse("standings:season-table", args=[season.club.slug, season.slug])
    enter(season, "Ada\nBoris", day=0)
    recompute(season.pool_id)
    assert "Points race" not in client.get(address).text
    enter(season, "Ada\nBoris", day=1)
    recompute(season.pool_id)
    assert client.get(address).text.count('class="chart fx race') == 2
    assert "Points race" not in client.get(f"{address}?sort=profit").text
    by_points, by_position = (client.get(address + query).text for query in ("", "?race=position"))
    assert "positions of these players" not in by_points
    assert "positions of these players" in by_position
    assert by_position.count('class="chart fx race') == 2


def ended(orders, **rules):
    season = SeasonFactory(
        rules={"structure": {"name": "vp_kid", "ties": "better"}, "tie_breaks": [], **rules}
    )
    for number, order in enumerate(orders):
        enter(season, order, day=7 * number)
    recompute(season.pool_id)
    season.refresh_from_db()
    return season


@pytest.mark.parametrize("seed", seeds(6, first=40))
def test_a_season_is_decided_when_no_course_of_the_events_left_helps(seed):
    """Compared with the largest totals that others can reach, summed by hand."""
    rng = random.Random(seed)
    names = ["Ada", "Boris", "Cleo", "Dora"]
    orders = [sorted(names, key=lambda name: names.index(name) + rng.gauss(0, 2)) for _event in range(7)]
    season = ended(["\n".join(order) for order in orders])
    race = season_table(season, page=1).race
    # VP_KID gives the four seats to the quotients 100, 60, 50 and 40; attendance is one point more.
    gained = [dict(zip(order, (3, 2, 2, 1), strict=True)) for order in orders]
    final = {name: sum(event[name] for event in gained) for name in names}
    best = sorted(final.values())[-2:]
    if best[0] == best[1]:
        assert race.decided_after is None
        return
    champion = max(final, key=final.__getitem__)
    totals = [{name: sum(event[name] for event in gained[:n]) for name in names} for n in range(8)]
    assert {line.name: line.totals for line in race.lines} == {
        name: [totals[n][name] for n in range(1, 8)] for name in names
    }
    decided = [
        n
        for n in range(1, 8)
        if all(totals[n][name] + 3 * (7 - n) < totals[n][champion] for name in names if name != champion)
        and 3 * (7 - n) < totals[n][champion]
    ]
    assert race.decided_after == decided[0]


def test_an_ended_season_says_when_it_was_decided(client):
    season = ended(["Ada\nBoris\nCleo\nDora"] * 6)
    address = reverse("standings:season-table", args=[season.club.slug, season.slug])
    page = client.get(address).content.decode()
    assert "Decided" not in page
    close_season(season, actor=UserFactory())
    recompute(season.pool_id)
    # Ada has 3 an event, Boris 2 and at most 3: 15 against 10 + 3 after five, but 12 against 8 + 6 after four.
    page = client.get(address).content.decode()
    assert "<h1>Ada won, " in page
    assert "Decided after event 5, with 1 to come: nobody could catch up with Ada any more." in page


def test_the_last_event_may_decide():
    last = Race(3, [line("Ada", 1, 2, 6), line("Boris", 2, 5, 5)], 3)
    assert decision_in_words(last) == "Decided at the last event: until then another player could have won."
    assert decision_in_words(last._replace(decided_after=None)) == ""
    assert decision_in_words(last._replace(decided_after=1)) == (
        "Decided after event 1, with 2 to come: nobody could catch up with Ada any more, not even by winning all of them."
    )
