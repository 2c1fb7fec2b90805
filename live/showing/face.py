"""The face of a night: what its screens and its players' phones show, worked out once for each head of its log."""

from dataclasses import asdict
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.core.cache import caches
from django.db.models import OuterRef, Subquery

from league.models import Entry as StoredEntry
from league.models import Event
from live.courses import chips_of, ending_at
from live.engine.prizes import Prizes, decimals_of, prizes_of
from live.engine.state import Entry
from live.engine.state import Night as State
from live.engine.summary import places_of
from live.models import Night
from live.showing.names import public_names
from live.stored_log import state_of
from payouts.queries import club_money, rules_of
from ratings.models import RatedEntry

LATE_MS = 10_000  # after which a stop sets the clock back visibly
MOST_PLACES = 60


def token_of(night: Night) -> str:
    """Name the state of a night that a device knows; it changes with the log, with publishing and with the ratings."""
    if night.event_id is None:
        return f"{night.head}-{night.stage}"
    rated = RatedEntry.objects.filter(event=night.event_id).count()
    version = Event.objects.filter(pk=night.event_id).values_list("version", flat=True).first()
    return f"{night.head}-{night.stage}-{version}-{rated}"


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
    face = {
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
        **_money(night, state),
    }
    return face | _result(night)


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
    if structure.uses_balance or not structure.is_dhondt:
        return []
    points = structure.points(n)[:MOST_PLACES]
    rows: list[list[Any]] = []
    for value, places in groupby(enumerate(points, start=1), key=lambda pair: pair[1]):
        numbers = [place for place, _value in places]
        if value:
            rows.append([numbers[0], numbers[-1], _plain(value)])
    return rows


def _plain(value: Fraction) -> str:
    return f"{float(value):.10g}"


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


def _money(night: Night, state: State) -> dict[str, Any]:
    """Say what is played for, where the club shows money on its pages."""
    shows = club_money(night.club).shows_net and not state.is_cash
    prizes = prizes_of(state) if shows else None
    if prizes is None:
        return {"money": None}
    return {"money": _amounts(prizes, state)}


def _amounts(prizes: Prizes, state: State) -> dict[str, Any]:
    return {
        "pool": prizes.pool,
        "by_place": prizes.by_place,
        "added": prizes.added,
        "decimals": decimals_of(state.setup),
        "currency": state.setup.get("currency") or "",
    }


def _result(night: Night) -> dict[str, Any]:
    """Add what the published result says: where it stands, and once they are computed rates and badges."""
    if night.event is None:
        return {"result": None}
    earlier = RatedEntry.objects.filter(
        pool=OuterRef("pool"), player=OuterRef("player"), starts_at__lt=OuterRef("starts_at")
    )
    rows_of_event = RatedEntry.objects.filter(event=night.event_id).annotate(
        badge_before=Subquery(earlier.order_by("-starts_at", "-pk").values("badge")[:1])
    )
    rated = {row.player_id: row for row in rows_of_event.order_by("number")}
    entries = StoredEntry.objects.filter(event=night.event_id, is_last=True).select_related("player")
    rows = []
    for entry in entries.order_by("place", "player__key"):
        own = rated.get(entry.player_id)
        rows.append(
            {
                "player": entry.player_id,
                "name": entry.player.name,
                "place": entry.place,
                "rate": None if own is None else round(own.posterior_rate),
                "change": None if own is None else round(own.posterior_rate) - round(own.prior_rate),
                "badge": "" if own is None else own.badge,
                "before": "" if own is None else own.badge_before or "",
            }
        )
    return {"result": {"address": night.event.get_absolute_url(), "rows": rows, "is_rated": bool(rated)}}
