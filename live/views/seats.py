"""Seats of a night: what is proposed, done on a tap, and the slips to print."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

from league.access import ClubRequest, club_view
from league.rights import Act
from league.services.errors import Refused
from live.courses import ending_at
from live.engine.actions import is_text
from live.engine.bounties import ledger_of
from live.engine.prizes import prizes_of
from live.engine.seats import Proposal
from live.engine.state import Night as State
from live.models import LONGEST_ID, Device, Role
from live.services.nights import now_ms
from live.services.seating import follow_proposal, proposal_of, room_of, shown_id
from live.stored_log import state_of
from live.views.nights import night_of
from live.views.protocol import BadRequestError, by_device, read_json

N_LATE = 2  # slips for players who come late


@by_device
@require_http_methods(["GET", "HEAD", "POST"])
def room(request: HttpRequest, device: Device) -> HttpResponse:
    """Say what is proposed for the tables and when the night will end; POST does what was shown."""
    if device.revoked_at:
        return JsonResponse({"why": "revoked"}, status=HTTPStatus.GONE)
    if device.role != Role.ORGANIZER or not device.night.is_open:
        raise Refused("not for a device of this role")
    if request.method == "POST":
        read = read_json(request)
        name, shown = read.get("id"), read.get("proposal")
        if not is_text(name) or len(name) > LONGEST_ID or not isinstance(shown, str):  # type: ignore[arg-type]  # a text
            raise BadRequestError("id and proposal must be texts")
        follow_proposal(device.night, device, name=str(name), kind=shown, now_ms=now_ms())
        return JsonResponse({"done": True})
    return JsonResponse(_room(device))


def _room(device: Device) -> dict[str, Any]:
    night, now = device.night, now_ms()
    state = state_of(night)
    proposal = proposal_of(night, state, now_ms=now)
    ending = ending_at(night, state, now)
    prizes = None if state.is_cash else prizes_of(state)
    return {
        "head": night.head,
        "size": room_of(state, now_ms=now).size,
        "proposal": None if proposal is None else _proposal(proposal),
        "hunts": [list(hunt) for hunt in _hunts(state)],
        "ending": None if ending is None else {**ending._asdict(), "now": now},
        "prizes": None if prizes is None else {"pool": prizes.pool, "by_place": prizes.by_place},
    }


def _hunts(state: State) -> list[tuple[str, str, int]]:
    """List what was won by putting whom out, envelopes opened, as (hunter, hunted, amount)."""
    bounty = state.setup.get("bounty")
    return ledger_of(state, bounty).hunts if bounty else []


def _proposal(proposal: Proposal) -> dict[str, Any]:
    """Write a proposal; drawn seats of a final table stay unseen until it is agreed to."""
    is_final = proposal.kind == "final"
    return {
        "id": shown_id(proposal),
        "kind": proposal.kind,
        "table": proposal.table,
        "movers": [entry for entry, _table, _seat in proposal.moves],
        "moves": [] if is_final else [list(move) for move in proposal.moves],
        "asks": list(proposal.asks),
    }


@require_safe
@club_view(Act.ENTER_RESULTS)
def slips(request: ClubRequest, night_id: int) -> HttpResponse:
    """Show slips of paper with seats, as many as fit on sheets of A4."""
    night = night_of(request, night_id)
    state = state_of(night)
    seated = sorted((entry.seat, entry) for entry in state.still_in if entry.seat)
    tables = sorted({seat[0] for seat, _entry in seated})
    context = {
        "night": night,
        "slips": [(entry.name, seat, entry.stack or state.setup.get("stack")) for seat, entry in seated],
        "late": tables[:N_LATE],
    }
    return render(request, "live/slips.html", context)
