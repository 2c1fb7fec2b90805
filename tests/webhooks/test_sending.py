"""What has happened becomes messages, which arrive signed, at least once, in the order of what they are about."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone
from standardwebhooks import Webhook

from league.services.seasons import close_season
from standings.recomputation.service import recompute
from tests.factories import correct, enter
from webhooks.models import Delivery, Hook, Message, SeenPool, State
from webhooks.services import sending
from webhooks.services.connecting import Answer
from webhooks.services.hooks import HookFields, make_hook, release
from webhooks.services.sending import CLAIM, PAUSES, send_due
from webhooks.services.telling import make_messages

pytestmark = pytest.mark.django_db


def kinds(receiver):
    return [body["type"] for body in receiver.bodies]


def test_nothing_of_before_is_told(season, receiver):
    enter(season, "Ada\nBoris")
    from webhooks.services.telling import begin_telling

    begin_telling(season.club)
    Hook.objects.create(
        club=season.club, target="program", name="p", url=receiver.url, kinds=["result.published"]
    )
    assert make_messages() == 0


def test_a_result_is_told_signed_and_once(season, hook, receiver):
    event = enter(season, "Ada\nBoris")
    assert make_messages() == 1
    assert make_messages() == 0
    assert send_due() == 1
    [(headers, body)] = receiver.taken
    told = Webhook(hook.secret).verify(body, headers)
    assert (told["type"], told["data"]["event"], told["data"]["club"]) == (
        "result.published", event.pk, season.club.slug,
    )  # fmt: skip
    assert headers["webhook-id"] == Message.objects.get().name
    assert send_due() == 0
    assert Delivery.objects.get().state == State.SENT


def test_corrections_standings_badges_and_seasons_are_told(season, hook, receiver):
    event = enter(season, "Ada\nBoris")
    correct(event, "Boris\nAda")
    recompute(season.pool_id)
    close_season(season, actor=None)
    make_messages()
    while send_due():
        pass
    assert sorted(kinds(receiver)) == sorted(
        ["result.published", "result.corrected", "standings.changed", "season.closed"]
    )
    assert SeenPool.objects.get().version == type(season.pool).objects.get().data_version


def test_later_messages_about_an_event_wait_for_the_earlier_ones(season, hook, receiver):
    event = enter(season, "Ada\nBoris")
    correct(event, "Boris\nAda")
    other = enter(season, "Ada\nBoris", day=1)
    make_messages()
    receiver.answers = [(500, {})]
    assert send_due() == 1  # it fails, and so the webhook rests
    with time_machine.travel(timezone.now() + PAUSES[0] * 2, tick=False):
        assert send_due() == 3
    told = [(body["type"], body["data"]["event"]) for body in receiver.bodies]
    published, corrected = ("result.published", event.pk), ("result.corrected", event.pk)
    assert told.index(corrected) > 1
    assert sorted(told) == sorted([published, published, corrected, ("result.published", other.pk)])
    ids = [headers["webhook-id"] for headers, _body in receiver.taken]
    assert len(set(ids)) == 3  # tried again with the same id


def test_a_correction_waits_for_a_result_that_somebody_looks_at_first(season, hook, receiver):
    event = enter(season, "Ada\nBoris")
    make_messages()
    Delivery.objects.update(state=State.ASKED)
    correct(event, "Boris\nAda")
    make_messages()
    assert send_due() == 0
    release(Delivery.objects.get(state=State.ASKED))
    assert (send_due(), kinds(receiver)) == (2, ["result.published", "result.corrected"])


def test_webhooks_take_turns(season, hook, receiver):
    other = Hook.objects.create(
        club=season.club,
        target="program",
        name="other",
        url=f"{receiver.url}/other",
        kinds=["result.published"],
    )
    for day in range(3):
        enter(season, "Ada\nBoris", day=day)
    make_messages()
    sent = []
    while (delivery := sending._claim()) is not None:
        sent.append(delivery.hook)
        sending._settle(delivery, Answer(200, ""))
    assert sent in ([hook, other] * 3, [other, hook] * 3)


def test_a_message_that_cannot_be_written_holds_up_no_other(season, hook, receiver, monkeypatch):
    enter(season, "Ada\nBoris")
    make_messages()
    monkeypatch.setattr(sending, "body_for_program", lambda _message: 1 / 0)
    assert send_due() == 1
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.answer) == (State.WAITING, "The message could not be written.")


def test_a_new_webhook_is_told_nothing_of_before_although_another_is_behind(season, hook, receiver, people):
    enter(season, "Ada\nBoris")
    fields = HookFields("program", "late", f"{receiver.url}/late", ["result.published"])
    late = make_hook(season.club, fields=fields, actor=people["owner"])
    make_messages()
    assert [delivery.hook for delivery in Delivery.objects.all()] == [hook]
    enter(season, "Ada\nBoris", day=1)
    make_messages()
    assert Delivery.objects.filter(hook=late).count() == 1


def test_a_receiver_may_not_ask_for_less_than_the_usual_pause(season, hook, receiver):
    enter(season, "Ada\nBoris")
    make_messages()
    receiver.answers = [(503, {"Retry-After": "0"})]
    assert send_due() == 1
    assert Delivery.objects.get().due_at > timezone.now() + PAUSES[0] / 2


def test_what_fails_is_tried_again_and_given_up_after_two_days(season, hook, receiver):
    enter(season, "Ada\nBoris")
    make_messages()
    receiver.answers = [(503, {})] * 40
    began = timezone.now()
    now = began
    n = 0
    while Delivery.objects.filter(state=State.WAITING).exists():
        with time_machine.travel(now, tick=False):
            n += send_due()
        now = max(now + timedelta(seconds=1), Delivery.objects.get().due_at)
    assert n == len(PAUSES) + 1
    assert timedelta(hours=36) < now - began < timedelta(hours=60)
    assert (Delivery.objects.get().state, Delivery.objects.get().status) == (State.GIVEN_UP, 503)


def test_a_receiver_says_when_to_come_again_and_that_it_is_gone(season, hook, receiver):
    enter(season, "Ada\nBoris")
    make_messages()
    receiver.answers = [(429, {"Retry-After": "600"}), (410, {})]
    send_due()
    wait = Delivery.objects.get().due_at - timezone.now()
    assert timedelta(seconds=590) < wait <= timedelta(seconds=600)
    with time_machine.travel(timezone.now() + timedelta(seconds=601), tick=False):
        send_due()
    hook.refresh_from_db()
    assert (Delivery.objects.get().state, hook.is_on) == (State.GIVEN_UP, False)


def test_redirects_are_not_followed(season, hook, receiver):
    enter(season, "Ada\nBoris")
    make_messages()
    receiver.answers = [(302, {"Location": receiver.url})]
    send_due()
    assert (len(receiver.taken), Delivery.objects.get().status) == (1, 302)


def test_a_delivery_of_a_worker_that_died_is_sent_again(season, hook, receiver):
    enter(season, "Ada\nBoris")
    make_messages()
    Delivery.objects.update(claimed_at=timezone.now(), n_tries=1)  # and the worker was killed
    assert send_due() == 0
    with time_machine.travel(timezone.now() + CLAIM + timedelta(seconds=1), tick=False):
        assert send_due() == 1
    assert Delivery.objects.get().state == State.SENT
