"""Reading of typed or pasted totals brought forward: one player a line, or a table with a header."""

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from league.vocabulary import gettext as _
from payouts.engine.exact import exact_number, exact_text
from payouts.models import BroughtTotals
from reading.names.keys import name_key
from reading.names.no_names import is_total
from reading.names.rules import clean_name, name_problem
from reading.spreadsheets import plain_cell, safe_cell
from reading.tables.meanings import Meaning, meaning_of_heading
from reading.tables.values import number

MAX_LINES = 2_000
MAX_EVENTS = 10_000
MAX_POINTS = 10**6  # times a denominator of 12 digits it still fits the column
COLUMNS = ("player", "points", "events", "entries", "wins")
# Columns of a line without a header, by the number of numbers after the name.
ORDERS: Mapping[int, tuple[str, ...]] = {
    2: ("points", "events"),
    3: ("points", "events", "wins"),
    4: ("points", "events", "entries", "wins"),
}
SEPARATOR = re.compile(r"[,;\t]")
NEEDS_QUOTES = re.compile(r'[,;\t"]')
QUOTED = re.compile(r'"(?:[^"]|"")*"')
# Headings of the site's downloads; other columns are ignored.
HEADS = {
    "points": "points", "total_points": "points", "total": "points", "合計": "points", "events": "events",
    "games": "events", "played": "events", "nights": "events", "参加": "events", "参加数": "events",
    "entries": "entries",
    "wins": "wins", "won": "wins", "優勝": "wins", "優勝回数": "wins",
}  # fmt: skip
OF_MEANING = {Meaning.PLAYER: "player", Meaning.POINTS: "points", Meaning.N_ENTRIES: "entries"}
# A heading such as 2026-01, 2026年1月, 1月, Jan or January 2026: points of one month, which are added up.
MONTH = re.compile(
    r"\d{4}[-/.](0?[1-9]|1[0-2])|(\d{4}年)?(0?[1-9]|1[0-2])月"
    r"|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?( \d{4})?"
)


@dataclass(frozen=True)
class Attendance:
    """Points for each event, and whether the points of a list contain them; None if that has not been said yet."""

    points: Fraction = Fraction(0)
    is_contained: bool | None = False

    def of(self, n_events: int) -> Fraction:
        return self.points * n_events


WITHOUT_ATTENDANCE = Attendance()


@dataclass(frozen=True)
class BroughtForwardLine:
    """A player's totals, without attendance, with the name as typed; an unknown name becomes a guest."""

    name: str
    points: Fraction
    n_events: int
    n_entries: int
    n_wins: int

    @property
    def points_text(self) -> str:
        return exact_text(self.points)


@dataclass(frozen=True)
class ReadLine:
    """A line of the text, with its totals or its problem."""

    number: int
    text: str
    totals: BroughtForwardLine | None = None
    total: Fraction = Fraction(0)  # points with attendance
    problem: str = ""
    is_new: bool = False

    @property
    def total_text(self) -> str:
        return exact_text(self.total)


@dataclass(frozen=True)
class BroughtForwardReading:
    lines: list[ReadLine]
    problem: str = ""  # of the text as a whole
    attendance: Attendance = WITHOUT_ATTENDANCE
    left_out: tuple[str, ...] = ()  # rows of totals, which are nobody's

    @property
    def is_ready(self) -> bool:
        return not self.problem and not self.n_problems and not self.asks_attendance

    @property
    def asks_attendance(self) -> bool:
        """Tell whether it must still be said what the points contain."""
        return bool(self.totals and self.attendance.points and self.attendance.is_contained is None)

    @property
    def n_problems(self) -> int:
        return sum(bool(line.problem) for line in self.lines)

    @property
    def totals(self) -> list[BroughtForwardLine]:
        return [line.totals for line in self.lines if line.totals]


