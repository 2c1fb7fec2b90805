"""What devices of a night ask: join, read the log, send actions. JSON, by a key in a header; nothing is written on GET."""

import json
import time
from functools import wraps
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from league.database.snapshots import View
from league.services.errors import Refused
from live.models import Action, Device
from live.services.log import MOST_OF_A_BATCH, MOST_RETURNED, Batch, Taken, take_in
from live.services.passes import device_of, join

KEY_HEADER = "X-Device-Key"
MOST_BYTES = 64 * 2**10
MOST_LETTERS = 60


class BadRequestError(ValueError):
    """A request that no page of ours sends."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def answering(view: View) -> View:
    """Answer errors as JSON: what is wrong, and never a page."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except BadRequestError as error:
            return JsonResponse({"why": str(error)}, status=HTTPStatus.BAD_REQUEST)
        except Refused as error:
            return JsonResponse({"why": str(error)}, status=HTTPStatus.FORBIDDEN)

    return wrapped


@csrf_exempt  # a device has a key in a header and no cookie
@require_POST
@never_cache
@answering
def join_night(request: HttpRequest) -> HttpResponse:
    """Swap the secret of a pass for a key."""
    read = _read(request)
    secret, name = read.get("secret"), read.get("name")
    if not isinstance(secret, str) or not isinstance(name, str) or not name.strip():
        raise BadRequestError("secret and name must be texts")
    device, key = join(secret, name=name.strip()[:MOST_LETTERS], now=timezone.now())
    night = device.night
    return JsonResponse({"key": key, "device": str(device.pk), "night": str(night.pk), "now": now_ms()})


@csrf_exempt
@never_cache
@answering
def log(request: HttpRequest, night_id: UUID) -> HttpResponse:
    """Read the log after a number, or take in a batch."""
    device = device_of(request.headers.get(KEY_HEADER, ""))
    if device is None or device.night_id != night_id:
        return JsonResponse({"why": "no such device"}, status=HTTPStatus.UNAUTHORIZED)
    return _send(request, device) if request.method == "POST" else _poll(request, device)


@require_safe
def _poll(request: HttpRequest, device: Device) -> HttpResponse:
    after = request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) <= 9):  # noqa: PLR2004  digits of a number of an action
        raise BadRequestError("after must be a number")
    if int(after) >= device.night.head:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"X-Now": str(now_ms())})
    actions = device.night.actions.filter(seq__gt=int(after)).order_by("seq")[:MOST_RETURNED]
    return JsonResponse(
        {"now": now_ms(), "head": device.night.head, "actions": [_as_json(action) for action in actions]}
    )


@require_POST
def _send(request: HttpRequest, device: Device) -> HttpResponse:
    batch = _batch(_read(request))
    return JsonResponse(_taken_as_json(take_in(device.pk, batch, now_ms=now_ms())))


def _read(request: HttpRequest) -> dict[str, Any]:
    if int(request.headers.get("Content-Length") or 0) > MOST_BYTES or len(request.body) > MOST_BYTES:
        raise BadRequestError(f"longer than {MOST_BYTES} bytes")
    try:
        read = json.loads(request.body)
    except (ValueError, RecursionError) as error:
        raise BadRequestError("not JSON") from error
    if not isinstance(read, dict):
        raise BadRequestError("not an object")
    return read


def _batch(read: dict[str, Any]) -> Batch:
    sent, seen, actions = read.get("sent_ms"), read.get("seen", 0), read.get("actions", [])
    unsent = read.get("unsent", 0)
    for number in (sent, seen, unsent):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= 2**53:
            raise BadRequestError("sent_ms, seen and unsent must be whole numbers")
    if not isinstance(actions, list) or len(actions) > MOST_OF_A_BATCH:
        raise BadRequestError(f"actions must be a list of at most {MOST_OF_A_BATCH}")
    kind = read.get("unsent_kind", "")
    return Batch(sent, seen, actions, min(unsent, 10**6), kind[:12] if isinstance(kind, str) else "")


def _as_json(action: Action) -> dict[str, Any]:
    return {
        "seq": action.seq,
        "id": action.pk,
        "device": str(action.device_id),
        "counter": action.counter,
        "kind": action.kind,
        "body": action.body,
        "at_ms": action.at_ms,
        "is_unsure": action.is_unsure,
    }


def _taken_as_json(taken: Taken) -> dict[str, Any]:
    return {
        "now": taken.now_ms,
        "head": taken.head,
        "replies": [
            {"id": each.id, "status": each.status, "seq": each.seq, "at_ms": each.at_ms, "why": each.why}
            for each in taken.replies
        ],
        "actions": [_as_json(action) for action in taken.actions],
    }
