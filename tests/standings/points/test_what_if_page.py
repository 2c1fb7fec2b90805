"""The what-if page: presets, the result before the form, and where links to it stand."""

import re

import pytest
from django.urls import reverse

from payouts.engine.structures.structure import PointsStructure
from standings.recomputation.service import recompute
from tests.factories import RULES, SeasonFactory, enter
from tests.pages import markup_of
from tests.standings.pages.addresses import url

pytestmark = pytest.mark.django_db


@pytest.fixture
def season():
    votes = {"name": "custom", "votes": ["9", "5", "2"], "tail": "none"}
    season = SeasonFactory(rules=RULES | {"structure": PointsStructure.from_dict(votes).to_dict()})
    for day in range(3):
        enter(season, "Ada\nBoris\nCleo\nDan", day=day)
    recompute(season.pool_id)
    return season


def address(season):
    return reverse("standings:what-if", args=[season.club.slug, season.slug])


def presets(html):
    return dict(
        re.findall(
            r'<a href="(\?[^"]+)"[^>]*>([^<]+)</a>', html.partition('class="tabs"')[2].partition("</nav>")[0]
        )
    )


def test_each_preset_is_one_click_and_keeps_the_other_rules(client, season):
    found = presets(markup_of(client.get(address(season))))
    assert [*found.values()] == ["Best 6", "Worst 2 dropped", "Linear", "Winner takes all"]
    for query, name in found.items():
        html = markup_of(client.get(address(season) + query.replace("&amp;", "&")))
        assert '<table class="five compared">' in html, name
        assert f'aria-current="page">{name}</a>' in html
    html = markup_of(client.get(address(season) + "?structure=custom&best_n=6"))
    assert "Nobody’s position would change." in html
    assert 'value="9, 5, 2"' in html
    assert 'name="best_n" value="6"' in html


def test_the_result_comes_first_and_the_form_is_folded(client, season):
    html = markup_of(client.get(address(season) + "?structure=linear"))
    assert html.index('class="five compared"') < html.index('<details class="fold">')
    assert '<details class="fold" open>' in markup_of(client.get(address(season)))
    wrong = markup_of(client.get(address(season) + "?structure=linear&best_n=0"))
    assert '<details class="fold" open>' in wrong


def test_files_and_other_rules_stand_on_the_leaderboard_and_nowhere_else(client, season):
    event = season.events.first()
    player = event.entries.first().player
    links = [
        address(season),
        reverse("payouts:seat-table", args=[season.club.slug, season.slug]),
        url("standings:standings-file", season),
    ]
    board = client.get(url("standings:leaderboard", season)).content.decode()
    assert [link for link in links if f'href="{link}' not in board] == []  # of the file, with what is shown
    for page in (
        url("standings:explanation", season, event.pk, player.pk),
        url("standings:event", season, event.pk),
        url("standings:player", season, player.pk),
        url("standings:players", season),
    ):
        html = client.get(page).content.decode()
        assert [link for link in links if f'href="{link}"' in html] == [], page
