"""Whose phone a phone is: the entry of a player who asked to be checked in, and who is checked in at once."""

from typing import NamedTuple

from django.core.cache import caches

from live.engine.state import Night as State
from live.engine.state import person_key
from live.models import Device, Night
from live.services.seating import record_by_site
from live.stored_log import state_of


class Owner(NamedTuple):
    """Say under which name a phone asked in last, and its entry once that was agreed to."""

    name: str
    entry: str | None


def owners_in(state: State) -> dict[str, Owner]:
    """Map the tokens of players' phones to whose they are, and the ids of players to themselves."""
    latest_entries = (state.entries[entry] for entry in state.latest.values())
    owners = {str(entry.player): Owner(entry.name, entry.id) for entry in latest_entries if entry.player}
    for asked in state.asks.values():
        entry = state.find(asked.entry or "")
        before = owners.get(asked.device)
        latest = state.latest.get(entry.key) if entry else before and before.entry
        owners[asked.device] = Owner(asked.name, latest)
    return owners


def owner_in(owners: dict[str, Owner], device: Device) -> Owner | None:
    """Find whose a phone is: who asked with it, else the player whom its account has claimed."""
    own = owners.get(str(device.token))
    return own if own and own.entry else owners.get(str(device.claimed_id), own)


def owners_of(night: Night, token: str) -> dict[str, Owner]:
    """Map players and their phones to whose they are; worked out once for each state of a night (`token`)."""
    cache, key = caches["goals"], f"live-owners:{night.pk}:{token}"
    owners: dict[str, Owner] | None = cache.get(key)
    if owners is None:
        owners = owners_in(state_of(night))
        cache.set(key, owners)
    return owners


def entry_of(night: Night, device: Device) -> str | None:
    """Find the entry of a player's phone as the log is now."""
    own = owner_in(owners_in(state_of(night)), device)
    return None if own is None else own.entry


def _stack_of(state: State, name: str) -> int | None:
    """Find the stack that a player begins with: the own one, else the usual one."""
    own = {person_key(own_name): stack for own_name, stack in state.setup.get("own_stacks") or []}
    return own.get(person_key(name), state.setup.get("stack"))


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
    if stack := _stack_of(state, player.name):
        body["stack"] = stack
    if cost := state.setup.get("cost"):
        body |= {"cost": cost, "paid": 0}
    record_by_site(night, "enter", body, now_ms=now_ms)
    return True
