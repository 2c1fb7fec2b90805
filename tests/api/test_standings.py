"""Pages of standings with the columns of the export, and the seasons of a club."""

import csv
import io

import pytest
from django.urls import reverse

from league.models import Player, Season
from standings import queries
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(season):
    return f"/api/v1/seasons/{season.pk}/standings/"


@pytest.mark.parametrize("by", ["points", "profit", "tier"])
def test_rows_are_those_of_the_export(client, season, url, enter_event, by):
    enter_event("Ada\nBoris = Cleo\nDora")
    enter_event("Boris\nAda x2\nEve", day=7)
    Player.objects.filter(name="Dora").update(name="=Dora")  # in CSV it has an apostrophe
    answer = client.get(url, {"by": by})
    assert answer.status_code == 200
    file = client.get(
        reverse("standings:standings-file", args=[season.club.slug, season.slug]), {"by": by, "bom": "0"}
    )
    rows = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in answer.json()["rows"]
    ]
    exported = list(csv.DictReader(io.StringIO(file.content.decode())))
    assert list(rows[0]) == list(exported[0])
    assert rows == [row | {"player": row["player"].removeprefix("'")} for row in exported]
    assert {"Ada", "=Dora"} < {row["player"] for row in rows}


def test_decimals_are_texts_and_counts_are_numbers(client, url, enter_event):
    enter_event("Ada\nBoris = Cleo")
    first = client.get(url).json()["rows"][0]
    assert {name for name, value in first.items() if isinstance(value, str)} == {
        "player", "points", "points_with_attendance", "profit_per_tourney", "rate", "badge",
    }  # fmt: skip
    assert (first["rank"], first["events"], first["points"]) == (1, 1, "2")


def test_standings_come_in_pages(client, url, enter_event, monkeypatch):
    enter_event("Ada\nBoris\nCleo")
    monkeypatch.setattr(queries, "PER_PAGE", 2)
    first, second = client.get(url).json(), client.get(url, {"page": 2}).json()
    assert (first["count"], first["page"], first["pages"]) == (3, 1, 2)
    assert [row["player"] for row in first["rows"] + second["rows"]] == ["Ada", "Boris", "Cleo"]
    assert client.get(url, {"page": 3}).status_code == 404


def test_a_season_without_results_has_one_empty_page(client, url):
    assert client.get(url).json() == {"count": 0, "page": 1, "pages": 1, "rows": []}


@pytest.mark.parametrize(
    ("options", "field"),
    [({"by": "name"}, "by"), ({"page": 0}, "page"), ({"page": "two"}, "page"), ({"sort": "rate"}, "sort")],
)
def test_bad_parameters_are_refused(client, url, options, field):
    answer = client.get(url, options)
    assert (answer.status_code, list(answer.json())) == (400, [field])


def test_seasons_of_a_club_come_newest_first(client, season, url):
    other = SeasonFactory(club=season.club, name="Autumn", starts_on="2026-09-01")
    seasons = client.get(f"/api/v1/clubs/{season.club.slug}/seasons/").json()
    assert [row["id"] for row in seasons] == [other.pk, season.pk]
    assert seasons[0] == {
        "id": other.pk, "slug": "autumn", "name": "Autumn", "starts_on": "2026-09-01", "ends_on": None,
        "is_closed": False, "is_sealed": False,
    }  # fmt: skip


def test_lists_take_as_many_queries_with_three_rows_as_with_one(
    client, season, url, django_assert_num_queries
):
    seasons = f"/api/v1/clubs/{season.club.slug}/seasons/"
    enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    for name in ("Two", "Three"):
        SeasonFactory(club=season.club, name=name)
    for n_rows in (3, 1):
        with django_assert_num_queries(3):  # rows, count, and whether the club shows money
            assert len(client.get(url).json()["rows"]) == n_rows
        with django_assert_num_queries(2):
            assert len(client.get(seasons).json()) == n_rows
        Standing.objects.filter(points_position__gt=1).delete()
        Season.objects.filter(club=season.club).exclude(pk=season.pk).delete()
