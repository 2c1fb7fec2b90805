"""The face of a night: what its screens and its players' phones show, worked out once for each head of its log."""

from dataclasses import asdict
from itertools import groupby
from typing import Any

from django.core.cache import caches

from league.models import Event
from live.courses import chips_of, ending_at
from live.engine.prizes import decimals_of, prizes_of
from live.engine.state import Entry
from live.engine.state import Night as State
from live.engine.summary import places_of
from live.models import Night
from live.showing.names import public_names
from live.showing.numbers import plain
from live.showing.result import result_of
from live.stored_log import state_of
from payouts.queries import club_money, rules_of

LATE_MS = 10_000  # after which a stop sets the clock back visibly
MOST_PLACES = 60


def token_of(night: Night, club_version: int) -> str:
    """Name the state of a night that a device knows.

    It changes with the log, with publishing and with the ratings, and with the version of the club's data, so that a
    name that is hidden meanwhile is shown nowhere any more.
    """
    if night.event_id is None:
        return f"{night.head}-{night.stage}-{club_version}"
    versions = Event.objects.filter(pk=night.event_id).values_list(
        "pool__recomputation__rated_version", flat=True
    )
    return f"{night.head}-{night.stage}-{club_version}-{versions.first()}"


def face_of(night: Night, token: str, *, now_ms: int) -> dict[str, Any]:
    """Read the face of a night; worked out once for each of its states."""
    cache, key = caches["goals"], f"live-face:{night.pk}:{token}"
    face: dict[str, Any] | None = cache.get(key)
    if face is None:
        face = _face(night, now_ms)
        cache.set(key, face)
    return face


def _face(night: Night, now_ms: int) -> dict[str, Any]:
    state = state_of(night)
    names = public_names(night, state)
    places = {} if state.is_cash else places_of(state)
    shows_money = club_money(night.club).shows_net and not state.is_cash
    return {
        "club": night.club.name,
        "title": str(night),
        "stage": night.stage,
        "starts_ms": int(night.starts_at.timestamp() * 1000),
        "clock": asdict(state.clock) if state.clock else None,
        "started_ms": state.started_at_ms,
        "levels": state.levels,
        "stack": state.setup.get("stack"),
        "closing_level": state.setup.get("closing_level"),
        "expected": state.setup.get("expected"),
        "table_size": state.setup.get("table_size"),
        "final_size": state.setup.get("final_size") or state.setup.get("table_size"),
        "may_say_out": bool(state.setup.get("self_out")),
        "is_cash": state.is_cash,
        "n_entries": len(state.entries),
        "chips": chips_of(state),
        "left": [_left(state, entry, names) for entry in state.still_in],
        "out": _out(state, names, places),
        "points": _points(night, state),
        "seed": state.seed,
        "set_back": _set_back(night, state),
        "bonuses": [{**each, "name": names[each["entry"]]} for each in state.bonuses],
        "ends": _ends(night, state, now_ms),
        "money": _money(state, names) if shows_money else None,
        "result": result_of(night, state, names, shows_money=shows_money),
    }


def _left(state: State, entry: Entry, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": entry.id,
        "name": names[entry.id],
        "seat": entry.seat,
        "moved": None if entry.moved is None else state.moves[entry.moved].at_ms,
        "has_seen": entry.has_seen,
        "chips": state.stacks.get(entry.id),
    }


def _out(state: State, names: dict[str, str], places: dict[str, int]) -> list[dict[str, Any]]:
    """List who is out and did not come back, the last one out first."""
    latest = set(state.latest.values())
    return [
        {
            "id": entry_id,
            "name": names[entry_id],
            "place": places.get(state.entries[entry_id].name),
            "by": names.get(state.entries[entry_id].by or "", ""),
            "at_ms": each.at_ms,
        }
        for each in reversed(state.exits)
        for entry_id in each.entries
        if entry_id in latest
    ]


def _points(night: Night, state: State) -> list[list[Any]]:
    """List the points of places as (first, last, points), equal ones together; empty where they depend on more."""
    n = len(state.entries)
    if night.season is None or not n or state.is_cash:
        return []
    structure = rules_of(night.season).points_structure
    if not structure.follows_places:
        return []
    points = structure.points(n)[:MOST_PLACES]
    rows: list[list[Any]] = []
    for value, places in groupby(enumerate(points, start=1), key=lambda pair: pair[1]):
        numbers = [place for place, _value in places]
        if value:
            rows.append([numbers[0], numbers[-1], plain(value)])
    return rows


def _set_back(night: Night, state: State) -> dict[str, Any] | None:
    """Say that a stop came late and set the clock back, and by how much."""
    stops = night.actions.filter(kind="clock").order_by("-at_ms", "-seq")
    last = stops.first()
    if last is None or last.body.get("op") != "pause" or state.clock is None:
        return None
    late = last.received_ms - last.at_ms
    if late < LATE_MS or state.clock.at_ms != last.at_ms:
        return None
    return {"ms": late, "at_ms": last.at_ms, "came_ms": last.received_ms}


def _ends(night: Night, state: State, now: int) -> dict[str, Any] | None:
    ending = ending_at(night, state, now)
    if ending is None or (state.clock is not None and not state.clock.is_running):
        return None
    begin = max(now, int(night.starts_at.timestamp() * 1000)) if state.clock is None else now
    return {
        "about_ms": begin + ending.about_ms,
        "from_ms": None if ending.from_ms is None else begin + ending.from_ms,
        "to_ms": None if ending.to_ms is None else begin + ending.to_ms,
        "n_nights": ending.n_nights,
    }


def _money(state: State, names: dict[str, str]) -> dict[str, Any] | None:
    """Say what is played for; after a deal who gets what, and no longer what a place brings."""
    prizes = prizes_of(state)
    if prizes is None:
        return None
    shares = (state.deal or {}).get("money") or {}
    found = [(entry.id, amount) for each, amount in shares.items() if (entry := state.find(each))]
    return {
        "pool": prizes.pool,
        "by_place": [] if found else prizes.by_place,
        "shares": [
            {"entry": entry_id, "name": names[entry_id], "amount": amount}
            for entry_id, amount in sorted(found, key=lambda pair: -pair[1])
        ],
        "added": prizes.added,
        "decimals": decimals_of(state.setup),
        "currency": state.setup.get("currency") or "",
    }
