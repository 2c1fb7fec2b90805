"""Tables pasted into the form of an event: shown with their columns, asked about, and saved as typed marks are."""

from decimal import Decimal

import pytest

from league.models import Entry, Event
from tests.entry.event_forms import create_url, filled

pytestmark = pytest.mark.django_db
TABLE = "Pl\tPlayer\tKO\tOut\tTeam\n1\tIris\t3\t\tRed\nT2\tMoss\t1\t22:05\tBlue\nT2\tAce\t0\t21:50\tRed\n\tTotal\t4\n"


@pytest.fixture
def page(organizer_client, season):
    def send(order, **fields):
        typed = {name: value for name, value in filled(order, **fields).items() if value is not None}
        return organizer_client.post(create_url(season), typed)

    return send


def text_of(response):
    return " ".join(response.content.decode().split())


def test_a_table_is_shown_with_a_menu_above_each_column_and_what_is_not_used(page):
    shown = text_of(page(TABLE, save=None))
    assert "The table as read" in shown
    assert [f'name="meaning-{i}"' in shown for i in range(6)] == [True] * 5 + [False]
    assert "a total" in shown
    assert "<code>Total 4</code>" in shown
    assert "<b>“Team”</b>, a column" in shown
    assert '<option value="" selected>Knock-outs</option>' in shown


def test_a_published_table_has_its_ties_knock_outs_and_times(page):
    assert page(TABLE).status_code == 302
    rows = Entry.objects.order_by("place", "pk").values_list(
        "player__name", "place", "knockouts", "busted_at__minute"
    )
    assert list(rows) == [("Iris", 1, 3, None), ("Moss", 2, 1, 5), ("Ace", 2, 0, 50)]


def test_scores_of_a_table_are_saved(page):
    assert page("Nora 45200\nAda 31000\nCy 23800\n").status_code == 302
    rows = Entry.objects.order_by("place").values_list("player__name", "place", "score")
    assert list(rows) == [("Nora", 1, Decimal(45200)), ("Ada", 2, Decimal(31000)), ("Cy", 3, Decimal(23800))]


def test_a_column_that_means_something_else_is_read_again(page):
    response = page(TABLE, **{"meaning-2": "unused", "meaning-4": ""})
    assert response.status_code == 302
    assert set(Entry.objects.values_list("knockouts", flat=True)) == {None}


def test_two_columns_with_one_meaning_are_not_published(page):
    shown = text_of(page(TABLE, **{"meaning-0": "place", "meaning-2": "place"}))
    assert "Two columns are called “Place”" in shown
    assert not Event.objects.exists()


def test_a_question_keeps_the_table_from_being_published_until_it_is_answered(page):
    dense = "Place\tName\n1\tIris\n1\tMoss\n2\tAce\n"
    assert "Does the list count places without gaps?" in text_of(page(dense))
    assert not Event.objects.exists()
    assert page(dense, answer="ties=dense").status_code == 302
    assert list(Entry.objects.order_by("place", "pk").values_list("place", flat=True)) == [1, 1, 3]


def test_every_mistake_is_shown_at_its_row_and_nothing_is_saved(page):
    shown = text_of(page("Place\tName\tKOs\n1\t-\tmany\n2\tMoss\t1\n"))
    assert "Line 2:" in shown
    assert "“-” is no name" in shown
    assert "“many” is no whole number" in shown
    assert not Event.objects.exists()


def test_names_typed_line_by_line_stay_a_finishing_order(page):
    assert "The table as read" not in text_of(page("Iris ko3\nMoss = Ace\n", save=None))
