"""Columns that could have the same meaning: which one has it is asked."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from reading.problems import Problem
from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.columns import can_be_names
from reading.tables.layouts import CHOSEN, HEADING, REMEMBERED, VALUES, Column, Layout
from reading.tables.meanings import LABELS, WEAK_HEADINGS, Meaning, heading_key, meaning_of_heading

ASKED_ABOUT = (Meaning.PLAYER, Meaning.PLACE)
FIGURES = "0123456789 "


@dataclass(frozen=True)
class Settled:
    """The meanings that were chosen by answers, and what is wrong if tables stand side by side."""

    chosen: Mapping[int, Meaning]
    problems: tuple[Problem, ...] = ()


def settle(layout: Layout, prefix: str, asked: Asked) -> Settled:
    """Ask which column has a meaning that several columns could have; `prefix` is the sheet's."""
    chosen: dict[int, Meaning] = {}
    problems = []
    for meaning in ASKED_ABOUT:
        column = next((column for column in layout.columns if column.meaning == meaning), None)
        if column is None or column.reason in {CHOSEN, REMEMBERED}:
            continue
        rivals = [other for other in layout.columns if _is_rival(layout, column, other)]
        if not rivals:
            continue
        texts = [(one.index, _text_of(one)) for one in (column, *rivals)]
        answer = questions.which_column(f"{prefix}{meaning}", str(LABELS[meaning]), texts, asked)
        if answer == questions.SEVERAL:
            remedy = _("Put the tables below each other, or into a file each.")
            problems.append(Problem(0, meaning.value, _("Tables stand side by side."), remedy=remedy))
        elif int(answer) != column.index:
            chosen |= {column.index: Meaning.UNUSED, int(answer): meaning}
    return Settled(chosen, tuple(problems))


def _is_rival(layout: Layout, column: Column, other: Column) -> bool:
    """Tell whether an unused column could have the meaning of another column."""
    if other.meaning != Meaning.UNUSED or other.reason in {CHOSEN, REMEMBERED} or not other.samples:
        return False
    if meaning_of_heading(other.heading.strip(FIGURES)) == column.meaning:
        return heading_key(other.heading) not in WEAK_HEADINGS
    if column.meaning != Meaning.PLAYER or column.reason != VALUES or other.reason == HEADING:
        return False
    cells = [row.cells[other.index] for row in layout.body if other.index < len(row.cells)]
    return can_be_names(cells)


def _text_of(column: Column) -> str:
    samples = ", ".join(column.samples)
    return f"{column.heading}: {samples}" if column.heading else samples
