"""The examples of the league format: the valid ones have no problem, each invalid one has its own, at its place."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reading.league_files.checks import MOST_PROBLEMS, SCHEMA, league_problems

EXAMPLES = Path(__file__).parents[3] / "docs" / "league-format"
FIRST = "seasons[0].events[0]"
# By the file: where it is wrong, and a part of what is said.
WRONG = {
    "no-json": ("", "This is no JSON"),
    "no-format": ("", "'format' is a required property"),
    "another-format": ("format", "'tierboard-league/1' was expected"),
    "nobody-of-this-name": (f"{FIRST}.entries[0].player", "“Dora” is not in the file."),
    "player-twice": ("players[3].name", "“ADA” stands here twice."),
    "a-gap-in-the-places": (f"{FIRST}.entries[3].place", "should be 4"),
    "a-moment-without-offset": (f"{FIRST}.starts_at", "does not match"),
    "no-such-day": ("seasons[0].starts_on", "is not a 'date'"),
    "a-rounded-value": (f"{FIRST}.entries[0].cost", "12.5 is not of type 'string'"),
    "no-entries": (f"{FIRST}.entries", "should be non-empty"),
    "another-game": (f"{FIRST}.game", "“Stud” is not in the file."),
    "no-time-zone": ("club.time_zone", "“Europe/Atlantis” is no time zone."),
    "another-pool": ("seasons[0].pool", "“Stud” is not in the file."),
    "out-before-the-start": (f"{FIRST}.entries[3].busted_at", "is out before the event"),
    "event-twice": ("seasons[0].events[1].event", "“straddle-1” stands here twice."),
    "ends-before-it-begins": ("seasons[0].ends_on", "before the first day"),
}


def example(kind, name):
    return (EXAMPLES / kind / f"{name}.json").read_text(encoding="utf-8")


def names(kind):
    return sorted(file.stem for file in (EXAMPLES / kind).iterdir())


@pytest.mark.parametrize("name", names("valid"))
def test_valid_examples_have_no_problem(name):
    assert league_problems(example("valid", name)) == []


@pytest.mark.parametrize("name", names("invalid"))
def test_each_invalid_example_has_its_problem_at_its_place(name):
    path, message = WRONG[name]
    found = league_problems(example("invalid", name))
    assert any(problem.path == path and message in problem.message for problem in found), found


def test_the_document_names_every_invalid_example():
    told = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert {name for name in names("invalid") if f"`{name}`" not in told} == set()
    assert set(names("invalid")) == set(WRONG)


def test_the_example_of_the_document_is_valid():
    told = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert league_problems(told.split("```json")[1].split("```")[0]) == []


def changed(**fields):
    league = json.loads(example("valid", "evening"))
    return json.dumps(league | fields)


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "null", "1", "NaN", '{"format": NaN}', "{" * 100_000, "[" * 100_000, "1" * 5_000, '"\\ud800"',
        changed(players=[{"name": "a\0"}]), changed(players=[{"name": "Ada\u202e"}]), changed(players=[{"name": ""}]),
        changed(players=None), changed(seasons={}), changed(club="Straddle"), changed(pools=[{"name": "R", "kind": "elo"}]),
        changed(seasons=[{"name": "S", "starts_on": "2026-01-01", "events": [
            {"starts_at": "2026-13-45T99:99:99Z", "entries": [{"player": "Ada", "place": 1}]}]}]),
        changed(seasons=[{"name": "S", "starts_on": "2026-01-01", "events": [
            {"starts_at": "2026-01-04T19:00:00Z", "entries": [{"player": "Ada", "place": 10**300}]}]}]),
    ],
)  # fmt: skip
def test_nothing_odd_passes_or_breaks_it(text):
    assert league_problems(text)


def test_no_more_problems_are_told_than_anybody_reads():
    many = [{"name": "Ada"}] * 500
    assert len(league_problems(changed(players=many, seasons=[]))) == MOST_PROBLEMS


def test_the_schema_is_one():
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(json.loads(SCHEMA.read_text(encoding="utf-8")))


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    call_command("check_league_file", str(EXAMPLES / "valid" / "evening.json"))
    assert "this is a league file" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"player-twice.json: players\[3\].name: “ADA” stands here twice"):
        call_command("check_league_file", str(EXAMPLES / "invalid" / "player-twice.json"))
    with pytest.raises(CommandError, match="No such file"):
        call_command("check_league_file", str(tmp_path / "nothing.json"))
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    with pytest.raises(CommandError, match="this is not UTF-8"):
        call_command("check_league_file", str(tmp_path / "bytes.json"))
