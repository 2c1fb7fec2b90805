"""Keys of a league file that the format does not have: taken out of one file, and put into the next of its league."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from reading.league_files.checks import SCHEMA
from reading.names.keys import name_key

Kept = dict[str, dict[str, Any]]  # by the place of an object, its unknown keys
# The objects in an object, and their definitions.
OBJECTS = {
    "season": (("rules", "rules"),),
    "event": (("terms", "terms"),),
    "entry": (("bonus", "bonus"), ("rating", "change")),
}
# The lists of an object, the definition of their members in the schema, and by what these are known.
LISTS = {
    "": (("pools", "pool"), ("games", "game"), ("players", "player"), ("seasons", "season")),
    "pool": (("ratings", "rating"),),
    "season": (("events", "event"),),
    "event": (("entries", "entry"),),
}


def unknown_keys(league: Mapping[str, Any]) -> Kept:
    """Collect the unknown keys of a file, by the place of the object that has them."""
    found = {}
    for place, thing, kind in _objects(league):
        if unknown := {key: value for key, value in thing.items() if key not in _known(kind)}:
            found[place] = unknown
    return found


def put_back(league: dict[str, Any], kept: Kept) -> dict[str, Any]:
    """Add keys to the objects of a file that are there still; return the file."""
    for place, thing, kind in list(_objects(league)):
        thing.update({key: value for key, value in kept.get(place, {}).items() if key not in _known(kind)})
    return league


def _objects(league: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield each object with its place, by names and not by positions, and its definition."""
    yield "", league, ""
    yield "club", league["club"], "club"
    yield from _members("", league, "")


def _members(place: str, thing: Any, kind: str) -> Iterator[tuple[str, Any, str]]:
    for field, of in OBJECTS.get(kind, ()):
        if thing.get(field):
            yield f"{place}/{field}", thing[field], of
    for field, of in LISTS.get(kind, ()):
        for member in thing.get(field, ()):
            inner = f"{place}/{field}/{_name(of, member)}"
            yield inner, member, of
            yield from _members(inner, member, of)


def _name(kind: str, thing: Mapping[str, Any]) -> str:
    if kind == "event":
        return str(thing.get("event", ""))
    if kind == "entry":
        return f"{name_key(thing['player'])}#{thing.get('number', 1)}"
    return name_key(thing["player"] if kind == "rating" else thing["name"])


@cache
def _known(kind: str) -> frozenset[str]:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    if not kind:
        return frozenset(schema["properties"])
    defined = schema["properties"]["club"] if kind == "club" else schema["$defs"][kind]
    return frozenset(defined["properties"])
