"""Scores and balances of event files."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from entry.services.imports import NotImported, import_events
from league.models import Event
from league.services.pools import set_season_pool
from reading.event_files.reader import read_event_file
from tests.entry.nights.tables import BALANCES

pytestmark = pytest.mark.django_db
HEAD = "event,date,game,player,place,score,seat,chips,penalty,round,table,house,balance"
MLEAGUE = Path(__file__).parents[2] / "data" / "mleague-2025-26" / "results.csv"


@pytest.fixture(autouse=True)
def _now(time_machine):
    time_machine.move_to(datetime(2026, 5, 1, 12, tzinfo=UTC), tick=False)


def file(*rows, head=HEAD):
    return read_event_file("\n".join([head, *rows]), tz=UTC)


def bring(season, *rows, head=HEAD):
    read = file(*rows, head=head)
    assert not read.problems, [str(problem) for problem in read.problems]
    return import_events(season, read.events, actor=None)


def problems(season, *rows, head=HEAD):
    with pytest.raises(NotImported) as caught:
        bring(season, *rows, head=head)
    return str(caught.value)


TABLE = (
    "n1,2026-01-13,riichi,Boris,2,22300,2,,,1,2,,",
    "n1,2026-01-13,riichi,Ada,1,42200,1,,,1,2,,",
    "n1,2026-01-13,riichi,Chie,3,20500,3,,,1,2,,",
    "n1,2026-01-13,riichi,Dmitri,4,15000,4,,,1,2,,",
)


def test_scores_become_balances_by_the_rules_of_the_game(season, game):
    bring(season, *TABLE)
    event = Event.objects.get()
    assert (event.game, event.pool, event.round, event.table, event.scoring["house"]) == (
        game,
        game.pool,
        1,
        2,
        "0",
    )
    rows = event.entries.order_by("place").values_list("player__name", "score", "balance", "seat")
    assert list(rows) == [
        (name, score, Decimal(balance), seat)
        for seat, (name, score, balance) in enumerate(
            zip(("Ada", "Boris", "Chie", "Dmitri"), (42_200, 22_300, 20_500, 15_000), BALANCES, strict=True),
            start=1,
        )
    ]
    assert bring(season, *TABLE).n_same == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("20500", "20400"), "line 2, sum: The sum is 99,900, it must be 100,000. (n1)"),
        (("riichi", "chess"), "line 2, game: The club has no game “chess”. (n1)"),
        (("riichi", ""), "line 2, game: Scores need the column game"),
        ((",1,42200", ",2,42200"), "line 2, place: Boris has 1, by the scores it is 2. (n1)"),
        (
            ("1,42200,1,,,1,2,,", "1,42200,1,,,1,2,,62.3"),
            "line 3, balance: Ada has 62.3, by the scores it is 62.2. (n1)",
        ),
        (("15000,4,,", "15000,4,3,"), "line 2, chips: The rules of this game have no chips"),
    ],
)
def test_scores_that_cannot_be_are_refused_with_their_line(season, game, change, message):
    rows = [row.replace(*change) for row in TABLE]
    if ",2,42200" in change[1]:
        rows = [row.replace("Boris,2,", "Boris,1,") for row in rows]
    assert message in problems(season, *rows)
    assert Event.objects.count() == 0


def test_scores_in_hundreds_are_said_to_be(season, game):
    text = problems(season, *[row.replace("00,", ",") for row in TABLE])
    assert "Scores of a file are in points: 45300, not 453." in text


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("score", "4.53e4", "line 2, score: “4.53e4” is no score like 45300 or -1200"),
        ("chips", "some", "line 2, chips: “some” is no number of chips"),
        ("penalty", "-20", "line 2, penalty: “-20” is no amount from 0"),
        ("house", "-1", "line 2, house: “-1” is no amount from 0"),
        ("seat", "5", "line 2, seat: “5” is no whole number from 1 to 4"),
        ("round", "0", "line 2, round: “0” is no whole number from 1 to 999"),
    ],
)
def test_bad_cells_name_their_column(column, cell, message):
    read = file(
        f"n1,2026-01-13,Ada,1,{cell}", "n1,2026-01-13,Boris,2,", head=f"event,date,player,place,{column}"
    )
    assert message in str(read.problems[0])


def test_negative_zero_is_zero(season, game):
    rows = [row.replace(",15000,", ",-0,").replace("20500", "35500") for row in TABLE]
    rows = [row.replace("Chie,3", "Chie,2").replace("Boris,2", "Boris,3") for row in rows]
    bring(season, *rows)
    assert str(Event.objects.get().entries.get(place=4).score) == "0.0"


def test_one_game_of_a_real_season_is_kept_with_what_it_lacks(club, season, game, people):
    """The file's points are in points; one of its games sums to -1,000 instead of 0, as published."""
    set_season_pool(season, pool=game.pool, moves_events=False, actor=people["owner"])
    season.refresh_from_db()
    header, *lines = MLEAGUE.read_text().splitlines()
    columns = header.split(",")
    rows = [dict(zip(columns, line.split(","), strict=True)) for line in lines]
    wrong = [row for row in rows if row["event"] == "20260324-148-2"]
    assert len(wrong) == 4
    head = "event,date,player,place,balance,house"

    def written(house):
        return [
            f"{row['event']},{row['date']},{row['player']},{row['place']},{Decimal(row['balance']) / 1_000},{house}"
            for row in wrong
        ]

    text = problems(season, *written(""), head=head)
    assert text == (
        "line 2: The balances sum to -1 and must sum to 0. If the house kept the rest, say so in the column house."
        " (20260324-148-2)"
    )
    bring(season, *written("1"), head=head)
    assert Event.objects.get().scoring == {"house": "1"}
    assert bring(season, *written(""), head=head).n_same == 1


def test_points_are_said_to_belong_into_balance():
    read = file("n1,2026-01-13,Ada,1,5", "n1,2026-01-13,Boris,2,-5", head="event,date,player,place,points")
    assert read.warnings[-1] == "What a player won or lost in a game belongs into the column balance."
