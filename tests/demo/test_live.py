"""The night of the demo club that simulated phones run: it comes to the result of the evening that it plays again."""

import pytest

from live.services.publishing import read_night
from live.stored_log import state_of
from processes.demos.live import PHONES, play, taps_of
from tests.factories import SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db


def test_it_plays_the_last_evening_again():
    season = SeasonFactory()
    enter(season, "Old\nNew")
    event = enter(season, "Ada\nBoris x2\nCleo", day=7)
    waited = []
    night = play(season.club, UserFactory(), wait=waited.append)
    reading = read_night(night, {})
    last = {
        entry.name: entry.place for entry in sorted(reading.outcome.entries, key=lambda entry: entry.number)
    }
    expected = dict(event.entries.filter(is_last=True).values_list("player__name", "place"))
    assert last == expected
    assert {action.device.name for action in night.actions.select_related("device")} > set(PHONES)
    assert state_of(night).questions == []
    assert min(waited) > 0
    assert len(waited) == len(taps_of(event))
