"""A club is written as a file of the league format: it passes the check, and has what was entered."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Club, Player, PlayerAlias
from league.services.errors import Refused
from payouts.engine.structures.structure import PointsStructure
from payouts.models import EventRules, EventTerms
from payouts.services.bonuses import Bonus, set_bonuses
from reading.league_files.checks import league_problems
from standings.archive.league_files import make_league
from standings.exports.league_files import league_document
from standings.recomputation.service import recompute
from tests.entry.nights.tables import make_game
from tests.factories import SeasonFactory, UserFactory, correct, enter
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
VALID = Path(__file__).parents[3] / "docs" / "league-format" / "valid"


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


def made_of(league, owner, slug="again"):
    """Make a club from a file, compute it, and write it again."""
    club = make_league(json.loads(json.dumps(league)), owner=owner, slug=slug)
    for pool in club.pools.all():
        recompute(pool.pk)
    return written(club)


def test_a_club_of_tournaments_comes_back_without_loss(season):
    enter(season, "Ada x2\nBoris = Cleo\nDora", name="First evening")
    enter(season, "Cleo\nAda\nEve", day=7)
    correct(enter(season, "Ada\nBoris", day=14), "Boris\nAda")
    PlayerAlias.objects.create(
        club=season.club, player=Player.objects.get(name="Ada"), name="Ada L.", key="ada l."
    )
    Player.objects.filter(name="Boris").update(is_guest=False)
    recompute(season.pool_id)
    league = written(season.club)
    assert made_of(league, UserFactory()) == league


def test_a_club_of_games_comes_back_without_loss(season):
    game = make_game(season.club)
    profit_season(season.club)
    season.pool.refresh_from_db()
    add_games(season, n_games=5)
    assert game in season.club.games.all()
    recompute(season.pool_id)
    league = written(season.club)
    assert made_of(league, UserFactory()) == league


def test_terms_bonus_points_and_an_earlier_structure_come_back(season):
    event, final = enter(season, "Ada\nBoris\nCleo"), enter(season, "Boris\nAda\nCleo", day=7)
    first = {"name": "fixed_table", "votes": ["10", "6", "3"], "per_balance": None}
    EventRules.objects.create(event=event, structure=PointsStructure.from_dict(first).to_dict())
    EventTerms.objects.create(event=final, multiplier=3, is_final=True, buy_in=5)
    set_bonuses(final, {final.entries.get(place=3).pk: Bonus(6, "high hand")}, actor=None)
    recompute(season.pool_id)
    league = written(season.club)
    shown = league["seasons"][0]["events"]
    assert shown[0]["structure"]["votes"] == ["10", "6", "3"]
    assert "terms" not in shown[0]
    assert shown[1]["terms"] == {"multiplier": "3", "is_final": True, "buy_in": "5", "paid": 1}
    assert shown[1]["entries"][2]["bonus"] == {"points": 6, "reason": "high hand"}
    # VP_KID of three gives 2, 1, 0 points; the multiplier counts in the standings.
    assert [entry["points"] for entry in shown[1]["entries"]] == ["2", "1", "6"]
    assert made_of(league, UserFactory()) == league


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("cost", "8/3"),
        ("cost", "0.12345"),
        ("cost", "99999999999999"),
        ("score", "1/3"),
        ("balance", "0.12345678"),
    ],
)
def test_a_value_that_would_be_rounded_is_refused_at_its_place(field, value):
    league = json.loads((VALID / "evening.json").read_text(encoding="utf-8"))
    league["seasons"][0]["events"][0]["entries"][1][field] = value
    assert league_problems(json.dumps(league)) == []
    with pytest.raises(Refused, match=rf"seasons\[0\]\.events\[0\]\.entries\[1\]\.{field}"):
        make_league(league, owner=UserFactory(), slug="again")
    assert not Club.objects.exists()


def test_unknown_keys_of_inner_objects_are_kept_too(season):
    enter(season, "Ada\nBoris")
    recompute(season.pool_id)
    league = written(season.club)
    league["seasons"][0]["rules"]["org.example.jackpot"] = 5
    league["seasons"][0]["events"][0]["entries"][0]["rating"]["org.example.elo"] = 1500
    assert made_of(league, UserFactory()) == league


def test_unknown_keys_are_kept_and_come_with_the_next_file():
    league = json.loads((VALID / "unknown-keys.json").read_text(encoding="utf-8"))
    again = made_of(league, UserFactory())
    assert again["org.example.weather"] == {"rain": True}
    assert again["club"]["room"] == "the back room"
    assert again["seasons"][0]["events"][0]["entries"][0]["bounty_of"] == "Cleo"
    assert made_of(again, UserFactory(), slug="third") == again


@pytest.mark.parametrize("name", [file.stem for file in sorted(VALID.iterdir())])
def test_each_valid_example_makes_a_club_and_comes_back(name):
    league = json.loads((VALID / f"{name}.json").read_text(encoding="utf-8"))
    again = made_of(league, UserFactory())
    assert made_of(again, UserFactory(), slug="third") == again
    assert [season["name"] for season in again["seasons"]] == [season["name"] for season in league["seasons"]]
    for before, after in zip(league["seasons"], again["seasons"], strict=True):
        for event, same in zip(before["events"], after["events"], strict=True):
            rows = [
                [(e["player"], e["place"], e.get("number", 1)) for e in each["entries"]]
                for each in (event, same)
            ]
            assert sorted(rows[0]) == sorted(rows[1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rules": {"structure": {"name": "lottery"}}}, "seasons[0].rules"),
        ({"rules": {"structure": "vp_kid"}}, "seasons[0].rules"),
        ({"rules": {"best_n": -1}}, "seasons[0].rules"),
        ({"starts_on": "2026-10-01"}, "seasons[0].events"),
        ({"starts_on": "2199-10-01"}, "seasons[0]"),
    ],
)
def test_what_no_club_can_be_made_of_is_refused_at_its_place(change, message):
    league = json.loads((VALID / "evening.json").read_text(encoding="utf-8"))
    league["seasons"][0] |= change
    with pytest.raises(Refused) as error:
        make_league(league, owner=UserFactory(), slug="again")
    assert message in str(error.value)
    assert not Club.objects.exists()


def test_the_command_makes_the_club(capsys, tmp_path):
    owner = UserFactory()
    call_command("import_league", str(VALID / "evening.json"), owner=owner.username, slug="cup")
    assert "/c/cup/: Straddle Cup" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"is taken|already"):
        call_command("import_league", str(VALID / "evening.json"), owner=UserFactory().username, slug="cup")
    with pytest.raises(CommandError, match="there is no account"):
        call_command("import_league", str(VALID / "evening.json"), owner="nobody")
