"""Events entered and corrected at the same moment."""

import uuid

import pytest

from league.models import Change, Event, Season
from league.services.errors import Stale
from league.services.events import correct_result, enter_result
from league.stored_results import text_of
from reading.results import EntryInput, EventDetails
from tests.entry.event_forms import stored
from tests.factories import START, UserFactory, enter
from tests.league.racing import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.django_db(transaction=True)
def test_of_two_corrections_at_once_one_wins_and_the_other_is_told(tmp_path, season):
    event = enter(season, "Ada\nBoris\nCleo")
    people = [UserFactory() for _organizer in range(4)]

    def correction(winner, actor):
        def correct():
            order = [winner, *(name for name in ("Ada", "Boris", "Cleo") if name != winner)]
            rows = [EntryInput(name, place) for place, name in enumerate(order, start=1)]
            try:
                correct_result(
                    Event.objects.get(pk=event.pk), EventDetails(START), rows, version=1, actor=actor
                )
            except Stale:
                return None
            return "\n".join(order)

        return correct

    def outcome():
        saved = Event.objects.get(pk=event.pk)
        return saved.version, text_of(saved), Change.objects.filter(kind="result-corrected").count()

    tries = [
        correction(winner, actor)
        for winner, actor in zip(("Boris", "Cleo", "Boris", "Cleo"), people, strict=True)
    ]
    answers, after = at_once(tries, outcome, tmp_path)
    won = [answer for answer in answers if answer]
    assert len(set(won)) == 1  # the same correction by somebody else is stored already
    assert after == (2, won[0], 1)


@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_at_once_from_two_tabs_saves_one_event(tmp_path, season):
    token = uuid.uuid4()
    rows = [EntryInput("Ada", 1), EntryInput("Boris", 2)]

    def send():
        return enter_result(
            Season.objects.get(pk=season.pk), EventDetails(START), rows, actor=None, form_token=token
        ).pk

    answers, counts = at_once([send] * 4, stored, tmp_path)
    assert len(set(answers)) == 1
    assert counts == {"Event": 1, "Entry": 2, "Player": 2, "Change": 1}


@pytest.mark.django_db(transaction=True)
def test_two_events_at_once_are_both_saved_and_share_their_guests(tmp_path, season):
    def event(*players):
        rows = [EntryInput(name, place) for place, name in enumerate(players, start=1)]
        return lambda: (
            enter_result(Season.objects.get(pk=season.pk), EventDetails(START), rows, actor=None).pk
        )

    _answers, counts = at_once([event("Ada", "Boris"), event("Boris", "Ada", "Cleo")], stored, tmp_path)
    assert counts == {"Event": 2, "Entry": 5, "Player": 3, "Change": 2}
