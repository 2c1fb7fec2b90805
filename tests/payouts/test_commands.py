import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from payouts.cli import exact_json, exact_text

ROOT = Path(__file__).parents[2]
PRINTED = ROOT / "tests" / "data" / "straddle-1999" / "seat_order_inverse_50.csv"


def run(*arguments):
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def shell(*arguments):
    """As from a terminal: exit status and what is said on standard error."""
    script = "import sys; from django.core.management import execute_from_command_line as run; run(sys.argv)"
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_seats_csv_is_the_printed_table():
    assert run("seats", "--structure=inverse", "--seats=50", "--format=csv") == PRINTED.read_text(
        encoding="utf-8"
    )


def test_seats_json():
    assert json.loads(run("seats", "--structure=inverse", "--seats=2", "--ties=worse", "--format=json")) == {
        "structure": "inverse",
        "seats": 2,
        "ties": "worse",
        "rows": [{"place": 1, "kth_point": 1, "seat": 1}, {"place": 2, "kth_point": 1, "seat": 2}],
    }


def test_seats_text():
    assert run("seats", "--structure=inverse", "--seats=10") == (
        "place  seat of the 1st, 2nd, 3rd ... point\n"
        "    1   1  2  4  6  9\n"
        "    2   3  7\n"
        "    3   5\n"
        "    4   8\n"
        "    5  10\n"
    )


def test_no_seats_is_an_empty_table():
    assert run("seats", "--structure=vp_kid", "--seats=0", "--format=csv") == "place,kth_point,seat\n"


def test_points_csv():
    rows = list(csv.reader(io.StringIO(run("points", "--structure=vp_kid", "--entries=10", "--format=csv"))))
    assert rows[0] == ["place", "points"]
    assert [points for _, points in rows[1:]] == ["5", "3", "1", "1", "0", "0", "0", "0", "0", "0"]


def test_points_json():
    assert json.loads(run("points", "--structure=inverse", "--entries=2", "--format=json")) == {
        "structure": "inverse",
        "entries": 2,
        "ties": "better",
        "rows": [{"place": 1, "points": 2}, {"place": 2, "points": 0}],
    }


def test_points_text():
    assert run("points", "--structure=inverse", "--entries=2", "--ties=worse") == (
        "place  points\n    1  1\n    2  1\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("seats", "--structure=no", "--seats=5"),
            "structure: unknown structure 'no', one of: inverse, vp_kid",
        ),
        (("seats", "--structure=inverse", "--seats=-1"), "seats: must be 0 to 1000000000, got -1"),
        (
            ("seats", "--structure=inverse", "--seats=5", "--ties=best"),
            "ties: unknown tie rule 'best', one of: better, worse",
        ),
        (
            ("points", "--structure=no", "--entries=5"),
            "structure: unknown structure 'no', one of: inverse, vp_kid",
        ),
        (("points", "--structure=inverse", "--entries=0"), "n_entries: must be at least 1, got 0"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert str(caught.value) == message
    assert caught.value.returncode == 1


def test_exit_statuses():
    assert shell("seats", "--structure=inverse", "--seats=1", "--format=csv") == (
        0,
        "place,kth_point,seat\n1,1,1\n",
        "",
    )
    assert shell("points", "--structure=inverse", "--entries=0") == (
        1,
        "",
        "CommandError: n_entries: must be at least 1, got 0\n",
    )
    status, out, err = shell("seats", "--structure=inverse")
    assert (status, out) == (2, "")
    assert "--seats" in err


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(5), "5"),
        (Fraction(0), "0"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(1, 40), "0.025"),
        (Fraction(3, 125), "0.024"),
        (Fraction(10**40 + 1, 4), "25" + "0" * 38 + ".25"),
        (Fraction(5, 3), "5/3"),
        (Fraction(-1, 6), "-1/6"),
    ],
)
def test_fractions_are_printed_exactly(value, text):
    assert exact_text(value) == text
    assert Fraction(text) == value


def test_json_numbers_are_whole():
    assert (exact_json(Fraction(7)), exact_json(Fraction(1, 3)), exact_json(Fraction(1, 2))) == (
        7,
        "1/3",
        "0.5",
    )
