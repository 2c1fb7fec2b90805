"""The state of a night as plain data: the same from every program that projects the log."""

from collections import Counter
from dataclasses import asdict
from typing import Any

from live.engine.state import Night


def places_of(night: Night) -> dict[str, int]:
    """Place the players who are out, and the last one left, by name.

    A player counts once, by the last exit; those who are in are ahead of all who are out; ties share the better place.
    """
    still_in = {entry.key for entry in night.still_in}
    names = {key: night.entries[entry_id].name for key, entry_id in night.latest.items()}
    last_exit = {
        night.entries[entry_id].key: i for i, each in enumerate(night.exits) for entry_id in each.entries
    }
    gone = {key: i for key, i in last_exit.items() if key not in still_in}
    n_in_each = Counter(gone.values())
    ahead, places_by_exit = len(still_in), {}
    for i in sorted(n_in_each, reverse=True):
        places_by_exit[i] = 1 + ahead
        ahead += n_in_each[i]
    places = {names[key]: places_by_exit[i] for key, i in gone.items()}
    if len(still_in) == 1 and gone:
        places[names[next(iter(still_in))]] = 1
    return places


def summary(night: Night) -> dict[str, Any]:
    """Write a night as data that JSON holds."""
    still_in = night.still_in
    return {
        "places": places_of(night),
        "in": list(dict.fromkeys(entry.name for entry in still_in)),
        "seats": {entry.name: list(entry.seat) for entry in still_in if entry.seat},
        "clock": asdict(night.clock) if night.clock else None,
        "started_at_ms": night.started_at_ms,
        "stage": night.stage,
        "setup": night.setup,
        "levels": night.levels,
        "deal": night.deal,
        "seed": night.seed,
        "big_blinds": {str(table): list(said) for table, said in night.big_blinds.items()},
        "stacks": night.stacks,
        "envelopes": night.envelopes,
        "bonuses": night.bonuses,
        "asks": [{"id": each.id, "name": each.name, "entry": each.entry} for each in night.asks.values()],
        "entries": [
            {
                "id": entry.id,
                "name": entry.name,
                "number": entry.number,
                "player": entry.player,
                "at_ms": entry.at_ms,
                "stack": entry.stack,
                "cost": entry.cost,
                "paid": entry.paid,
                "n_rebuys": entry.n_rebuys,
                "n_addons": entry.n_addons,
                "n_stacks": entry.n_stacks,
                "more_chips": entry.more_chips,
                "cashed": entry.cashed,
                "by": entry.by,
                "has_seen": entry.has_seen,
            }
            for entry in night.entries.values()
        ],
        "exits": [
            {"entries": each.entries, "at_ms": each.at_ms, "devices": sorted(each.devices)}
            for each in night.exits
        ],
        "questions": [
            {
                "id": each.id,
                "kind": each.kind,
                "actions": list(each.actions),
                "entries": list(each.entries),
                "choices": list(each.choices),
            }
            for each in night.questions
            if each.settled is None
        ],
        "held": [{"id": each.id, "why": each.why} for each in night.held],
    }
