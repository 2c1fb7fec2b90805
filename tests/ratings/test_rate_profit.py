"""The command `rate --kind profit`: balances in, JSON out, bad input in one line."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from ratings.engine.profit.params import ProfitParams

MLEAGUE = Path(__file__).parents[1] / "data" / "mleague-2025-26" / "results.csv"
HEAD = "event,date,player,place,balance\n"
TWO_GAMES = HEAD + (
    "B,2026-01-02,dan,1,20000\n"
    "B,2026-01-02,Bob,3,−15000\n"
    "B,2026-01-02,ann,2,▲5e3\n"
    "A,2026-01-01,ann,1,+40000\n"
    "A,2026-01-01,bob,2,10000.0\n"
    "A,2026-01-01,cat,3,-20000\n"
    "A,2026-01-01,dan,4,-30000\n"
)


@pytest.fixture
def rated(tmp_path):
    def rate(text, *options, params=None, name="games.csv"):
        path, out, err = tmp_path / name, io.StringIO(), io.StringIO()
        path.write_text(text, encoding="utf-8")
        if params is not None:
            (tmp_path / "params.json").write_text(json.dumps(params))
            options = (*options, "--params", str(tmp_path / "params.json"))
        call_command("rate", str(path), "--kind", "profit", *options, stdout=out, stderr=err)
        return json.loads(out.getvalue()), err.getvalue()

    return rate


def as_json(games):
    events = [
        {
            "event": key,
            "date": f"2026-01-{day:02}",
            "entries": [
                {"player": name, "place": place, "balance": balance}
                for place, (name, balance) in enumerate(game, start=1)
            ],
        }
        for day, (key, game) in enumerate(games.items(), start=1)
    ]
    return json.dumps({"format": "tierboard-events/1", "events": events})


def test_players(rated):
    output, warned = rated(TWO_GAMES)
    assert (output["kind"], "events" in output, warned) == ("profit", False, "")
    assert output["params"] == vars(ProfitParams())
    assert [set(player) for player in output["players"]] == [{"player", "r", "games"}] * 4
    assert [(player["player"], player["games"]) for player in output["players"]] == [
        ("ann", 2),
        ("bob", 2),
        ("dan", 2),
        ("cat", 1),
    ]
    assert output["players"][3]["r"] == pytest.approx(1500.0 - 0.4079 * 20.0)


def test_games_are_rated_by_start_and_explained(rated):
    output, _ = rated(TWO_GAMES, "--explain")
    first, second = output["events"]
    assert (first["event"], first["date"]) == ("A", "2026-01-01T00:00:00+00:00")
    assert [entry["change"] for entry in first["entries"]] == pytest.approx(
        [0.4079 * balance for balance in (40.0, 10.0, -20.0, -30.0)]
    )
    entry = second["entries"][1]
    mean = 1500.0 + 0.4079 * (-30.0 + 10.0 + 40.0) / 3.0
    c = 0.2 ** (1.0 / 400.0)
    assert (entry["player"], entry["place"], entry["balance"], entry["games_before"]) == (
        "bob",
        3,
        -15_000.0,
        1,
    )
    assert entry["c"] == pytest.approx(c)
    assert entry["table_mean"] == pytest.approx(mean)
    assert entry["r_before"] == first["entries"][1]["r_after"]
    assert entry["result"] == pytest.approx(c * 0.4079 * -15.0)
    assert entry["pull"] == pytest.approx(c * 0.9575 / 40.0 * (mean - entry["r_before"]))
    assert second["entries"][2]["balance"] == -5_000.0
    for entry in (*first["entries"], *second["entries"]):
        assert entry["r_after"] - entry["r_before"] == entry["change"]
        assert entry["result"] + entry["pull"] == pytest.approx(entry["change"], abs=1e-9)


def test_json_is_the_same_as_csv(rated):
    games = {
        "A": [("ann", 40000), ("bob", "1e4"), ("cat", -2e4), ("dan", "-30000")],
        "B": [("dan", 20000), ("ann", -5000), ("bob", -15000)],
    }
    lines = sorted(TWO_GAMES.splitlines()[1:])
    lines = [lines[i] for i in (0, 1, 2, 3, 6, 5, 4)]
    assert rated(as_json(games), "--explain", name="a.json") == rated(
        HEAD + "\n".join(lines).replace("Bob", "bob"), "--explain"
    )


def test_parameters_from_a_file(rated):
    output, _ = rated(TWO_GAMES, params={"r0": 0, "balance_unit": 1})
    assert (output["params"]["r0"], output["params"]["balance_unit"]) == (0, 1)
    assert output["players"][-1]["r"] == pytest.approx(-0.4079 * 20_000.0)
    again, _ = rated(TWO_GAMES, params=output["params"])
    assert again == output


def test_places_alone_need_no_balance(rated):
    text = "event,date,player,place\n" + "".join(
        f"A,2026-01-01,{name},{1 + i}\n" for i, name in enumerate("abcd")
    )
    output, _ = rated(text, "--explain", params={"system": "placement"})
    assert [player["r"] for player in output["players"]] == pytest.approx([1530.0, 1510.0, 1490.0, 1470.0])
    assert [entry["balance"] for entry in output["events"][0]["entries"]] == [None] * 4


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"mu0": 1500}, r"params.json: mu0 is not a parameter \(known: system, r0, f, g"),
        ({"f": "1"}, "params.json: f must be a number"),
        ({"games": 0.5}, "params.json: games must be a whole number"),
        ({"system": "elo"}, "params.json: system must be one of"),
        ({"g": float("nan")}, "params.json: g must be finite"),
        ([], "params.json: parameters must be a JSON object"),
    ],
)
def test_parameters_that_make_no_sense(rated, params, message):
    with pytest.raises(CommandError, match=message):
        rated(TWO_GAMES, params=params)


TWICE = "event,date,player,place,number,balance\nA,2026-01-01,ann,1,2,50\nA,2026-01-01,bob,2,1,0\nA,2026-01-01,ann,3,1,-50\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            TWO_GAMES.replace("10000.0", "11000"),
            "games.csv, line 5, event A: balances sum to 1000 and must sum to 0",
        ),
        (
            TWO_GAMES.replace("-20000", ""),
            "games.csv, line 7, event A, player cat: balance is missing; the kind profit needs one for every player",
        ),
        (TWICE, "games.csv, line 4, event A, player ann: player is twice at this table"),
        (TWO_GAMES.replace("10000.0", "10k"), "line 6, balance: “10k” is no number from .* \\(A, bob\\)"),
        (
            as_json({"A": [("ann", 1), ("bob", -1)], "B": [("ann", 2), ("bob", -1)]}),
            r"games.csv, events\[1\], event B: balances sum to 1 and must sum to 0",
        ),
        (
            as_json({"A": [("ann", 1), ("bob", -1)], "B": [("ann", 2), ("bob", None)]}),
            r"games.csv, events\[1\].entries\[1\], event B, player bob: balance is missing",
        ),
        (
            as_json({"A": [("ann", 1), ("bob", [])]}),
            r"events\[0\].entries\[1\].balance must be a text or a number",
        ),
        (as_json({"A": [("ann", 1), ("bob", "x")]}), r"events\[0\].entries\[1\].balance: “x” is no number"),
    ],
)
def test_bad_input_in_one_line(rated, text, message):
    with pytest.raises(CommandError, match=message) as error:
        rated(text)
    assert "\n" not in str(error.value)


def test_what_the_house_keeps(rated):
    text = TWO_GAMES.replace("40000", "38000").replace("20000\nB", "18500\nB")
    with pytest.raises(CommandError, match="event A: balances sum to -2000 and must sum to 0"):
        rated(text)
    output, _ = rated(text, params={"house_per_player": 500})
    assert len(output["players"]) == 4


def test_a_season_of_riichi(rated):
    """300 games; one has a tie, one sums to -1000 (its source says so)."""
    text = MLEAGUE.read_text(encoding="utf-8")
    with pytest.raises(CommandError, match="line 1182, event 20260324-148-2: balances sum to -1000 and must"):
        rated(text)
    output, _ = rated(text, "--explain", params={"sum_tolerance": 1000})
    assert (len(output["players"]), len(output["events"])) == (40, 300)
    tied = next(event for event in output["events"] if event["event"] == "20251225-85-2")["entries"]
    assert tied[2]["balance"] == tied[3]["balance"] == -31_100.0
    assert sum(player["games"] for player in output["players"]) == 1200


def test_more_games_than_the_form_takes(rated):
    text = HEAD + "".join(f"g{i:03},2026-01-01,ann,1,1\ng{i:03},2026-01-01,bob,2,-1\n" for i in range(401))
    assert rated(text)[0]["players"][0]["games"] == 401
