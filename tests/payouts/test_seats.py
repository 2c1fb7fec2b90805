"""The seat table: every seat once, as the command prints it; a table of points for formulas."""

import csv
import html
import re
from pathlib import Path

import pytest
from django.urls import reverse

from payouts.services.rules import set_rules
from tests.factories import RULES
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
PRINTED = Path(__file__).parents[1] / "data" / "straddle-1999" / "seat_order_inverse_50.csv"


def url(season, page="payouts:seat-table", query=""):
    return reverse(page, args=[season.club.slug, season.slug]) + query


def set_structure(season, **structure):
    set_rules(season, rules=RULES | {"structure": structure}, settle_again=False, actor=None)


def test_the_file_is_the_printed_table(season, client):
    set_structure(season, name="inverse")
    answer = client.get(url(season, "payouts:seat-file", "?seats=50"))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    printed = PRINTED.read_text(encoding="utf-8").replace("\n", "\r\n")
    assert answer.content.decode() == f"\ufeff{printed}"
    name = f"{season.club.slug}-{season.slug}-seats.csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    unmarked = client.get(url(season, "payouts:seat-file", "?seats=50&bom=0"))
    assert unmarked.content.decode() == printed


def test_each_seat_is_on_the_page_once(season, client):
    answer = client.get(url(season, query="?seats=60"))
    seats = [seat for _place, of_place in answer.context["table"].by_place for seat in of_place]
    assert sorted(seats) == list(range(1, 61))
    page = markup_of(answer)
    assert "Points table for up to 60 entries" in page
    (kicker,) = re.findall(r'<p class="kicker">(.*?)</p>', page)
    assert html.unescape(kicker) == f"{season.name}. VP_KID: 100, 60, 40, 25, then 100/n for n\u00a0>\u00a04"


@pytest.mark.parametrize(
    ("typed", "n"), [("", 60), ("0", 1), ("-3", 60), ("x", 60), ("5", 5), ("99999", 300), ("9" * 30, 60)]
)
def test_an_impossible_number_of_seats_gives_a_table_within_limits(season, client, typed, n):
    assert client.get(url(season, query=f"?seats={typed}")).context["table"].n_seats == n


def test_the_table_ends_at_the_cap(season, client):
    set_structure(season, name="inverse", cap=40)
    assert client.get(url(season)).context["table"].n_seats == 40


def test_a_formula_has_points_by_place_instead(season, client):
    set_structure(season, name="fixed_table", votes="25, 18, 13")
    answer = client.get(url(season))
    assert "table" not in answer.context
    assert [(place, [int(value) for value in row]) for place, row in answer.context["worked"].rows] == [
        (1, [25] * 11), (2, [18] * 11), (3, [13] * 11),
    ]  # fmt: skip
    rows = list(
        csv.DictReader(client.get(url(season, "payouts:seat-file", "?bom=0")).content.decode().splitlines())
    )
    assert rows[1] == {"place": "2"} | {
        f"points_of_{size}": "18" for size in (5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100)
    }
