"""The command `rate`: files in, JSON out, bad input in one line."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ratings.engine.chain import rate_field
from ratings.files.output import BATCH

ROOT = Path(__file__).parents[2]
HEAD = "event,date,player,place,number,registered_at,busted_at,closes_at\n"
TWO_EVENTS = HEAD + (
    "B,2026-01-02,bob,1,1,,,\n"
    "B,2026-01-02,ann,2,1,,,\n"
    "A,2026-01-01,ann,1,1,0,100,60\n"
    "A,2026-01-01,bob,2,1,30,100,60\n"
    "A,2026-01-01,cat,3,1,0,50,60\n"
    "A,2026-01-01,dan,4,2,25,40,60\n"
    "A,2026-01-01,dan,5,1,0,20,60\n"
)


@pytest.fixture
def rated(tmp_path):
    def rate(text, *options, name="events.csv"):
        path, out, err = tmp_path / name, io.StringIO(), io.StringIO()
        path.write_text(text, encoding="utf-8")
        call_command("rate", str(path), *options, stdout=out, stderr=err)
        return json.loads(out.getvalue()), err.getvalue()

    return rate


def test_players(rated):
    output, warned = rated(TWO_EVENTS)
    assert output["kind"] == "tier"
    assert output["params"]["sigma0"] == 500.0
    assert "events" not in output
    assert not warned
    by_name = {player["player"]: player for player in output["players"]}
    assert {name: player["events"] for name, player in by_name.items()} == {
        "ann": 2,
        "bob": 2,
        "cat": 1,
        "dan": 1,
    }
    assert all(player["provisional"] for player in output["players"])
    assert set(by_name["ann"]) == {"player", "mu", "sigma", "rate", "badge", "events", "provisional"}


def test_events_are_rated_by_start_and_explained(rated):
    output, _ = rated(TWO_EVENTS, "--explain")
    assert [event["event"] for event in output["events"]] == ["A", "B"]
    first = output["events"][0]["entries"]
    assert [entry["player"] for entry in first] == ["ann", "bob", "cat", "dan", "dan"]
    assert first[1]["late"]["n_bust"] == 1
    assert first[4]["partial"]["size"] == 3
    for event in output["events"]:
        for entry in event["entries"]:
            assert sum(step["change"] for step in entry["steps"]) == pytest.approx(entry["change"], abs=1e-9)
            assert entry["rate_after"] - entry["rate_before"] == pytest.approx(entry["change"], abs=1e-12)
    assert output["events"][1]["entries"][0]["rate_before"] == first[1]["rate_after"]


def test_plain_is_the_core_model_of_last_entries(rated):
    output, _ = rated(TWO_EVENTS, "--plain", "--explain")
    after = rate_field([1500] * 4, [500] * 4, [1, 2, 3, 4])
    entries = output["events"][0]["entries"]
    assert [entry["player"] for entry in entries] == ["ann", "bob", "cat", "dan"]
    assert [entry["posterior"]["mu"] for entry in entries] == pytest.approx(after.mu.tolist())
    assert [entry["posterior"]["sigma"] for entry in entries] == pytest.approx(after.sigma.tolist())


def test_plain_takes_the_scale_of_other_systems(rated, tmp_path):
    """Two players of trueskill with its defaults: 29.396 and 7.171 (its documentation). Floors are not read."""
    path = tmp_path / "params.json"
    path.write_text(
        '{"mu0": 25, "sigma0": 8.333333, "beta": 4.166667, "sigma_floor": 300, "late_a": 0.1,'
        ' "tau_per_event": 0.083333, "draw_margin": 0.740467}'
    )
    text = "event,date,player,place\nA,2026-01-01,ann,1\nA,2026-01-01,bob,2\n"
    output, _ = rated(text, "--plain", "--explain", "--params", str(path))
    first = output["players"][0]
    assert (round(first["mu"], 3), round(first["sigma"], 3)) == (29.396, 7.171)
    assert output["events"][0]["entries"][1]["prior"]["sigma"] == pytest.approx(8.33375, abs=1e-5)
    assert "sigma_floor" not in output["params"]


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ('{"draw_margin": -1}', "params.json: draw_margin"),
        ('{"tau_per_event": "x"}', "tau_per_event must be a number"),
        ('{"draw_chance": 0.1}', "draw_chance is not a parameter"),
    ],
)
def test_plain_parameters_are_refused_by_name(rated, tmp_path, params, message):
    path = tmp_path / "params.json"
    path.write_text(params)
    with pytest.raises(CommandError, match=message):
        rated(TWO_EVENTS, "--plain", "--params", str(path))


def test_tier_has_no_draw_margin(rated, tmp_path):
    path = tmp_path / "params.json"
    path.write_text('{"draw_margin": 1}')
    with pytest.raises(CommandError, match="draw_margin is not a parameter"):
        rated(TWO_EVENTS, "--params", str(path))


def test_parameters_from_a_file(rated, tmp_path):
    path = tmp_path / "params.json"
    path.write_text('{"late_a": 0, "late_b": 0}')
    output, _ = rated(TWO_EVENTS, "--explain", "--params", str(path))
    assert output["params"]["late_b"] == 0.0
    assert output["events"][0]["entries"][1]["late"]["penalty"] == 0.0


def as_json(**changes):
    entries = [
        {"player": "ann", "place": 1, "registered_at": 0, "busted_at": 100},
        {"player": "bob", "place": 2, "number": 1, "registered_at": "2026-01-01T00:30:00", "busted_at": 100},
        {"player": "cat", "place": 3, "busted_at": 50, "balance": None} | changes,
    ]
    event = {"event": "A", "date": "2026-01-01", "closes_at": 60, "table_size": 9, "entries": entries}
    return json.dumps({"format": "tierboard-events/1", "events": [event]})


def test_json_is_the_same_as_csv(rated):
    text = (
        HEAD + "A,2026-01-01,ann,1,1,0,100,60\nA,2026-01-01,bob,2,1,30,100,60\nA,2026-01-01,cat,3,1,,50,60\n"
    )
    assert rated(as_json(), "--explain", name="a.json") == rated(text, "--explain")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TWO_EVENTS.replace("ann,1,1,0,100", "ann,x,1,0,100")
            .replace("bob,2,1,30", "bob,2,0,30")
            .replace("cat,3,1,0,50", "cat,3,1,0,?"),
            r"line 4, place: .* \(A, ann\)\nevents.csv, line 5, number: .* \(A, bob\)\nevents.csv, line 6, busted_at: .* \(A, cat\)$",
        ),
        (TWO_EVENTS.replace("dan,5,1", "dan,5,3"), "dan has entry 2, but no entry 1"),
        (
            TWO_EVENTS.replace("bob,2,1,30,100", "bob,2,1,70,100"),
            "line 5, registered_at: bob registered after registration closed in the event A",
        ),
        (TWO_EVENTS.replace("cat,3,1", "cat,4,1"), "place 4 should be 3"),
        ("event,date,player,place\n", "no entries"),
        ("", "empty"),
        ("{", "line 1: this is no JSON"),
        ("[]", "“format” must be “tierboard-events/1”"),
        ('{"format": "tierboard-events/1", "events": []}', "events must be a list of objects"),
        (as_json(place=True), r"events\[0\].entries\[2\].place must be a text or a number"),
        (as_json(place=7), r"events\[0\].entries\[2\].place: place 7 should be 3"),
        (as_json(busted_at=-5), r"events\[0\].entries\[2\].busted_at"),
    ],
)
def test_bad_input_names_the_file_and_the_place(rated, text, message):
    with pytest.raises(CommandError, match=message) as error:
        rated(text)
    assert all(line.startswith("events.csv") for line in str(error.value).splitlines())


def test_at_most_100_problems_are_listed_with_the_number_of_the_rest(rated):
    rows = "".join(f"A,2026-01-01,P{i},x,1,,,\n" for i in range(130))
    with pytest.raises(CommandError) as error:
        rated(HEAD + rows)
    lines = str(error.value).splitlines()
    assert (len(lines), lines[-1]) == (101, "events.csv: and 30 more")
    assert lines[99].startswith("events.csv, line 101, place: ")


@pytest.mark.parametrize("encoding", ["cp932", "utf-8-sig"])
def test_a_file_is_rated_alike_by_columns_and_by_rows(tmp_path, encoding):
    """The row reader reads a file in Shift-JIS, and one with a name on two lines."""
    outputs = []
    for number, text in enumerate((TWO_EVENTS, TWO_EVENTS.replace("ann", '"\nann"', 1))):
        path, out = tmp_path / f"{number}.csv", io.StringIO()
        path.write_bytes(text.replace("bob", "髙橋").encode(encoding))
        call_command("rate", str(path), "--explain", stdout=out, stderr=io.StringIO())
        outputs.append(out.getvalue())
    assert outputs[0] == outputs[1]
    assert "髙橋" in outputs[0]


def test_output_of_many_players_is_one_object(rated):
    rows = "".join(f"A,2026-01-01,P{i},{i + 1}\n" for i in range(2 * BATCH + 1))
    output, _ = rated("event,date,player,place\n" + rows)
    assert {player["player"] for player in output["players"]} == {f"P{i}" for i in range(2 * BATCH + 1)}
    order = [(-player["rate"], player["player"]) for player in output["players"]]
    assert order == sorted(order)


def test_unknown_columns_are_named(rated):
    _output, warned = rated(TWO_EVENTS.replace("closes_at", "closes_at,colour", 1))
    assert "colour" in warned


def test_no_file():
    with pytest.raises(CommandError, match=r"nowhere.csv: No such file"):
        call_command("rate", "nowhere.csv")


@pytest.mark.rest
def test_exit_status(tmp_path):
    (tmp_path / "bad.csv").write_text("event,date,player,place\nA,2026-01-01,ann,0\n")

    def status(*arguments):
        process = subprocess.run(
            [sys.executable, "manage.py", "rate", *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return process.returncode, process.stderr

    code, errors = status(str(tmp_path / "bad.csv"))
    assert (code, errors.count("\n")) == (1, 1)
    code, errors = status("x.csv", "--kind", "elo")
    assert code == 2
    assert "choose from" in errors
    code, errors = status("x.csv", "--kind", "profit", "--plain")
    assert (code, errors.count("\n")) == (2, 1)
    assert "--plain is only for --kind tier, not for profit" in errors


@pytest.mark.parametrize("encoding", ["cp1252", "cp932", "utf-8", "utf-16"])
def test_names_are_read_in_the_encoding_that_the_site_takes_them_for(tmp_path, encoding):
    names = ["田中", "佐藤"] if encoding == "cp932" else ["Märta", "Håkan", "Bör"]
    rows = "".join(f"A,2026-01-01,{name},{place}\n" for place, name in enumerate(names, start=1))
    path, out = tmp_path / "events.csv", io.StringIO()
    path.write_bytes(f"event,date,player,place\n{rows}".encode(encoding))
    call_command("rate", str(path), stdout=out)
    assert {player["player"] for player in json.loads(out.getvalue())["players"]} == set(names)


def test_days_with_slashes_are_read_with_the_year_first(rated):
    slashed = TWO_EVENTS.replace("2026-01-02", "2026/01/02").replace("2026-01-01", "2026/01/01T19:30")
    dashed = TWO_EVENTS.replace("2026-01-01", "2026-01-01T19:30")
    assert rated(slashed)[0]["players"] == rated(dashed)[0]["players"]
    with pytest.raises(CommandError, match="no date"):
        rated(TWO_EVENTS.replace("2026-01-02", "02/01/2026"))


def test_a_workbook_is_no_text(tmp_path):
    path = tmp_path / "events.xlsx"
    path.write_bytes(b"PK\x03\x04\x14\x00\x08\x00")
    with pytest.raises(CommandError, match="save the table as CSV"):
        call_command("rate", str(path))
