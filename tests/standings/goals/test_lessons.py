"""How it works: a club's own numbers, an example computed by the engine, late entries, points."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse

from league.models import Pool, PoolKind
from ratings.engine.simulation.lessons import events_to_settle, late_costs, place_lesson
from ratings.engine.tier.next_event import rates_by_place
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pool_state import PoolState
from ratings.services.settings import set_rating_settings
from standings.recomputation.service import recompute
from tests.factories import RULES, SeasonFactory, enter, names
from tests.factories.games import play, profit_season
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
OWN = TierParams(
    mu0=1200.0, sigma0=350.0, rate_floor=700.0, provisional_entries=5, badge_top=1700.0, late_a=0, late_b=0
)


def page(client, season, **query):
    return markup_of(client.get(reverse("standings:how-it-works", args=[season.club.slug]), query))


def test_the_numbers_are_those_of_the_settings(client, season):
    enter(season, "\n".join(names(6)))
    set_rating_settings(season.pool, OWN, revision=0, actor=None)
    recompute(season.pool_id)
    html = page(client, season)
    assert "Everybody starts at 1200 with a sigma of 350." in html
    assert "The rate is never below 700." in html
    assert "The first 5 events are the placement" in html
    assert re.findall(r"</span>(\d{4})</li>", html)[:2] == ["1700", "1600"]
    assert "Entering late costs nothing" in html
    assert 'id="late"' not in html


def test_the_example_is_computed_by_the_engine(client, season):
    enter(season, "\n".join(names(6)))
    recompute(season.pool_id)
    html = page(client, season, n=12, place=3)
    shown = [
        float(text.replace("−", "-")) for text in re.findall(r'<td class="n"><span class="up">([^<]+)<', html)
    ]
    expected = place_lesson(12, 3, TierParams())
    assert shown[:3] == [round(expected.newcomer), round(expected.settled), round(expected.among_stronger)]


def test_a_place_outside_the_field_is_said_at_its_field_and_kept(client, season):
    html = page(client, season, n=5, place=9)
    assert "There are 5 places." in html
    assert 'value="9"' in html
    assert "With a settled rate" not in html
    assert "Ensure this value" in page(client, season, n=99999, place=1)


def test_a_late_entry_costs_what_the_table_says(client, season):
    html = page(client, season)
    rows = re.findall(r'<th scope="row">(\d+)</th><td class="n"><span class="dn">−([\d.]+)', html)
    assert {int(left): float(cost) for left, cost in rows} == {
        left: round(cost, 1) for left, (cost, _gain) in late_costs(TierParams()).items()
    }
    assert [int(left) for left, _cost in rows] == [59, 49, 39, 29]


def test_points_are_those_of_the_seasons_rules(client):
    season = SeasonFactory(rules=RULES | {"structure": {"name": "linear"}, "attendance_points": 3})
    enter(season, "\n".join(names(4)))
    recompute(season.pool_id)
    html = page(client, season)
    assert "With 4 entries: winner 4, then 3, 2, 1." in html
    assert "3 points for attendance" in html
    assert "VP_KID" not in html


def test_clubs_rated_by_r_alone_and_without_ratings(client):
    season = profit_season()
    play(season, "Ada 30\nBoris 5\nCleo -10\nDan -25")
    recompute(season.pool_id)
    Pool.objects.filter(club=season.club).exclude(pk=season.pool_id).update(kind=PoolKind.NONE)
    html = page(client, season)
    assert "A game moves R by what was won or lost" in html
    assert "TIER in seven points" not in html
    Pool.objects.filter(club=season.club).update(kind=PoolKind.NONE)
    html = page(client, season)
    assert "A game moves R" not in html
    assert 'id="points"' in html


def test_the_foot_of_a_club_leads_there(client, season):
    html = client.get(season.club.get_absolute_url()).content.decode()
    assert f'href="{reverse("standings:how-it-works", args=[season.club.slug])}"' in html
    assert "Everybody starts at 1500 with a sigma of 500." in markup_of(
        client.get(reverse("standings:about"))
    )


def test_lessons_follow_the_engine():
    """Settled players have sigma at its floor; drift would move nothing in one event."""
    params = TierParams(sigma_floor=320.0)
    field = PoolState.fresh(8, params)
    field = replace(field, sigma=field.sigma * 0 + 320.0)
    before, after = rates_by_place(field, [2], params)
    assert place_lesson(8, 2, params).settled == pytest.approx(after[0] - before)
    assert events_to_settle(50, replace(params, sigma_floor=450.0)) < events_to_settle(50, params)
    assert events_to_settle(50, replace(params, sigma_floor=0.0)) is None
