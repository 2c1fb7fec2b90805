"""Results from the text of the form into the database, and back."""

from datetime import timedelta

import pytest

from league.models import Change, Entry
from league.services.events import correct_result, enter_result
from league.stored_results import text_of
from reading.finishing_order.order import read_finishing_order
from reading.results import EntryInput, EventDetails, entries_of
from tests.factories import START, correct, enter

TEXTS = [
    "Ada\nBoris\nCleo",
    "Ada = Boris\nCleo = Dana",
    "Ada\nBoris = Cleo\nDana x3",
    "Ada x2\nBoris x2",
    "Ada\nBoris\nAda #1\nCleo",
    "Ada @23:50\nBoris\nAda #2 @21:00\nCleo\nAda #1 @20:05",
    "Ada\nBoris @00:15\nCleo x2 @23:59",
]


def entries(event):
    rows = event.entries.order_by("place", "player__name", "-number")
    return list(rows.values_list("place", "player__name", "number", "is_last"))


@pytest.mark.parametrize("text", TEXTS)
def test_a_saved_text_comes_back_as_it_was(season, text):
    event = enter(season, text)
    assert text_of(event) == text
    stored = entries(event)
    assert correct(event, text_of(event)).version == 1
    assert entries(event) == stored


def test_the_entries_of_a_text_with_everything_in_it(season):
    event = enter(season, "Ada x2\nBoris = Cleo\nDana x3\nBoris #1")
    assert entries(event) == [
        (1, "Ada", 2, True),
        (2, "Boris", 2, True),
        (2, "Cleo", 1, True),
        (4, "Dana", 3, True),
        (5, "Boris", 1, False),
        (6, "Ada", 1, False),  # entries without a known place share the place below all others
        (6, "Dana", 2, False),
        (6, "Dana", 1, False),
    ]
    assert text_of(event) == "Ada x2\nBoris = Cleo\nDana x3\nBoris #1"


def test_two_who_both_entered_twice_and_nobody_else(season):
    event = enter(season, "Ada x2\nBoris x2")
    assert entries(event)[2:] == [(3, "Ada", 1, False), (3, "Boris", 1, False)]


def test_a_first_entry_known_to_be_last_of_all_stays_known(season):
    """Its place alone looks like the shared place of entries without a known place."""
    event = enter(season, "Ada\nBoris\nAda #1")
    stored = entries(event)
    correct(event, text_of(event))
    assert entries(event) == stored
    assert event.version == 1


def test_seconds_and_registrations_of_a_file_outlive_the_form_that_shows_minutes(season):
    event = enter(season, "Ada\nBoris @21:40\nCleo @21:00")
    exact = START.replace(hour=21, minute=40, second=37)
    Entry.objects.filter(player__name="Boris").update(busted_at=exact, registered_at=START)
    event.refresh_from_db()
    assert text_of(event).splitlines()[1] == "Boris @21:40"
    assert correct(event, text_of(event)).version == 1
    assert correct(event, "Boris @21:40\nAda\nCleo @21:00").version == 2
    entry = Entry.objects.get(player__name="Boris")
    assert (entry.place, entry.busted_at, entry.registered_at) == (1, exact, START)
    correct(event, "Boris @21:41\nAda\nCleo @21:00", version=2)
    entry.refresh_from_db()
    assert entry.busted_at == exact.replace(minute=41, second=0)
    correct(event, "Boris\nAda\nCleo @21:00", version=3)
    entry.refresh_from_db()
    assert (entry.busted_at, entry.registered_at) == (None, START)


def test_a_time_before_a_stored_registration_is_refused_and_nothing_changes(season):
    """Typed times have no seconds, registrations have: a bust in the minute of registration is allowed."""
    event = enter(season, "Ada\nBoris @21:40")
    Entry.objects.filter(player__name="Boris").update(
        registered_at=START.replace(hour=21, minute=20, second=30),
        busted_at=START.replace(hour=21, minute=40),
    )
    event.refresh_from_db()
    from league.services.errors import Refused

    early = [EntryInput("Ada", 1), EntryInput("Boris", 2, busted_at=START.replace(hour=21, minute=10))]
    with pytest.raises(Refused, match="Boris"):
        correct_result(event, EventDetails(START), early, version=1, actor=None)
    assert text_of(event) == "Ada\nBoris in 21:20 @21:40"
    assert Change.objects.count() == 1
    assert correct(event, "Ada\nBoris in 21:20 @21:20").version == 2


def test_a_removed_entry_goes_and_the_last_one_is_marked_anew(season):
    event = enter(season, "Ada x3\nBoris")
    correct(event, "Ada\nBoris")
    assert entries(event) == [(1, "Ada", 1, True), (2, "Boris", 1, True)]
    correct(event, "Boris\nAda\nAda #1", version=2)
    assert entries(event) == [(1, "Boris", 1, True), (2, "Ada", 2, True), (3, "Ada", 1, False)]


def test_an_event_crosses_midnight_in_the_clubs_time_zone(club, season):
    from zoneinfo import ZoneInfo

    type(club).objects.update(time_zone="Asia/Tokyo")
    season.refresh_from_db()
    starts_at = START.astimezone(ZoneInfo("Asia/Tokyo"))  # 04:30 of the next day
    order = read_finishing_order("Ada\nBoris @04:31\nCleo @04:30", known={}, starts_at=starts_at)
    event = enter_result(season, EventDetails(starts_at), entries_of(order), actor=None)
    times = event.entries.order_by("place").values_list("busted_at", flat=True)
    assert list(times) == [None, START + timedelta(minutes=1), START]
    assert text_of(event) == "Ada\nBoris @04:31\nCleo @04:30"


def test_an_earlier_entry_with_a_place_beside_one_without_can_be_opened_again(season):
    """Only a file can store this: the form cannot leave out the first entry alone."""
    rows = [("Ada", 1, 3), ("Boris", 2, 2), ("Ada", 3, 2), ("Ada", 4, 1), ("Boris", 4, 1)]
    inputs = [EntryInput(name, place, number) for name, place, number in rows]
    event = enter_result(season, EventDetails(START), inputs, actor=None)
    stored = entries(event)
    assert correct(event, text_of(event)).version == 1
    assert entries(event) == stored
