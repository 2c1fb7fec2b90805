"""A club is written as a file of the league format: it passes the check, and has what was entered."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Player, PlayerAlias
from reading.league_files.checks import league_problems
from standings.exports.league_files import league_document
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db


def written(club):
    text = json.dumps(league_document(club))
    assert league_problems(text) == []
    return json.loads(text)


def test_results_points_and_ratings_are_written(season):
    event = enter(season, "Ada x2\nBoris = Cleo\nDora", name="First evening")
    ada = Player.objects.get(name="Ada")
    PlayerAlias.objects.create(club=season.club, player=ada, name="Ada L.", key="ada l.")
    recompute(season.pool_id)
    league = written(season.club)
    assert (league["club"]["name"], league["seasons"][0]["pool"]) == (season.club.name, season.pool.name)
    [evening] = league["seasons"][0]["events"]
    assert (evening["name"], evening["event"]) == ("First evening", f"{season.club.slug}-{event.pk}")
    rows = [(entry["player"], entry["place"], entry["number"]) for entry in evening["entries"]]
    assert rows == [("Ada", 1, 2), ("Boris", 2, 1), ("Cleo", 2, 1), ("Dora", 4, 1), ("Ada", 5, 1)]
    [pool] = league["pools"]
    rates = {row["player"]: row["rate"] for row in pool["ratings"]}
    last = evening["entries"][0]["rating"]
    assert last["after"] == rates["Ada"]
    assert {"name": "Ada", "is_guest": ada.is_guest, "other_names": ["Ada L."]} in league["players"]


def test_games_have_scores_and_balances_as_exact_texts(season):
    profit_season(season.club)
    season.pool.refresh_from_db()
    add_games(season, n_games=3)
    recompute(season.pool_id)
    league = written(season.club)
    assert league["pools"][0]["kind"] == "profit"
    entries = league["seasons"][0]["events"][0]["entries"]
    assert all(isinstance(entry["balance"], str) for entry in entries)
    assert all(entry["rating"]["before"] != entry["rating"]["after"] for entry in entries)


def test_it_takes_the_same_queries_for_any_number_of_events(season):
    counts = []
    for days in ([0], [1, 2, 3]):
        for day in days:
            enter(season, "Ada\nBoris", day=day)
        recompute(season.pool_id)
        with CaptureQueriesContext(connection) as queries:
            league_document(season.club)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_command_prints_it(season, capsys):
    SeasonFactory(club=season.club)
    call_command("export_league", club=season.club.slug)
    assert league_problems(capsys.readouterr().out) == []
    with pytest.raises(CommandError, match="there is no club nowhere"):
        call_command("export_league", club="nowhere")
