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

from payouts.answers import exact_json

ROOT = Path(__file__).parents[2]
PRINTED = ROOT / "tests" / "data" / "straddle-1999" / "seat_order_inverse_50.csv"


def run(*arguments):
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def shell(*arguments):
    """Run a command as from a terminal; return exit status, output and error output."""
    script = "import sys; from django.core.management import execute_from_command_line as run; run(sys.argv)"
    process = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout, process.stderr


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


def test_seats_of_every_kind_of_votes():
    assert run("seats", "--structure=vp_kid_alpha", "--alpha=1.5", "--seats=4", "--format=csv") == (
        "place,kth_point,seat\n1,1,1\n1,2,3\n2,1,2\n3,1,4\n"
    )
    fixed = run("seats", "--structure=fixed", "--votes=50,30,20", "--seats=4", "--format=json")
    assert json.loads(fixed)["votes"] == ["50", "30", "20"]
    assert [row["place"] for row in json.loads(fixed)["rows"]] == [1, 1, 2, 3]
    custom = run("seats", "--structure=custom", "--votes=50,50", "--tail=60/n", "--ties=worse", "--seats=4")
    assert custom.splitlines()[1:] == ["    1  1 3", "    2  2 4"]
    assert run("seats", "--structure=winner_takes_all", "--seats=2").splitlines()[1:] == ["    1  1 2"]
    assert run("seats", "--structure=soft_top", "--seats=3").splitlines()[1:] == ["    1  1 3", "    2  2"]


def test_alpha_not_given_is_the_suggested_one():
    given = run("seats", "--structure=vp_kid_alpha", "--alpha=1.05", "--seats=90", "--format=csv")
    assert run("seats", "--structure=vp_kid_alpha", "--seats=90", "--format=csv") == given


def points_of(*arguments):
    rows = csv.reader(io.StringIO(run("points", *arguments, "--format=csv")))
    return [points for _, points in list(rows)[1:]]


def test_points_of_every_kind_of_formula():
    assert points_of("--structure=linear", "--entries=3") == ["3", "2", "1"]
    assert points_of("--structure=fixed_table", "--votes=25,18", "--entries=3") == ["25", "18", "0"]
    pool = ("--structure=percentage_pool", "--votes=60,40", "--per-entry=2.5")
    assert points_of(*pool, "--entries=4") == ["6", "4", "0", "0"]
    assert points_of("--structure=pokerstars", "--buy-in=9.75", "--entries=4") == [
        "40",
        "28.2843",
        "23.094",
        "20",
    ]
    formula = "10*paid/k if k<=paid else 0"
    assert points_of("--structure=expression", f"--expression={formula}", "--paid=2", "--entries=3") == [
        "20",
        "10",
        "0",
    ]


def test_points_with_a_cap_and_a_total():
    assert points_of("--structure=inverse", "--cap=2", "--entries=5") == ["5", "0", "0", "0", "0"]
    assert points_of("--structure=inverse", "--total=4", "--entries=3") == ["8/3", "4/3", "0"]


ALL = (
    "inverse, vp_kid, vp_kid_alpha, soft_top, winner_takes_all, fixed, custom, linear, sqrt, pokerstars, dr_neau, "
    "log_field, fixed_table, percentage_pool, balance, expression"
)
BAD_STRUCTURES = [
    ("--structure=no", f"structure: unknown structure 'no', one of: {ALL}"),
    ("--structure=inverse --ties=best", "ties: unknown tie rule 'best', one of: better, worse"),
    ("--structure=inverse --alpha=2", "alpha: inverse has no such setting"),
    ("--structure=vp_kid_alpha --alpha=0.5", "alpha: must be 1 to 10, got 0.5"),
    ("--structure=vp_kid_alpha --alpha=x", "alpha: 'x' is not a number"),
    ("--structure=fixed", "votes: at least one place is needed"),
    ("--structure=fixed --votes=50,30,10", "votes: the percentages sum to 90, must be 100"),
    ("--structure=fixed --votes=50,x", "votes: place 2: 'x' is not a number"),
    ("--structure=custom --votes=50,60", "votes: place 2 has 60, more than the 50 of place 1"),
    ("--structure=custom --votes=50,0", "votes: place 2 has 0, votes must be positive"),
    ("--structure=custom --votes=50 --tail=x", "tail: 'x' is not a tail, write none, 100/n or power 1.05"),
]


@pytest.mark.parametrize("command", ["seats --seats=5", "points --entries=5"])
@pytest.mark.parametrize(("arguments", "message"), BAD_STRUCTURES)
def test_bad_structures_in_both_commands(command, arguments, message):
    with pytest.raises(CommandError) as caught:
        run(*command.split(), *arguments.split())
    assert str(caught.value) == message
    assert caught.value.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("seats --structure=inverse --seats=-1", "seats: must be 0 to 1000000000, got -1"),
        (
            "seats --structure=inverse --seats=1000001",
            "seats: at most 1000000 can be put in order, got 1000001",
        ),
        (
            "seats --structure=linear --seats=5",
            "structure: linear is a formula and has no votes and no seats",
        ),
        ("points --structure=inverse --entries=0", "n_entries: must be at least 1, got 0"),
        ("points --structure=inverse --entries=5 --cap=0", "cap: must be 1 to 10000000, got 0"),
        ("points --structure=inverse --entries=5 --total=x", "total: 'x' is not a number"),
        ("points --structure=inverse --entries=5 --total=-1", "total: must not be negative, got -1"),
        (
            "points --structure=linear --entries=5 --total=9",
            "total: linear is a formula and shares out no total",
        ),
        ("points --structure=linear --entries=5 --buy-in=-1", "buy_in: must be 0 to 1000000000000, got -1"),
        ("points --structure=linear --entries=5 --paid=0", "paid: must be at least 1, got 0"),
        (
            "points --structure=expression --entries=50 --expression=1/(n-7)^2",
            "expression: division by zero for 7 entries, place 1",
        ),
        ("points --structure=expression --entries=5 --expression=n+", "expression: this is not a formula"),
    ],
)
def test_bad_input(arguments, message):
    with pytest.raises(CommandError) as caught:
        run(*arguments.split())
    assert str(caught.value) == message
    assert caught.value.returncode == 1


@pytest.mark.rest
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


def test_json_numbers_are_whole():
    assert (exact_json(Fraction(7)), exact_json(Fraction(1, 3)), exact_json(Fraction(1, 2))) == (
        7,
        "1/3",
        "0.5",
    )
