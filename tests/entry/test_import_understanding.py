"""What a file does not say and the page knows: whether events are stored already, their game, unit, day and start."""

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from league.models import Entry, Event
from tests.entry.nights.tables import make_game
from tests.entry.test_imports import SAVE, upload
from tests.factories import enter

pytestmark = pytest.mark.django_db
EVENINGS = "Date,Place,Player\n2026-01-06,1,Ada\n2026-01-06,2,Boris\n2026-01-13,1,Boris\n2026-01-13,2,Ada\n"
SCORES = "Date,Hanchan,Table,Seat,Player,Score\n" + "\n".join(
    [f"2026-01-13,1,1,{seat},{name},{score}" for seat, name, score in (
        ("E", "Ann Lee", 42300), ("S", "Bob Ray", 28700), ("W", "Cid Moe", 19000), ("N", "Dot Fay", 10000),
    )]
    + [f"2026-01-13,2,1,{seat},{name},{score}" for seat, name, score in (
        ("E", "Bob Ray", 35000), ("S", "Cid Moe", 35000), ("W", "Dot Fay", 20000), ("N", "Ann Lee", 10000),
    )]
)  # fmt: skip


def balances():
    rows = Entry.objects.order_by("event__round", "-balance", "player__key")
    return [(entry.player.name, entry.balance) for entry in rows.select_related("player")]


def questions(answer):
    return [question.id for question in answer.context["asks"] if not question.answer]


@pytest.mark.parametrize(
    ("answer", "n_events", "winner"), [("same", 2, "Boris"), ("correct", 2, "Ada"), ("another", 3, None)]
)
def test_an_event_that_is_there_already_is_asked_about(season, organizer_client, answer, n_events, winner):
    event = enter(season, "Boris\nAda")
    preview = upload(organizer_client, season, EVENINGS).url
    assert questions(organizer_client.get(preview)) == ["twice:2026-01-06"]
    organizer_client.post(preview, SAVE)
    assert Event.objects.count() == 1
    organizer_client.post(preview, {"answer": f"twice:2026-01-06={answer}"})
    organizer_client.post(preview, SAVE)
    assert Event.objects.count() == n_events
    if winner:
        assert event.entries.get(place=1).player.name == winner


def test_a_file_with_other_identifiers_is_found_again(season, organizer_client):
    rows = [
        f"{key},{day},{name},{place}"
        for key, day in (("a", 6), ("b", 13))
        for place, name in enumerate("XY", 1)
    ]
    text = "event,date,player,place\n" + "\n".join(
        row.replace(",6,", ",2026-01-06,").replace(",13,", ",2026-01-13,") for row in rows
    )
    organizer_client.post(upload(organizer_client, season, text).url, SAVE)
    assert Event.objects.count() == 2
    again = text.replace("\na,", "\nc,").replace("\nb,", "\nd,")
    assert questions(organizer_client.get(upload(organizer_client, season, again).url)) == [
        "twice:c",
        "twice:d",
    ]


def test_scores_without_a_game_are_of_the_one_game_with_scores(season, organizer_client):
    make_game(season.club, name="Mahjong")
    preview = upload(organizer_client, season, SCORES).url
    page = organizer_client.get(preview)
    assert questions(page) == []
    assert "The game is Mahjong: the file names none." in page.content.decode()
    organizer_client.post(preview, SAVE)
    # (score - 30,000) / 1,000 with the uma 30, 10, -10, -30 and the oka of 20 for the winner; a tie shares both.
    assert balances() == [
        ("Ann Lee", Decimal("62.3")), ("Bob Ray", Decimal("8.7")), ("Cid Moe", -21), ("Dot Fay", -50),
        ("Bob Ray", 35), ("Cid Moe", 35), ("Dot Fay", -20), ("Ann Lee", -50),
    ]  # fmt: skip


def test_of_several_games_with_scores_one_is_chosen(season, organizer_client):
    make_game(season.club, name="Mahjong")
    make_game(season.club, name="Riichi")
    preview = upload(organizer_client, season, SCORES).url
    assert questions(organizer_client.get(preview)) == ["game"]
    organizer_client.post(preview, {"answer": "game=Riichi"})
    organizer_client.post(preview, SAVE)
    assert {event.game.name for event in Event.objects.all()} == {"Riichi"}


