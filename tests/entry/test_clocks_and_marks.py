"""Nights when clocks change, and forms that come back."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from league.models import Event
from league.services.events import correct_result
from league.stored_results import corrected_details, text_of
from reading.event_files.reader import read_event_file
from reading.finishing_order.order import read_finishing_order
from reading.results import entries_of
from tests.factories import ClubFactory, SeasonFactory

BERLIN = ZoneInfo("Europe/Berlin")
HEAD = "event,date,player,place,registered_at,busted_at,starts_at,ends_at\n"


def read(*lines):
    return read_event_file(HEAD + "\n".join(lines), tz=BERLIN)


def test_a_file_of_the_night_clocks_go_back_is_read_by_the_age_of_moments():
    file = read("n,2026-10-25,Ada,1,,,2026-10-25T02:30,45", "n,2026-10-25,Boris,2,10,40,2026-10-25T02:30,45")
    assert file.problems == ()
    event = file.events[0]
    assert event.details.starts_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert event.details.ends_at == datetime(2026, 10, 25, 1, 15, tzinfo=UTC)


def test_a_file_of_the_night_clocks_go_forward_is_refused_where_it_ends_before_it_starts():
    start, end = "2026-03-29T02:30", "2026-03-29T03:10"
    file = read(f"n,2026-03-29,Ada,1,,,{start},{end}", f"n,2026-03-29,Boris,2,,,{start},{end}")
    assert [problem.column for problem in file.problems] == ["ends_at"]


@pytest.fixture
def autumn(db):
    """An event that starts at the second 02:30 of the night the clock is set back."""
    season = SeasonFactory(club=ClubFactory(time_zone="Europe/Berlin"), starts_on=date(2025, 1, 1))
    return Event.objects.create(
        season=season, pool=season.pool, starts_at=datetime(2025, 10, 26, 1, 30, tzinfo=UTC)
    )


def test_saving_an_unchanged_event_of_that_night_changes_nothing(autumn):
    form_start = datetime(2025, 10, 26, 2, 30, tzinfo=BERLIN)
    assert (
        corrected_details(autumn, starts_at=form_start, ends_at=None, name="").starts_at == autumn.starts_at
    )
    order = read_finishing_order("Ada\nBoris @03:30", known={}, starts_at=form_start)
    details = corrected_details(autumn, starts_at=form_start, ends_at=None, name="")
    saved = correct_result(autumn, details, entries_of(order), version=1, actor=None)
    again = correct_result(saved, details, entries_of(order), version=saved.version, actor=None)
    assert again.version == saved.version == 2
    assert text_of(saved) == "Ada\nBoris @03:30"


def test_a_form_that_comes_back_with_another_event_is_refused_and_kept(organizer_client, season):
    address = reverse("entry:event-create", args=[season.club.slug, season.slug])
    token = "6b1d5a5e-3c27-4d2a-9a0e-0c9d8f4e1b11"
    posted = {"day": "2026-01-06", "start": "19:30", "form_token": token, "save": "1"}
    organizer_client.post(address, posted | {"order": "Ada\nBoris"})
    again = organizer_client.post(address, posted | {"order": "Ada\nBoris"})
    other = organizer_client.post(address, posted | {"day": "2026-01-07", "order": "Boris\nAda\nCleo"})
    assert again.status_code == 302
    assert "saved already" in other.content.decode()
    assert "Boris\nAda\nCleo" in other.content.decode()
    assert Event.objects.count() == 1


@pytest.mark.parametrize("line_end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_files_of_every_spreadsheet_are_read(line_end, delimiter):
    lines = ["event,date,player,place", "n,2026-01-13,Ada,1", "n,2026-01-13,Boris,2"]
    file = read_event_file(line_end.join(lines).replace(",", delimiter), tz=UTC)
    assert file.problems == ()
    assert [entry.name for entry in file.events[0].entries] == ["Ada", "Boris"]


@pytest.mark.parametrize("day", ["0001-01-01", "2201-01-01"])
def test_a_season_at_the_end_of_time_is_refused(organizer_client, club, day):
    address = reverse("payouts:season-create", args=[club.slug])
    posted = {"name": "Far", "starts_on": day, "structure": "vp_kid", "ties": "better"}
    answer = organizer_client.post(address, posted | {"attendance_points": 1, "min_events": 1})
    assert answer.status_code == 200
    assert "starts_on" in answer.context["form"].errors
