"""Tables as text."""

from decimal import Decimal

import pytest

from league.scores.errors import ScoreError
from league.scores.text import MOST_LINES, TextSeat, read_tables


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
        ("Nora 1\n" * (MOST_LINES + 1), "too_many_lines", {"most": MOST_LINES, "got": MOST_LINES + 1}),
        ("Nora 99999999", "out_of_range", {"least": -1_000_000, "most": 1_000_000, "got": "99999999"}),
    ],
)
def test_lines_that_are_no_seat_are_refused(text, code, values):
    with pytest.raises(ScoreError) as caught:
        read_tables(text)
    assert (caught.value.field, caught.value.code, caught.value.values) == ("text", code, values)


def test_no_text_is_no_table():
    assert read_tables(" \n \n") == []
