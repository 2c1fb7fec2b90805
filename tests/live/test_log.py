"""The log takes each action once, whatever the network does: lost, repeated and late messages, and a worker that is killed."""

import copy
import uuid

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from live.engine.project import project
from live.engine.summary import summary
from live.models import Action, Device, HeldAction, Night, Role
from live.services.log import Batch, take_in
from live.services.storing import AGAIN, GAP, HELD, IN
from tests.factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db
NOW = 1_800_000_000_000


def a_night():
    return Night.objects.create(club=ClubFactory(), starts_at=timezone.now())


def a_device(night, **fields):
    fields = {"user": UserFactory(), "role": Role.ORGANIZER, "name": "Desk", **fields}
    return Device.objects.create(night=night, key_sha256=uuid.uuid4().hex, **fields)


def raw(counter, kind="note", name=None, **body):
    return {
        "id": name or f"{uuid.uuid4()}",
        "counter": counter,
        "kind": kind,
        "body": body or {"text": "fine"},
        "tap_ms": NOW,
        "offset_ms": 0,
    }


def send(device, *actions, now_ms=NOW, seen=0, **more):
    return take_in(device.pk, Batch(sent_ms=now_ms, seen=seen, actions=list(actions), **more), now_ms=now_ms)


def statuses(taken):
    return [reply.status for reply in taken.replies]


def test_a_batch_that_is_sent_again_changes_no_row_and_is_answered_alike():
    """Property 2."""
    device = a_device(a_night())
    batch = [raw(1), raw(2)]
    first, rows = send(device, *batch), list(Action.objects.values())
    again = send(device, *batch, now_ms=NOW + 60_000)
    assert (statuses(first), statuses(again)) == ([IN, IN], [AGAIN, AGAIN])
    assert [(reply.seq, reply.at_ms) for reply in first.replies] == [(r.seq, r.at_ms) for r in again.replies]
    assert list(Action.objects.values()) == rows


def test_the_same_id_with_other_content_is_held_and_the_first_stays():
    device = a_device(a_night())
    one = raw(1)
    send(device, one)
    other = one | {"body": {"text": "something else"}}
    for _again in range(2):
        (reply,) = send(device, other).replies
        assert (reply.status, reply.why) == (HELD, "other content under a known id")
    assert Action.objects.get().body == {"text": "fine"}
    assert HeldAction.objects.get().raw == other


def test_a_gap_is_said_and_nothing_after_it_is_taken():
    device = a_device(a_night())
    taken = send(device, raw(1), raw(3), raw(4))
    assert statuses(taken) == [IN, GAP]
    assert taken.replies[1].why == "send from 2"
    assert Action.objects.count() == 1


def test_what_is_malformed_is_held_and_is_no_gap():
    device = a_device(a_night())
    taken = send(device, raw(1, "bust"), raw(2), 5, raw(3))
    assert statuses(taken) == [HELD, IN, HELD, IN]
    assert HeldAction.objects.count() == 2


@pytest.mark.parametrize("why", ["the device was taken off", "the night is published"])
def test_what_a_revoked_phone_had_or_comes_after_publishing_is_held(why):
    device = a_device(a_night())
    send(device, raw(1))
    if "device" in why:
        Device.objects.update(revoked_at=timezone.now())
    else:
        Night.objects.update(stage=Night.Stage.PUBLISHED)
    (reply,) = send(device, raw(2)).replies
    assert (reply.status, reply.why) == (HELD, why)
    assert Action.objects.count() == 1


def test_others_get_what_they_have_not_seen_and_are_after_it():
    night = a_night()
    desk, door = a_device(night), a_device(night)
    send(desk, raw(1) | {"tap_ms": NOW + 5000}, now_ms=NOW + 9000)
    taken = send(door, now_ms=NOW + 9000, seen=0, unsent=2, unsent_kind="out")
    assert ([action.seq for action in taken.actions], taken.head) == ([1], 1)
    door.refresh_from_db()
    assert (door.unsent, door.unsent_kind) == (2, "out")
    late = raw(1) | {"tap_ms": NOW - 60_000, "seen": 1}
    (reply,) = send(door, late, now_ms=NOW + 10_000, seen=1).replies
    assert reply.at_ms == NOW + 5001


