"""Seats that the site draws: one for each who comes, and the moves that an organizer agrees to."""

import hashlib
import uuid
from collections.abc import Iterable
from typing import Any

from django.db import transaction

from league.services.errors import Refused
from league.vocabulary import gettext as _
from live.engine.seats import Draw, Proposal, Room, committed, draw_seat, propose
from live.engine.state import Night as State
from live.engine.state import person_key
from live.engine.timing import is_closed
from live.models import Action, Device, Night, Role
from live.seeds import seed_of
from live.services.storing import MOST_OF_A_NIGHT, Decision, Reply, put
from live.stored_log import state_of

NAME = "Tierboard"  # of the device in whose name seats are drawn
AFTER = frozenset({"enter", "void", "admit", "settle", "setup"})  # after these, somebody may have no seat
DRAWN = "drawn"
MOST_EXPECTED = 200  # players for whom tables are kept open: what a draw chooses from is in the log
USUAL_SIZE = 9  # seats of a table, where nobody said
BIG_BLIND_MS = 4 * 60_000  # for which it is known who is big blind: about two hands


def site_device(night: Night) -> Device:
    """Find or make the device in whose name the site records; nobody has a key of it."""
    found = night.devices.filter(user=None, joined_by=None, key_sha256=None, name=NAME).first()
    return found or Device.objects.create(night=night, role=Role.ORGANIZER, name=NAME)


def record_by_site(night: Night, kind: str, body: dict[str, Any], *, now_ms: int) -> Reply:
    """Put what the site does at the end of the log of a locked night."""
    return put(night, site_device(night), Decision(str(uuid.uuid4()), kind, body), now_ms=now_ms)


def commit_seed(night: Night, *, now_ms: int) -> None:
    """Show the fingerprint of the seed before anybody comes. Idempotent.

    In a copy of a night, or once the site has another key, the seed is another one: then it is shown anew, and only
    draws after that can be checked.
    """
    if _committed(night) != committed(seed_of(night)):
        record_by_site(night, "seed", {"sha256": committed(seed_of(night))}, now_ms=now_ms)


def _committed(night: Night) -> str:
    """Read the fingerprint that was shown last; empty where no seats are drawn."""
    last = night.actions.filter(kind="seed").order_by("-seq").first()
    return "" if last is None else str(last.body["sha256"])


def draw_to_check(night: Night) -> dict[str, Any] | None:
    """Write what a stranger needs to check the draws of a night that is published; None before, and without a draw."""
    seed = seed_of(night)
    if night.published_version is None or _committed(night) != committed(seed):
        return None
    return {"sha256": committed(seed), "seed": seed, "draws": [draw._asdict() for draw in draws_of(night)]}


def seat_those_who_wait(night: Night, kinds: Iterable[str], *, now_ms: int) -> None:
    """Draw a seat for everybody who is in and has none, in the order in which they came to the log.

    It costs nothing where no seats are drawn, and a query after actions that bring nobody in.
    """
    if not (AFTER & {*kinds}) or not _committed(night):
        return
    state = state_of(night)
    if state.setup.get("seating") != DRAWN:
        return
    commit_seed(night, now_ms=now_ms)
    i = _next_draw(night)
    for entry in [each for each in state.still_in if each.seat is None]:
        if night.head >= MOST_OF_A_NIGHT:
            return
        room = room_of(state, now_ms=now_ms)
        own = room.fixed.get(entry.id)
        body: dict[str, Any] = {"seats": [[entry.id, *own]]} if own and own not in room.taken else {}
        if not body:
            draw = draw_seat(seed_of(night), i, room.for_the_next())
            body = {"seats": [[entry.id, *draw.seat]], "i": i, "free": [list(seat) for seat in draw.free]}
            i += 1
        record_by_site(night, "draw", body, now_ms=now_ms)
        table, seat = body["seats"][0][1:]
        entry.seat = (table, seat)


def _next_draw(night: Night) -> int:
    """Number the next draw: none is used twice, also not by what was undone."""
    return len(draws_of(night))


