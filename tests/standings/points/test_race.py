"""The points race of a season: the totals after each event are those of the standings on that day."""

import random
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

import pytest
from django.urls import reverse

from payouts.models import SeasonRules
from standings.pages.race_chart import MOST_POINTS, race_chart, race_in_words
from standings.points.breakdowns import MOST_RACERS, season_table
from standings.points.race import Race, RaceLine
from standings.recomputation.service import recompute
from standings.seasons.past import season_at
from tests.cases import seeds
from tests.factories import SeasonFactory, enter

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


@pytest.mark.parametrize("n_events", [2, 3, 240])
def test_a_chart_has_names_apart_and_few_points(n_events):
    lines = [RaceLine(i, f"Player {i}", [0] * (n_events - 1) + [20 - i % 2]) for i in range(MOST_RACERS)]
    chart = race_chart(Race(n_events, sorted(lines, key=lambda line: -line.totals[-1])), 320)
    heights = [curve.label_y for curve in chart.curves]
    assert all(after - before >= 13.9 for before, after in pairwise(heights))
    assert 0 < min(heights) < max(heights) < 300
    assert {len(curve.points.split()) for curve in chart.curves} == {min(n_events, MOST_POINTS)}


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
