"""Divide lines of messages, whose columns are set off by single spaces: a place, a name, numbers."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from reading.finishing_order.lines import lines_of
from reading.finishing_order.marks import TOKENS
from reading.names.keys import name_key
from reading.names.no_names import LINK, is_title, is_total
from reading.tables.grids import BLANK, Grid, Row
from reading.tables.layouts import TITLE, Unused
from reading.tables.meanings import Meaning, meaning_of_heading
from reading.tables.values import number, place

# The 1 of "Player 1" is part of the name; a number of a table has a sign, a decimal or three figures.
CLEAR_NUMBER = re.compile(r"[+\-−–▲△].+|.*\d[.,]\d.*|\D?\d{3,}\D?")
CIRCLED = re.compile(r"^\s*([①-⑳㉑-㉟])\s*(?=\S)")


@dataclass(frozen=True)
class Spaced:
    """A table of lines; `has_headings` if its first line looks like headings, `unused` is what stands around it."""

    grid: Grid
    has_headings: bool = False
    unused: tuple[Unused, ...] = ()


@dataclass(frozen=True)
class _Parts:
    """A line as place, name and the numbers behind it, each as typed."""

    line: int
    text: str
    place: str
    words: tuple[str, ...]
    numbers: tuple[str, ...]

    def cells(self, n_numbers: int, *, has_place: bool) -> tuple[str, ...]:
        rest = len(self.numbers) - n_numbers
        name = " ".join((*self.words, *self.numbers[:rest]))
        return (*((self.place,) if has_place else ()), name, *self.numbers[rest:])


def read_spaced(text: str, known: Collection[str], *, has_heading: bool | None = None) -> "Spaced | None":
    """Divide a text into rows if all lines but titles, links and totals have one shape; None for a list of names."""
    lines = [(i, raw.strip(BLANK)) for i, raw in enumerate(lines_of(text), start=1)]
    shown = [(i, line) for i, line in lines if line]
    others = {i for i, line in shown if _is_beside(i, line, shown, known)}
    filled = [(i, line) for i, line in shown if i not in others]
    if len(filled) < 2 or any(_is_marked(line) for _i, line in filled):  # noqa: PLR2004  two players
        return None
    headings = _headings(filled[0][1])
    is_row = has_heading is False or not headings
    body = [_parts(i, line) for i, line in (filled if is_row and not headings else filled[1:])]
    has_place = all(parts.place for parts in body)
    n_numbers = min(len(parts.numbers) for parts in body)
    if headings and len(headings) != has_place + 1 + n_numbers:
        return None
    if not headings and not _is_table(body, known, n_numbers, has_place=has_place):
        return None
    rows = [Row(parts.line, parts.cells(n_numbers, has_place=has_place)) for parts in body]
    if headings:
        first, line = filled[0]
        cells = ("",) * has_place + (line,) + ("",) * n_numbers if is_row else tuple(line.split())
        rows.insert(0, Row(first, cells))
    empty = [Row(i, ("",)) for i, line in lines if not line]
    grid = Grid("", tuple(sorted([*rows, *empty], key=lambda row: row.line)))
    return Spaced(grid, bool(headings), tuple(Unused(i, line, TITLE) for i, line in shown if i in others))


def _is_beside(i: int, line: str, shown: Sequence[tuple[int, str]], known: Collection[str]) -> bool:
    """Tell whether a line is a title, a link or a total beside the table; its headings are none of these."""
    if name_key(line) in known or _headings(line):
        return False
    is_edge = i in {shown[0][0], shown[-1][0]}
    return is_total(line) or not LINK.sub("", line).strip() or (is_edge and is_title(line))


def _is_marked(line: str) -> bool:
    """Tell whether a line is typed as one of a finishing order: with a mark behind the name or a tie."""
    return " = " in line or line.startswith("=") or any(pattern.search(line) for _name, pattern in TOKENS)


def _headings(line: str) -> list[Meaning]:
    """List the meanings of a line in which every word is a heading and one names the players."""
    found = [meaning for word in line.split() if (meaning := meaning_of_heading(word))]
    return found if len(found) == len(line.split()) and Meaning.PLAYER in found else []


def _parts(i: int, line: str) -> _Parts:
    words = CIRCLED.sub(r"\1 ", line).split()
    read = place(words[0]) if len(words) > 1 else None
    at = words.pop(0) if read and read.number else ""
    numbers: list[str] = []
    while len(words) > 1 and number(words[-1]) is not None:
        numbers.insert(0, words.pop())
    return _Parts(i, line, at, tuple(words), tuple(numbers))


def _is_table(body: Sequence[_Parts], known: Collection[str], n_numbers: int, *, has_place: bool) -> bool:
    """Tell whether lines without headings are a table: their numbers are clear, or stand behind places."""
    if not n_numbers:
        return has_place and _says_ties(body)
    names = {name_key(parts.cells(n_numbers, has_place=has_place)[has_place]) for parts in body}
    whole = {name_key(" ".join((*parts.words, *parts.numbers))) for parts in body}
    if whole & set(known) or len(names) < len(body):
        return False
    is_clear = all(CLEAR_NUMBER.fullmatch(parts.numbers[-1]) for parts in body)
    return is_clear or has_place


def _says_ties(body: Sequence[_Parts]) -> bool:
    """Tell whether the places in front say more than the order of the lines does."""
    places = [read for parts in body if (read := place(parts.place))]
    numbers = [read.number or 0 for read in places]
    rises = all(above <= below for above, below in pairwise(numbers))
    return any(read.is_tie for read in places) or (
        rises and numbers[0] == 1 and len(set(numbers)) < len(numbers)
    )
