"""Seats and points: the same as the commands print, for anybody."""

import io
import json

import pytest
from django.core.cache import caches
from django.core.management import call_command
from django.test import Client
from rest_framework.exceptions import ValidationError

from api.errors import engine_errors_named
from api.services import make_key
from api.throttles import KeylessThrottle, TableThrottle
from tests.api.structures import BAD, BAD_FORMULAS

pytestmark = pytest.mark.django_db
SEATS, POINTS = "/api/v1/seats/", "/api/v1/points/"


def printed(command, options):
    out = io.StringIO()
    call_command(
        command,
        *(f"--{name.replace('_', '-')}={value}" for name, value in options.items()),
        "--format=json",
        stdout=out,
    )
    return json.loads(out.getvalue())


def query(structure, **others):
    return {"structure": structure["name"]} | {k: v for k, v in structure.items() if k != "name"} | others


@pytest.mark.parametrize(
    "options",
    [
        {"structure": "inverse", "seats": 30},
        {"structure": "inverse", "seats": 30, "ties": "worse"},
        {"structure": "vp_kid", "seats": 0},
        {"structure": "vp_kid_alpha", "alpha": "1.5", "seats": 90},
        {"structure": "fixed", "votes": "50,30,20", "seats": 4},
        {"structure": "custom", "votes": "50,50", "tail": "60/n", "ties": "worse", "seats": 9},
        {"structure": "winner_takes_all", "seats": 2},
    ],
)
def test_seats_are_those_of_the_command(client, options):
    answer = client.get(SEATS, options)
    assert answer.status_code == 200
    assert answer.json() == printed("seats", options)
    assert len(answer.json()["rows"]) == options["seats"]


@pytest.mark.parametrize(
    "options",
    [
        {"structure": "inverse", "entries": 10},
        {"structure": "inverse", "entries": 3, "total": "4"},
        {"structure": "inverse", "entries": 5, "cap": 2},
        {"structure": "percentage_pool", "votes": "60,40", "per_entry": "2.5", "entries": 4},
        {"structure": "pokerstars", "buy_in": "9.75", "entries": 4},
        {"structure": "expression", "expression": "10*paid/k if k<=paid else 0", "paid": 2, "entries": 3},
        {"structure": "dr_neau", "entries": 1},
    ],
)
def test_points_are_those_of_the_command(client, options):
    answer = client.get(POINTS, options)
    assert answer.status_code == 200
    assert answer.json() == printed("points", options)
    assert len(answer.json()["rows"]) == options["entries"]


def test_cells_are_exact(client):
    rows = client.get(POINTS, {"structure": "inverse", "entries": 3, "total": "4"}).json()["rows"]
    assert [row["points"] for row in rows] == ["8/3", "4/3", 0]


@pytest.mark.parametrize(("structure", "field", "message"), BAD)
def test_bad_structures_are_refused_for_seats_and_points(client, structure, field, message):
    for answer in (
        client.get(SEATS, query(structure, seats=5)),
        client.get(POINTS, query(structure, entries=5)),
    ):
        assert (answer.status_code, answer.json()) == (400, {field: [message]})


@pytest.mark.parametrize(("structure", "field", "message"), BAD_FORMULAS)
def test_bad_formulas_are_refused(client, structure, field, message):
    answer = client.get(POINTS, query(structure, entries=5))
    assert (answer.status_code, answer.json()) == (400, {field: [message]})


