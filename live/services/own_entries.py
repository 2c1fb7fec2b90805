"""Whose phone a phone is: the entry of a player who asked to be checked in, and who is checked in at once."""

from live.engine.state import Night as State
from live.models import Device, Night, Role
from live.services.seating import record_by_site
from live.stored_log import state_of


def entry_in(state: State, device: Device) -> str | None:
    """Find the entry of a player's phone: the last one of whom it asked in as, once that was agreed to."""
    own = [each for each in state.asks.values() if each.device == str(device.token) and each.entry]
    entry = state.find(own[-1].entry or "") if own else None
    return None if entry is None else state.latest.get(entry.key)


def entry_of(night: Night, device: Device) -> str | None:
    return entry_in(state_of(night), device) if device.role == Role.PLAYER else None


def check_in_at_once(night: Night, device: Device, *, now_ms: int) -> bool:
    """Check in a member whose account has claimed the player, if the club says so; others wait for the desk."""
    player = device.player
    if player is None:
        return False
    state = state_of(night)
    asked = [
        each for each in state.asks.values() if each.device == str(device.token) and each.player == player.pk
    ]
    is_in = any(entry.player == player.pk for entry in state.entries.values())
    if not asked or is_in or not state.setup.get("self_in"):
        return False
    body = {"name": player.name, "player": player.pk, "number": 1, "ask": asked[-1].id}
    if stack := state.setup.get("stack"):
        body["stack"] = stack
    if cost := state.setup.get("cost"):
        body |= {"cost": cost, "paid": 0}
    record_by_site(night, "enter", body, now_ms=now_ms)
    return True
