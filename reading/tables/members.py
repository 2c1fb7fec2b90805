"""Read a list of members: a table or a name a line. Only names are kept, whatever else is pasted with them."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _

from reading.finishing_order.lines import lines_of
from reading.finishing_order.marks import NUMBERING, PLACE
from reading.names.contacts import without_contacts
from reading.names.keys import name_key
from reading.names.no_names import is_total
from reading.names.rules import clean_name, name_problem
from reading.problems import Problem
from reading.tables.columns import can_be_names, guess
from reading.tables.grids import BadGrid, Grid, find_delimiter, read_grid
from reading.tables.layouts import HEADINGS, TOTALS, Unused
from reading.tables.meanings import Meaning, meaning_of_heading


@dataclass(frozen=True)
class ReadMembers:
    """The names of a list, what of it is not kept, and what is wrong with it."""

    names: tuple[str, ...] = ()
    unused: tuple[Unused, ...] = ()
    problems: tuple[Problem, ...] = ()


def read_members(text: str, known: Collection[str]) -> ReadMembers:
    """Read a list of members; `known` are the keys of the club's names, by which the column of names is found."""
    try:
        grid = read_grid(text) if find_delimiter(text) else None
    except BadGrid as error:
        return ReadMembers(problems=(Problem(error.line, "", str(error)),))
    if grid is None or _are_turned_names(grid):
        return _read([(line, raw) for line, raw in enumerate(lines_of(text), start=1) if raw.strip()], [])
    layout = guess(grid, known=known)
    if Meaning.PLAYER not in layout.meanings:
        return ReadMembers(problems=(Problem(0, "", _("No column holds the names.")),))
    columns = [
        Unused(0, column.heading or ", ".join(column.samples), "column")
        for column in layout.columns
        if column.meaning not in {Meaning.PLAYER, Meaning.SECOND_NAME} and column.samples
    ]
    beside = [unused for unused in layout.unused if unused.line and unused.text]
    return _read([(row.line, layout.cell(row, Meaning.PLAYER)) for row in layout.body], [*columns, *beside])


def _are_turned_names(grid: Grid) -> bool:
    """Tell whether each line is one name, written "Lee, Ann"."""
    rows = [row for row in grid.rows if not row.is_empty]
    has_heading = any(meaning_of_heading(cell) for cell in rows[0].cells)
    are_pairs = all(len(row.cells) == 2 and all(row.cells) for row in rows)  # noqa: PLR2004  family and given name
    return (
        grid.delimiter == ","
        and are_pairs
        and not has_heading
        and can_be_names([row.cells[1] for row in rows])
    )


def _read(texts: list[tuple[int, str]], unused: list[Unused]) -> ReadMembers:
    names: dict[str, str] = {}
    problems = []
    for line, text in texts:
        is_heading = meaning_of_heading(text.strip(" :")) == Meaning.PLAYER or text.endswith((":", "："))
        if is_heading or is_total(text):
            unused.append(Unused(line, text, TOTALS if is_total(text) else HEADINGS))
            continue
        rest, contacts = without_contacts(text)
        unused += [Unused(line, contact, "cell") for contact in contacts]
        name = clean_name(_without_number(rest))
        if not name:
            continue
        if problem := name_problem(name):
            problems.append(Problem(line, "", problem, name))
        names.setdefault(name_key(name), name)
    return ReadMembers(
        tuple(names.values()), tuple(sorted(unused, key=lambda one: one.line)), tuple(problems)
    )


def _without_number(text: str) -> str:
    for number in (NUMBERING, PLACE, re.compile(r"^[-–•*・]\s+")):
        text = number.sub("", text.strip())
    return text
