"""Taps that wait for the organizer: put in, left out, undone again, and brought in as text."""

import json

import pytest

from league.services.errors import Refused
from live.models import Device, HeldAction
from live.services.held import admit, bring_in, leave_out, waiting
from live.services.passes import revoke_device
from live.services.publishing import publish
from live.stored_log import state_of
from tests.live.nights import START_MS, LiveNight

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    """A night in which the phone of Till was taken off, and sent an exit after that."""
    found = LiveNight()
    found.ada, found.boris, found.cleo = found.enter("Ada", "Boris", "Cleo")
    found.phone("till")
    revoke_device(Device.objects.get(name="till"))
    found.record("out", minute=10, phone="till", groups=[[found.ada]])
    return found


def places(night):
    state = state_of(night.night)
    return [[state.find(each).name for each in left.entries] for left in state.exits]


def test_it_waits_until_it_is_put_in_at_its_own_time(night):
    night.out(night.boris, minute=20)
    (row,) = waiting(night.night)
    assert (row.kind, row.tapped_ms) == ("out", START_MS + 600_000)
    for _twice in range(2):
        admit(row, actor=night.actor)
    assert waiting(night.night) == []
    assert places(night) == [["Ada"], ["Boris"]]
    assert night.night.actions.filter(kind="admit").count() == 1


def test_undoing_the_decision_makes_it_wait_again(night):
    (row,) = waiting(night.night)
    for decide_about in (admit, leave_out):
        decide_about(row, actor=night.actor)
        assert waiting(night.night) == []
        last = night.night.actions.order_by("-seq").first()
        night.record_by_page("void", target=last.name, on=True)
        assert waiting(night.night) == [row]
    assert places(night) == []
    assert HeldAction.objects.count() == 1


def test_what_no_log_has_is_refused_with_the_reason_and_stays(night):
    night.record("bust", minute=12)
    row = next(each for each in waiting(night.night) if each.kind == "bust")
    with pytest.raises(Refused, match="unknown kind bust"):
        admit(row, actor=night.actor)
    assert row in waiting(night.night)


def test_one_that_is_too_long_with_its_decision_is_refused_and_stays(night):
    night.record("note", minute=12, phone="till", text="fine", more="x" * 4_050)
    row = next(each for each in waiting(night.night) if each.kind == "note")
    with pytest.raises(Refused, match="longer than"):
        admit(row, actor=night.actor)
    assert row in waiting(night.night)


def test_two_contents_under_one_id_stand_beside_each_other_once_both_are_taken(night):
    first = night.night.actions.filter(kind="enter").first()
    device = first.device
    raw = {"id": first.name, "counter": 1, "kind": "enter", "body": {"name": "Dora"}, "tap_ms": START_MS}
    row = HeldAction.objects.create(
        night=night.night,
        device=device,
        raw=raw,
        content_sha256="x",
        why="other content",
        received_ms=START_MS,
    )
    admit(row, actor=night.actor)
    assert [entry.name for entry in state_of(night.night).still_in] == ["Ada", "Boris", "Cleo", "Dora"]


def a_line(name, *, kind="out", body=None, **more):
    raw = {"id": name, "counter": 1, "kind": kind, "body": body or {}, "tap_ms": START_MS + 60_000, **more}
    return f"19:06 Cleo out  {json.dumps(raw)}"


def test_text_of_a_phone_waits_but_for_what_is_known(night):
    known = night.night.actions.filter(kind="enter").first().name
    lines = [
        "Taps of Finn that have not gone out",
        a_line(known),
        a_line("new", body={"groups": [[night.cleo]]}),
        "{]",
    ]
    assert bring_in(night.night, "\n".join(lines), actor=night.actor) == 1
    assert bring_in(night.night, "\n".join(lines), actor=night.actor) == 0
    row = next(each for each in waiting(night.night) if each.name == "new")
    assert row.why == "brought in as text"
    admit(row, actor=night.actor)
    assert places(night) == [["Cleo"]]


@pytest.mark.parametrize(
    "text", ["", "hello", "{}", '{"id": 5, "tap_ms": 1}', '{"id": "x"}', "[" * 5000, '{"a":' * 5000]
)
def test_a_text_without_taps_is_refused(night, text):
    with pytest.raises(Refused, match="no tap"):
        bring_in(night.night, text, actor=night.actor)


def test_what_comes_after_publishing_waits(night):
    night.out(night.boris, minute=20)
    night.out(night.cleo, minute=30)
    publish(night.night, night.season, answers={}, head=night.head(), actor=night.actor)
    night.record("note", minute=40, text="late")
    assert [row.why for row in waiting(night.night)] == ["the device was taken off", "the night is published"]
