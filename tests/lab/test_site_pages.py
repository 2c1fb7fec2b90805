"""The pages of the laboratory that everybody may open: VPIP and decisions, computed from the address."""

import csv
import io
import re

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db
VPIP, DECIDE = "/lab/vpip/", "/lab/decide/"


def text_of(client, address, **options):
    answer = client.get(address, options)
    assert answer.status_code == 200
    found = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return re.sub(r"\s+|&nbsp;", " ", found)


def test_the_index_leads_to_each_page_and_every_foot_to_the_index(client):
    page = client.get("/lab/").content.decode()
    for name in ("vpip", "decide", "duels", "practice", "play"):
        assert f'href="{reverse(f"lab:{name}")}"' in page
    assert 'href="/lab/"' in client.get(reverse("standings:about")).content.decode()


def test_vpip_begins_with_a_sentence(client):
    text = text_of(client, VPIP)
    assert (
        "At 9 seats this player plays 16 % of all hands: 8.8 % first to speak, 29.6 % on the button." in text
    )
    assert "in 29 % of the hands at ten seats and in 41 % at six" in text
    assert "Percent of hands played by position: EP1 8.8, EP2 10.4," in text
    assert "75 % on the button, which is the small blind" in text_of(client, VPIP, seats="2")


def test_the_chart_of_a_table_has_a_bar_for_each_position(client):
    page = client.get(VPIP, {"seats": "6", "phi": "25"}).content.decode()
    assert len(re.findall(r'<rect\s+class="bar', page)) == 2 * 6
    assert len(re.findall(r'<rect\s+class="bar hi', page)) == 2


def test_a_share_that_cannot_be_is_said(client):
    text = text_of(client, VPIP, phi="60")
    assert "by the formula the small blind at 2 seats would play 225 %" in text
    assert "by the formula the small blind" not in text_of(client, VPIP)


def test_vpip_as_a_file(client):
    answer = client.get("/lab/vpip.csv", {"phi": "25", "seats": "4"})
    assert answer["Content-Disposition"] == 'attachment; filename="vpip.csv"'
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0] == ["seats", "position", "vpip"]
    assert ["9", "average", "20.0"] in rows
    assert client.get("/lab/vpip.csv", {"phi": "x"}).url == f"{VPIP}?phi=x"


@pytest.mark.parametrize(
    ("address", "wrong", "message"),
    [
        (VPIP, {"seats": "11"}, "Seats: It must be a whole number from 2 to 10."),
        (VPIP, {"seats": "1"}, "Seats: It must be a whole number from 2 to 10."),
        (VPIP, {"seats": "6.5"}, "Seats: It must be a whole number from 2 to 10."),
        (VPIP, {"phi": "101"}, "φ, at six players: It must be from 0 to 100."),
        (VPIP, {"tau": "nan"}, "τ, loosens when short-handed: Enter a number."),
        (VPIP, {"pi": ""}, "π, cares for position: This field is required."),
        (DECIDE, {"p": "20"}, "Chance to win, p: A chance lies between 0 and 1. Did you mean 0.2?"),
        (DECIDE, {"p": "-0.1"}, "Chance to win, p: It must be from 0 to 1, not -0.1."),
        (DECIDE, {"n": "11"}, "Players left, n: It must be from 2 to 10, not 11."),
        (DECIDE, {"own": "0"}, "Stack, W: It must be more than 0 and at most 1000000000000."),
        (DECIDE, {"in": "101"}, "In already, b: It must be from 0 to 100, not 101."),
        (DECIDE, {"call": "4"}, "To call, c: It must be from 5 to 1000000000000, not 4."),
        (DECIDE, {"gamma": "1e6"}, "γ, shuns risk: It must be from 0 to 100, not 1000000."),
        (DECIDE, {"style": "inf"}, "s, loose or tight: Enter a number."),
    ],
)
def test_bad_input_is_named_beside_its_field_and_kept(client, address, wrong, message):
    answer = client.get(address, wrong)
    (name, typed), label = next(iter(wrong.items())), message.partition(": ")[0]
    assert message in text_of(client, address, **wrong)
    page = answer.content.decode()
    field = re.search(rf'<input[^>]*name="{name}"[^>]*>', page).group()
    assert 'aria-invalid="true"' in field
    assert not typed or f'value="{typed}"' in field
    assert label in page
    assert "<svg" not in page


