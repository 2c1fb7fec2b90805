"""The position by rate over time: against a plain count, with placement, absence and ties; its chart."""

import random
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats import ordinal
from league.models import Player
from ratings.models import RatedEntry
from standings.models import Standing
from standings.players import positions
from standings.players.positions import Position, position_chart, positions_of
from standings.recomputation.service import recompute
from tests.cases import seeds
from tests.factories import SeasonFactory, enter
from tests.standings.pages.addresses import url

PEOPLE = ("Ada", "Boris", "Cleo", "Dora", "Emil", "Fay")


def plain_positions(player, pool):
    """Count for each event who had last played within a year, was out of placement then, and stood higher."""
    rows = list(RatedEntry.objects.filter(pool=pool).order_by("starts_at", "event_id", "number"))
    found = []
    for own in (row for row in rows if row.player_id == player.pk):
        last = [row for row in rows if row.player_id == player.pk and row.event_id == own.event_id][-1]
        if own is not last or own.is_provisional:
            continue
        now = {}
        for row in rows:
            if (row.starts_at, row.event_id) <= (own.starts_at, own.event_id):
                now[row.player_id] = row
        ranked = [
            row.posterior_rate
            for row in now.values()
            if not row.is_provisional and row.starts_at >= own.starts_at - timedelta(days=365)
        ]
        found.append((own.starts_at, 1 + sum(rate > own.posterior_rate for rate in ranked), len(ranked)))
    return found


@pytest.mark.django_db
@pytest.mark.parametrize("seed", seeds(3, first=7))
def test_positions_are_those_of_a_plain_count(seed):
    season = SeasonFactory(starts_on=date(2010, 1, 1))
    rng = random.Random(seed)
    day = -4_000
    for _event in range(14):
        order = rng.sample(PEOPLE, rng.randint(3, 6))
        marks = [f"{name} x2" if rng.random() < 0.2 and name != order[0] else name for name in order]
        enter(season, "\n".join(marks), day=day)
        day += rng.choice([7, 7, 14, 400])
    recompute(season.pool_id)
    for name in PEOPLE:
        player = Player.objects.get(name=name)
        assert [tuple(each) for each in positions_of(player, season.pool)] == plain_positions(
            player, season.pool
        )


@pytest.mark.django_db
def test_the_last_position_is_that_of_the_standings(client, season):
    for day in range(8):
        enter(season, "\n".join(PEOPLE[day % 3 :] + PEOPLE[: day % 3]), day=7 * day)
    recompute(season.pool_id)
    for name in PEOPLE:
        player = Player.objects.get(name=name)
        rank = Standing.objects.get(season=season, player=player).tier_rank
        assert positions_of(player, season.pool)[-1].position == rank
    page = client.get(url("standings:player", season, player.pk, query="?show=position")).content.decode()
    assert f"By rate {ordinal(rank)} of 6; best" in page
    assert "Position by rate among the ranked players" in page


@pytest.mark.django_db
def test_who_is_in_placement_and_very_large_pools_have_no_position(client, season, monkeypatch):
    enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    ada = Player.objects.get(name="Ada")
    address = url("standings:player", season, ada.pk, query="?show=position")
    assert "A position follows once placement is over." in client.get(address).content.decode()
    monkeypatch.setattr(positions, "MOST_ROWS", 2)
    assert positions_of(ada, season.pool) is None
    assert "too many entries" in client.get(address).content.decode()


@given(
    st.lists(st.tuples(st.integers(0, 4_000), st.integers(1, 900)), min_size=1, max_size=90),
    st.sampled_from([340, 800]),
)
def test_charts_of_positions_stay_inside(rows, width):
    start = datetime(2015, 1, 1, tzinfo=UTC)
    chart = position_chart(
        [Position(start + timedelta(days=day), place, 900) for day, place in sorted(rows)], width
    )
    points = [tuple(map(float, point.split(","))) for point in chart.line.split()]
    assert all(38 <= x <= chart.right and 11.9 <= y <= 276.1 for x, y in points)
    assert points[-1] == (chart.last.x, chart.last.y)
    assert len(chart.dots) in {0, len(rows)}
    assert chart.levels[0].label == "1"
    assert 2 <= len(chart.levels) <= 8