def draws_of(night: Night) -> list[Draw]:
    """List all draws of a night in their order since its seed was shown, undone ones included."""
    draws: list[Draw] = []
    for action in night.actions.filter(kind__in=("draw", "move", "seed")).order_by("seq"):
        if action.kind == "seed":
            draws = []
            continue
        draws += _draws_in(action)
    return draws


def _draws_in(action: Action) -> list[Draw]:
    body = action.body
    if action.kind == "draw" and body.get("i") is not None:
        _entry, table, seat = body["seats"][0]
        return [Draw(body["i"], [(t, s) for t, s in body.get("free") or []], (table, seat))]
    return [
        Draw(i, [(t, s) for t, s in free], (seat[0], seat[1])) for i, free, seat in body.get("draws") or []
    ]


def room_of(state: State, *, now_ms: int) -> Room:
    """Build the tables as they are from the state of a night."""
    size = state.setup.get("table_size") or USUAL_SIZE
    taken = {entry.seat: entry.id for entry in state.still_in if entry.seat}
    in_use = {table for table, _seat in taken}
    expected = min(state.setup.get("expected") or 0, MOST_EXPECTED)
    n_open = max(1, -(-expected // size)) if not state.exits else 0
    return Room(
        taken,
        size,
        state.setup.get("final_size") or size,
        frozenset(range(1, n_open + 1)) or frozenset(in_use) or frozenset({1}),
        _fixed(state),
        _big_blinds(state, now_ms),
    )


def _fixed(state: State) -> dict[str, tuple[int, int]]:
    """Map entries to the seats that they keep; that of a player who has not come yet is kept by the name."""
    fixed: dict[str, tuple[int, int]] = {}
    for name, table, seat in state.setup.get("fixed") or []:
        last = state.entries.get(state.latest.get(person_key(name), ""))
        if last is None:
            fixed[name] = (table, seat)
        elif state.exit_of(last) is None:
            fixed[last.id] = (table, seat)
    return fixed


def _big_blinds(state: State, now_ms: int) -> dict[int, int]:
    """Map tables to the seat of the big blind, where it was said just now and who it was still sits there."""
    found = {}
    for table, (entry_id, at_ms) in state.big_blinds.items():
        entry = state.find(entry_id)
        if now_ms - at_ms <= BIG_BLIND_MS and entry and entry.seat and entry.seat[0] == table:
            found[table] = entry.seat[1]
    return found


def proposal_of(night: Night, state: State, *, now_ms: int) -> Proposal | None:
    """Propose the moves that the tables of a night need now; none before it has begun."""
    room, has_begun = room_of(state, now_ms=now_ms), state.exits or state.clock is not None
    if not room.taken or not has_begun:
        return None
    is_filling = not state.exits and not is_closed(state, now_ms)
    return propose(room, seed_of(night), _next_draw(night), is_filling=is_filling)


@transaction.atomic
def follow_proposal(night: Night, device: Device, *, name: str, kind: str, now_ms: int) -> Reply:
    """Move those whom the proposal of now moves, if it is of the kind that was shown. Idempotent by the id `name`.

    Raise Refused if somebody went out or moved in between, so that another proposal stands.
    """
    current = Night.objects.select_for_update().get(pk=night.pk)
    proposal = proposal_of(current, state_of(current), now_ms=now_ms)
    is_known = current.actions.filter(name=name).exists()
    if not is_known and (proposal is None or shown_id(proposal) != kind):
        raise Refused(_("Somebody went out or moved in between. Look at what is proposed now."))
    body = {} if proposal is None else _body_of(proposal)
    return put(current, device, Decision(name, "move", body), now_ms=now_ms)


def shown_id(proposal: Proposal) -> str:
    """Identify a proposal by what it does, so that only what was shown is done; drawn seats cannot be read from it."""
    moves = " ".join(f"{entry}>{table}.{seat}" for entry, table, seat in sorted(proposal.moves))
    return hashlib.sha256(f"{proposal.kind} {moves}".encode()).hexdigest()


def _body_of(proposal: Proposal) -> dict[str, Any]:
    draws = [[draw.i, [list(seat) for seat in draw.free], list(draw.seat)] for draw in proposal.draws]
    return {"moves": [list(move) for move in proposal.moves], "why": proposal.kind, "draws": draws}
