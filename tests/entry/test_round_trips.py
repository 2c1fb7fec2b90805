"""What the site writes of results reads back to the same rows; a changed row is one correction."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse

from entry.event_file_rows import COLUMNS
from entry.services.imports import import_events
from league.models import Change, Entry, Event, Import, Player, Season
from league.services.seasons import update_season
from people.services.clubs import update_club
from reading.tables.reading import read_file
from standings.exports.tables import results_table
from tests.factories import SeasonFactory, correct, enter
from tests.factories.games import play, profit_season

pytestmark = pytest.mark.django_db
OF_EVENT = (
    "name",
    "starts_at",
    "ends_at",
    "closes_at",
    "table_size",
    "final_table_size",
    "round",
    "table",
    "scoring",
)
OF_ENTRY = (
    "player__name", "number", "place", "is_last", "registered_at", "busted_at", "knockouts", "cost", "score", "balance",
    "chips", "penalty", "seat",
)  # fmt: skip


def rows(season):
    """What is stored of the results of a season, whoever stored it."""
    return [
        (
            event,
            list(
                Entry.objects.filter(event=pk)
                .order_by("place", "player__key", "number")
                .values_list(*OF_ENTRY)
            ),
        )
        for pk, *event in season.events.order_by("starts_at", "pk").values_list("pk", *OF_EVENT)
    ]


def read(season, text):
    found = read_file(text.encode(), "results.csv", tz=season.club.tz)
    assert not found.problems
    assert not found.questions
    return found.events


def fill(season):
    """Enter ties, re-entries, times to the microsecond, costs, odd names and a correction."""
    enter(season, "Ada ko2 cost 40\nBoris = Cleo\nAda #1 cost 12.5\nDana x3", name="-Opening; night")
    event = enter(season, "髙橋 @21:30\nBoris @20:50\nO'Hara @20:01", day=1)
    starts_at = event.starts_at + timedelta(microseconds=1)
    Event.objects.filter(pk=event.pk).update(starts_at=starts_at, ends_at=starts_at + timedelta(hours=3))
    Player.objects.filter(name="Cleo").update(name="-2+3", key="-2+3")
    correct(enter(season, "Ada\nBoris", day=2), "Boris\nAda")


def test_the_results_of_a_season_import_again_without_a_change(season):
    fill(season)
    before, n = rows(season), Change.objects.count()
    for _time in range(2):
        done = import_events(season, read(season, results_table(season).csv), actor=None)
        assert (done.n_entered, done.n_corrected, done.n_same, done.record) == (0, 0, 3, None)
    assert (rows(season), Change.objects.count()) == (before, n)


def test_they_make_the_same_rows_in_another_club_and_go_on_from_there(season):
    fill(season)
    other = SeasonFactory(name=season.name)
    text = results_table(season).csv.replace(f",{season.slug},", f",{other.slug},")
    done = import_events(other, read(other, text), actor=None)
    assert (done.n_entered, done.n_corrected) == (3, 0)
    assert rows(other) == rows(season)
    again = results_table(other).csv.replace(f",{other.slug},", f",{season.slug},")
    assert again == results_table(season).csv


def test_one_changed_row_is_one_correction(season):
    fill(season)
    text = results_table(season).csv
    assert text.count(",12.500\r\n") == 1
    done = import_events(season, read(season, text.replace(",12.500\r\n", ",13\r\n")), actor=None)
    assert (done.n_entered, done.n_corrected, done.n_same) == (0, 1, 2)
    assert Entry.objects.filter(cost=13).count() == 1
    assert Import.objects.get().events.count() == 1


def test_games_with_balances_import_again_without_a_change():
    season = profit_season()
    play(season, "Ada 45.3\nBoris 4.7\nCleo -15\nDora -35")
    play(season, "Ada 1.5\nBoris -2", game=1, scoring={"house": "0.5"})
    before = rows(season)
    done = import_events(season, read(season, results_table(season).csv), actor=None)
    assert (done.n_same, rows(season)) == (2, before)
    assert before[1][0][-1] == {"house": "0.5"}
    assert Entry.objects.filter(balance=Decimal("45.3")).exists()


def test_dealt_tournaments_import_twice_to_the_same_rows(season, capsys):
    call_command("deal", "--players=8", "--tournaments=2", "--seed=7", "--start=2026-01-02")
    text = capsys.readouterr().out
    for counts in ((2, 0), (0, 0)):
        done = import_events(season, read(season, text), actor=None)
        assert (done.n_entered, done.n_corrected) == counts


def test_the_file_is_for_those_who_enter_results(season, organizer_client, client_of):
    enter(season, "Ada cost 40\nBoris")
    address = reverse("standings:results-file", args=[season.club.slug, season.slug])
    text = organizer_client.get(address).content.decode("utf-8-sig")
    assert text.splitlines()[0].split(",") == list(COLUMNS)
    assert client_of("helper").get(address).status_code == 200
    for who in ("member", "stranger", "foreign"):
        assert client_of(who).get(address).status_code == 403


def test_the_command_writes_the_same_file(season, organizer_client, capsys):
    enter(season, "Ada\nBoris")
    call_command("export_results", club=season.club.slug, season=season.slug)
    address = reverse("standings:results-file", args=[season.club.slug, season.slug]) + "?bom=0"
    assert capsys.readouterr().out == organizer_client.get(address).content.decode()


def test_writing_takes_the_same_queries_for_any_number_of_events(season, django_assert_num_queries):
    for n in range(3):
        enter(season, "Ada\nBoris", day=n)
        with django_assert_num_queries(2):
            results_table(season)


def test_a_season_of_more_players_than_one_query_of_sqlite_names_is_written(season):
    event = enter(season, "Ada\nBoris")
    people = [Player(club=season.club, name=f"P{n}", key=f"p{n}") for n in range(1_001)]
    Player.objects.bulk_create(people)
    Entry.objects.bulk_create(
        Entry(event=event, player=person, place=place) for place, person in enumerate(people, start=3)
    )
    assert results_table(season).csv.count("\n") == 1_004


def test_a_file_that_names_former_addresses_is_of_the_same_events(season, people):
    fill(season)
    text, before = results_table(season).csv, rows(season)
    moved = update_season(
        season, name="Renamed", slug="new", starts_on=season.starts_on, ends_on=None, actor=people["owner"]
    )
    settings = {"name": "x", "time_zone": "UTC", "is_public": True, "requires_two_factor": False}
    update_club(season.club, **settings, slug="hilltop", actor=people["owner"])
    moved = Season.objects.select_related("club", "pool").get(pk=moved.pk)
    assert f"{season.club.slug}-" in text
    done = import_events(moved, read(moved, text), actor=None)
    assert (done.n_entered, done.n_corrected, done.n_same) == (0, 0, 3)
    assert rows(moved) == before
