"""Writes with an `Idempotency-Key`: the first answer is stored with the write, and given again for the same key."""

import hashlib
import json
import re
from contextlib import ExitStack
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from api.models import SentWrite

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotent-Replayed"
KEY = re.compile(r"[!-~]{1,200}")
MOST_KEPT = 1_000  # answers of an account


class KeyOfAnother(APIException):
    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_detail = gettext_lazy("This Idempotency-Key was sent with another request: choose another one.")


class Replayed(Exception):
    """The stored answer of a write that is sent again."""

    def __init__(self, stored: SentWrite) -> None:
        self.stored = stored


def begin_write(request: Request, user: User, moment: ExitStack) -> SentWrite | None:
    """Begin a write with a key, in a transaction until the answer; None for a request without one.

    Raise Replayed if the write was answered already. Of two at the same time the second waits for the first.
    """
    key = request.headers.get(KEY_HEADER)
    if key is None or request.method in SAFE_METHODS:
        return None
    if not KEY.fullmatch(key):
        raise ValidationError({KEY_HEADER: [_("Send 1 to 200 printable ASCII letters without blanks.")]})
    if (request.content_type or "").startswith("multipart/"):
        raise ValidationError(
            {KEY_HEADER: [_("An upload takes no key: a file that is sent again changes nothing.")]}
        )
    moment.enter_context(transaction.atomic())
    digest = _digest(request)
    sent, is_new = SentWrite.objects.get_or_create(user=user, key=key, defaults={"digest": digest})
    if is_new:
        return sent
    if sent.digest != digest:
        raise KeyOfAnother
    raise Replayed(sent)


def _digest(request: Request) -> str:
    named = f"{request.method} {request.get_full_path()}\n".encode()
    return hashlib.sha256(named + request.body).hexdigest()


def end_write(sent: SentWrite, response: Response) -> None:
    """Store the answer of a write with its key; after an error take everything back, the key too."""
    if status.is_success(response.status_code):
        answer = "" if response.data is None else JSONRenderer().render(response.data).decode()
        SentWrite.objects.filter(pk=sent.pk).update(status=response.status_code, answer=answer)
        _forget_more_than_most(sent)
    else:
        transaction.set_rollback(True)


def _forget_more_than_most(sent: SentWrite) -> None:
    own = SentWrite.objects.filter(user=sent.user_id)
    for oldest in own.order_by("-pk").values_list("pk", flat=True)[MOST_KEPT : MOST_KEPT + 1]:
        own.filter(pk__lte=oldest).delete()


def stored_answer(stored: SentWrite) -> Response:
    """Answer as the first time."""
    body: Any = json.loads(stored.answer) if stored.answer else None
    return Response(body, status=stored.status, headers={REPLAYED_HEADER: "true"})
