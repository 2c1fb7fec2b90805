"""Read results in JSON (docs/event-files.md): the same columns, with the entries inside their events."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from reading.event_files.reader import COLUMNS, EVENT_COLUMNS

FORMAT = "tierboard-events/1"
EVENT_FIELDS = ("event", *EVENT_COLUMNS)
ENTRY_FIELDS = tuple(column for column in COLUMNS if column not in EVENT_FIELDS)


class BadJson(ValueError):
    """JSON that is not in the format; the message names the line or the object."""


def is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def is_list_of_records(text: str) -> bool:
    """Tell whether JSON is a list of plain records, a row each, as many programs write their tables."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):  # also numbers of thousands of digits
        return False
    return isinstance(content, list) and bool(content) and all(isinstance(record, dict) for record in content)


def rows_of_json(text: str) -> tuple[list[str], list[tuple[int, list[str]]], dict[int, str]]:
    """Turn JSON into rows under COLUMNS, each with a number; return also the path of each row in the file."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        line = getattr(error, "lineno", 1)
        raise BadJson(_("line %(line)d: this is no JSON") % {"line": line}) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadJson(_("“format” must be “%(format)s”.") % {"format": FORMAT})
    rows, paths = [], {}
    for number, (path, row) in enumerate(_rows(content.get("events")), start=1):
        paths[number] = path
        rows.append((number, [row.get(column, "") for column in COLUMNS]))
    return list(COLUMNS), rows, paths


def _rows(events: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for i, event in enumerate(_objects("events", events)):
        head = {name: _cell(f"events[{i}].{name}", event.get(name)) for name in EVENT_FIELDS}
        for j, entry in enumerate(_objects(f"events[{i}].entries", event.get("entries"))):
            path = f"events[{i}].entries[{j}]"
            yield path, head | {name: _cell(f"{path}.{name}", entry.get(name)) for name in ENTRY_FIELDS}


def _objects(name: str, values: Any) -> list[Mapping[str, Any]]:
    if not isinstance(values, list) or not values or not all(isinstance(value, dict) for value in values):
        raise BadJson(_("%(name)s must be a list of objects, at least one.") % {"name": name})
    return values


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadJson(_("%(name)s must be a text or a number.") % {"name": name})
    return " ".join(str(value).splitlines())
