"""Tables as text."""

from decimal import Decimal

import pytest

from entry.night_sheets.pasted import MOST_LINES, TextSeat, read_tables
from scores.errors import ScoreError


def test_tables_are_separated_by_blank_lines():
    text = "Nora 45200\r\nAda Lovelace\t31,200\nCy: -3100\n \nE Di = 1\n\n\nEd 2\n"
    assert read_tables(text) == [
        [
            TextSeat("Nora", Decimal(45_200), is_points=False),
            TextSeat("Ada Lovelace", Decimal(31_200), is_points=False),
            TextSeat("Cy", Decimal(-3_100), is_points=False),
        ],
        [TextSeat("Di", Decimal(1), is_points=False)],
        [TextSeat("Ed", Decimal(2), is_points=False)],
    ]


@pytest.mark.parametrize(
    ("line", "name", "number"),
    [
        ("Nora +52.3", "Nora", "52.3"),
        ("Nora 52,3", "Nora", "52.3"),
        ("村田 ▲15.9", "村田", "-15.9"),
        ("東家 村田 −15.9", "村田", "-15.9"),
        ("Player 1 +10", "Player 1", "10"),
        ("2. Nora - 4.0", "Nora", "-4"),
        ("Nora -0.0", "Nora", "0"),
    ],
)
def test_a_sign_in_front_or_decimals_make_it_points(line, name, number):
    assert read_tables(line) == [[TextSeat(name, Decimal(number), is_points=True)]]


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("Nora 45200\nAda", "no_number", {"line": "Ada"}),
        ("45200", "no_player", {"line": "45200"}),
        ("1位 45200", "no_player", {"line": "1位 45200"}),
        ("Nora 1\n" * (MOST_LINES + 1), "too_many_lines", {"most": MOST_LINES, "got": MOST_LINES + 1}),
        ("Nora 99999999", "out_of_range", {"least": -1_000_000, "most": 1_000_000, "got": "99999999"}),
    ],
)
def test_lines_that_are_no_seat_are_refused(text, code, values):
    with pytest.raises(ScoreError) as caught:
        read_tables(text)
    assert (caught.value.field, caught.value.code, caught.value.values) == ("text", code, values)


@pytest.mark.parametrize(
    "line",
    ["1位 Nora 45200", "第1位 Nora 45200", "① Nora 45200", "1. Nora 45,200", "1st Nora 45200", "(1) Nora 45200", "1\tNora\t45200",
     "2位 東家 Nora 45200点", "Ｎｏｒａ　４５２００点", "Nora;45200", "Nora、45,200"],
)  # fmt: skip
def test_places_winds_and_signs_between_are_no_part_of_a_name(line):
    assert read_tables(line) == [[TextSeat("Nora", Decimal(45_200), is_points=False)]]


@pytest.mark.parametrize(
    "line",
    ["1. Nora 45,200 +65.2", "Nora 45200 Ada 31200 Cy 18400 Di 5200", "Nora 453、Ada 312、Cy 184、Di 51", "Nora;45200;+65.2", "Nora -42 -62.2"],
)  # fmt: skip
def test_a_line_of_several_scores_is_refused(line):
    with pytest.raises(ScoreError) as caught:
        read_tables(line)
    assert (caught.value.code, caught.value.values) == ("several_scores", {"line": line})


def test_no_text_is_no_table():
    assert read_tables(" \n \n") == []
