"""Late arrivals and chops in a finishing order: read, checked, saved and written again."""

from datetime import UTC, datetime, timedelta

import pytest

from league.models import Entry, Event
from league.services.errors import BadResult
from league.services.events import EventDetails, enter_result
from league.stored_results import text_of
from reading.finishing_order.order import read_finishing_order
from tests.entry.event_forms import edit_url, filled, minutes
from tests.factories import START, correct, enter

pytestmark = pytest.mark.django_db


def read(text, *, starts_at=START, closes_at=None):
    return read_finishing_order(text, known={}, starts_at=starts_at, closes_at=closes_at)


def errors(text, **times):
    return [line.error for line in read(text, **times).lines if line.error]


def test_an_arrival_is_saved_and_written_again(season):
    text = "Ada\nBoris ko1 in 20:15 @22:00 = Cleo x2 in 21:00\nDana"
    event = enter(season, text)
    arrivals = dict(event.entries.values_list("player__name", "registered_at").exclude(registered_at=None))
    assert arrivals == {"Boris": minutes(45), "Cleo": minutes(90)}
    assert text_of(event) == text
    correct(event, "Ada\nBoris ko1 in 20:20 @22:00 = Cleo x2\nDana")
    assert text_of(event) == "Ada\nBoris ko1 in 20:20 @22:00 = Cleo x2\nDana"


def test_an_arrival_after_midnight_is_on_the_next_day():
    late = datetime(2026, 1, 6, 23, 30, tzinfo=UTC)
    [_ada, boris] = read("Ada\nBoris in 0:15", starts_at=late).finishers
    assert boris.registered_at == late + timedelta(minutes=45)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("Boris in 19:10", "Boris in at 19:10: the event starts at 19:30."),
        ("Boris in 21:10", "Boris in at 21:10: registration closed at 20:30."),
        ("Boris in 20:15 @20:00", "Boris in at 20:15, but out at 20:00."),
        ("Boris in 20:75", "The time after “in” is no time of day: write it like in 20:15."),
        ("Boris chop", "A chop is a tie of two or more: write Lark = Drake chop."),
    ],
)
def test_what_cannot_be_is_marked(line, error):
    assert errors(f"Ada\n{line}", closes_at=minutes(60)) == [error]


def test_a_chop_is_a_tie(season):
    for text in ("Lark = Drake chop\nAda", "Lark\n= Drake チョップ\nAda"):
        assert [finisher.place for finisher in read(text).finishers] == [1, 1, 3]
    assert text_of(enter(season, "Lark = Drake chop\nAda")) == "Lark = Drake\nAda"
    [fix] = read("Ada\nBoris chop ko1").lines[1].fixes
    assert fix.text == "Boris ko1"


def test_registrations_that_the_form_does_not_show_stay(season, organizer_client):
    event = enter(season, "Ada\nBoris\nCleo")
    exact = {"Ada": START - timedelta(minutes=5), "Boris": START + timedelta(days=1), "Cleo": minutes(45.5)}
    for name, moment in exact.items():
        Entry.objects.filter(player__name=name).update(registered_at=moment)
    assert text_of(event) == "Ada\nBoris\nCleo in 20:15"
    organizer_client.post(edit_url(event), filled("Boris\nAda\nCleo in 20:15", day="2026-01-06", version=1))
    assert Event.objects.get().version == 2
    assert dict(Entry.objects.values_list("player__name", "registered_at")) == exact


def test_a_new_result_with_a_bust_before_its_registration_is_refused(season):
    from reading.results import EntryInput

    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2, registered_at=minutes(60), busted_at=minutes(30))]
    with pytest.raises(BadResult, match="Boris is out at 20:00, but registered at 20:30"):
        enter_result(season, EventDetails(START), entries, actor=None)
