"""Entering and correcting a result by the services: versions, stored times, and what no form would send."""

from datetime import UTC, datetime

import pytest

from league.models import Change, Entry, Event
from league.services.errors import BadResult, Refused
from league.services.events import correct_result, enter_result
from reading.results import EntryInput, EventDetails
from tests.entry.event_forms import (
    NOTHING,
    edit_url,
    filled,
    minutes,
    shows,
    stored,
)
from tests.factories import START, ClubFactory, SeasonFactory, enter


def test_the_service_refuses_what_no_form_would_send(season):
    outside = EventDetails(datetime(2025, 12, 1, tzinfo=UTC))
    with pytest.raises(Refused, match="2025-12-01 is outside the season"):
        enter_result(season, outside, [EntryInput("Ada", 1), EntryInput("Boris", 2)], actor=None)
    assert stored() == NOTHING


def test_every_change_raises_the_version_and_is_published_once(season, published):
    event = enter(season, "Ada\nBoris")
    other = enter(SeasonFactory(club=ClubFactory()), "Ada\nBoris")
    correct_result(
        event, EventDetails(START), [EntryInput("Boris", 1), EntryInput("Ada", 2)], version=1, actor=None
    )
    season.pool.refresh_from_db()
    assert season.pool.data_version == 2
    assert other.season.pool_id != season.pool_id
    assert list(season.pool.changes.values_list("version", flat=True)) == [2, 1]


def test_times_of_an_imported_event_move_to_another_day_with_it(season, organizer_client):
    rows = [
        EntryInput("Ada", 1, registered_at=START),
        EntryInput("Boris", 2, 1, START, START.replace(hour=22, minute=0, second=5)),
    ]
    details = EventDetails(START, ends_at=START.replace(hour=23), closes_at=START.replace(hour=21, minute=0))
    event = enter_result(season, details, rows, actor=None)
    data = filled("Ada\nBoris @22:00", version=1, day="2026-01-05", end="23:30", closes="21:00")
    assert organizer_client.post(edit_url(event), data).status_code == 302
    event.refresh_from_db()
    day = START.replace(day=5)
    assert (event.starts_at, event.ends_at, event.closes_at) == (
        day,
        day.replace(hour=23),
        day.replace(hour=21, minute=0),
    )
    boris = Entry.objects.get(player__name="Boris")
    assert (boris.registered_at, boris.busted_at) == (day, day.replace(hour=22, minute=0, second=5))
    later = organizer_client.post(
        edit_url(event), data | {"version": 2, "start": "21:30", "order": "Ada\nBoris", "closes": ""}
    )
    assert later.status_code == 302
    event.refresh_from_db()
    assert (event.ends_at, event.closes_at) == (day.replace(hour=23), None)
    organizer_client.post(
        edit_url(event), data | {"version": 3, "order": "Ada\nBoris", "end": "", "closes": ""}
    )
    event.refresh_from_db()
    assert event.ends_at is None


def test_a_bust_before_the_stored_registration_is_told_beside_its_line(season, organizer_client):
    rows = [
        EntryInput("Ada", 1),
        EntryInput("Boris", 2, 1, START.replace(hour=21, minute=0), START.replace(hour=22)),
    ]
    event = enter_result(season, EventDetails(START), rows, actor=None)
    data = filled("Ada\nBoris in 21:00 @20:30", version=1, day="2026-01-06")
    answer = organizer_client.post(edit_url(event), data)
    assert shows(answer, "Boris in at 21:00, but out at 20:30.")
    assert Change.objects.count() == 1


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (
            {"registered_at": minutes(61), "busted_at": minutes(90)},
            "registered at 20:31, but registration closed",
        ),
        ({"busted_at": minutes(-1)}, "is out at 19:29, but the event starts at 19:30"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_saved(season, times, said):
    details = EventDetails(START, closes_at=minutes(60))
    entries = [EntryInput("Ada", 1), EntryInput("Boris", 2, **times)]
    with pytest.raises(BadResult, match=f"Boris.*{said}"):
        enter_result(season, details, entries, actor=None)
    assert set(stored().values()) == {0}
    saved = enter_result(season, details, [EntryInput("Ada", 1), EntryInput("Boris", 2)], actor=None)
    with pytest.raises(BadResult, match=f"Boris.*{said}"):
        correct_result(saved, details, entries, version=1, actor=None)
    assert Event.objects.get().version == 1


BELOW = [EntryInput("Ada", 1, 1), EntryInput("Boris", 2, 1), EntryInput("ada", 3, 2)]


def test_a_re_entry_below_its_earlier_one_is_refused_and_nothing_is_saved(season):
    said = "Entry 2 of ada finishes below entry 1"
    with pytest.raises(BadResult, match=said):
        enter_result(season, EventDetails(START), BELOW, actor=None)
    assert set(stored().values()) == {0}
    saved = enter(season, "Ada x2\nBoris")
    with pytest.raises(BadResult, match=said):
        correct_result(saved, EventDetails(START), BELOW, version=1, actor=None)
    assert Event.objects.get().version == 1
