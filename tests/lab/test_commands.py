"""The commands `vpip` and `decide`, and the same by the API. Expected numbers are printed in the author's note."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

SPOT = {"p": "0.2", "n": "4", "own": "100", "in": "5", "call": "15", "raise": "10", "folded": "0"}


def printed(command, options):
    out = io.StringIO()
    call_command(command, *(f"--{name}={value}" for name, value in options.items()), stdout=out)
    return out.getvalue()


def decided(**options):
    return json.loads(printed("decide", SPOT | options))


def asked(address, options):
    answer = Client().get(f"/api/v1/{address}/", options)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_vpip_as_csv():
    rows = list(csv.reader(io.StringIO(printed("vpip", {"phi": "20", "seats": "2-10", "format": "csv"}))))
    assert rows[0] == ["seats", "position", "vpip"]
    shares = {(seats, position): float(share) for seats, position, share in rows[1:]}
    assert len(shares) == len(rows) - 1 == sum(range(2, 11)) + 9
    assert (shares["10", "UTG"], shares["6", "BTN"], shares["2", "SB"]) == (7.5, 31.0, 75.0)
    assert shares["7", "average"] == pytest.approx(18.4615, abs=1e-4)


def test_vpip_as_text():
    lines = printed("vpip", {"phi": "25", "tau": "1.25", "pi": "0", "seats": "2-3"}).splitlines()
    assert lines == [
        "            2     3",
        "BTN            56.2",
        "SB       87.5  56.2",
        "BB       87.5  56.2",
        "average  87.5  56.2",
    ]


STRATEGY = {"seats": "2", "strategy": "0.5", "ranges": "5,10,20", "to": "10"}


def test_a_strategy_moves_ranges_in_every_format():
    found = json.loads(printed("vpip", STRATEGY | {"format": "json"}))
    assert found["strategy"] == {"s": 0.5, "ranges": [5, 10, 20], "to": 10, "moved": [3.75, 7.5, 10]}
    assert printed("vpip", STRATEGY).splitlines()[-1] == "ranges  3.75, 7.5, 10"
    assert printed("vpip", STRATEGY | {"format": "csv"}).splitlines()[-1] == ",range 3,10.0"


def test_the_example_of_the_note():
    found = decided()
    assert (found["fold"], found["call"]) == pytest.approx((-0.05129, -0.0557), abs=5e-6)
    assert (found["choice"], found["f_star"], found["padding"]) == ("fold", 0, 0)
    assert decided(gamma="0")["choice"] == "call"
    assert (decided(gamma="0.81")["choice"], decided(gamma="0.811")["choice"]) == ("call", "fold")


def test_f_star_of_the_note():
    strong = {"p": "0.8", "in": "0", "call": "0"}
    shares = [decided(**strong, gamma=str(gamma))["f_star"] for gamma in range(1, 6)]
    assert shares == pytest.approx([0.7333, 0.3812, 0.2438, 0.1772, 0.1386], abs=5e-5)
    assert decided(**strong, folded="5")["f_star"] == pytest.approx(0.73, abs=5e-5)


def test_style_inconsistency_and_bias_change_what_the_player_sees():
    assert decided(style="0.2")["p"] == pytest.approx(0.2759, abs=5e-5)
    assert decided(inconsistency="2")["gamma"] == pytest.approx(0.9, abs=1e-12)
    assert decided(bias="0.8", p="0")["p"] == pytest.approx(0.2, abs=1e-12)


def test_an_all_in_has_a_utility_and_no_raise():
    """The stack counts as 2 percent more than it is, so that losing it is no infinite loss; JSON has no infinity."""
    found = decided(call="100", p="0.9")
    assert (found["choice"], found["padding"]) == ("call", 0.02)
    assert (found["raise"], found["raise_to"]) == (None, None)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("vpip", {}),
        ("vpip", {"phi": "25", "tau": "0.5", "pi": "-1", "seats": "6"}),
        ("vpip", STRATEGY),
        ("decide", SPOT),
        ("decide", SPOT | {"gamma": "2", "style": "-0.5", "inconsistency": "1", "bias": "0.3"}),
    ],
)
def test_the_api_answers_as_the_command(command, options):
    as_json = {"format": "json"} if command == "vpip" else {}
    assert asked(command, options) == json.loads(printed(command, options | as_json))


BAD_SPOTS = [
    ({"p": "1.5"}, "p", "p must be 0 to 1, got 1.5", "It must be from 0 to 1, not 1.5."),
    ({"p": "nan"}, "p", "p must be a number, got nan", "Enter a number."),
    ({"p": "half"}, "p", "p must be a number, got half", "Enter a number."),
    ({"n": "1"}, "n", "n must be 2 to 10, got 1", "It must be from 2 to 10, not 1."),
    ({"n": "11"}, "n", "n must be 2 to 10, got 11", "It must be from 2 to 10, not 11."),
    ({"n": "2.5"}, "n", "n must be a whole number, got 2.5", "It must be a whole number."),
    (
        {"own": "0"},
        "own",
        "own must be above 0 and at most 1e+12, got 0",
        "It must be more than 0 and at most 1000000000000.",
    ),
    ({"in": "500"}, "in", "in must be 0 to 100, got 500", "It must be from 0 to 100, not 500."),
    (
        {"call": "1"},
        "call",
        "call must be 5 to 1000000000000, got 1",
        "It must be from 5 to 1000000000000, not 1.",
    ),
    (
        {"raise": "-1"},
        "raise",
        "raise must be 0 to 1000000000000, got -1",
        "It must be from 0 to 1000000000000, not -1.",
    ),
    (
        {"gamma": "1e6"},
        "gamma",
        "gamma must be 0 to 100, got 1000000",
        "It must be from 0 to 100, not 1000000.",
    ),
    ({"style": "1"}, "style", "style must be -5 to 0.99, got 1", "It must be from -5 to 0.99, not 1."),
    ({"bias": "inf"}, "bias", "bias must be a number, got inf", "Enter a number."),
]
WHOLE = "It must be a whole number from 2 to 10."
BAD_TABLES = [
    ({"seats": "1"}, "seats", "seats must be a whole number from 2 to 10, got 1", WHOLE),
    ({"seats": "11"}, "seats", "seats must be a whole number from 2 to 10, got 11", WHOLE),
    ({"seats": "x"}, "seats", "seats must be a whole number from 2 to 10, got x", WHOLE),
    (
        {"seats": "9-2"},
        "seats",
        "seats must be a whole number from 9 to 10, got 2",
        "It must be a whole number from 9 to 10.",
    ),
    ({"phi": "101"}, "phi", "phi must be 0 to 100, got 101", "It must be from 0 to 100."),
    ({"tau": "nan"}, "tau", "tau must be finite, got nan", "Enter a number."),
    ({"pi": "many"}, "pi", "pi must be a number, got many", "Enter a number."),
    (STRATEGY | {"ranges": "5,x"}, "ranges", "ranges must be a number, got x", "Enter a number."),
    ({"to": "9", "strategy": "1"}, "ranges", "ranges must be a number, got nothing", "Enter a number."),
    ({"ranges": "5,9"}, "strategy", "strategy must be a number, got nothing", "Enter a number."),
]
BAD = [("decide", SPOT | wrong, *rest) for wrong, *rest in BAD_SPOTS]
BAD += [("vpip", *rest) for rest in BAD_TABLES]


@pytest.mark.django_db
@pytest.mark.parametrize(("command", "options", "field", "text", "message"), BAD)
def test_bad_input_is_named_by_its_option(command, options, field, text, message):
    with pytest.raises(CommandError) as refused:
        printed(command, options)
    assert str(refused.value) == text
    assert refused.value.returncode == 1
    answer = Client().get(f"/api/v1/{command}/", options)
    assert (answer.status_code, answer.json()) == (400, {field: [message]})


@pytest.mark.django_db
def test_the_api_names_what_is_missing_and_what_it_does_not_know():
    answer = Client().get("/api/v1/decide/", {"p": "0.2", "odds": "3"})
    assert answer.status_code == 400
    assert answer.json().keys() == {"n", "own", "in", "call", "raise", "folded", "odds"}
    answer = Client().get("/api/v1/vpip/", {"odds": "3"})
    assert (answer.status_code, list(answer.json())) == (400, ["odds"])