def read_brought_forward(
    text: str,
    known: Collection[str],
    *,
    least_points: int = 0,
    attendance: Attendance = WITHOUT_ATTENDANCE,
) -> BroughtForwardReading:
    """Read a list of totals; `known` are the keys of the club's names. Points are `least_points` or more."""
    rows = [(position, _narrow(line)) for position, line in enumerate(text.splitlines(), start=1)]
    rows = [(position, line) for position, line in rows if line]
    if len(rows) > MAX_LINES:
        return BroughtForwardReading([], _("At most %(n)d lines can be brought forward.") % {"n": MAX_LINES})
    head: Sequence[str] = ()
    if rows and (named := _head_of(rows[0][1])):
        if problem := _head_problem(named, rows[0][1]):
            return BroughtForwardReading([], problem)
        head = named
        rows = rows[1:]
    lines: list[ReadLine] = []
    seen: set[str] = set()
    totals: list[str] = []
    for position, line in rows:
        if _is_total_row(line, known):
            totals.append(line)
        else:
            lines.append(_read_line(position, line, head, known, seen, least_points, attendance))
    return BroughtForwardReading(lines, attendance=attendance, left_out=tuple(totals))


def _is_total_row(line: str, known: Collection[str]) -> bool:
    """Tell whether a line is a total: a cell says so, and it is no known player's name."""
    try:
        cells = [cell for cell in _cells(line) if not number(cell)]
    except ValueError:
        return False
    name = " ".join(cells)
    return name_key(name) not in known and any(map(is_total, [name, *cells[:1]]))


def brought_forward_text(rows: Iterable[BroughtTotals]) -> str:
    """Write stored totals as a table with a header and quoted names, which can be read back."""
    rows = list(rows)
    if not rows:
        return ""
    lines = [
        ", ".join(
            (
                _quoted(_told_apart(totals.player.name)),
                exact_text(totals.points),
                str(totals.n_events),
                str(totals.n_entries),
                str(totals.n_wins),
            )
        )
        for totals in rows
    ]
    return "\n".join([", ".join(COLUMNS), *lines])


def _narrow(line: str) -> str:
    """Replace full-width digits and commas by plain ones."""
    return unicodedata.normalize("NFKC", line).strip()


def _told_apart(name: str) -> str:
    """Escape a leading apostrophe that reading the name back would remove."""
    return name if plain_cell(name) == name else safe_cell(name)


def _quoted(name: str) -> str:
    """Quote a name that contains any separator or a quote."""
    if not NEEDS_QUOTES.search(name):
        return name
    cell = io.StringIO()
    csv.writer(cell, quoting=csv.QUOTE_ALL, lineterminator="").writerow([name])
    return cell.getvalue()


def _separator(line: str) -> str:
    """Find the separator of the cells: the first one after a quoted cell at the beginning."""
    quoted = QUOTED.match(line)
    separator = SEPARATOR.search(line, quoted.end() if quoted else 0)
    return separator[0] if separator else ""


def _cells(line: str) -> list[str]:
    separator = _separator(line)
    if not separator:
        return line.split()
    # Quotes that do not enclose a whole cell are part of the name: "Ace" Miller, 35, 9.
    spaceless = re.sub(rf'"\s+{separator}', f'"{separator}', line)
    try:
        return (
            _split(line, separator) or _split(spaceless, separator) or _split(line, separator, is_plain=True)
        )
    except csv.Error as error:  # the only error left is a cell above csv.field_size_limit()
        raise ValueError(_("A column of this line is too long.")) from error


def _split(line: str, separator: str, *, is_plain: bool = False) -> list[str]:
    """Split a line into cells; return none if a quote ends before its cell."""
    quoting: Literal[0, 3] = csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL
    reader = csv.reader([line], delimiter=separator, quoting=quoting, skipinitialspace=True, strict=True)
    try:
        return [cell.strip() for cell in next(reader)]
    except csv.Error:
        if is_plain:
            raise
        return []


def _head_of(line: str) -> list[str]:
    """Read a header with player, points and events; return nothing for any other line."""
    try:
        names = [_heading(cell.casefold()) for cell in _cells(line)]
    except ValueError:
        return []
    has_points = "points" in names or any(map(MONTH.fullmatch, names))
    return names if has_points and {"player", "events"} <= set(names) else []


def _heading(cell: str) -> str:
    """Find the meaning of a heading; return a month heading unchanged."""
    if MONTH.fullmatch(cell):
        return cell
    meaning = meaning_of_heading(cell)
    return HEADS.get(cell) or (OF_MEANING.get(meaning, "") if meaning else "")


def _head_problem(head: Sequence[str], line: str) -> str:
    """Report two header columns with the same meaning; empty if there are none."""
    typed: dict[str, str] = {}
    for name, cell in zip(head, _cells(line), strict=True):
        if name and name in typed:
            return _("The first line has two columns for the same: “%(one)s” and “%(other)s”. Leave one.") % {
                "one": typed[name],
                "other": cell,
            }
        typed[name] = cell
    return ""


