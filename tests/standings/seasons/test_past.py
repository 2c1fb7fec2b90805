"""The leaderboard as at any date, and the files of exactly what it shows."""

import csv
import io
import json

import pytest
from django.urls import reverse

from standings.models import Standing
from standings.queries import ORDERS, leader_rows
from standings.seasons import past
from tests.factories import names
from tests.pages import markup_of
from tests.standings.pages.addresses import queries, rows_of, url

pytestmark = pytest.mark.django_db
EVENTS = ("Ada\nBoris\nCleo", "Boris\nAda\nDana x2", "Cleo\nDana\nAda", "Dana\nEmil\nCleo", "Ada\nEmil")


def file_of(client, season, query, kind="standings-file"):
    answer = client.get(reverse(f"standings:{kind}", args=[season.club.slug, season.slug]) + query)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")


@pytest.mark.parametrize("by", ORDERS)
def test_the_leaderboard_at_a_date_is_what_was_stored_then(client, season, enter_event, by):
    then = []
    for day, text in enumerate(EVENTS):
        enter_event(text, day=7 * day)
        then.append(leader_rows(Standing.objects.filter(season=season), by, ()))
    for number, rows in enumerate(then):
        shown = past.season_at(season, season.events.order_by("starts_at")[number].starts_at.date())
        assert shown.rows(by, (), {}) == rows
    address = url("standings:leaderboard", season, query=f"?by={by}&at=2026-01-14")
    assert rows_of(client.get(address)) == [row.name for row in then[1]]
    html = client.get(address).content.decode()
    assert "The leaderboard as it was after Jan. 14, 2026." in html
    assert "After 2 events" in html
    before = client.get(url("standings:leaderboard", season, query="?at=2025-12-31"))
    assert rows_of(before) == []
    now = rows_of(client.get(url("standings:leaderboard", season, query=f"?by={by}&at=nonsense")))
    assert now == [row.name for row in then[-1]]


def test_files_have_the_order_filters_and_date_of_the_page(client, season, enter_event):
    for day, text in enumerate(EVENTS):
        enter_event(text, day=7 * day)
    for query in (
        "?by=tier",
        "?by=points&sort=name",
        "?by=profit&least=3&sort=-rate",
        "?by=points&q=a&at=2026-01-21",
        "?by=tier&at=2026-01-21&sort=-n_wins&badge=B",
    ):
        html = markup_of(client.get(url("standings:leaderboard", season, query=query)))
        shown = rows_of(client.get(url("standings:leaderboard", season, query=query)))
        assert [row["player"] for row in csv.DictReader(io.StringIO(file_of(client, season, query)))] == shown
        rows = json.loads(file_of(client, season, query, "standings-json"))
        assert [row["player"] for row in rows] == shown
        if shown:
            link = html.partition("standings.csv?")[2].partition('"')[0].replace("&amp;", "&")
            linked = csv.DictReader(io.StringIO(file_of(client, season, f"?{link}")))
            assert [row["player"] for row in linked] == shown


@pytest.mark.rest
def test_a_date_reads_as_often_for_many_events_as_for_few(client, season, enter_event):
    counts = []
    for n_players, n_events in ((3, 2), (60, 4)):
        for _event in range(n_events):
            enter_event("\n".join(names(n_players)), day=season.events.count())
        at = url("standings:leaderboard", season, query="?at=2026-01-07")
        client.get(at)  # what is the same for each date, like the rules in words, is read once
        counts.append(queries(client, at)[0])
    assert counts[0] == counts[1]


def test_a_season_that_is_too_large_for_a_date_says_so(client, season, enter_event, monkeypatch):
    enter_event("Ada\nBoris\nCleo")
    monkeypatch.setattr(past, "MOST_ENTRIES", 2)
    page = client.get(url("standings:leaderboard", season, query="?at=2026-01-07"))
    assert "too many results to be computed while you wait" in page.content.decode()
    file = client.get(url("standings:standings-file", season, query="?at=2026-01-07"))
    assert file.status_code == 400
    assert rows_of(client.get(url("standings:leaderboard", season))) == ["Ada", "Boris", "Cleo"]
