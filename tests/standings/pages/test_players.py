"""Players of a club, today and on a past day, and the page of one."""

import math
import re
from fractions import Fraction

import pytest

from league import formats
from league.models import Player
from payouts.brought_forward import BroughtForwardLine
from payouts.services.brought_forward import bring_forward
from ratings.models import RatedEntry
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import ClubFactory, SeasonFactory, enter
from tests.standings.pages.addresses import url

pytestmark = pytest.mark.django_db


def test_a_club_without_players_does_not_speak_of_a_search(client, season):
    assert "No player has been entered yet." in client.get(url("standings:players", season)).content.decode()
    searched = client.get(url("standings:players", season, query="?q=ada")).content.decode()
    assert "No player has this name." in searched


def players_then(client, season, query):
    answer = client.get(url("standings:players", season, query=query))
    assert answer.status_code == 200
    page = answer.content.decode()
    rows = re.findall(r"<tr>.*?</tr>", page.partition("<tbody>")[2], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return page, {
        re.sub(r"<[^>]+>", "", row[0]): [re.sub(r"<[^>]+>", "", cell) for cell in row[1:]] for row in cells
    }


def test_players_as_at_the_end_of_a_past_day(client):
    """An event of the club's 10 January begins on the 11th in UTC."""
    season = SeasonFactory(club=ClubFactory(time_zone="America/New_York"))
    first = enter(season, "Ada\nBoris", day=0, name="6 January")
    enter(season, "Boris\nAda\nCleo", day=5)
    recompute(season.pool_id)
    rates = dict(RatedEntry.objects.filter(event=first).values_list("player__name", "posterior_rate"))
    heading, rows = players_then(client, season, "?on=2026-01-10")
    assert "Players on Jan. 10, 2026" in heading
    assert {name: row[1] for name, row in rows.items()} == {
        "Ada": str(math.floor(rates["Ada"])), "Boris": str(math.floor(rates["Boris"])), "Cleo": "–",
    }  # fmt: skip
    assert rows["Cleo"] == ["–"] * 4
    assert [row[2] for row in rows.values()] == ["1", "1", "–"]
    _page, before = players_then(client, season, "?on=2026-01-05")
    assert {cell for row in before.values() for cell in row} == {"–"}
    _page, now = players_then(client, season, "")
    assert players_then(client, season, "?on=2026-01-11")[1] == now
    assert now["Cleo"][1] != "–"


def test_a_day_begins_at_midnight_in_the_club(client):
    """19:30 UTC of 6 January is 04:30 of the 7th in Tokyo."""
    season = SeasonFactory(club=ClubFactory(time_zone="Asia/Tokyo"))
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    assert players_then(client, season, "?on=2026-01-06")[1]["Ada"][1] == "–"
    assert players_then(client, season, "?on=2026-01-07")[1]["Ada"][1] != "–"


def test_the_day_survives_sorting_and_searching(client, season, enter_event):
    enter_event("Ada\nBoris\nCleo")
    enter_event("Dana\nCleo", day=9)
    page, rows = players_then(client, season, "?on=2026-01-08&sort=-rate")
    assert list(rows) == ["Ada", "Boris", "Cleo", "Dana"]  # without a rating: last
    assert list(players_then(client, season, "?on=2026-01-08&sort=rate")[1]) == [
        "Cleo",
        "Boris",
        "Ada",
        "Dana",
    ]
    assert "on=2026-01-08&amp;sort=" in page
    assert 'name="sort" value="-rate"' in page
    assert 'name="on" value="2026-01-08"' in page
    assert list(players_then(client, season, "?on=2026-01-08&q=an")[1]) == ["Dana"]


@pytest.mark.parametrize(
    "day", ["x", "2026-02-30", "0001-01-01", "9999-12-31", "2999-01-01", "1" * 200, "%00", "20260108"]
)
def test_a_day_that_is_none_is_named_and_ignored(client, season, enter_event, day):
    enter_event("Ada\nBoris")
    page, rows = players_then(client, season, f"?on={day}")
    assert "Ratings at the end of: " in page
    assert "Players on" not in page
    assert rows["Ada"][1] != "–"


def test_a_player_page_marks_totals_brought_forward_and_counts_players(client, season, enter_event):
    enter_event("Ada\nBoris x2\nCleo")
    ada, boris = (Player.objects.get(key=name) for name in ("ada", "boris"))
    totals = BroughtForwardLine("Ada", Fraction("180.45"), 8, 9, 1)
    bring_forward(season, [totals], version=0, actor=None)
    recompute(season.pool_id)
    page = client.get(url("standings:player", season, ada.pk)).content.decode()
    assert '<span class="meta">of 3</span>' in page
    marked = '<span aria-hidden="true">&nbsp;†</span><span class="vh"> with totals brought forward</span>'
    profit = Standing.objects.get(player=ada, season=season).profit
    assert f"{formats.signed(profit, 2)}{marked}" in page
    assert f">{season.name}</a>{marked}" in page
    assert page.count("† with totals brought forward from events") == 2
    assert "†" not in client.get(url("standings:player", season, boris.pk)).content.decode()
    client.cookies["django_language"] = "ja"
    assert (
        '<span class="meta">/ 3人</span>'
        in client.get(url("standings:player", season, ada.pk)).content.decode()
    )
