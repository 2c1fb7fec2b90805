"""The night of the demo club that simulated phones run: it comes to the result of the evening that it plays again."""

import time

import pytest

from live.services.publishing import read_night
from live.stored_log import state_of
from processes.demos.live import PHONES, play, taps_of
from tests.factories import SeasonFactory, UserFactory, enter

A_BATCH = 0.21  # seconds: a phone sends no more than five a second
pytestmark = pytest.mark.django_db


def test_it_plays_the_last_evening_again():
    season = SeasonFactory()
    enter(season, "Old\nNew")
    event = enter(season, "Ada\nBoris x2\nCleo", day=7)
    waited = []

    def wait(seconds):
        waited.append(seconds)
        time.sleep(A_BATCH)

    night = play(season.club, UserFactory(), wait=wait)
    reading = read_night(night, {})
    last = {
        entry.name: entry.place for entry in sorted(reading.outcome.entries, key=lambda entry: entry.number)
    }
    expected = dict(event.entries.filter(is_last=True).values_list("player__name", "place"))
    assert last == expected
    assert {action.device.name for action in night.actions.select_related("device")} > set(PHONES)
    state = state_of(night)
    assert [each for each in state.questions if each.settled is None] == []
    assert {"clock", "draw", "ask_in", "by", "stacks", "bonus"} <= {
        action.kind for action in night.actions.all()
    }
    assert all(entry.seat for entry in state.still_in)
    (cash,) = night.others.all()
    balances = [entry.balance for entry in read_night(cash, {}).outcome.entries]
    assert sorted(balances) == [-10, 10]  # 40 and 20 in, 30 each out
    assert sum(balances) == 0
    assert min(waited) > 0
    assert len(waited) == len(taps_of(event))
