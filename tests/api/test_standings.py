"""Pages of standings with the columns of the export, and the seasons of a club."""

import csv
import io
from fractions import Fraction

import pytest
from django.urls import reverse

from league.models import Season
from standings.models import Standing
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter

pytestmark = pytest.mark.django_db


@pytest.fixture
def url(season):
    return f"/api/v1/seasons/{season.pk}/standings/"


def own(player, club):
    return {
        "id": player.pk,
        "name": player.name,
        "url": f"http://testserver/c/{club.slug}/players/{player.pk}/",
    }


@pytest.mark.parametrize("by", ["points", "profit", "tier"])
def test_rows_are_those_of_the_export(client, season, url, enter_event, by):
    enter_event("Ada\nBoris = Cleo\nDora")
    enter_event("Boris\nAda x2\nEve", day=7)
    answer = client.get(url, {"by": by})
    assert answer.status_code == 200
    file = client.get(
        reverse("standings:standings-file", args=[season.club.slug, season.slug]), {"by": by, "bom": "0"}
    )
    exported = list(csv.DictReader(io.StringIO(file.content.decode())))
    assert len(exported) == 5
    for row, line in zip(answer.json()["results"], exported, strict=True):
        assert str(row["rank"] or "") == line["rank"]
        assert row["player"] == own(season.club.players.get(name=line["player"]), season.club)
        for name in ("points", "points_with_attendance", "profit_per_tourney"):
            assert Fraction(row[name]) == Fraction(line[name])
        for name in ("events", "entries", "wins", "events_brought_forward"):
            assert str(row[name]) == line[name]
        assert (f"{row['rate']:.1f}", row["badge"]) == (line["rate"], line["badge"])
        assert str(int(row["is_provisional"])) == line["provisional"]


def test_exact_values_are_texts_without_zeros_and_counts_are_numbers(client, url, enter_event):
    enter_event("Ada\nBoris = Cleo")
    first = client.get(url).json()["results"][0]
    texts = {name: value for name, value in first.items() if isinstance(value, str)}
    assert texts == {
        "points": "2", "points_with_attendance": "3", "profit_per_tourney": "1", "badge": first["badge"],
    }  # fmt: skip
    assert (first["rank"], first["events"], first["is_provisional"]) == (1, 1, True)


def test_standings_come_in_pages(client, url, enter_event):
    enter_event("Ada\nBoris\nCleo")
    first, second = (client.get(url, {"page_size": 2, "page": page}).json() for page in (1, 2))
    assert (first["count"], first["previous"], second["next"]) == (3, None, None)
    assert client.get(first["next"]).json() == second
    rows = first["results"] + second["results"]
    assert [row["player"]["name"] for row in rows] == ["Ada", "Boris", "Cleo"]
    assert client.get(url, {"page": 3}).status_code == 404


def test_standings_are_filtered_like_the_page(client, url, enter_event):
    enter_event("Ada\nBoris\nCleo")
    for day in (7, 14):
        enter_event("Boris\nAda", day=day)

    def names(**options):
        return [row["player"]["name"] for row in client.get(url, options).json()["results"]]

    assert names(q="O") == ["Boris", "Cleo"]
    assert sorted(names(least="3")) == ["Ada", "Boris"]
    assert names(by="attendance")[-1] == "Cleo"
    assert names(badge="S") == []


def test_a_season_without_results_has_one_empty_page(client, url):
    assert client.get(url).json() == {"count": 0, "next": None, "previous": None, "results": []}


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"by": "name"}, "by"),
        ({"page": 0}, "page"),
        ({"page": "two"}, "page"),
        ({"page_size": 201}, "page_size"),
        ({"page_size": "-1"}, "page_size"),
        ({"badge": "D"}, "badge"),
        ({"sort": "rate"}, "sort"),
    ],
)
def test_bad_parameters_are_refused(client, url, options, field):
    answer = client.get(url, options)
    assert (answer.status_code, list(answer.json())) == (400, [field])


def test_seasons_of_a_club_come_newest_first(client, season, url):
    other = SeasonFactory(club=season.club, name="Autumn", starts_on="2026-09-01")
    seasons = client.get(f"/api/v1/clubs/{season.club.slug}/seasons/").json()["results"]
    assert [row["id"] for row in seasons] == [other.pk, season.pk]
    assert seasons[0] == {
        "id": other.pk, "club": season.club.slug, "slug": "autumn", "name": "Autumn",
        "url": f"http://testserver/c/{season.club.slug}/s/autumn/", "pool": season.pool_id, "starts_on": "2026-09-01",
        "ends_on": None, "is_closed": False, "is_sealed": False,
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
        with django_assert_num_queries(4):  # rows, count, version, and whether the club shows money
            assert len(client.get(url).json()["results"]) == n_rows
        with django_assert_num_queries(3):  # club, count, rows
            assert len(client.get(seasons).json()["results"]) == n_rows
        Standing.objects.filter(points_position__gt=1).delete()
        Season.objects.filter(club=season.club).exclude(pk=season.pk).delete()
