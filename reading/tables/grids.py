"""Divide text into rows and cells: commas, semicolons, tabs, or columns set off by spaces."""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

DELIMITERS = ("\t", ";", ",", "|")
MOST_COLUMNS = 1_000
SAMPLE = 300  # lines that decide about the delimiter
BLANK = " \t\u3000\xa0"
SEP = re.compile(r'"?sep=(.)"?\n', re.IGNORECASE)
WIDE_GAP = re.compile(r"\s{2,}|\t")


@dataclass(frozen=True)
class Row:
    """Cells of a row without outer blanks, and the line of the text in which it begins."""

    line: int
    cells: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not any(self.cells)

    @property
    def text(self) -> str:
        return " ".join(filter(None, self.cells))


@dataclass(frozen=True)
class Grid:
    """Rows of one table; `name` is that of the sheet or file."""

    name: str
    rows: tuple[Row, ...]
    delimiter: str = ""

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)


class BadGrid(ValueError):
    """Text that cannot be divided into cells; `line` is where it goes wrong."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def row_of(line: int, cells: Sequence[str]) -> Row:
    """Make a row; of one that is wider than a table can be, the empty cells at its end are left out.

    Raise BadGrid if it is too wide without them: reading takes time for each column.
    """
    n = len(cells)
    if n > MOST_COLUMNS:
        while n and not cells[n - 1]:
            n -= 1
        if n > MOST_COLUMNS:
            raise BadGrid(
                line, _("This row has %(n)d cells; %(most)d is the most.") % {"n": n, "most": MOST_COLUMNS}
            )
    return Row(line, tuple(cells[:n]))


def read_grid(text: str, name: str = "", *, delimiter: str = "") -> Grid:
    """Divide a text into rows.

    Parameters
    ----------
    text : str
        With or without a byte order mark; a first line `sep=;` names the delimiter.
    delimiter : str
        Empty: the one that gives the most rows the same number of cells.

    Raises
    ------
    BadGrid
        For a quote that is never closed, and for a cell of more than 131,072 letters.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    skipped = 0
    if match := SEP.match(text):
        delimiter, skipped = match[1], 1
        text = text[match.end() :]
    delimiter = delimiter or find_delimiter(text)
    rows = _rows(text, delimiter, skipped) if delimiter else _rows_by_gaps(text, skipped)
    return Grid(name, rows, delimiter)


def grid_of_records(records: Sequence[Mapping[str, Any]], name: str) -> Grid:
    """Make a table of records: a column for each key, in the order in which the keys first stand."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    row_of(0, list(map(str, keys)))  # before a cell is made for each key of each record
    rows = [[record.get(key) for key in keys] for record in records]
    cells: list[list[Any]] = [keys, *rows]
    return Grid(name, tuple(Row(n, tuple(map(_written, row))) for n, row in enumerate(cells, start=1)))


def _written(value: Any) -> str:
    """Write a value as a cell; of an object that has one, its name."""
    if isinstance(value, dict):
        value = value.get("name")
    if isinstance(value, dict | list):
        raise BadGrid(0, _("A record holds a list where a text or a number is expected."))
    return "" if value is None else " ".join(str(value).split())


def find_delimiter(text: str) -> str:
    """Find the delimiter that divides most lines into the same number of cells; "" if none divides any."""
    lines = [line for line in islice(text.split("\n"), SAMPLE) if line.strip()]
    best, best_score = "", (0.0, 0)
    for delimiter in DELIMITERS:
        if not any(delimiter in line for line in lines):
            continue
        counts = Counter(len(cells) for cells in _loosely(lines, delimiter))
        n_cells, n_lines = max(counts.items(), key=lambda item: (item[0] > 1, item[1]))
        n_divided = sum(count for n, count in counts.items() if n > 1)
        if n_divided * 2 <= len(lines):
            continue
        if n_cells > 1 and (score := (n_lines / len(lines), n_cells)) > best_score:
            best, best_score = delimiter, score
    return best


def _loosely(lines: list[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return [line.split(delimiter) for line in lines]


def _rows(text: str, delimiter: str, skipped: int) -> tuple[Row, ...]:
    try:
        return _read(text, delimiter, skipped, strict=True)
    except BadGrid:
        raise
    except csv.Error:  # a quote within a cell, which is not CSV, but means itself
        return _read(text, delimiter, skipped, strict=False)


def _read(text: str, delimiter: str, skipped: int, *, strict: bool) -> tuple[Row, ...]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=strict)
    rows: list[Row] = []
    first = 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return tuple(rows)
        except csv.Error as error:
            if "unexpected end" in str(error):
                raise BadGrid(first + skipped, _('A quote (") that begins here is never closed.')) from error
            if "field limit" in str(error):
                raise BadGrid(first + skipped, _('A cell is too long. Is a quote (") missing?')) from error
            raise
        rows.append(row_of(first + skipped, [cell.strip(BLANK + "\n") for cell in cells]))
        first = reader.line_num + 1


def _rows_by_gaps(text: str, skipped: int) -> tuple[Row, ...]:
    """Divide lines where at least two spaces stand; single spaces are parts of a name."""
    return tuple(
        row_of(number + skipped, WIDE_GAP.split(line.strip(BLANK)))
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1)
    )
