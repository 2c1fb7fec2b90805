"""The deal calculator: every kind of deal beside each other, and errors beside their fields."""

import re

import pytest
from django.urls import reverse

from payouts.models import ClubMoney
from tests.pages import markup_of

pytestmark = pytest.mark.django_db
TYPED = {"prizes": "500, 300, 200", "chips": "Cleo 2,000\nAda 5000\n３０００"}


@pytest.fixture
def deal(club, client):
    return lambda **typed: client.get(reverse("standings:deal", args=[club.slug]), TYPED | typed)


def test_three_deals_stand_side_by_side(deal):
    """By chips: 200 each, and 400 by 5 : 3 : 2. By ICM Ada is second if one of the others is first."""
    page = markup_of(deal())
    rows = re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', page)
    cells = {name: re.findall(r'<td class="n">([^<]+)</td>', row) for name, row in rows}
    first_ada = 0.5
    second_ada = 0.3 * 5 / 7 + 0.2 * 5 / 8
    worth = first_ada * 500 + second_ada * 300 + (1 - first_ada - second_ada) * 200
    assert cells["Ada"] == ["334", "400", str(round(worth))]
    assert cells["Player 3"][:2] == ["333", "320"]
    assert cells["Cleo"][:2] == ["333", "280"]
    assert cells["Sum"] == ["1000"] * 3
    assert [name for name, _row in rows] == ["Ada", "Player 3", "Cleo", "Sum"]


def test_amounts_are_rounded_to_the_unit_and_written_in_the_clubs_way(club, deal):
    ClubMoney.objects.create(club=club, currency="$", decimals=2)
    assert "333.34\u00a0$" in markup_of(deal())
    assert "335.00\u00a0$" in markup_of(deal(round_to="5"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("prizes", "500, x", "Place 2: “x” is not a number."),
        ("prizes", "300, 500, 200", "Place 2 has 500, more than the 300 of place 1."),
        ("prizes", "500, 300", "Prizes: 2, players: 3. One prize is needed"),
        ("prizes", "", "This field is required."),
        ("chips", "Ada 5000\nBoris", "Line 2, “Boris”, does not end in a clear number of chips."),
        ("chips", "Ada 5\nBoris 5\nCleo 0", "Player 3 has 0 chips"),
        ("chips", "Ada 1\n" * 21, "At most 20 players."),
        ("round_to", "0.5", "It must be a multiple of the smallest amount, 1."),
        ("round_to", "x", "“x” is not a number."),
    ],
)
def test_bad_input_is_reported_beside_the_field_and_kept(deal, field, value, message):
    form = deal(**{field: value}).context["form"]
    assert message in form.errors[field][0]
    assert form[field].value() == value


@pytest.mark.parametrize(
    ("line", "name", "chips"),
    [
        ("Ada 12,500", "Ada", 12_500),
        ("Ada:12 500", "Ada", 12_500),
        ("Ada\t1'250'000", "Ada", 1_250_000),
        ("Ada, 12500", "Ada", 12_500),
        ("Ada 2 12500", "Ada 2", 12_500),
        ("Ada　１２，５００", "Ada", 12_500),
        ("12,500", "Player 1", 12_500),
    ],
)
def test_chips_stand_after_the_name(deal, line, name, chips):
    assert deal(chips=f"{line}\nBo 1\nCy 1").context["form"].cleaned_data["chips"][0] == (name, chips)


@pytest.mark.parametrize(
    "line",
    [
        "Ace 10.500",
        "Ace -5",
        "Ace - 5",
        "Ace −5",
        "Lark 2.000",
        "Ace 12 500",
        "Ace5000",
        "Ace 12,50",
        "Ace +5",
        "Ace: 1,2",
    ],
)
def test_chips_that_may_mean_something_else_are_refused(deal, line):
    form = deal(chips=f"Bo 1\n{line}\nCy 1").context["form"]
    (message,) = form.errors["chips"]
    assert message.startswith(f"Line 2, “{line}”, does not end in a clear number of chips. Write it as")
    assert line in form["chips"].value()


def test_the_empty_page_asks_for_prizes_and_chips(club, client):
    page = client.get(reverse("standings:deal", args=[club.slug])).content.decode()
    assert "Type the prizes and the chips" in page