@pytest.mark.parametrize("unit", [100, 1000])
def test_scores_in_hundreds_or_thousands_are_told_by_their_sums(season, organizer_client, unit):
    make_game(season.club, name="Mahjong")
    head, *rows = SCORES.split("\n")
    small = [row.rpartition(",") for row in rows]
    text = "\n".join([head, *(f"{rest},{Decimal(score) / unit}" for rest, _comma, score in small)])
    preview = upload(organizer_client, season, text).url
    assert f"Scores are multiplied by {unit}" in organizer_client.get(preview).content.decode()
    organizer_client.post(preview, SAVE)
    assert balances()[0] == ("Ann Lee", Decimal("62.3"))


def test_a_day_that_no_column_holds_is_typed_and_so_is_a_start(season, organizer_client):
    preview = upload(organizer_client, season, "Place,Player\n1,Ada\n2,Boris\n").url
    page = organizer_client.get(preview)
    assert 'name="day"' in page.content.decode()
    organizer_client.post(preview, {"day": "2026-01-13"})
    assert 'name="start"' in organizer_client.get(preview).content.decode()
    organizer_client.post(preview, {"start": "19:30"})
    organizer_client.post(preview, SAVE)
    event = Event.objects.get()
    assert event.starts_at.astimezone(season.club.tz) == datetime(2026, 1, 13, 19, 30, tzinfo=season.club.tz)


def test_an_iso_time_with_a_zone_is_on_the_clocks_of_the_club(season, organizer_client):
    season.club.time_zone = "America/New_York"
    season.club.save()
    text = "date,player,place\n2026-01-13T02:35:57.784Z,Ada,1\n2026-01-13T02:35:57.784Z,Boris,2\n"
    organizer_client.post(upload(organizer_client, season, text).url, SAVE)
    local = Event.objects.get().starts_at.astimezone(ZoneInfo("America/New_York"))
    assert (local.date(), f"{local:%H:%M}") == (date(2026, 1, 12), "21:35")


DOUBTFUL = "Date,Place,Player,Buy-ins\n03/04/2025,1,Bar tab,1\n03/04/2025,2,Adda,2\n03/04/2025,3,Boriss,1\n03/04/2025,4,Zoe,1\n"


def test_all_suggestions_are_accepted_and_taken_back_at_once(season, organizer_client):
    enter(season, "Adalbert\nAda\nBoris\nCleo")
    preview = upload(organizer_client, season, DOUBTFUL).url
    asked = questions(organizer_client.get(preview))
    assert len(asked) > 2
    organizer_client.post(preview, {"answer": "counts=cost"})
    organizer_client.post(preview, {"accept": "1"})
    page = organizer_client.get(preview)
    assert questions(page) == []
    assert {q.id: q.answer for q in page.context["asks"]}["counts"] == "cost"
    organizer_client.post(preview, {"unaccept": "1"})
    assert questions(organizer_client.get(preview)) == [each for each in asked if each != "counts"]


def test_a_name_is_struck_and_the_others_move_up(season, organizer_client):
    text = (
        "Date,Place,Player\n2026-01-13,1,Ada\n2026-01-13,2,Bar tab\n2026-01-13,3,Boris\n2026-01-13,3,Cleo\n"
    )
    preview = upload(organizer_client, season, text).url
    assert 'value="nobody:bar tab=out"' in organizer_client.get(preview).content.decode()
    organizer_client.post(preview, {"answer": "nobody:bar tab=out"})
    page = organizer_client.get(preview)
    assert [guest["name"] for guest in page.context["read"].guests] == ["Ada", "Boris", "Cleo"]
    organizer_client.post(preview, SAVE)
    placed = Entry.objects.order_by("place", "player__key").values_list("player__name", "place")
    assert list(placed) == [("Ada", 1), ("Boris", 2), ("Cleo", 2)]