@pytest.mark.parametrize(
    ("address", "options", "field", "message"),
    [
        (SEATS, {"structure": "inverse", "seats": -1}, "seats", "Ensure this value is greater than or equal to 0."),
        (SEATS, {"structure": "inverse", "seats": 10_001}, "seats", "Ensure this value is less than or equal to 10000."),
        (SEATS, {"structure": "inverse", "seats": "five"}, "seats", "A valid integer is required."),
        (SEATS, {"structure": "inverse"}, "seats", "This field is required."),
        (SEATS, {"seats": 5}, "structure", "This field is required."),
        (SEATS, {"structure": "linear", "seats": 5}, "structure", "linear is a formula and has no seats."),
        (POINTS, {"structure": "inverse", "entries": 0}, "entries", "Ensure this value is greater than or equal to 1."),
        (POINTS, {"structure": "inverse", "entries": 10_001}, "entries", "Ensure this value is less than or equal to 10000."),
        (POINTS, {"structure": "inverse", "entries": 5, "total": "x"}, "total", "“x” is not a number."),
        (POINTS, {"structure": "inverse", "entries": 5, "total": "-1"}, "total", "It must be 0 or more, not -1."),
        (POINTS, {"structure": "linear", "entries": 5, "total": "9"}, "total", "linear is a formula and shares out no total."),
        (POINTS, {"structure": "linear", "entries": 5, "paid": 0}, "paid", "It must be at least 1, not 0."),
        (POINTS, {"structure": "linear", "entries": 5, "buy_in": "-1"}, "buy_in", "It must be from 0 to 1000000000000, not -1."),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(client, address, options, field, message):
    answer = client.get(address, options)
    assert (answer.status_code, answer.json()) == (400, {field: [message]})


def test_tables_are_limited_for_all_processes_together(client, monkeypatch, people):
    monkeypatch.setattr(TableThrottle, "most", 2)
    asked = [
        client.get(SEATS, {"structure": "inverse", "seats": 5}),
        client.get(POINTS, {"structure": "inverse"}),
    ]
    assert [answer.status_code for answer in asked] == [200, 400]
    answer = client.get(
        POINTS, {"structure": "inverse", "entries": 5}, headers={"x-forwarded-for": "203.0.113.9"}
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert len(caches.create_connection("default").get("turns:tables:127.0.0.1")) == 2

    key = make_key(people["member"], label="script")
    by_key = [
        Client(REMOTE_ADDR=f"203.0.113.{i}").get(
            SEATS, {"structure": "inverse", "seats": 5}, headers={"authorization": f"Bearer {key}"}
        )
        for i in range(3)
    ]
    assert [answer.status_code for answer in by_key] == [200, 200, 429]


def test_a_refused_flood_writes_nothing(client, monkeypatch, django_assert_num_queries):
    """Counting a turn takes the database's lock to write, for which everybody else would wait."""
    monkeypatch.setattr(KeylessThrottle, "rate", "1/min")
    asked = {"structure": "inverse", "seats": 5}
    assert client.get(SEATS, asked).status_code == 200
    with django_assert_num_queries(0):
        answer = client.get(SEATS, asked)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 60


@pytest.mark.parametrize("structure", ["fixed", "percentage_pool"])
def test_long_fractions_are_refused_with_a_short_message(client, structure):
    """The exact sum of these percentages has 4,400 digits, which take seconds to compute one by one."""
    votes = ",".join(f"1/{10**11 + 2 * i + 1}" for i in range(400))
    answer = client.get(POINTS, {"structure": structure, "votes": votes, "entries": 5})
    assert answer.status_code == 400
    assert answer.json() == {"votes": ["The percentages sum to ≈3.999999984e-09; they must sum to 100."]}


def test_a_mistyped_name_is_refused(client):
    answer = client.get(SEATS, {"structure": "inverse", "seats": 5, "tie": "worse"})
    assert answer.status_code == 400
    assert answer.json() == {
        "tie": ["There is no such field. There are: structure, ties, alpha, votes, tail, seats."]
    }


def test_messages_are_in_the_readers_language(client):
    options = {"structure": "custom", "votes": "50,60", "seats": 5}
    answer = client.get(SEATS, options, headers={"accept-language": "ja"})
    assert answer.json() == {"votes": ["2位の60が、1位の50より大きくなっています。"]}


def test_an_error_without_a_field_is_bad_input_too():
    with pytest.raises(ValidationError) as caught, engine_errors_named():
        raise ValueError("too long a number")
    assert caught.value.detail == {"detail": ["too long a number"]}


@pytest.mark.parametrize(
    "address", ["/api/", "/api/v1/nothing/", "/api/v2/seats/", "/api/v1/seasons/x/rules/"]
)
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_an_unknown_address_is_not_found_in_json(client, address, method):
    answer = getattr(client, method)(address)
    assert (answer.status_code, list(answer.json())) == (404, ["detail"])
