"""What is wrong with a table: one list for the form, the preview of an import and the commands."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

MOST_SHOWN = 100


@dataclass(frozen=True)
class Problem:
    """A mistake in a file or a pasted table.

    `line` is 0 for the whole of it; `value` is the cell as it is written, `remedy` a sentence that says what to do.
    """

    line: int
    column: str
    message: str
    value: str = ""
    remedy: str = ""
    file: str = ""  # if there are several

    def __str__(self) -> str:
        where = [self.file] if self.file else []
        where += [_("line %(line)d") % {"line": self.line}] if self.line else []
        place = ", ".join([*where, *([self.column] if self.column else [])])
        told = f"{place}: {self.message}" if place else self.message
        return f"{told.rstrip('.')}. {self.remedy}" if self.remedy else told


def shown(problems: Iterable[Problem]) -> tuple[tuple[Problem, ...], int]:
    """Choose the first problems by file and line, at most MOST_SHOWN, and count the rest."""
    in_order = sorted(problems, key=lambda problem: (problem.file, problem.line))
    return tuple(in_order[:MOST_SHOWN]), max(0, len(in_order) - MOST_SHOWN)


def most_frequent_column(problems: Iterable[Problem]) -> tuple[str, int]:
    """Name the column with the most problems, and how many: often the table needs another column there."""
    counts = Counter(problem.column for problem in problems if problem.column)
    return counts.most_common(1)[0] if counts else ("", 0)
