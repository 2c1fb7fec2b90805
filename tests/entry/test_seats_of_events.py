"""Seats at a table: of the game, of the event's form, of a file; and what they change."""

import pytest

from league.models import Event, Game
from ratings.models import RatedEntry
from standings.recomputation.service import recompute
from tests.entry.event_forms import create_url, edit_url, filled
from tests.entry.nights.tables import make_cash_game
from tests.entry.test_imports import SAVE, upload
from tests.factories import names

pytestmark = pytest.mark.django_db
ORDER = "\n".join(names(12))


def sizes():
    event = Event.objects.latest("pk")
    return event.table_size, event.final_table_size


@pytest.fixture
def six(season):
    """The club's poker is played at tables of six."""
    season.club.games.update(table_size=6)
    return season


def test_a_typed_event_has_the_tables_of_its_game(six, organizer_client):
    form = organizer_client.get(create_url(six)).context["form"]
    assert (form["seats"].value(), form["final_seats"].value()) == (6, 6)
    organizer_client.post(create_url(six), filled(ORDER))
    assert sizes() == (6, 6)


def test_the_form_says_otherwise(six, organizer_client):
    organizer_client.post(create_url(six), filled(ORDER, seats="8", final_seats="9"))
    assert sizes() == (8, 9)
    organizer_client.post(create_url(six), filled("Zoe\nYann", seats="8", day="2026-01-27"))
    assert sizes() == (8, 8)


@pytest.mark.parametrize(("field", "value"), [("seats", "1"), ("seats", "11"), ("final_seats", "x")])
def test_tables_that_cannot_be_are_refused(six, organizer_client, field, value):
    page = organizer_client.post(create_url(six), filled(ORDER, **{field: value}))
    assert list(page.context["form"].errors) == [field]
    assert not Event.objects.exists()


def test_a_correction_changes_them_and_the_ratings(six, organizer_client):
    organizer_client.post(create_url(six), filled(ORDER, end="20:30"))
    event = Event.objects.get()
    recompute(six.pool_id)
    before = dict(RatedEntry.objects.values_list("place", "evidence"))
    typed = filled(ORDER, end="20:30", seats="2", final_seats="2", version="1", reason="Heads up")
    assert organizer_client.post(edit_url(event), typed).status_code == 302
    assert sizes() == (2, 2)
    recompute(six.pool_id)
    after = dict(RatedEntry.objects.values_list("place", "evidence"))
    # Half an hour each: hours weigh by their cube root, and an hour of two counts as 2.5 of nine, one of six as 1.125 (spec: h_unit).
    assert after[12] / before[12] == pytest.approx((2.5 / 1.125) ** (1 / 3))


def test_a_correction_without_them_keeps_them(six, organizer_client):
    organizer_client.post(create_url(six), filled(ORDER, seats="8", final_seats="9"))
    organizer_client.post(
        edit_url(Event.objects.get()), filled(ORDER[::-1].swapcase()[::-1], version="1", reason="x")
    )
    assert sizes() == (8, 9)


def test_a_file_that_does_not_say_takes_them_from_the_game(six, organizer_client):
    text = "event,date,player,place{more}\nn1,2026-01-13,Ada,1{cell}\nn1,2026-01-13,Bo,2{cell}\n"
    for more, cell, expected in (
        ("", "", (6, 6)), (",table_size", ",8", (8, 8)), (",table_size,final_table_size", ",8,9", (8, 9)),
    ):  # fmt: skip
        Event.objects.all().delete()
        preview = upload(organizer_client, six, text.format(more=more, cell=cell)).url
        organizer_client.post(preview, SAVE)
        assert sizes() == expected


def test_of_several_games_the_chosen_one_counts(season, organizer_client):
    make_cash_game(season.club)
    poker = season.club.games.get(pool=season.pool)
    Game.objects.filter(pk=poker.pk).update(table_size=7)
    organizer_client.post(f"{create_url(season)}?game={poker.pk}", filled(ORDER))
    assert sizes() == (7, 7)
    other = Game.objects.create(
        club=season.club, pool=season.pool, name="Omaha", kind="poker", entry_form="order", table_size=5
    )
    organizer_client.post(f"{create_url(season)}?game={other.pk}", filled("Zoe\nYann", day="2026-01-27"))
    assert sizes() == (5, 5)
