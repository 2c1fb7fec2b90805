"""Change the text of a finishing order by its tools: add, move, tie, re-enter and remove a name, or set its times."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reading.finishing_order.lines import CHOP, MAX_ENTRIES_OF_ONE, Finisher, lines_of
from reading.finishing_order.messages import read_lines

ARRIVAL = re.compile(r"\s+in\s?\d{1,2}:\d{2}", re.IGNORECASE)
BUST = re.compile(r"\s*@\s?\d{1,2}:\d{2}")
N_ENTRIES = re.compile(r"\s+[x×]\d{1,3}", re.IGNORECASE)
CLOCK = re.compile(r"\d{1,2}:\d{2}")


@dataclass(frozen=True)
class Row:
    """A name with its marks, or a line that is not understood, which moves with no other."""

    text: str
    is_tied: bool = False  # with the row above
    finisher: Finisher | None = None  # None for a line that is not understood


@dataclass(frozen=True)
class Edit:
    """A press of a tool: the name it belongs to, what it does, and a place or time."""

    ref: str
    action: str
    value: str = ""

    @classmethod
    def parse(cls, text: str) -> "Edit":
        """Parse "REF:ACTION" or "REF:ACTION:VALUE"."""
        ref, _colon, rest = text.partition(":")
        action, _colon, value = rest.partition(":")
        return cls(ref, action, value)


@dataclass(frozen=True)
class Edited:
    """A changed text, and the name that was changed as it is addressed in it; "" if it was removed."""

    text: str
    ref: str = ""


def add_name(text: str, name: str) -> str:
    return f"{text.rstrip()}\n{name}".lstrip()


def apply_edit(text: str, edit: Edit, known: Mapping[str, object]) -> Edited:
    """Apply a tool to a text; one that does not fit, such as "up" on the first name, changes nothing."""
    if any(line.asks_first for line in read_lines(lines_of(text), known)):
        return Edited(text, edit.ref)
    rows = _rows(text, known)
    places = [i for i, row in enumerate(rows) if row.finisher and row.finisher.ref == edit.ref]
    action = ACTIONS.get(edit.action)
    if not places or action is None:
        return Edited(text)
    changed = _without_lone_chops(action(rows, places[0], edit.value))
    if [(row.text, row.is_tied) for row in changed] == [(row.text, row.is_tied) for row in rows]:
        return Edited(text, edit.ref)
    return Edited(_text(changed), _ref_of(changed, rows[places[0]].finisher))


def _without_lone_chops(rows: Sequence[Row]) -> list[Row]:
    """Remove the mark of a chop from names that are no longer tied."""
    return [_marked(row, CHOP, "") if _chops_alone(rows, i) else row for i, row in enumerate(rows)]


def _chops_alone(rows: Sequence[Row], i: int) -> bool:
    finisher = rows[i].finisher
    return finisher is not None and finisher.is_chop and _tie_of(rows, i) == (i, i + 1)


def _rows(text: str, known: Mapping[str, object]) -> list[Row]:
    rows: list[Row] = []
    for line in read_lines(lines_of(text), known):
        if line.left_out:
            continue  # without the places of the others nothing would tell that it is no player
        if line.error:
            rows.append(Row(line.text))
            continue
        for finisher in line.finishers:
            is_tied = bool(rows) and (finisher.position > 0 or line.joins_above)
            rows.append(Row(finisher.written, is_tied, finisher))
    return rows


def _lines(rows: Sequence[Row]) -> list[list[Row]]:
    """Put tied rows into one line, but not beside a line that is not understood."""
    lines: list[list[Row]] = []
    for row in rows:
        if row.is_tied and lines and lines[-1][-1].finisher:
            lines[-1].append(row)
        else:
            lines.append([row])
    return lines


def _text(rows: Sequence[Row]) -> str:
    return "\n".join("= " * line[0].is_tied + " = ".join(row.text for row in line) for line in _lines(rows))


def _ref_of(rows: Sequence[Row], finisher: Finisher | None) -> str:
    for number, line in enumerate(_lines(rows), start=1):
        for position, row in enumerate(line):
            if row.finisher is finisher:
                return f"{number}.{position}"
    return ""


def _tie_of(rows: Sequence[Row], i: int) -> tuple[int, int]:
    """Find the first row of the tie that a row is part of, and the one after its last."""
    first, end = i, i + 1
    while first > 0 and rows[first].is_tied:
        first -= 1
    while end < len(rows) and rows[end].is_tied:
        end += 1
    return first, end


def _taken_out(rows: Sequence[Row], i: int) -> list[Row]:
    """List the rows without one; the next of its tie takes its place."""
    rest = [*rows[:i], *rows[i + 1 :]]
    if i < len(rest) and rest[i].is_tied:
        rest[i] = replace(rest[i], is_tied=rows[i].is_tied)
    return rest


def _put(rows: Sequence[Row], row: Row, at: int, *, is_tied: bool = False) -> list[Row]:
    return [*rows[:at], replace(row, is_tied=is_tied), *rows[at:]]


def _up(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    """Move above the tie that a row is part of, or above the row or tie before it."""
    first, end = _tie_of(rows, i)
    if end - first == 1 and i > 0:
        first, _end = _tie_of(rows, i - 1)
    return _put(_taken_out(rows, i), rows[i], first)


def _down(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    first, end = _tie_of(rows, i)
    if end - first == 1 and end < len(rows):
        _first, end = _tie_of(rows, end)
    return _put(_taken_out(rows, i), rows[i], end - 1)


def _to(rows: Sequence[Row], i: int, value: str) -> list[Row]:
    """Move to a position, counted from 1; between two tied rows it ties with them."""
    if not value.isdecimal() or len(value) > len(str(len(rows))):
        return list(rows)
    rest = _taken_out(rows, i)
    at = max(0, min(int(value) - 1, len(rest)))
    return _put(rest, rows[i], at, is_tied=at < len(rest) and rest[at].is_tied)


def _tie(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    if i == 0:
        return list(rows)
    return [*rows[:i], replace(rows[i], is_tied=True), *rows[i + 1 :]]


def _untie(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    """Take a row out of its tie: the first stays above the others, another goes below them."""
    first, end = _tie_of(rows, i)
    return _put(_taken_out(rows, i), rows[i], first if i == first else end - 1)


def _enter_again(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    """Count one more entry of a player, up to the most; an earlier entry with its own place stays as it is."""
    finisher = rows[i].finisher
    if finisher is None or finisher.number is not None:
        return list(rows)
    n_entries = min(finisher.n_entries + 1, MAX_ENTRIES_OF_ONE)
    return _with_mark(rows, i, N_ENTRIES, f" x{n_entries}")


def _remove(rows: Sequence[Row], i: int, _value: str) -> list[Row]:
    return _taken_out(rows, i)


def _arrive(rows: Sequence[Row], i: int, value: str) -> list[Row]:
    return _with_time(rows, i, ARRIVAL, " in ", value)


def _bust(rows: Sequence[Row], i: int, value: str) -> list[Row]:
    return _with_time(rows, i, BUST, " @", value)


def _with_time(rows: Sequence[Row], i: int, mark: re.Pattern[str], sign: str, value: str) -> list[Row]:
    if value and not CLOCK.fullmatch(value):
        return list(rows)
    return _with_mark(rows, i, mark, sign + value if value else "")


def _with_mark(rows: Sequence[Row], i: int, mark: re.Pattern[str], new: str) -> list[Row]:
    return [*rows[:i], _marked(rows[i], mark, new), *rows[i + 1 :]]


def _marked(row: Row, mark: re.Pattern[str], new: str) -> Row:
    """Replace a mark, or add it after the others."""
    assert row.finisher is not None
    tokens = row.finisher.tokens
    return replace(row, text=row.finisher.spelt + mark.sub("", tokens) + new)


ACTIONS: dict[str, Callable[[Sequence[Row], int, str], list[Row]]] = {
    "up": _up,
    "down": _down,
    "to": _to,
    "tie": _tie,
    "untie": _untie,
    "again": _enter_again,
    "remove": _remove,
    "in": _arrive,
    "out": _bust,
}
