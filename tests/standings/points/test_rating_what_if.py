"""Ratings by other settings beside the real ones: the same engine, bounded work, nothing written."""

import math
from dataclasses import replace
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from league.models import Pool
from ratings.engine.tier.params import TierParams
from ratings.models import PlayerRating, RatingSettings
from ratings.services.settings import set_rating_settings
from standings.points import rating_what_if as module
from standings.points.rating_what_if import rating_what_if
from standings.recomputation.service import recompute
from standings.views import rating_what_if as view
from tests.factories import enter, names
from tests.factories.games import profit_season
from tests.pages import markup_of
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db
OTHER = replace(TierParams(), beta=300.0, badge_step=60.0)


@pytest.fixture
def played(season):
    people = names(5)
    for day in range(3):
        enter(season, "\n".join(people[day:] + people[:day]), day=day)
    recompute(season.pool_id)
    return season


def address(season):
    return reverse("standings:what-if-ratings", args=[season.club.slug])


def typed(**changes):
    values = {
        "beta": 300, "tau_per_day": 0, "sigma_floor": 300, "season_start": "carry_on", "season_sigma": 400,
        "late_a": 0.0552, "late_b": 0.1217, "badge_top": 2000, "badge_step": 60,
    }  # fmt: skip
    return values | changes


def test_rates_are_those_that_the_settings_would_give(played):
    found = {
        row.player_id: (row.rate, row.badge) for row in rating_what_if(played.pool, OTHER, is_organizer=False)
    }
    before = dict(PlayerRating.objects.values_list("player_id", "rate"))
    set_rating_settings(played.pool, OTHER, revision=0, actor=None)
    recompute(played.pool_id)
    assert found == {row.player_id: (row.rate, row.badge) for row in PlayerRating.objects.all()}
    assert before.keys() == found.keys()
    assert all(before[player] != rate for player, (rate, _badge) in found.items())


def test_the_page_shows_both_and_changes_nothing(client, played):
    html = markup_of(client.get(address(played), typed()))
    top = rating_what_if(played.pool, OTHER, is_organizer=False)[0]
    assert f'<td class="n key">{math.floor(top.rate)}</td>' in html
    assert f'<td class="n">{math.floor(top.real_rate)}</td>' in html
    assert not RatingSettings.objects.exists()
    assert 'class="fold" open' not in html
    assert 'class="fold" open' in markup_of(client.get(address(played)))


def test_a_wrong_value_is_said_at_its_field_and_kept(client, played):
    html = markup_of(client.get(address(played), typed(beta="-5")))
    assert 'value="-5"' in html
    assert 'class="five compared"' not in html
    assert "errorlist" in html


def test_work_is_bounded(client, played, people, monkeypatch):
    monkeypatch.setattr(module, "MOST_FOR_READERS", 14)
    assert "too many results to be rated again" in markup_of(client.get(address(played), typed()))
    client.force_login(people["organizer"])
    assert 'class="five compared"' in markup_of(client.get(address(played), typed()))
    monkeypatch.setattr(view, "MOST_COMPARISONS", 2)
    answers = [client.get(address(played), typed(beta=500 + i)) for i in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert 'value="501"' in answers[1].content.decode()


def test_the_same_queries_for_few_players_and_for_more(client, played):
    few = queries(client, address(played) + f"?{urlencode(typed())}")[0]
    enter(played, "\n".join(names(9)), day=9)
    recompute(played.pool_id)
    more, answer = queries(client, address(played) + f"?{urlencode(typed())}")
    assert more == few
    assert len(answer.context["page"]) == 9


def test_a_club_without_tier_has_no_such_page(client):
    season = profit_season()
    Pool.objects.filter(club=season.club).exclude(pk=season.pool_id).update(kind="none")
    assert client.get(address(season)).status_code == 404
