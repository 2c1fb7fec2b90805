"""What the entry form shows of a pasted table: a menu above each column, the rows as read, what was not used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.vocabulary import gettext as _
from reading.finishing_order.lines import Line
from reading.finishing_order.order import FinishingOrder
from reading.tables.layouts import CHOSEN, HEADINGS, Column, Unused
from reading.tables.meanings import LABELS, Meaning
from reading.tables.pasted import AS_PLAYER, HEADING, OFFERED, PastedTable

MOST_UNUSED = 100
IN_FRONT = {Meaning.PLACE, Meaning.PLAYER}


@dataclass(frozen=True)
class Menu:
    """The menu above a column. The guess has an empty value, by which it is told from a choice."""

    name: str
    heading: str
    values: str
    options: tuple[tuple[str, str, bool], ...]
    is_sure: bool
    is_used: bool


@dataclass(frozen=True)
class Cell:
    """A cell beside place and name, as it was pasted."""

    label: str
    text: str
    is_used: bool
    is_score: bool  # shown below the name on a phone, where the columns are left out


@dataclass(frozen=True)
class UnusedPart:
    """A part of the text that was not used, and the answer that uses it after all."""

    where: str
    what: str
    text: str
    answer: str = ""


def pasted_context(order: FinishingOrder) -> dict[str, Any]:
    """Describe a pasted table for the page; nothing for an order typed line by line."""
    if not isinstance(order, PastedTable):
        return {}
    beside = [column for column in order.columns if column.meaning not in IN_FRONT and column.samples]
    texts = {row.line: row.cells for row in order.rows}
    shown = order.unused[:MOST_UNUSED]
    return {
        "table": order,
        "menus": [_menu(column) for column in order.columns if column.samples],
        "labels": [(_label(column), _is_used(column)) for column in beside],
        "table_rows": [(line, _cells(line, beside, texts)) for line in order.shown_lines],
        "unused": [_unused(item, order) for item in shown],
        "n_unused_more": len(order.unused) - len(shown),
    }


def _menu(column: Column) -> Menu:
    def value(meaning: Meaning) -> str:
        return "" if meaning == column.meaning and column.reason != CHOSEN else meaning.value

    options = tuple((value(meaning), str(LABELS[meaning]), meaning == column.meaning) for meaning in OFFERED)
    heading = column.heading or _("Column %(n)d") % {"n": column.index + 1}
    samples = ", ".join(column.samples)
    return Menu(f"meaning-{column.index}", heading, samples, options, column.is_sure, _is_used(column))


def _is_used(column: Column) -> bool:
    return column.meaning != Meaning.UNUSED


def _label(column: Column) -> str:
    return str(LABELS[column.meaning])


def _cells(line: Line, beside: Sequence[Column], texts: Mapping[int, tuple[str, ...]]) -> list[Cell]:
    cells = texts.get(line.number, ())
    return [
        Cell(
            _label(column),
            cells[column.index] if column.index < len(cells) else "",
            _is_used(column),
            is_score=column.meaning in {Meaning.SCORE, Meaning.BALANCE},
        )
        for column in beside
    ]


def _unused(item: Unused, order: PastedTable) -> UnusedPart:
    """Name a part that was not used; headings can be a player, if that is not asked above anyway."""
    kinds = {
        "column": _("a column"),
        "title": _("a title"),
        HEADINGS: _("the headings"),
        "repeated": _("the headings again"),
        "total": _("a total"),
        "empty": _("an empty line"),
        "row": _("a row without a place"),
        "cell": _("beside the table"),
    }
    where = (
        _("Line %(number)d") % {"number": item.line}
        if item.line
        else _("“%(heading)s”") % {"heading": item.text}
    )
    can_be_player = item.kind == HEADINGS and not any(question.id == HEADING for question in order.questions)
    answer = f"{HEADING}={AS_PLAYER}" if can_be_player else ""
    return UnusedPart(where, kinds[item.kind], item.text if item.line else "", answer)
