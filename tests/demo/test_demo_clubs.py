"""The demo clubs that are loaded on request: mahjong with what the site makes of its scores, Formula 1 by its results."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.models import Change, Club, Entry, Event, Meet, Player, Season
from processes.demos import formula1
from standings.models import Standing

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def rows():
    return [model.objects.count() for model in (Club, Event, Entry, Player, Season, Meet, Change, Standing)]


@pytest.mark.rest
def test_the_mahjong_league_has_two_seasons_rated_by_r(client):
    call_command("load_demo", "mahjong", verbosity=0)
    counts = rows()
    assert counts[:6] == [1, 162, 648, 16, 3, 18]  # of the seasons one is planned
    call_command("load_demo", "mahjong", verbosity=0)
    assert rows() == counts
    for season in Season.objects.filter(planned_events=None):
        totals = season.standings.values_list("total", flat=True)
        assert (len(totals), sum(totals)) == (16, 0)  # balances cancel out
    assert Standing.objects.filter(rate=None).count() == 0
    club = Club.objects.get(slug="kamome")
    assert "かもめ" in client.get(club.get_absolute_url()).content.decode()


def test_its_file_is_what_its_script_writes(tmp_path):
    script = tmp_path / "make_mahjong.py"
    script.write_bytes((ROOT / "demo" / "make_mahjong.py").read_bytes())
    subprocess.run([sys.executable, script], check=True)
    stored = ROOT / "demo" / "kamome" / "scores.csv"
    assert (tmp_path / "kamome" / "scores.csv").read_bytes() == stored.read_bytes()


def test_formula_1_has_a_season_a_year_and_its_licence_in_its_name(monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    every = formula1._events
    lines = [lines for lines in every() if lines[0][0].year in {1950, 2021}]
    monkeypatch.setattr(formula1, "_events", lambda: iter(lines))
    call_command("load_demo", "formula1", verbosity=0)
    first, login = rows(), (tmp_path / "demo_login").read_text(encoding="utf-8")
    call_command("load_demo", "formula1", verbosity=0)
    assert rows() == first
    assert (tmp_path / "demo_login").read_text(encoding="utf-8") == login
    assert Club.objects.get().name == "Formula 1 (f1db, CC BY 4.0)"
    assert {season.slug: season.events.count() for season in Season.objects.all()} == {"1950": 7, "2021": 25}
    last = Season.objects.get(slug="2021").events.in_rating_order().last()
    places = dict(last.entries.values_list("player__name", "place"))
    assert places["Max Verstappen"] == 1
    retired = [who for day, who, place in lines[-1] if place == formula1.RETIRED]
    assert [places[formula1._name(who)] for who in retired] == [len(places) - len(retired) + 1] * len(retired)


def test_a_club_that_is_none_is_refused_and_the_known_ones_are_named():
    with pytest.raises(CommandError, match="chess: the demo clubs are riverbank, mahjong, formula1"):
        call_command("load_demo", "chess")
    assert not Club.objects.exists()
