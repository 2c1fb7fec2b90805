"""Write large output as JSON piece by piece, so that it is never in memory as a whole."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

BATCH = 1_000  # rows of a piece


def json_pieces(output: Mapping[str, Any]) -> Iterator[str]:
    """Yield the pieces of an object on one line; the rows of its iterators become lists."""
    before = "{"
    for name, value in output.items():
        yield f"{before}{_text(name)}: "
        yield from _list_pieces(value) if isinstance(value, Iterator) else [_text(value)]
        before = ", "
    yield "}"


def _list_pieces(rows: Iterator[Any]) -> Iterator[str]:
    before = "["
    while batch := list(islice(rows, BATCH)):
        yield before + _text(batch)[1:-1]
        before = ", "
    yield "]" if before == ", " else "[]"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
