"""Deliveries: each message is sent to each hook at least once, with the same id, and given up after two days.

A delivery is claimed before it is sent. If the process is killed in between, the claim runs out and it is sent again.
"""

import json
import logging
from datetime import datetime, timedelta
from random import uniform
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from standardwebhooks import Webhook

from webhooks.bodies import body_for_chat, body_for_program
from webhooks.models import LONGEST_WAIT, MOST_OF_ANSWER, Delivery, Hook, Message, State, Target
from webhooks.services.connecting import Answer, post
from webhooks.services.failing import note_failure, note_success

log = logging.getLogger(__name__)
# After each failed try; the last ones are hours apart, so that a receiver may be down for a night.
PAUSES = [
    timedelta(seconds=s) for s in (5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 43_200)
]
CLAIM = timedelta(minutes=2)  # longer than any request takes, the search for its name included
LONGEST_REST = timedelta(minutes=1)  # of a hook after a failure; its messages wait longer each
GONE = 410  # the receiver says that it will never take anything again


def send_due() -> int:
    """Send until nothing is due, and return how many deliveries were tried."""
    n = 0
    while (delivery := _claim()) is not None:
        n += 1
        _settle(delivery, _tried(delivery))
    return n


def _tried(delivery: Delivery) -> Answer | None:
    """Send a message; one that cannot even be written counts as failed, so that it holds up no other."""
    try:
        return _send(delivery)
    except Exception:
        log.exception("a message of a webhook could not be written: %s", delivery.pk)
        return Answer(None, _("The message could not be written."))


@transaction.atomic
def _claim() -> Delivery | None:
    """Claim what is due of the hook that was tried longest ago, so that no other worker sends it meanwhile."""
    now = timezone.now()
    free = (
        Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM) | Q(claimed_at__gt=now + CLAIM)
    )  # a clock was set back
    rows = Delivery.objects.due().filter(free).select_for_update(skip_locked=True, of=("self",))
    delivery = rows.select_related("hook__club", "message__club").first()
    if delivery is not None:
        delivery.claimed_at, delivery.n_tries = now, delivery.n_tries + 1
        delivery.save(update_fields=["claimed_at", "n_tries"])
        Hook.objects.filter(pk=delivery.hook_id).update(tried_at=now)
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
        pause = _pause(delivery, answer)
        values |= {"due_at": now + pause}
        note_failure(delivery.hook, now, rests_for=min(pause, LONGEST_REST))
    # Whoever has settled it meanwhile, such as somebody who has left it out, is not overruled.
    waiting.update(**values)


def _pause(delivery: Delivery, answer: Answer) -> timedelta:
    """Choose how long to wait: the next pause, a little more or less, or longer if the receiver asks for it."""
    pause = PAUSES[delivery.n_tries - 1] * uniform(0.8, 1.2)  # noqa: S311  nothing secret
    asked = answer.retry_after.strip()
    if asked.isascii() and asked.isdigit() and len(asked) <= 6:  # noqa: PLR2004  seconds of a few days
        return max(pause, min(timedelta(seconds=int(asked)), LONGEST_WAIT))
    return pause


def forget_old(before: datetime) -> None:
    """Delete messages from before a moment, with their deliveries."""
    Message.objects.filter(at__lt=before).delete()
