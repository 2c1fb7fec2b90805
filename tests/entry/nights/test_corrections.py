"""Correcting the games of a night on its sheet, used as a browser without scripts uses it."""

import uuid
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from entry.services.nights import enter_night
from league.models import Event, Meet, Player
from tests.entry.event_forms import shows, stored
from tests.entry.nights.pages import HUNDREDS, address, edit_address, fields_of, seats
from tests.entry.nights.tables import EVENING, night_of, table
from tests.factories import correct, enter

pytestmark = pytest.mark.django_db
OTHER_UMA = {"rules-preset": "", "rules-uma": "20, 10, -10, -20"}


def test_a_night_is_corrected_on_the_same_sheet(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    page = organizer_client.get(edit_address(meet))
    fields = fields_of(page)
    assert (fields["shape"], fields["1-2-1-score"], fields["name"]) == ("2", "422", "Tuesday")
    before = stored()
    organizer_client.post(edit_address(meet), fields | {"save": ""})
    assert stored() == before
    changed = fields | {"1-2-1-score": "223", "1-2-2-score": "422", "save": ""}
    assert organizer_client.post(edit_address(meet), changed).url == meet.get_absolute_url()
    assert [event.version for event in meet.events.in_rating_order()] == [1, 2]


def two_tables(season, game, people):
    tables = [table(1), table(2, names=("Eve", "Fumi", "Gus", "Hana"))]
    return enter_night(night_of(season, game), tables, actor=people["organizer"], form_token=uuid.uuid4())


def scores_of(meet):
    tables = meet.events.order_by("table")
    return [[int(entry.score) for entry in event.entries.order_by("seat")] for event in tables]


def test_what_somebody_else_changed_meanwhile_is_taken_over(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    url = edit_address(meet)
    fields = fields_of(organizer_client.get(url))
    theirs = {"1-2-1-score": "223", "1-2-2-score": "422", "name": "Wednesday"} | OTHER_UMA
    assert organizer_client.post(url, fields | theirs | {"save": ""}).status_code == 302
    stale = organizer_client.post(url, fields | {"1-1-1-score": "1", "1-1-2-score": "644", "save": ""})
    assert shows(stale, "Their changes are taken over and yours are kept: look at the sheet and save again.")
    assert organizer_client.post(url, fields_of(stale) | {"save": ""}).status_code == 302
    assert scores_of(meet) == [[100, 64_400, 20_500, 15_000], [22_300, 42_200, 20_500, 15_000]]
    assert {tuple(event.scoring["uma"]) for event in meet.events.all()} == {("20", "10", "-10", "-20")}
    meet.refresh_from_db()
    assert meet.name == "Wednesday"


def test_what_both_have_changed_is_named_and_kept_as_typed(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    url = edit_address(meet)
    fields = fields_of(organizer_client.get(url))
    theirs = {"1-2-1-score": "223", "1-2-2-score": "422", "name": "Wednesday"}
    assert organizer_client.post(url, fields | theirs | {"save": ""}).status_code == 302
    mine = {"1-2-1-score": "422", "1-2-2-score": "205", "1-2-3-score": "223", "name": "Thursday"}
    stale = organizer_client.post(url, fields | mine | {"save": ""})
    assert shows(stale, "and what you have changed too: name, day or start, table 1-2.")
    again = fields_of(stale)
    assert (again["1-2-2-score"], again["name"]) == ("205", "Thursday")
    assert organizer_client.post(url, again | {"save": ""}).status_code == 302
    assert scores_of(meet)[1] == [42_200, 20_500, 22_300, 15_000]


def test_tables_that_were_deleted_added_or_taken_away_meanwhile(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    url = edit_address(meet)
    fields = fields_of(organizer_client.get(url))
    dropped = fields_of(organizer_client.post(url, fields | {"do": "drop:1-2"}))
    # Somebody else deletes the first table, corrects the second one and adds another.
    page = organizer_client.post(url, fields | {"do": "drop:1-1"})
    page = organizer_client.post(url, fields_of(page) | {"do": "table:1"})
    theirs = seats("1-2", ("Ivo", "Jun", "Kei", "Lea"), HUNDREDS) | {
        "1-1-1-score": "223",
        "1-1-2-score": "422",
    }
    assert organizer_client.post(url, fields_of(page) | theirs | {"save": ""}).status_code == 302
    stale = organizer_client.post(url, dropped | {"save": ""})
    assert shows(stale, "and what you have changed too: table 1-1.")
    again = fields_of(stale)
    assert (again["shape"], again["1-1-1-name"], again["1-1-1-score"], again["1-2-1-name"]) == (
        "2",
        "Eve",
        "223",
        "Ivo",
    )
    mine = organizer_client.post(url, fields | {"1-1-1-score": "1", "1-1-2-score": "644", "save": ""})
    assert shows(mine, "and what you have changed too: table 1-1.")
    assert fields_of(mine)["1-1-event"] == ""
    assert fields_of(mine)["shape"] == "3"


def test_a_table_is_taken_away_from_a_stored_night(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    fields = fields_of(organizer_client.get(edit_address(meet)))
    page = organizer_client.post(edit_address(meet), fields | {"do": "drop:1-1"})
    assert Event.objects.count() == 2
    organizer_client.post(edit_address(meet), fields_of(page) | {"save": ""})
    assert [event.name for event in meet.events.all()] == ["Tuesday 1-1"]


def test_the_last_table_of_a_night_is_deleted_with_it(organizer_client, season, game, people):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    fields = fields_of(organizer_client.get(edit_address(meet)))
    for button in ("do", "save"):
        page = organizer_client.post(edit_address(meet), fields | {button: "drop:1-1"})
        fields = fields_of(page)
        assert shows(page, "A night has at least one table.")
    assert meet.events.count() == 1


def test_a_night_on_a_wrong_day_is_moved_with_all_its_games(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    fields = fields_of(organizer_client.get(edit_address(meet)))
    moved = fields | {"day": "2026-01-14", "start": "20:00", "save": ""}
    assert organizer_client.post(edit_address(meet), moved).status_code == 302
    meet.refresh_from_db()
    assert meet.day == date(2026, 1, 14)
    assert {event.starts_at for event in meet.events.all()} == {datetime(2026, 1, 14, 20, tzinfo=UTC)}


def test_a_night_is_not_moved_to_a_day_with_one_of_its_name(organizer_client, season, game, people):
    other = night_of(season, game, starts_at=EVENING + timedelta(days=1))
    enter_night(other, [table()], actor=people["organizer"], form_token=uuid.uuid4())
    meet = two_tables(season, game, people)
    fields = fields_of(organizer_client.get(edit_address(meet)))
    before = stored()
    page = organizer_client.post(edit_address(meet), fields | {"day": "2026-01-14", "save": ""})
    assert shows(page, "This day has a meet of this name already.")
    assert stored() == before


@pytest.mark.parametrize("is_alone", [False, True])
def test_a_night_that_was_deleted_meanwhile_can_be_published_anew(
    organizer_client, season, game, people, is_alone
):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    url = edit_address(meet)
    if is_alone:
        url = reverse("entry:event-edit", args=[season.club.slug, meet.events.get().pk])
        meet.delete()
    fields = fields_of(organizer_client.get(url)) | {"day": "2026-01-13"}
    Event.objects.all().delete()
    Meet.objects.all().delete()
    page = organizer_client.post(url, fields | {"1-1-1-score": "432", "1-1-2-score": "213", "save": ""})
    assert shows(page, "This night was deleted while you had it open.")
    assert f'action="{address(season)}?game={game.pk}"' in page.content.decode()
    again = fields_of(page)
    assert (again["1-1-1-score"], again["1-1-event"]) == ("432", "")
    assert organizer_client.post(address(season), again | {"save": ""}).status_code == 302
    assert Event.objects.get().entries.get(place=1).score == 43_200


def test_the_edit_page_of_a_game_leads_to_its_night(organizer_client, season, game, people):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    event = meet.events.get()
    url = reverse("entry:event-edit", args=[season.club.slug, event.pk])
    assert organizer_client.get(url).url == f"{edit_address(meet)}#h1-1"


def test_a_game_without_a_night_is_corrected_alone(organizer_client, season, game, people):
    meet = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    event = meet.events.get()
    meet.delete()
    url = reverse("entry:event-edit", args=[season.club.slug, event.pk])
    Event.objects.filter(pk=event.pk).update(ends_at=EVENING + timedelta(hours=2))
    fields = fields_of(organizer_client.get(url))
    changed = {"1-1-1-score": "223", "1-1-2-score": "422", "day": "2026-01-14", "save": ""}
    assert organizer_client.post(url, fields | changed).url == event.get_absolute_url()
    event.refresh_from_db()
    assert (event.version, event.name, event.entries.get(place=1).player.name) == (2, "Tuesday 1-1", "Boris")
    tomorrow = EVENING + timedelta(days=1)
    assert (event.starts_at, event.ends_at) == (tomorrow, tomorrow + timedelta(hours=2))


def test_the_number_of_tables_does_not_change_the_number_of_queries(organizer_client, season, game, people):
    few = enter_night(night_of(season, game), [table()], actor=people["organizer"], form_token=uuid.uuid4())
    tables = [table(round=number) for number in (1, 2, 3)]
    night = night_of(season, game, name="Other")
    many = enter_night(night, tables, actor=people["organizer"], form_token=uuid.uuid4())
    counts = []
    for meet in (few, many):
        with CaptureQueriesContext(connection) as queries:
            organizer_client.get(edit_address(meet))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_balances_of_a_game_are_not_lost_by_a_finishing_order(season):
    event = enter(season, "Ada\nBoris")
    event.entries.filter(player__name="Ada").update(balance=5, chips=2)
    correct(event, "Boris\nAda")
    assert list(event.entries.order_by("place").values_list("player__name", "balance", "chips")) == [
        ("Boris", None, None), ("Ada", 5, 2),
    ]  # fmt: skip


def test_guests_who_changed_tables_stay_the_same_players(organizer_client, season, game, people):
    meet = two_tables(season, game, people)
    before = dict(Player.objects.values_list("pk", "name"))
    fields = fields_of(organizer_client.get(edit_address(meet)))
    changed = fields | {"1-1-4-name": "Hana", "1-2-4-name": "Dmitri", "1-1-1-name": "Zoltan", "save": ""}
    organizer_client.post(edit_address(meet), changed)
    after = dict(Player.objects.values_list("pk", "name"))
    assert {name for _pk, name in before.items() - after.items()} == {"Ada"}
    assert {name for _pk, name in after.items() - before.items()} == {"Zoltan"}
