"""`manage.py deal`: event files that the site's own commands read, and refusals that name the option."""

import json

import pytest
from django.core.management import CommandError, call_command

from lab.engine.holdem import preflop
from ratings.files.reading import read_rated_file

FEW = ("--players", "12", "--tournaments", "2", "--samples", "20", "--hands-per-level", "5")


def deal(capsys, *options):
    call_command("deal", *options)
    return capsys.readouterr().out


@pytest.mark.parametrize("form", ["csv", "json"])
def test_what_is_dealt_can_be_rated(capsys, tmp_path, form):
    file = tmp_path / f"dealt.{form}"
    file.write_text(deal(capsys, *FEW, "--format", form))
    read = read_rated_file(file)
    assert read.columns.warnings == ()
    assert read.columns.keys == ("deal-1-1", "deal-1-2")
    assert len(read.players) == 12
    for event in map(read.columns.file_event, range(2)):
        places = [entry.place for entry in event.entries]
        assert places[0] == 1
        assert places == sorted(places)
        assert event.entries[0].busted_at is None
        busts = [entry.busted_at for entry in event.entries[1:]]
        assert busts == sorted(busts, reverse=True)
        assert busts[-1] > event.details.starts_at
    call_command("rate", file)
    assert len(json.loads(capsys.readouterr().out)["players"]) == 12


def test_the_seed_decides(capsys):
    first = deal(capsys, *FEW, "--seed", "5")
    assert deal(capsys, *FEW, "--seed", "5") == first
    assert deal(capsys, *FEW, "--seed", "6").replace("deal-6-", "deal-5-") != first


def test_styles_are_taken_in_turn(capsys):
    weak = "inconsistency=9,loose_preflop=0.9,loose_river=0.9,gamma=3"
    written = deal(capsys, "--players", "8", "--tournaments", "20", "--samples", "20", "--hands-per-level", "5",
                   "--style", "gamma=2", "--style", weak)  # fmt: skip
    places = {0: [], 1: []}
    for line in written.splitlines()[1:]:
        _event, _date, player, place, *_rest = line.split(",")
        places[int(player.split()[1]) % 2].append(int(place))
    # Odd players are of the first kind.
    assert sum(places[1]) < sum(places[0]) * 0.9


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", "1"], "players must be a whole number from 2 to 10000, got 1"),
        (["--players", "-3"], "players must be a whole number from 2 to 10000, got -3"),
        (["--seats", "11"], "seats must be a whole number from 2 to 10, got 11"),
        (["--seed", "-1"], "seed must be a whole number from 0 to"),
        (["--tournaments", "0"], "tournaments must be a whole number from 1 to"),
        (["--samples", "0"], "samples must be a whole number from 1 to"),
        (["--style", "gamma=1e6"], "gamma must be 0.0 to 100.0, got 1000000.0"),
        (["--style", "gamma"], "gamma must be a number, got ''"),
        (["--style", "greed=1"], "'greed' is none of gamma, loose_preflop"),
        (["--minutes-per-hand", "nan"], "minutes_per_hand must be"),
    ],
)
def test_impossible_options_are_refused(options, message):
    with pytest.raises(CommandError, match=message):
        call_command("deal", *options)


def test_the_stored_table_is_written_by_its_command(monkeypatch, tmp_path):
    from lab.management.commands import make_preflop_table

    file = tmp_path / "preflop.csv"
    monkeypatch.setattr(make_preflop_table, "TABLE", file)
    call_command("make_preflop_table", samples=20, seed=1)
    drawn, stored = file.read_text().splitlines(), preflop.TABLE.read_text().splitlines()
    assert [line.split(",")[0] for line in drawn] == [line.split(",")[0] for line in stored]
    assert all(len(line.split(",")) == 10 for line in drawn)
