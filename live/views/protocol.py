"""What devices of a night ask: join, read the log, send actions. JSON by a key in a header, and no write on GET."""

import json
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.database.snapshots import View
from league.models import Player
from league.services.errors import Refused
from live.engine.actions import is_count
from live.models import Action, Device, Pass, Role
from live.roles import READS_THE_LOG
from live.roster import has_other, roster_of
from live.services.log import MOST_OF_A_BATCH, MOST_RETURNED, Batch, Taken, TooOftenError, take_in
from live.services.nights import now_ms
from live.services.passes import device_of, join, pass_of, revoke_device
from live.services.storing import storable
from reading.names.rules import visible

KEY_HEADER = "X-Device-Key"
NOW_HEADER, STAGE_HEADER = "X-Now", "X-Stage"
MOST_BYTES = 64 * 2**10
MOST_LETTERS = 60
MOST_DIGITS = 9  # of the number of an action


class BadRequestError(ValueError):
    """A request that no page of ours sends."""


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
        except TooOftenError:
            return JsonResponse({"why": "too often"}, status=HTTPStatus.TOO_MANY_REQUESTS)

    return never_cache(wrapped)


def by_device(view: Callable[..., HttpResponse]) -> View:
    """Find the device by its key; without one, or for another night, answer 401."""

    @wraps(view)
    def wrapped(request: HttpRequest, night_id: int) -> HttpResponse:
        device = device_of(request.headers.get(KEY_HEADER, ""))
        if device is None or device.night_id != night_id:
            return JsonResponse({"why": "no such device"}, status=HTTPStatus.UNAUTHORIZED)
        return view(request, device)

    return answering(csrf_exempt(wrapped))  # a device has a key in a header and no cookie


@csrf_exempt
@require_POST
@answering
def join_night(request: HttpRequest) -> HttpResponse:
    """Swap the secret of a pass for a key; without a name, only say what one would join."""
    read = read_json(request)
    secret, name, replaces = read.get("secret"), read.get("name"), read.get("replaces", "")
    if not isinstance(secret, str) or not isinstance(replaces, str):
        raise BadRequestError("secret and replaces must be texts")
    now = timezone.now()
    found = pass_of(secret, now)
    player = claimed_player(request, found)
    if name is None:
        return JsonResponse(_invitation(found, player))
    if not isinstance(name, str) or not (name := visible(name).strip()):
        raise BadRequestError("name must be a text")
    device, key = join(secret, name=name[:MOST_LETTERS], replaces=replaces, player=player, now=now)
    return JsonResponse(told(device, key))


def told(device: Device, key: str) -> dict[str, Any]:
    """Tell a new device who it is; the key is told this once."""
    return {
        "key": key,
        "device": str(device.token),
        "role": device.role,
        "name": device.name,
        "night": device.night_id,
        "now": now_ms(),
    }


def claimed_player(request: HttpRequest, found: Pass) -> Player | None:
    """Find whom the account of a player's phone has claimed in the club.

    Only a request in JSON counts, which no form of another site can send.
    """
    user = getattr(request, "user", None)
    if found.role != Role.PLAYER or user is None or not user.is_authenticated:
        return None
    if request.content_type != "application/json":
        return None
    return Player.objects.filter(club=found.night.club_id, user=user).first()


def _invitation(found: Pass, player: Player | None) -> dict[str, Any]:
    """Say what a pass invites to, and which of its devices have lost what they kept, perhaps.

    Players' phones are not named to one another.
    """
    devices = found.devices.filter(revoked_at=None).order_by("-pk") if found.role == Role.HELPER else []
    return {
        "night": found.night_id,
        "club": found.night.club.name,
        "title": str(found.night),
        "role": found.role,
        "player": "" if player is None else player.name,
        "ends": int(found.expires_at.timestamp() * 1000),
        "devices": [{"device": str(each.token), "name": each.name} for each in devices],
    }


@by_device
@require_http_methods(["GET", "HEAD", "POST"])
def log(request: HttpRequest, device: Device) -> HttpResponse:
    """Read the log after a number, or take in a batch."""
    return _send(request, device) if request.method == "POST" else _poll(request, device)


@by_device
@require_safe
def roster(_request: HttpRequest, device: Device) -> HttpResponse:
    """List whom the night may expect, for those who check in."""
    is_over = not device.night.is_open
    if device.revoked_at or is_over or device.role not in {Role.ORGANIZER, Role.HELPER}:
        raise Refused("not for a device of this role")
    night = device.night
    told = {
        "club": night.club.name,
        "title": str(night),
        "players": roster_of(night),
        "is_shared": has_other(night),
    }
    return JsonResponse(told)


def _poll(request: HttpRequest, device: Device) -> HttpResponse:
    after = request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) <= MOST_DIGITS):
        raise BadRequestError("after must be a number")
    if device.revoked_at:
        return JsonResponse({"why": "revoked"}, status=HTTPStatus.GONE)
    night = device.night
    headers = {NOW_HEADER: str(now_ms()), STAGE_HEADER: night.stage}
    if device.role not in READS_THE_LOG:
        raise Refused("not for a device of this role")
    if int(after) >= night.head:
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)
    actions = night.actions.filter(seq__gt=int(after)).select_related("device").order_by("seq")
    shown = [_as_json(action) for action in actions[:MOST_RETURNED]]
    return JsonResponse({"now": now_ms(), "head": night.head, "actions": shown}, headers=headers)


def _send(request: HttpRequest, device: Device) -> HttpResponse:
    batch = _batch(read_json(request))
    if device.revoked_at:
        revoke_device(device)
    taken = take_in(device.pk, batch, now_ms=now_ms())
    headers = {NOW_HEADER: str(now_ms()), STAGE_HEADER: taken.stage}
    return JsonResponse(_taken_as_json(taken), headers=headers)


def read_json(request: HttpRequest) -> dict[str, Any]:
    """Read the JSON object of a request; BadRequestError for anything else, or for one that is too long."""
    if len(request.body) > MOST_BYTES:
        raise BadRequestError(f"longer than {MOST_BYTES} bytes")
    try:
        read = storable(json.loads(request.body))
    except (ValueError, RecursionError) as error:
        raise BadRequestError("not JSON") from error
    if not isinstance(read, dict):
        raise BadRequestError("not an object")
    return read


def _batch(read: dict[str, Any]) -> Batch:
    sent, seen, unsent = (_count(read, name) for name in ("sent_wall", "seen", "unsent"))
    actions = read.get("actions", [])
    if not isinstance(actions, list) or len(actions) > MOST_OF_A_BATCH:
        raise BadRequestError(f"actions must be a list of at most {MOST_OF_A_BATCH}")
    kind = read.get("unsent_kind", "")
    return Batch(sent, seen, actions, min(unsent, 10**6), kind[:12] if isinstance(kind, str) else "")


def _count(read: dict[str, Any], name: str) -> int:
    number: Any = read.get(name, None if name == "sent_wall" else 0)
    if not is_count(number):
        raise BadRequestError(f"{name} must be a whole number")
    return int(number)


def _as_json(action: Action) -> dict[str, Any]:
    return {
        "seq": action.seq,
        "id": action.name,
        "device": str(action.device.token),
        "by": action.device.name,
        "counter": action.counter,
        "kind": action.kind,
        "body": action.body,
        "at_ms": action.at_ms,
        "received_ms": action.received_ms,
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
