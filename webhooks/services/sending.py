"""Deliveries: each message is sent to each hook at least once, with the same id, and given up after two days.

A delivery is claimed before it is sent. If the process is killed in between, the claim runs out and it is sent again.
"""

import json
import time
from collections.abc import Collection
from datetime import datetime, timedelta
from random import uniform
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from standardwebhooks import Webhook

from webhooks.bodies import body_for_chat, body_for_program
from webhooks.models import MOST_OF_ANSWER, Delivery, Message, State, Target
from webhooks.services.connecting import Answer, post
from webhooks.services.failing import note_failure, note_success

# After each failed try; the last ones are hours apart, so that a receiver may be down for a night.
PAUSES = [
    timedelta(seconds=s) for s in (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200)
]
CLAIM = timedelta(minutes=1)  # longer than any request takes
MOST_AT_ONCE, MOST_SECONDS, SLOW_SECONDS = 50, 60, 2
LONGEST_WAIT = timedelta(hours=12)  # that a receiver may ask for
GONE = 410  # the receiver says that it will never take anything again


def send_due() -> int:
    """Send what is due, and return how many deliveries were tried.

    A hook that was slow gets nothing more this time, so that a receiver that does not answer keeps nobody waiting.
    """
    slow: set[int] = set()
    n, until = 0, time.monotonic() + MOST_SECONDS
    while n < MOST_AT_ONCE and time.monotonic() < until and (delivery := _claim(but=slow)) is not None:
        n += 1
        began = time.monotonic()
        _settle(delivery, _send(delivery))
        if time.monotonic() - began > SLOW_SECONDS:
            slow.add(delivery.hook_id)
    return n


@transaction.atomic
def _claim(*, but: Collection[int]) -> Delivery | None:
    """Claim the delivery that waits longest, except of some hooks, so that no other worker sends it meanwhile."""
    now = timezone.now()
    free = (
        Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM) | Q(claimed_at__gt=now + CLAIM)
    )  # a clock was set back
    rows = (
        Delivery.objects.due()
        .filter(free)
        .exclude(hook__in=but)
        .select_for_update(skip_locked=True, of=("self",))
    )
    delivery = rows.select_related("hook__club", "message").first()
    if delivery is not None:
        delivery.claimed_at, delivery.n_tries = now, delivery.n_tries + 1
        delivery.save(update_fields=["claimed_at", "n_tries"])
    return delivery


def _send(delivery: Delivery) -> Answer | None:
    """Send a message, signed if a program takes it; None if a chat is told nothing, as what it was about is gone."""
    hook, message = delivery.hook, delivery.message
    headers = {"Content-Type": "application/json"}
    if hook.target != Target.PROGRAM:
        body = body_for_chat(hook, message)
        return None if body is None else post(hook.url, json.dumps(body).encode(), headers)
    now = timezone.now()
    text = json.dumps(body_for_program(message), ensure_ascii=False)
    headers |= {
        "webhook-id": message.name,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(hook.secret).sign(message.name, now, text),
    }
    return post(hook.url, text.encode(), headers)


@transaction.atomic
def _settle(delivery: Delivery, answer: Answer | None) -> None:
    """Note what was answered: sent, to be tried again, or given up."""
    now = timezone.now()
    waiting = Delivery.objects.filter(pk=delivery.pk, state=State.WAITING)
    if answer is None:
        waiting.update(state=State.LEFT_OUT, claimed_at=None)
        return
    values: dict[str, Any] = {
        "status": answer.status,
        "answer": answer.text[:MOST_OF_ANSWER],
        "claimed_at": None,
    }
    if answer.is_good:
        values |= {"state": State.SENT, "sent_at": now}
        note_success(delivery.hook)
    elif delivery.n_tries > len(PAUSES) or answer.status == GONE:
        values |= {"state": State.GIVEN_UP}
        note_failure(delivery.hook, now, is_gone=answer.status == GONE)
    else:
        values |= {"due_at": now + _pause(delivery, answer)}
        note_failure(delivery.hook, now)
    # Whoever has settled it meanwhile, such as somebody who has left it out, is not overruled.
    waiting.update(**values)


def _pause(delivery: Delivery, answer: Answer) -> timedelta:
    """Choose how long to wait: what the receiver asks for, or the next pause, a little more or less."""
    asked = answer.retry_after.strip()
    if asked.isascii() and asked.isdigit() and len(asked) <= 6:  # noqa: PLR2004  seconds of a few days
        return min(timedelta(seconds=int(asked)), LONGEST_WAIT)
    return PAUSES[delivery.n_tries - 1] * uniform(0.8, 1.2)  # noqa: S311  nothing secret


def forget_old(before: datetime) -> None:
    """Delete messages from before a moment, with their deliveries."""
    Message.objects.filter(at__lt=before).delete()
