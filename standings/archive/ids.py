"""Ids of an archive: each gets a new one in this site, also where JSON names a row that is gone.

The history, the bin, merges and seals name rows by id. An import first looks at all ids of the archive (`Seen`), then
takes as many new ones and gives them in the same order (`Renumbered`), so that no number of an upload drives anything
else of the site. In an empty site all ids stay as they are.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

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
from standings.archive.cells import check_cell
from standings.archive.parts import LEFT_EMPTY, PART_OF, is_of_account
from standings.models import SeasonSeal
from standings.seals.document import canonical_text

MAX_ID = 2**63 - 1


class Ids:
    """Leave every id as it is."""

    checks_cells = False

    def of(self, model: type[Model], value: Any) -> Any:  # noqa: ARG002  those below need it
        return value


SAME = Ids()
Move = Callable[[Any, Ids], Any]


class Seen(Ids):
    """Collect the ids of each model, and check what JSON says of rows as the columns of files are checked."""

    checks_cells = True

    def __init__(self) -> None:
        self.ids: dict[type[Model], set[int]] = defaultdict(set)

    def of(self, model: type[Model], value: Any) -> Any:
        self.ids[model].add(int(value))
        return value


class Renumbered(Ids):
    """Give the ids of an archive those of this site; an id in text, as serializers write it, stays text."""

    def __init__(self, new_ids: Mapping[type[Model], Mapping[int, int]]) -> None:
        self.new_ids = new_ids

    def of(self, model: type[Model], value: Any) -> Any:
        return type(value)(self.new_ids[model][int(value)])


def target(model: type[Model], column: str) -> type[Model] | None:
    """Find the model whose ids a column holds; None if it holds none."""
    field = field_of(model, column)
    if field.primary_key:
        return model
    return field.related_model if isinstance(field, ForeignKey) else PLAIN_IDS.get((model, column))


def moved(value: Any, model: type[Model] | None, ids: Ids) -> Any:
    """Change an id; one of a model that is in no archive is left out. Raise ValueError for what is no id."""
    if value is None or model is None:
        return value
    if model not in PART_OF:
        return None
    if isinstance(value, bool) or not 0 < int(value) <= MAX_ID:
        raise ValueError(value)
    return ids.of(model, value)


def moved_json(model: type[Model], column: str, value: Any, ids: Ids) -> Any:
    """Change the ids inside a value of a JSON column, and empty what refers to accounts."""
    move = MOVES.get((model, column))
    return move(value, ids) if move and value else value


def _cell(model: type[Model], column: str, value: Any, ids: Ids) -> Any:
    field = field_of(model, column)
    if is_of_account(field) or column in LEFT_EMPTY:
        return None
    other = target(model, column)
    if other is None and ids.checks_cells:
        check_cell(field, value)
    return moved(moved_json(model, column, value, ids), other, ids)


def _table(table: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Change the rows of a `KeptTable`."""
    model, fields = apps.get_model(table["label"]), table["fields"]
    rows = [
        [_cell(model, column, value, ids) for column, value in zip(fields, row, strict=True)]
        for row in table["rows"]
    ]
    return {**table, "rows": rows}


def _kept(kept: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Change `KeptRows`; rows of models that are in no archive are left out."""
    kept = upgraded(kept)
    return {
        **kept,
        "tables": [_table(table, ids) for table in kept["tables"] if _is_archived(table["label"])],
        "links": [_links(links, ids) for links in kept["links"] if _is_archived(links["label"])],
        "players": _table(kept["players"], ids) if kept.get("players") else None,
    }


def _is_archived(label: str) -> bool:
    return apps.get_model(label) in PART_OF


def _links(links: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    model = apps.get_model(links["label"])
    pairs = [
        [moved(pk, model, ids), _cell(model, links["field"], value, ids)] for pk, value in links["pairs"]
    ]
    return {**links, "pairs": pairs}


def _summary(summary: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Change what a line of the history keeps: a player, a deleted event, a whole version, rows that were removed."""
    changed = dict(summary)
    for name, model in (("player", Player), ("event_id", Event)):
        if isinstance(summary.get(name), int):
            changed[name] = moved(summary[name], model, ids)
    if whole := summary.get("whole"):
        changed["whole"] = _kept(whole, ids)
    if removed := summary.get("removed"):
        changed["removed"] = _kept(removed, ids)
    return changed


def _belongings(data: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Change what a merge of players keeps to be undone."""
    links = {
        label: _ids(apps.get_model(label.rpartition(".")[0]))(pks, ids)
        for label, pks in data["links"].items()
        if _is_archived(label.rpartition(".")[0])
    }
    return {
        **data,
        "rows": _kept(data["rows"], ids),
        "events": _ids(Event)(data["events"], ids),
        "last_entry": moved(data["last_entry"], Entry, ids),
        "links": links,
        "accounts": dict.fromkeys(data["accounts"]),
    }


def _facts(facts: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    winners = {"winners": _ids(Player)(facts["winners"], ids)} if "winners" in facts else {}
    return {**facts, **winners}


def _ids(model: type[Model]) -> Move:
    return lambda values, ids: [moved(value, model, ids) for value in values]


def _by_pool(values: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    return {moved(pk, Pool, ids): value for pk, value in values.items()}


def _sealed(text: str, ids: Ids) -> str:
    """Change the ids in the text of a seal, which gets another checksum if that makes it another text."""
    document = json.loads(text)
    named = _named_ids(document, ids)
    return text if named == document else canonical_text(named)


def _named_ids(value: Any, ids: Ids) -> Any:
    if isinstance(value, dict):
        return {
            key: moved(item, NAMES[key], ids) if key in NAMES else _named_ids(item, ids)
            for key, item in value.items()
        } | ({"players": _ids(Player)(value["players"], ids)} if _is_award_place(value) else {})
    if isinstance(value, list):
        return [_named_ids(item, ids) for item in value]
    return value


def _is_award_place(value: Mapping[str, Any]) -> bool:
    """Tell whether the players in a part of a seal are ids, as those of a place of an award are."""
    return "place" in value and "players" in value


def _night_body(body: Mapping[str, Any], ids: Ids) -> dict[str, Any]:
    """Change the player in the body of an action of a live night, or in that of the action that it carries."""
    changed = dict(body)
    if type(body.get("player")) is int and body["player"] > 0:
        changed["player"] = moved(body["player"], Player, ids)
    if isinstance(body.get("body"), dict):
        changed["body"] = _night_body(body["body"], ids)
    return changed


def _held_raw(raw: Any, ids: Ids) -> Any:
    return _night_body(raw, ids) if isinstance(raw, dict) else raw


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
