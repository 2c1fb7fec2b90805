"""Answers about one sheet of a workbook, and lines that tell its sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reading.event_files.reader import FileEvent
from reading.problems import Problem
from reading.tables.grids import Grid, Row
from reading.tables.layouts import Unused
from reading.tables.meanings import Meaning

STEP = 10_000_000  # more than the lines of any sheet
MEANING, CELL, ROW, OUT = "meaning:", "cell:", "row:", "out"


def prefix_of(number: int) -> str:
    """Return the prefix of answers about a sheet; empty for the first sheet."""
    return f"{number}!" if number > 1 else ""


def answers_about(answers: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Choose the answers that begin with the prefix of a sheet or file."""
    return {key.removeprefix(prefix): value for key, value in answers.items() if key.startswith(prefix)}


def chosen_meanings(answers: Mapping[str, str]) -> dict[int, Meaning]:
    """Read the meanings that were chosen for columns, by index."""
    chosen = {key.removeprefix(MEANING): value for key, value in answers.items() if key.startswith(MEANING)}
    return {
        int(index): Meaning(value)
        for index, value in chosen.items()
        if index.isdecimal() and value in set(Meaning)
    }


def mended(grid: Grid, answers: Mapping[str, str]) -> Grid:
    """Put in the cells that were mended, and leave out the rows that are not wanted."""
    cells = {key: value for key, value in answers.items() if key.startswith(CELL)}
    if not cells and not any(key.startswith(ROW) for key in answers):
        return grid
    width = grid.width
    rows = (_mended(row, width, cells) for row in grid.rows if answers.get(f"{ROW}{row.line}") != OUT)
    return replace(grid, rows=tuple(rows))


def _mended(row: Row, width: int, cells: Mapping[str, str]) -> Row:
    """Put in the cells of a row, which may be shorter than the table."""
    typed = {i: cells[key] for i in range(width) if (key := f"{CELL}{row.line}:{i}") in cells}
    if not typed:
        return row
    n_cells = max(len(row.cells), *(i + 1 for i in typed))
    padded = (*row.cells, *[""] * (n_cells - len(row.cells)))
    return replace(row, cells=tuple(typed.get(i, cell) for i, cell in enumerate(padded)))


def numbered(grid: Grid, number: int) -> Grid:
    """Number the lines of a sheet so that no other sheet has the same."""
    return replace(grid, rows=tuple(replace(row, line=number * STEP + row.line) for row in grid.rows))


class Sheets:
    """The names of the sheets of a workbook, to tell where a numbered line stands; empty for a file of one table."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def name_of(self, line: int) -> str:
        number = line // STEP
        return self.names[number - 1] if number else ""

    def problem(self, problem: Problem) -> Problem:
        return replace(problem, line=problem.line % STEP, file=self.name_of(problem.line))

    def unused(self, unused: Unused) -> Unused:
        return replace(unused, line=unused.line % STEP, sheet=self.name_of(unused.line))

    def event(self, event: FileEvent) -> FileEvent:
        lines = tuple(line % STEP for line in event.lines)
        return replace(event, line=event.line % STEP, lines=lines, file=self.name_of(event.line))