def _read_line(
    number: int,
    line: str,
    head: Sequence[str],
    known: Collection[str],
    seen: set[str],
    least_points: int,
    attendance: Attendance,
) -> ReadLine:
    try:
        totals = _totals(_values(line, head), least_points, attendance)
    except ValueError as error:
        return ReadLine(number, line, problem=str(error))
    key = name_key(totals.name)
    if key in seen:
        return ReadLine(number, line, problem=_("%(name)s is there twice.") % {"name": totals.name})
    seen.add(key)
    total = totals.points + attendance.of(totals.n_events)
    return ReadLine(number, line, totals, total, is_new=key not in known)


def _values(line: str, head: Sequence[str]) -> dict[str, str]:
    """Read the text of each column."""
    cells = _cells(line)
    if head:
        if len(cells) != len(head):
            raise ValueError(
                _("This line has %(n)d columns, the head has %(head)d.")
                % {"n": len(cells), "head": len(head)}
            )
        # The site's downloads have a header, and an apostrophe before a name that looks like a formula.
        named = {name: cell for name, cell in zip(head, cells, strict=True) if name}
        return named | {"player": plain_cell(named["player"])}
    if _separator(line):
        name, numbers = cells[0], cells[1:]
    else:
        n_numbers = _n_numbers_at_the_end(cells)
        name, numbers = " ".join(cells[: len(cells) - n_numbers]), cells[len(cells) - n_numbers :]
    if len(numbers) not in ORDERS:
        raise ValueError(
            _("After the name come points, %(events_word)s and, if you like, entries and wins: 35 9 9 1.")
        )
    return {"player": name} | dict(zip(ORDERS[len(numbers)], numbers, strict=True))


def _n_numbers_at_the_end(cells: Sequence[str]) -> int:
    n = 0
    while n < min(len(cells) - 1, max(ORDERS)) and cells[-1 - n][0] in "+-.0123456789":
        n += 1
    return n


def _totals(values: Mapping[str, str], least_points: int, attendance: Attendance) -> BroughtForwardLine:
    name = clean_name(values["player"])
    if problem := name_problem(name):
        raise ValueError(problem)
    months = sum(
        (_points(name, text or "0") for name, text in values.items() if MONTH.fullmatch(name)), Fraction(0)
    )
    typed = points = _points(_("Points"), values["points"]) if "points" in values else months
    if not least_points <= points <= MAX_POINTS:
        raise ValueError(_("Points: %(least)d to %(most)d.") % {"least": least_points, "most": MAX_POINTS})
    n_events = _whole(_("%(Events_word)s"), values["events"], least=1, most=MAX_EVENTS)
    if attendance.is_contained:
        points -= attendance.of(n_events)
        if points < least_points:
            raise ValueError(
                _("Points: %(points)s cannot contain the points for %(events)d %(events_word)s played.")
                % {"points": exact_text(typed), "events": n_events}
            )
    if any(map(MONTH.fullmatch, values)) and months not in {typed, points}:
        raise ValueError(
            _("The months add up to %(months)s, the points are %(points)s.")
            % {"months": exact_text(months), "points": exact_text(typed)}
        )
    n_entries = n_events
    if values.get("entries"):
        n_entries = _whole(_("Entries"), values["entries"], least=n_events, most=MAX_EVENTS)
    n_wins = _whole(_("Wins"), values.get("wins") or "0", least=0, most=n_events)
    return BroughtForwardLine(name, points, n_events, n_entries, n_wins)


def _points(label: str, text: str) -> Fraction:
    try:
        return exact_number("points", text)
    except ValueError:
        value = number(text)
    if value is None:
        raise ValueError(_("%(column)s: “%(text)s” is not a number.") % {"column": label, "text": text[:40]})
    return Fraction(value)


def _whole(label: str, text: str, *, least: int, most: int) -> int:
    value = number(text)
    if value is None or value != int(value) or not least <= value <= most:
        raise ValueError(
            _("%(column)s: a whole number from %(least)d to %(most)d, not “%(text)s”.")
            % {"column": label, "least": least, "most": most, "text": text[:40]}
        )
    return int(value)
