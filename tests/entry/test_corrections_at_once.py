"""Two organizers correct one event at the same moment: nothing is lost, and the second sees both versions."""

import threading

import pytest

from league.models import Change, Event
from league.stored_results import text_of
from tests.cases import times
from tests.entry.event_forms import edit_url, filled, hidden, shows
from tests.factories import enter
from tests.league.racing import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]
ROUNDS = times(5)  # CASES=40 for 200 rounds, which take a minute or two
FIVE = ("Ada", "Boris", "Cleo", "Dana", "Emil")


class Organizer:
    """Corrects the event once a round, at the same moment as the other one."""

    def __init__(self, client, event, barrier, edits):
        self.client, self.event, self.barrier, self.edits = client, event, barrier, edits

    def correct(self):
        return [self.correct_once(number) for number in range(ROUNDS)]

    def correct_once(self, number):
        """Return whether the other one was first, and what is stored after both."""
        opened, text = hidden(self.client.get(edit_url(self.event))), text_of(self.event)
        data = opened | filled(day="2026-01-06", version=opened["version"], **self.edits(number, text))
        self.barrier.wait(timeout=120)
        answer = self.client.post(edit_url(self.event), data)
        is_second = answer.status_code == 200
        if is_second:
            assert shows(answer, "has changed this event since you opened it")
            mine = {"merge": "", "pick-order": "mine"}
            answer = self.client.post(edit_url(self.event), hidden(answer) | mine)
        assert answer.status_code == 302
        self.barrier.wait(timeout=120)
        stored = Event.objects.get(pk=self.event.pk)
        self.barrier.wait(timeout=120)
        return is_second, stored.name, text_of(stored)


def first_edits(number, text):
    """Give the event another name; in every second round, the best two are swapped as well."""
    best, other, *others = text.split("\n")
    order = [other, best, *others] if number % 2 else [best, other, *others]
    return {"name": f"Night {number}", "order": "\n".join(order)}


def second_edits(number, text):
    """Turn the order around; in every second round, tie the best two."""
    best, other, *others = text.split("\n")
    order = (
        [" = ".join(sorted([best, other])), *others] if number % 2 else sorted(FIVE, reverse=number % 4 == 0)
    )
    return {"name": f"Night {number - 1}" if number else "", "order": "\n".join(order)}


def history():
    """What each correction found and left: name and entries."""
    changes = Change.objects.filter(kind="result-corrected").order_by("pk")
    return [[(side["name"], side["entries"]) for side in (change.before, change.after)] for change in changes]


@pytest.mark.rest
def test_nothing_is_lost_and_what_collides_is_asked(tmp_path, season, client_of):
    event = enter(season, "\n".join(FIVE))
    barrier = threading.Barrier(2)
    organizers = [
        Organizer(client_of(who), event, barrier, edits).correct
        for who, edits in (("organizer", first_edits), ("owner", second_edits))
    ]
    text = text_of(event)
    answers, made = at_once(organizers, history, tmp_path)
    for number, (first, second) in enumerate(zip(*answers, strict=True)):
        assert {first[0], second[0]} == {True, False}
        assert first[1:] == second[1:]
        orders = [edits(number, text)["order"] for edits in (first_edits, second_edits)]
        text = orders[0] if number % 2 and first[0] else orders[1]  # what collides is the second one's
        assert first[1:] == (f"Night {number}", text)
    assert len(made) == 2 * ROUNDS
    assert [after for _before, after in made[:-1]] == [before for before, _after in made[1:]]
