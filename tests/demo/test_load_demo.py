"""The demo club; its season of 1999 shows every printed figure and both printed orders."""

import csv
from decimal import Decimal
from itertools import groupby
from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from league.models import Change, Event, Player, Season
from standings.models import Standing

pytestmark = pytest.mark.django_db
PRINTED = Path(__file__).resolve().parents[2] / "demo" / "straddle-1999"


def printed(name):
    with (PRINTED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def demo():
    call_command("load_demo", verbosity=0)
    return Season.objects.select_related("club", "summary").get(slug="straddle-cup-1999")


def test_loading_twice_is_loading_once(demo):
    counts = [model.objects.count() for model in (Event, Player, Season, Change, Standing)]
    call_command("load_demo", verbosity=0)
    assert counts == [model.objects.count() for model in (Event, Player, Season, Change, Standing)]
    assert counts[0] == 10
    assert Player.objects.filter(is_guest=True).count() == 0


def test_without_recomputing_the_events_are_there_and_the_worker_is_sent_for(
    published, client, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        call_command("load_demo", recompute=False, verbosity=0)
    pool = Season.objects.get(slug="winter-cup-2026").pool
    assert set(published) == {pool.pk}
    assert not Standing.objects.exists()
    address = Season.objects.select_related("club").get(slug="winter-cup-2026").get_absolute_url()
    assert "Computing points and ratings." in client.get(address).content.decode()
    events = client.get(f"{address}events/").content.decode()
    assert all(event.get_absolute_url() in events for event in Event.objects.select_related("season__club"))


def rows_of_download(client, season, by):
    """Read all rows of the leaderboard from its download."""
    address = reverse("standings:standings-file", args=[season.club.slug, season.slug])
    text = client.get(f"{address}?by={by}").content.decode("utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


def test_every_printed_row_of_1999_by_points(demo, client):
    rows, expected = rows_of_download(client, demo, "points"), printed("standings_by_points.csv")
    assert len(rows) == len(expected) == 52
    by_player = {row["player"]: row for row in rows}
    for line in expected:
        row = by_player[line["player"]]
        assert (row["points"], row["points_with_attendance"], row["events"]) == (
            line["total_points"], line["points_with_attendance"], line["events"],
        )  # fmt: skip
        decimals = len(line["profit_per_tourney"].partition(".")[2])
        assert round(Decimal(row["profit_per_tourney"]), decimals) == Decimal(line["profit_per_tourney"])
        assert row["events_brought_forward"] == line["events"]
        assert (row["rate"], row["badge"], row["provisional"]) == ("", "", "")
    # The printed order follows no rule among equal totals, so only the sets of players are compared there.
    total = "points_with_attendance"
    for (_a, ours), (_b, theirs) in zip(
        groupby(rows, key=lambda row: row[total]), groupby(expected, key=lambda row: row[total]), strict=True
    ):
        assert {row["player"] for row in ours} == {row["player"] for row in theirs}


def test_every_printed_row_of_1999_by_profit(demo, client):
    rows, expected = rows_of_download(client, demo, "profit"), printed("standings_by_profit.csv")
    ranked = [row for row in rows if row["rank"]]
    assert len(ranked) == len(expected) == 18
    figures = [(row["points"], row["events"]) for row in ranked]
    assert figures == [(line["total_points"], line["events"]) for line in expected]
    for (_a, ours), (_b, theirs) in zip(
        groupby(ranked, key=lambda row: (row["profit_per_tourney"], row["points"])),
        groupby(expected, key=lambda row: (row["profit_per_tourney"], row["total_points"])),
        strict=True,
    ):
        assert {row["player"] for row in ours} == {row["player"] for row in theirs}
    for line in expected:
        decimals = len(line["profit_per_tourney"].partition(".")[2])
        row = next(row for row in ranked if row["player"] == line["player"])
        assert round(Decimal(row["profit_per_tourney"]), decimals) == Decimal(line["profit_per_tourney"])


@pytest.mark.parametrize(
    "query", ["", "?by=tier", "?by=profit", "?page=2", "?sort=-rate", "?sort=rate", "?q=hat", "?badge=S"]
)
def test_pages_of_players_without_a_rating(demo, client, query):
    page = client.get(demo.get_absolute_url() + query)
    assert page.status_code == 200
    assert 'class="badge' not in page.content.decode().partition("<aside")[0]


def test_other_pages_of_a_season_without_events(demo, client):
    player = Player.objects.get(name="hatter")
    slugs = [demo.club.slug, demo.slug]
    pages = {
        reverse("standings:season-table", args=slugs): "Brought",
        reverse("standings:season-table", args=slugs) + "?by=month": "Brought",
        reverse("standings:events", args=slugs): "No evening has been entered yet.",
        reverse("standings:breakdown", args=[*slugs, player.pk]): "How hatter comes to 33",
        reverse("standings:what-if", args=slugs) + "?structure=linear": "hatter would have won all the same",
        reverse("standings:player", args=[demo.club.slug, player.pk]): "Straddle Cup 1999",
        reverse("standings:players", args=[demo.club.slug]) + "?q=hatter": "hatter",
        reverse("standings:club", args=[demo.club.slug]): "Straddle Cup 1999",
    }
    for address, text in pages.items():
        assert text in client.get(address).content.decode(), address


def test_the_headline_of_a_season_without_events(demo, client):
    page = client.get(demo.get_absolute_url()).content.decode()
    assert "hatter won, 7 ahead of kazu0021" in page
    assert "† with totals brought forward" in page
