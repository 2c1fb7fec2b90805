"""Read the events of a JSON file as the CSV of the same events."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from league.event_files.reader import COLUMNS
from league.problems import Problem

FORMAT = "tierboard-events/1"
EVENT_FIELDS = ("event", "date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size")
ENTRY_FIELDS = ("player", "place", "number", "registered_at", "busted_at", "balance", "late")


def is_json(text: str) -> bool:
    return text.lstrip().startswith(("{", "["))


def csv_of_json(name: str, text: str) -> tuple[str, tuple[str, ...]]:
    """Write the events as CSV; return it with the path in the JSON of the entry on each line.

    Raise a ValueError that names the file.
    """
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f'{name}: format must be "{FORMAT}"')
    json_paths = [""]
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for json_path, row in _rows(name, content.get("events")):
        json_paths.append(json_path)
        writer.writerow(row)
    return buffer.getvalue(), tuple(json_paths)


def locate_in_json(problem: Problem, json_paths: tuple[str, ...]) -> Problem:
    if not problem.line:
        return problem
    field = f"{json_paths[problem.line - 1]}.{problem.column}".strip(".")
    return Problem(0, "", f"{field}: {problem.message}")


def _rows(name: str, events: Any) -> Iterator[tuple[str, dict[str, str]]]:
    for i, event in enumerate(_objects(name, "events", events)):
        head = {field: _cell(name, f"events[{i}].{field}", event.get(field)) for field in EVENT_FIELDS}
        for j, entry in enumerate(_objects(name, f"events[{i}].entries", event.get("entries"))):
            json_path = f"events[{i}].entries[{j}]"
            cells = {field: _cell(name, f"{json_path}.{field}", entry.get(field)) for field in ENTRY_FIELDS}
            yield json_path, head | cells


def _objects(name: str, field: str, values: Any) -> list[Mapping[str, Any]]:
    if not isinstance(values, list) or not values or not all(isinstance(value, dict) for value in values):
        raise ValueError(f"{name}, {field}: must be a list of objects, at least one")
    return values


def _cell(name: str, field: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{name}, {field}: must be a text or a number, got {json.dumps(value)}")  # noqa: TRY004  bad input
    return " ".join(str(value).splitlines())
