"""Names as screens and players' phones show them."""

from collections import Counter

from live.engine.state import Entry
from live.engine.state import Night as State
from live.models import Night
from live.queries import hidden_names
from reading.names.keys import name_key


def public_names(night: Night, state: State) -> dict[str, str]:
    """Name each entry: members as the club's pages do, guests by their first name, those of one name numbered."""
    members = dict(night.club.players.values_list("pk", "name"))
    hidden = hidden_names(night.club)
    people: dict[str, Entry] = {}
    for entry in state.entries.values():
        people.setdefault(entry.key, entry)
    by_person = {key: members[each.player] for key, each in people.items() if each.player in members}
    taken = Counter(by_person.values())
    for key, guest in people.items():
        if key not in by_person:
            name = hidden.get(name_key(guest.name)) or _first_name(guest.name)
            taken[name] += 1
            by_person[key] = name if taken[name] == 1 else f"{name} {taken[name]}"
    return {entry.id: by_person[entry.key] for entry in state.entries.values()}


def _first_name(name: str) -> str:
    return next(iter(name.split()), name)
