"""Street, noise and padding of a decision on the page, in the API and in the command (spec/vpip-and-npc, 2 and 4)."""

import json
import re
from io import StringIO
from math import log

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db
SPOT = {"p": "0.2", "n": "4", "own": "100", "in": "5", "call": "15", "raise": "10", "folded": "0"}


def of_the_api(client, **options):
    answer = client.get("/api/v1/decide/", SPOT | options)
    return answer.status_code, answer.json()


def of_the_command(**options):
    out = StringIO()
    call_command("decide", **(SPOT | options), stdout=out)
    return json.loads(out.getvalue())


@pytest.mark.parametrize(("street", "s"), [("preflop", 0.3), ("flop", 0.2), ("turn", 0.1), ("river", 0.0)])
def test_a_player_becomes_tighter_street_by_street(client, street, s):
    options = {"style": "0.3", "river": "0", "street": street}
    status, found = of_the_api(client, **options)
    assert status == 200
    assert found["p"] == pytest.approx(0.2 ** (1 - s), abs=1e-9)
    assert of_the_command(**options) == found


def test_without_a_river_a_player_is_as_loose_on_every_street(client):
    for street in ("preflop", "flop", "turn", "river"):
        assert of_the_api(client, style="0.2", street=street)[1]["p"] == pytest.approx(0.2759, abs=5e-5)


def test_an_unknown_street_is_named(client):
    status, errors = of_the_api(client, street="showdown")
    assert status == 400
    assert list(errors) == ["street"]
    with pytest.raises(CommandError, match=r"^street"):
        of_the_command(street="showdown")


def test_the_stack_is_padded_by_percents(client):
    """Losing 100 of 100, counted as 100 (1 + x): U(call) = p ln(1 + 300/W) + (1-p) ln(1 - 100/W)."""
    for percent in (1, 2.5, 5):
        padded = 100 * (1 + percent / 100)
        _, found = of_the_api(client, call="100", padding=str(percent))
        expected = 0.2 * log(1 + 300 / padded) + 0.8 * log(1 - 100 / padded)
        assert found["call"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("padding", ["0.9", "6", "-2", "nan", "much"])
def test_a_padding_outside_of_1_to_5_percent_is_named(client, padding):
    status, errors = of_the_api(client, padding=padding)
    assert status == 400
    assert list(errors) == ["padding"]
    with pytest.raises(CommandError, match=r"^padding"):
        of_the_command(padding=padding)
    page = client.get("/lab/decide/", SPOT | {"padding": padding})
    assert page.status_code == 200
    assert "padding" in page.context["form"].errors
    assert page.context["form"].is_unfolded


def test_noise_divides_the_choices(client):
    """A chance of 0.2 that errs by 0.1: called where it seems above the chance at which call and fold are equal.

    ln(0.95) = x ln(1.45) + (1 - x) ln(0.85) gives x = 0.2083, so that a call needs an error of 0.083 of a deviation
    and about 47 of 100 players call or raise.
    """
    status, found = of_the_api(client, noise="0.1")
    assert status == 200
    shares = found["shares"]
    assert sum(shares.values()) == pytest.approx(1, abs=1e-12)
    assert shares["fold"] == pytest.approx(0.533, abs=0.002)
    assert found["choice"] == "fold"
    assert of_the_command(noise="0.1") == found


def test_without_noise_a_player_always_does_the_same(client):
    assert of_the_api(client)[1]["shares"] == {"fold": 1, "call": 0, "raise": 0}


def test_the_page_takes_what_the_api_takes(client):
    page = client.get(
        "/lab/decide/",
        SPOT | {"street": "turn", "river": "0", "style": "0.3", "noise": "0.1", "padding": "2"},
    )
    assert page.status_code == 200
    assert page.context["form"].is_unfolded
    assert re.fullmatch(r"fold \d+ %, call \d+ %, raise \d+ %", page.context["shares"].replace("\u00a0", " "))
    assert not client.get("/lab/decide/").context["form"].is_unfolded


@pytest.mark.parametrize("page", ["/lab/decide/", "/lab/vpip/"])
@pytest.mark.parametrize(
    "options", [{}, {"style": "0.3", "padding": "2"}, {"ranges": "5,20", "to": "10", "strategy": "0"}]
)
def test_the_page_leads_to_its_figures_by_the_api(client, page, options):
    """Fields that are left empty are no part of the address, which would refuse them."""
    markup = client.get(page, options).content.decode()
    address = re.search(r'href="(/api/v1/[^"]+)">JSON', markup)[1].replace("&amp;", "&")
    assert client.get(address).status_code == 200
