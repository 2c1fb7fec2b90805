"""Ids inside JSON: the history, the bin, merges and seals name rows by id, and an import gives new ids.

An import adds one number to all ids of a model, so that also rows that are gone keep an id of their own. In an empty
site the number is 0.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import ForeignKey, Model

from league.database.bulk import field_of
from league.models import (
    AccessChange,
    BinItem,
    Change,
    Entry,
    Event,
    Import,
    ImportedEvent,
    Player,
    PlayerAlias,
    PlayerMerge,
    Pool,
)
from league.services.kept_formats import upgraded
from live.models import Action, HeldAction
from standings.archive.parts import PART_OF, is_of_account
from standings.models import SeasonSeal
from standings.seals.document import canonical_text


class Shift(NamedTuple):
    """What is added to the ids of a model, and the highest id that there was."""

    by: int
    highest: int


Shifts = Mapping[type[Model], Shift]
Move = Callable[[Any, Shifts], Any]


def target(model: type[Model], column: str) -> type[Model] | None:
    """Find the model whose ids a column holds; None if it holds none."""
    field = field_of(model, column)
    if field.primary_key:
        return model
    return field.related_model if isinstance(field, ForeignKey) else PLAIN_IDS.get((model, column))


def moved(value: Any, model: type[Model] | None, shifts: Shifts) -> Any:
    """Shift an id; an id in text, as serializers write it, stays text.

    Raise ValueError for an id that was never given: shifted, it might name a row of another club.
    """
    if value is None or model is None or model not in shifts:
        return value
    by, highest = shifts[model]
    if not 0 < int(value) <= highest:
        raise ValueError(value)
    return type(value)(int(value) + by)


def moved_json(model: type[Model], column: str, value: Any, shifts: Shifts) -> Any:
    """Shift the ids inside a value of a JSON column, and empty what refers to accounts."""
    move = MOVES.get((model, column))
    return move(value, shifts) if move and value else value


def _row(model: type[Model], row: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    return {column: _cell(model, column, value, shifts) for column, value in row.items()}


def _cell(model: type[Model], column: str, value: Any, shifts: Shifts) -> Any:
    if is_of_account(field_of(model, column)):
        return None
    value = moved_json(model, column, value, shifts)
    return moved(value, target(model, column), shifts)


def _table(table: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    """Shift the rows of a `KeptTable`."""
    model, fields = apps.get_model(table["label"]), table["fields"]
    rows = [
        [_cell(model, column, value, shifts) for column, value in zip(fields, row, strict=True)]
        for row in table["rows"]
    ]
    return {**table, "rows": rows}


def _kept(kept: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    """Shift `KeptRows`; rows of models that are in no archive are left out."""
    kept = upgraded(kept)
    return {
        **kept,
        "tables": [_table(table, shifts) for table in kept["tables"] if _is_archived(table["label"])],
        "links": [_links(links, shifts) for links in kept["links"] if _is_archived(links["label"])],
        "players": _table(kept["players"], shifts) if kept.get("players") else None,
    }


def _is_archived(label: str) -> bool:
    return apps.get_model(label) in PART_OF


def _links(links: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    model = apps.get_model(links["label"])
    one, other = model, target(model, links["field"])
    pairs = [[moved(pk, one, shifts), moved(value, other, shifts)] for pk, value in links["pairs"]]
    return {**links, "pairs": pairs}


def _summary(summary: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    """Shift what a line of the history keeps: a player, a whole version, rows that were removed."""
    changed = dict(summary)
    if isinstance(summary.get("player"), int):
        changed["player"] = moved(summary["player"], Player, shifts)
    if whole := summary.get("whole"):
        changed["whole"] = _kept(whole, shifts)
    if removed := summary.get("removed"):
        changed["removed"] = _kept(removed, shifts)
    return changed


def _belongings(data: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    """Shift what a merge of players keeps to be undone."""
    links = {
        label: [moved(pk, apps.get_model(label.rpartition(".")[0]), shifts) for pk in ids]
        for label, ids in data["links"].items()
        if _is_archived(label.rpartition(".")[0])
    }
    return {
        **data,
        "rows": _kept(data["rows"], shifts),
        "events": _ids(Event)(data["events"], shifts),
        "last_entry": moved(data["last_entry"], Entry, shifts),
        "links": links,
        "accounts": dict.fromkeys(data["accounts"]),
    }


def _facts(facts: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    winners = {"winners": _ids(Player)(facts["winners"], shifts)} if "winners" in facts else {}
    return {**facts, **winners}


def _ids(model: type[Model]) -> Move:
    return lambda ids, shifts: [moved(pk, model, shifts) for pk in ids]


def _by_pool(values: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    return {moved(pk, Pool, shifts): value for pk, value in values.items()}


def _sealed(text: str, shifts: Shifts) -> str:
    """Shift the ids in the text of a seal, which gets another checksum by that."""
    if not any(shift.by for shift in shifts.values()):
        return text
    return canonical_text(_named_ids(json.loads(text), shifts))


def _named_ids(value: Any, shifts: Shifts) -> Any:
    if isinstance(value, dict):
        return {
            key: moved(item, NAMES[key], shifts) if key in NAMES else _named_ids(item, shifts)
            for key, item in value.items()
        } | ({"players": _ids(Player)(value["players"], shifts)} if _is_award_place(value) else {})
    if isinstance(value, list):
        return [_named_ids(item, shifts) for item in value]
    return value


def _is_award_place(value: Mapping[str, Any]) -> bool:
    """Tell whether the players in a part of a seal are ids, as those of a place of an award are."""
    return "place" in value and "players" in value


def _night_body(body: Mapping[str, Any], shifts: Shifts) -> dict[str, Any]:
    """Shift the player in the body of an action of a live night, or in that of the action that it carries."""
    changed = dict(body)
    if type(body.get("player")) is int and body["player"] > 0:
        changed["player"] = body["player"] + shifts[Player].by if Player in shifts else body["player"]
    if isinstance(body.get("body"), dict):
        changed["body"] = _night_body(body["body"], shifts)
    return changed


def _held_raw(raw: Any, shifts: Shifts) -> Any:
    return _night_body(raw, shifts) if isinstance(raw, dict) else raw


NAMES: dict[str, type[Model]] = {"player_id": Player, "event_id": Event}
PLAIN_IDS: dict[tuple[type[Model], str], type[Model]] = {(PlayerMerge, "merged_id"): Player}
MOVES: dict[tuple[type[Model], str], Move] = {
    (Change, "before"): _summary,
    (Change, "after"): _summary,
    (AccessChange, "before"): _summary,
    (AccessChange, "after"): _summary,
    (Import, "players"): _ids(Player),
    (Import, "aliases"): _ids(PlayerAlias),
    (Import, "versions"): _by_pool,
    (ImportedEvent, "before"): _kept,
    (BinItem, "data"): _kept,
    (BinItem, "facts"): _facts,
    (PlayerMerge, "data"): _belongings,
    (Action, "body"): _night_body,
    (HeldAction, "raw"): _held_raw,
    (SeasonSeal, "text"): _sealed,
}
