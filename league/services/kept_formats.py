"""Earlier formats of kept rows, and the way from them to the present one.

Kept rows lie in the bin, in the history, in imports, in merges and in archives, and outlive releases. A change of their
format raises FORMAT and adds its step to `upgraded`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from league.database.bulk import field_of
from league.models import Entry, Event, Player

FORMAT = 2
Data = Mapping[str, Any]


def upgraded(data: Data) -> Data:
    """Return kept rows in the present format."""
    if data.get("format") == FORMAT:
        return data
    if "tables" in data:  # of the bin, without a number
        return {**data, "format": FORMAT}
    if "of_entries" in data:
        return _upgraded_import(data)
    return _upgraded_version(data)


def _upgraded_version(data: Data) -> Data:
    """Take over a version of a result from the history, which does not name its event (KeptRows.of_event)."""
    columns = (
        "id", "player_id", "number", "place", "is_last", "registered_at", "busted_at", "knockouts", "cost", "score",
        "balance", "chips", "penalty", "seat",
    )  # fmt: skip
    event, entries = data["event"], data["entries"]
    tables = [
        _table(Event, ["id", *event], [[None, *event.values()]]),
        _table(Entry, ["event_id", *columns], [[None, *row] for row in entries]),
    ]
    return _kept(tables, data["players"])


def _upgraded_import(data: Data) -> Data:
    """Take over what an import kept of a result: texts by column. Rows about its entries are in the history as well."""
    tables = [_table_of_texts(Event, [data["event"]]), _table_of_texts(Entry, data["entries"])]
    return _kept(tables, _table_of_texts(Player, data["guests"]))


def _kept(tables: Sequence[Data], players: Data) -> Data:
    return {"format": FORMAT, "root": "", "tables": tables, "links": [], "players": players}


def _table(model: Any, fields: list[str], rows: list[Any]) -> dict[str, Any]:
    return {"label": model._meta.label_lower, "fields": fields, "rows": rows}


def _table_of_texts(model: Any, rows: list[dict[str, Any]]) -> dict[str, Any]:
    fields = [each.attname for each in model._meta.concrete_fields if rows and each.attname in rows[0]]
    return _table(model, fields, [[_value(model, name, row[name]) for name in fields] for row in rows])


def _value(model: Any, name: str, text: Any) -> Any:
    """Read a number or a truth value; anything else is in kept rows as it was in the text."""
    value = None if text is None else field_of(model, name).to_python(text)
    return value if isinstance(value, int) else text
