"""How a table is laid out: where its headings are, what its columns mean, which rows are entries."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reading.tables.grids import Row
from reading.tables.meanings import LABELS, Meaning

HEADING, VALUES, REMEMBERED, CHOSEN, NOTHING = "heading", "values", "remembered", "chosen", "nothing"
WHY = {
    HEADING: gettext_lazy("by its heading"),
    VALUES: gettext_lazy("by its values"),
    REMEMBERED: gettext_lazy("as chosen before"),
    CHOSEN: gettext_lazy("as chosen"),
}
TITLE, TOTALS, EMPTY, HEADINGS, REPEATED = "title", "total", "empty", "heading", "repeated"
STRUCK = "struck"  # a row of a name that is said to be no player


@dataclass(frozen=True)
class Column:
    """A column and what it means; `reason` says why: heading, values, remembered, chosen or nothing."""

    index: int
    heading: str
    meaning: Meaning
    is_sure: bool
    reason: str
    samples: tuple[str, ...]

    @property
    def why(self) -> str:
        """Say where the meaning comes from; empty if there is none."""
        return str(WHY.get(self.reason, ""))


@dataclass(frozen=True)
class Unused:
    """A part of the text that is not read: a column, a row or a cell."""

    line: int  # 0: a column
    text: str
    kind: str
    sheet: str = ""  # if there are several


@dataclass(frozen=True)
class Layout:
    """How a table is read: where its headings are, what its columns mean, which rows are entries."""

    heading_line: int | None
    columns: tuple[Column, ...]
    body: tuple[Row, ...]
    unused: tuple[Unused, ...]

    @cached_property
    def _indices(self) -> dict[Meaning, int]:
        return {column.meaning: column.index for column in reversed(self.columns)}

    def index_of(self, meaning: Meaning) -> int | None:
        return self._indices.get(meaning)

    def cell(self, row: Row, meaning: Meaning) -> str:
        """Return a row's cell with this meaning, joining names in two columns; "" without a column."""
        if meaning == Meaning.PLAYER and Meaning.SECOND_NAME in self._indices:
            parts = sorted(self._indices.get(part, -1) for part in (Meaning.PLAYER, Meaning.SECOND_NAME))
            return " ".join(filter(None, (row.cells[i] for i in parts if 0 <= i < len(row.cells))))
        index = self.index_of(meaning)
        return row.cells[index] if index is not None and index < len(row.cells) else ""

    def cells(self, row: Row) -> dict[Meaning, str]:
        """Return all cells of a row that mean something."""
        n = len(row.cells)
        cells: dict[Meaning, str] = {
            meaning: row.cells[i] if i < n else ""
            for meaning, i in self._indices.items()
            if meaning != Meaning.UNUSED
        }
        if Meaning.SECOND_NAME in cells:
            cells[Meaning.PLAYER] = self.cell(row, Meaning.PLAYER)
        return cells

    @property
    def begins_again(self) -> int:
        """The line of headings that stand again below a title, as those of another event do; 0 without one."""
        kinds = {unused.line: unused.kind for unused in self.unused}
        again = (line for line, kind in kinds.items() if kind == REPEATED)
        return next((line for line in again if kinds.get(line - 1) == TITLE), 0)

    @property
    def doubled(self) -> list[Meaning]:
        """The meanings that were chosen for several columns."""
        counts = Counter(column.meaning for column in self.columns if column.meaning != Meaning.UNUSED)
        return [meaning for meaning, count in counts.items() if count > 1]

    def doubled_message(self, meaning: Meaning) -> str:
        return _("Two columns are called “%(meaning)s”: choose another meaning for one.") % {
            "meaning": LABELS[meaning]
        }

    @property
    def meanings(self) -> set[Meaning]:
        return {column.meaning for column in self.columns} - {Meaning.UNUSED}
