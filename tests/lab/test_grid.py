"""Round numbers on every public page, address and command that computes from what is typed: figures or a message."""

import itertools
import json
import math
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from payouts.engine.structures.settings import NAMES

pytestmark = pytest.mark.django_db
LISTS = {"fixed", "custom", "fixed_table", "percentage_pool"}
SPOT = {"own": "100", "in": "5", "raise": "10", "folded": "0"}
CHANCES = ("0", "0.1", "0.125", "0.2", "0.25", "0.5", "1")
GAMMAS = ("0", "1")
CALLS = {
    "check": {"in": "0", "call": "0"},
    "free": {"call": "5"},
    "some": {"call": "15"},
    "all": {"call": "100"},
}
PLAYERS = ("2", "4", "5", "8", "10")  # for each chance 1/n there is the n that makes the odds exactly 1
HANDS = [
    SPOT | {"p": p, "n": n, "gamma": gamma} | call
    for p, n, gamma, call in itertools.product(CHANCES, PLAYERS, GAMMAS, CALLS.values())
]


def is_number(value):
    return value is None or (isinstance(value, (int, float)) and not math.isnan(value))


@pytest.mark.parametrize("n", PLAYERS)
def test_decisions_of_round_numbers_are_numbers_everywhere(client, n):
    for hand in (hand for hand in HANDS if hand["n"] == n):
        answer = client.get("/api/v1/decide/", hand)
        assert answer.status_code == 200, (hand, answer.content)
        found = answer.json()
        choice, shares = found.pop("choice"), found.pop("shares")
        assert found.pop("street") == "preflop"
        assert shares == {"fold": 0, "call": 0, "raise": 0} | {choice: 1}
        assert all(map(is_number, found.values())), (hand, found)
        if float(hand["call"]) <= float(hand["in"]):
            assert choice != "fold", hand
        out = StringIO()
        call_command("decide", **hand, stdout=out)
        assert json.loads(out.getvalue())["choice"] == choice


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("call", CALLS)
def test_the_page_of_decisions_answers_round_numbers(client, gamma, call):
    for p, n in (
        ("0", "2"),
        ("0.5", "2"),
        ("0.25", "4"),
        ("0.2", "5"),
        ("0.125", "8"),
        ("0.1", "10"),
        ("1", "3"),
    ):
        answer = client.get("/lab/decide/", SPOT | {"p": p, "n": n, "gamma": gamma} | CALLS[call])
        assert answer.status_code == 200, (p, n)
        assert "nan" not in answer.content.decode().lower().replace("finance", "")


@pytest.mark.parametrize("phi", ["0", "20", "25", "50", "100"])
@pytest.mark.parametrize("tau", ["-1", "0", "1", "2"])
@pytest.mark.parametrize("pi", ["-1", "0", "1"])
def test_vpip_of_round_numbers_is_numbers_or_a_message(client, phi, tau, pi):
    for seats in ("2", "6", "10", "2-10"):
        options = {"phi": phi, "tau": tau, "pi": pi, "seats": seats}
        answer = client.get("/api/v1/vpip/", options)
        assert answer.status_code in {200, 400}
        if answer.status_code == 400:
            assert set(answer.json()) <= set(options), answer.json()
        page = client.get("/lab/vpip/", options | {"seats": seats.partition("-")[0]})
        assert page.status_code == 200


@pytest.mark.parametrize("structure", NAMES)
def test_points_and_seats_of_round_numbers_are_numbers_or_name_a_field(client, structure):
    numbers = itertools.product(("1", "2", "3", "100"), ("0", "1"), ("1", "2"), ("", "0", "1"))
    for i, (entries, buy_in, paid, total) in enumerate(numbers):
        someone = f"10.0.0.{i}"  # each address may ask so often in a minute
        options = {"structure": structure, "entries": entries, "buy_in": buy_in, "paid": paid}
        options |= {"total": total} if total else {}
        options |= {"votes": "60,40"} if structure in LISTS else {}
        options |= {"expression": "paid*(n-k)/n"} if structure == "expression" else {}
        answer = client.get("/api/v1/points/", options, REMOTE_ADDR=someone)
        assert answer.status_code in {200, 400}, options
        if answer.status_code == 400:
            assert set(answer.json()) <= {*options, "total"}, (options, answer.json())
        else:
            assert len(answer.json()["rows"]) == int(entries)
        seats = client.get("/api/v1/seats/", options | {"seats": entries}, REMOTE_ADDR=someone)
        assert seats.status_code in {200, 400}, options


def test_the_page_that_explains_ratings_answers_every_small_field(client, season):
    address = reverse("standings:how-it-works", args=[season.club.slug])
    for n, place in itertools.product(("0", "1", "2", "3", "100", "x"), ("0", "1", "2", "3", "100", "x")):
        assert client.get(address, {"n": n, "place": place}).status_code == 200, (n, place)


@pytest.mark.parametrize("p", ["-0", "1.0", "1e-320"])
def test_the_command_answers_every_chance(p):
    out = StringIO()
    call_command("decide", **(SPOT | {"p": p, "n": "2", "call": "15"}), stdout=out)
    assert json.loads(out.getvalue())["choice"] in {"fold", "call", "raise"}


@pytest.mark.parametrize("p", ["nan", "inf", ""])
def test_the_command_names_what_is_no_chance(p):
    with pytest.raises(CommandError, match=r"^p must be a number"):
        call_command("decide", **(SPOT | {"p": p, "n": "2", "call": "15"}), stdout=StringIO())
