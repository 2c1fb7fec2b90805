"""Names as screens and players' phones show them."""

from collections import Counter

from live.engine.state import Night as State
from live.models import Night
from live.queries import hidden_names
from reading.names.keys import name_key


def public_names(night: Night, state: State) -> dict[str, str]:
    """Name each entry: members as the club's pages do, guests by their first name, those of one name numbered."""
    members = dict(night.club.players.values_list("pk", "name"))
    hidden = hidden_names(night.club)
    by_person: dict[str, str] = {}
    taken: Counter[str] = Counter()
    for entry in state.entries.values():
        if entry.key in by_person:
            continue
        name = members.get(entry.player or 0) or hidden.get(name_key(entry.name)) or _first_name(entry.name)
        taken[name] += 1
        by_person[entry.key] = name if taken[name] == 1 else f"{name} {taken[name]}"
    return {entry.id: by_person[entry.key] for entry in state.entries.values()}


def _first_name(name: str) -> str:
    return next(iter(name.split()), name)