class Phones(RuleBasedStateMachine):
    """Two phones, a bag of messages that are lost, repeated and late, and a server that is killed before it replies."""

    @initialize()
    def begin(self):
        self.night = a_night()
        self.devices = [a_device(self.night) for _ in range(2)]
        self.queues, self.counters = [[], []], [0, 0]
        self.tapped, self.requests, self.replies, self.now = set(), [], [], NOW

    @rule(phone=st.integers(0, 1), kind=st.sampled_from(["note", "note", "bust"]))
    def tap(self, phone, kind):
        self.counters[phone] += 1
        action = raw(self.counters[phone], kind)
        self.queues[phone].append(action)
        self.tapped.add(action["id"])

    @rule(phone=st.integers(0, 1))
    def send(self, phone):
        self.requests.append((phone, copy.deepcopy(self.queues[phone])))

    @rule(data=st.data(), replies=st.booleans(), again=st.booleans())
    def arrive(self, data, replies, again):
        if not self.requests:
            return
        i = data.draw(st.integers(0, len(self.requests) - 1))
        phone, actions = self.requests[i] if again else self.requests.pop(i)
        self.now += 1000
        taken = take_in(self.devices[phone].pk, Batch(self.now, 0, actions), now_ms=self.now)
        if replies:  # else the worker was killed after its transaction, or the reply is lost
            self.replies.append((phone, taken.replies))

    @rule(data=st.data())
    def hear(self, data):
        if self.replies:
            phone, replies = self.replies.pop(data.draw(st.integers(0, len(self.replies) - 1)))
            done = {reply.id for reply in replies if reply.status in {IN, AGAIN, HELD}}
            self.queues[phone] = [action for action in self.queues[phone] if action["id"] not in done]

    @invariant()
    def each_tap_is_somewhere_and_in_the_log_at_most_once(self):
        """Property 1."""
        if not hasattr(self, "night"):
            return
        logged = list(self.night.actions.values_list("name", flat=True))
        held = [each.raw["id"] for each in self.night.held.all()]
        queued = [action["id"] for queue in self.queues for action in queue]
        assert len(logged) == len(set(logged))
        assert not set(logged) & set(held)
        assert self.tapped == {*logged, *held, *queued}

    def teardown(self):
        if not hasattr(self, "night"):
            return
        for phone in (0, 1):
            self.send(phone)
            _phone, actions = self.requests.pop()
            taken = take_in(self.devices[phone].pk, Batch(self.now, 0, actions), now_ms=self.now + 1)
            assert {reply.status for reply in taken.replies} <= {IN, AGAIN, HELD}
        numbers = list(self.night.actions.order_by("seq").values_list("seq", flat=True))
        assert numbers == list(range(1, len(numbers) + 1))


def test_each_action_once_whatever_the_network_does():
    run_state_machine_as_test(
        Phones,
        settings=settings(
            max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


def test_the_log_is_what_the_projection_reads():
    from live.engine.actions import Action as Logged

    night = a_night()
    desk, door = a_device(night), a_device(night)
    send(
        desk,
        raw(1, "enter", "ada") | {"body": {"name": "Ada"}},
        raw(2, "enter", "boris") | {"body": {"name": "Boris"}},
    )
    send(door, raw(1, "out") | {"body": {"groups": [["ada"]]}, "seen": 2}, seen=2)
    rows = night.actions.all()
    found = summary(
        project(Logged(r.name, str(r.device.token), r.counter, r.kind, r.body, r.at_ms) for r in rows)
    )
    assert (found["places"], found["questions"]) == ({"Ada": 2, "Boris": 1}, [])