def test_the_example_of_the_note_is_the_first_state(client):
    """U(fold) = -0.05129, U(call) = -0.0557 although calling leaves 0.97 and folding 0.95; either at gamma = 0.8106."""
    text = text_of(client, DECIDE)
    assert (
        "Fold , although the call wins chips: calling leaves 0.97 of the stack on average, folding 0.95"
        in text
    )
    assert "But 80 % of the time the call loses" in text
    assert "−0.05129 0.95 Call 15 Plays for 60. −0.05570 0.97" in text
    assert "At γ = 0.8106 folding is as good as playing." in text
    assert "0.8106 −0.0510 −0.0510 −0.1059 either" in text
    for share in ("0.7333", "0.3812", "0.2438", "0.1772", "0.1386"):
        assert share in text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"gamma": "0"}, "Call 15. That leaves 0.97 of the stack on average, folding 0.95."),
        ({"p": "0.8"}, "Raise to 73.33. "),
        ({"p": "0.1"}, "Fold. That leaves 0.95 of the stack, calling only 0.91 on average."),
    ],
)
def test_a_choice_is_said_in_words(client, options, sentence):
    text = text_of(client, DECIDE, **options)
    assert re.sub(r" (?=[.,])", "", sentence) in re.sub(r" (?=[.,])", "", text)


def test_what_the_style_makes_of_the_chance_is_said(client):
    assert "The player takes the chance for 0.2759." in text_of(client, DECIDE, style="0.2")
    assert "With this hand γ is 0.90." in text_of(client, DECIDE, inconsistency="2")


def test_an_all_in_is_explained(client):
    text = text_of(client, DECIDE, call="100", p="0.9")
    assert "Calling takes the whole stack." in text
    assert "The stack counts as 2 % more than it is" in text
    assert "Raise to" not in text


@pytest.mark.parametrize(
    "options",
    [{"p": "0"}, {"p": "1"}, {"in": "100", "call": "100"}, {"own": "1e12", "n": "10"}, {"gamma": "100"}],
)
def test_the_ends_of_every_scale_have_a_page(client, options):
    assert "Three utilities" in text_of(client, DECIDE, **options)


@pytest.mark.parametrize(
    "options",
    [{"phi": "0"}, {"phi": "100", "tau": "10", "pi": "10"}, {"pi": "-10"}, {"tau": "0", "seats": "3"}],
)
def test_the_ends_of_vpip_have_a_page(client, options):
    assert "By table size" in text_of(client, VPIP, **options)


@pytest.mark.parametrize("address", ["/lab/", VPIP, DECIDE])
def test_pages_take_no_query_of_the_database(client, django_assert_num_queries, address):
    with django_assert_num_queries(0):
        client.get(address)


@pytest.mark.parametrize(
    ("s", "moved"), [("0", "5 %, 10 %, 10 %"), ("0.5", "3.75 %, 7.5 %, 10 %"), ("1", "2.5 %, 5 %, 10 %")]
)
def test_ranges_move_beside_the_chart(client, s, moved):
    options = {"ranges": "5, 10, 20", "to": "10", "strategy": s}
    page = client.get("/lab/vpip/", options)
    text = " ".join(page.content.decode().replace("\u00a0", " ").replace("&nbsp;", " ").split())
    assert f"become <b>{moved}</b>" in text
    assert page.context["form"].is_unfolded
    assert client.get("/lab/vpip.csv", options).content.decode().splitlines()[-1] == ",range 3,10.0"


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"ranges": "5,10,20", "to": "10"}, "strategy"),
        ({"ranges": "20,10", "to": "10", "strategy": "1"}, "ranges"),
        ({"ranges": "5,x", "to": "10", "strategy": "1"}, "ranges"),
        ({"ranges": "5,10", "to": "110", "strategy": "1"}, "to"),
    ],
)
def test_ranges_that_cannot_move_name_the_field(client, options, field):
    page = client.get("/lab/vpip/", options)
    assert list(page.context["form"].errors) == [field]
    assert page.context["form"].is_unfolded


@pytest.mark.parametrize(("seats", "model"), [(2, 75.0), (6, 22.0 + 40.87 * 0.75), (10, 21.0 + 29.10 * 0.75)])
def test_the_small_blind_limps_in(client, seats, model):
    """Printed: 75, 22 and 21 percent of the hands; all fold to it in 29.10 and 40.87 percent, and heads up it plays 75."""
    options = {"limp": "1", "seats": str(seats)}
    rows = client.get("/api/v1/vpip/", options).json()["rows"]
    assert next(row["vpip"] for row in rows if row["position"] == "SB") == pytest.approx(model, abs=0.01)
    others = client.get("/api/v1/vpip/", {"seats": str(seats)}).json()["rows"]
    unchanged = {"BB", "BTN", "UTG"}
    assert [row for row in rows if row["position"] in unchanged] == [
        row for row in others if row["position"] in unchanged
    ]
    page = client.get("/lab/vpip/", options)
    assert f"SB {page.context['listed'].partition('SB ')[2].partition(',')[0]}" == f"SB {model:.1f}"


def test_another_limp_is_named(client):
    assert list(client.get("/api/v1/vpip/", {"limp": "2"}).json()) == ["limp"]
    assert list(client.get("/lab/vpip/", {"limp": "2"}).context["form"].errors) == ["limp"]
