"""Write the rows of any list of results in the form of docs/event-files.md, event by event."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from decimal import Decimal
from functools import partial
from itertools import pairwise

from django.utils.translation import gettext as _

from reading import cells as checks
from reading.amounts import COLUMNS as AMOUNTS
from reading.amounts import amount
from reading.event_files.reader import MAX_KEY_LENGTH, MAX_KNOCKOUTS
from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE
from reading.names.rules import clean_name, name_problem
from reading.problems import Problem
from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.grids import Row
from reading.tables.layouts import STRUCK, Layout, Unused
from reading.tables.meanings import Meaning
from reading.tables.moments import clock, contradicts_weekday, dates, moment, with_year, year_first
from reading.tables.order_of_day import in_order_of_the_day
from reading.tables.places import Written, finishing_places
from reading.tables.values import number

NUMBERS = (
    Meaning.SCORE, Meaning.POINTS, Meaning.BALANCE, Meaning.COST, Meaning.PENALTY, Meaning.HOUSE, Meaning.BUY_IN,
    Meaning.FEE, Meaning.BOUNTIES, Meaning.PRIZE,
)  # fmt: skip
OF_EVENT = (
    Meaning.GAME, Meaning.ROUND, Meaning.TABLE, Meaning.HOUSE, Meaning.TABLE_SIZE, Meaning.FINAL_TABLE_SIZE,
)  # fmt: skip
GROUPED_BY = (Meaning.SEASON, Meaning.EVENT, Meaning.NAME, Meaning.GAME, Meaning.ROUND, Meaning.TABLE)
ORDERING = (Meaning.SCORE, Meaning.BALANCE, Meaning.POINTS)
COUNTS = (Meaning.N_ENTRIES, Meaning.REBUYS)
TIMES = (Meaning.IN_AT, Meaning.OUT_AT)
MOMENTS = (Meaning.DATE, Meaning.START, Meaning.END, Meaning.CLOSES, *TIMES)
DIGEST = 8  # letters of a digest that keeps long names of events apart
MORNING = time(
    6
)  # a time before it belongs to the night of the day before, if nothing says when the event began
WINDS = {"東": "1", "南": "2", "西": "3", "北": "4", "e": "1", "s": "2", "w": "3", "n": "4"}
# The checks of an event file for single cells, so that one wrong cell does not hide another.
CHECKS: dict[Meaning, Callable[[str], object]] = {
    Meaning.KNOCKOUTS: lambda text: checks.whole_number("knockouts", text, 0, MAX_KNOCKOUTS),
    Meaning.N_ENTRIES: lambda text: checks.whole_number("n_entries", text, 1, MAX_ENTRIES_OF_ONE),
    Meaning.REBUYS: lambda text: checks.whole_number("rebuys", text, 0, MAX_ENTRIES_OF_ONE - 1),
    Meaning.NUMBER: lambda text: checks.whole_number("number", text, 1, MAX_ENTRIES_OF_ONE),
    Meaning.CHIPS: checks.chips,
    Meaning.SCORE: checks.score,
    Meaning.BALANCE: checks.balance,
    Meaning.COST: checks.cost,
    Meaning.PENALTY: lambda text: checks.thousands("penalty", text),
    **{Meaning(column): partial(amount, column) for column in AMOUNTS},
}


@dataclass
class Found:
    """Rows under the names of docs/event-files.md, and what was found on the way."""

    rows: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    unused: list[Unused] = field(default_factory=list)


class Basis:
    """What is decided once for a table: the order of day and month, the decimal mark, a date outside the table."""

    def __init__(self, asked: Asked, day: date | None, layout: Layout, tz: tzinfo) -> None:
        self.asked, self.day, self.layout, self.tz = asked, day, layout, tz
        columns = [column for column in layout.columns if column.meaning in MOMENTS]
        of_dates = [column.heading for column in columns]
        of_dates += [
            row.cells[column.index]
            for column in columns
            for row in layout.body
            if column.index < len(row.cells)
        ]
        self.year = questions.year_of(of_dates, asked)
        of_dates = list(map(self._with_year, of_dates))
        self.has_year_first = bool(questions.year_order(of_dates, asked))
        of_dates = [text for text in of_dates if not (self.has_year_first and year_first(text))]
        self.day_order = questions.day_order(of_dates, asked)
        self.trusts_dates = questions.weekdays(of_dates, asked)
        self.mark = questions.decimal_mark(
            [layout.cell(row, meaning) for row in layout.body for meaning in NUMBERS], asked
        )

    def score_of(self, cells: Mapping[Meaning, str]) -> Decimal | None:
        """Read the number that orders rows without places."""
        text = next((text for meaning in ORDERING if (text := cells.get(meaning, ""))), "")
        return number(text, decimal_mark=self.mark)

    def _with_year(self, text: str) -> str:
        return with_year(text, self.year) if self.year else text

    def date_of(self, text: str) -> date | None:
        text = self._with_year(text)
        if self.has_year_first and (day := year_first(text)):
            return day
        found = dates(text)
        if len(found) == 2:  # noqa: PLR2004
            return found[0 if self.day_order == questions.DAY_FIRST else 1]
        return found[0] if found else None

    def moment_of(self, text: str) -> tuple[date | None, time | None]:
        """Read a date, and the time of day beside it, as the clocks of the club tell them."""
        if (day := self.date_of(text)) is None or (not self.trusts_dates and contradicts_weekday(text)):
            return None, None
        return moment(text).local(day, self.tz)


Record = tuple[Row, dict[Meaning, str]]
_Events = dict[tuple[str, ...], list[tuple[Record, date, time | None]]]


def canonical(records: Sequence[Record], basis: Basis, found: Found) -> list[tuple[int, dict[str, str]]]:
    """Write records in the form of docs/event-files.md, event by event."""
    events: _Events = {}
    for record in records:
        row, cells = record
        day, start = _day_and_time(cells, basis)
        if day is None:
            found.problems.append(_no_date(row, cells))
            continue
        texts = (cells.get(meaning, "") for meaning in GROUPED_BY)
        parts = tuple(clean_name(text) if text else "" for text in texts)
        events.setdefault((*parts, day.isoformat()), []).append((record, day, start))
    events = _by_start(events)
    n_of_day = Counter(day for *_what, day in events)
    rows: list[tuple[int, dict[str, str]]] = []
    for parts in in_order_of_the_day(list(events)):
        rows += _event_rows(parts, events[parts], basis, found, is_only=n_of_day[parts[-1]] == 1)
    return rows


def _by_start(events: _Events) -> _Events:
    """Split a day's rows into events by start time if each start has at least two rows."""
    divided: _Events = {}
    for (*what, day), members in events.items():
        starts = Counter(_start_of(member) for member in members)
        if len(starts) < 2 or None in starts or min(starts.values()) < 2:  # noqa: PLR2004  rows that are an event
            divided[*what, day] = members
            continue
        for member in members:
            divided.setdefault((*what, f"{_start_of(member):%H:%M}", day), []).append(member)
    return divided


def _start_of(member: tuple[Record, date, time | None]) -> time | None:
    (_row, cells), _day, start = member
    read = clock(cells.get(Meaning.START, ""))
    return start or (read[0] if read else None)


def _day_and_time(cells: Mapping[Meaning, str], basis: Basis) -> tuple[date | None, time | None]:
    text = cells.get(Meaning.DATE, "")
    return basis.moment_of(text) if text else (basis.day, None)


def _no_date(row: Row, cells: Mapping[Meaning, str]) -> Problem:
    text = cells.get(Meaning.DATE, "")
    message = _("“%(value)s” is no date") % {"value": text} if text else _("a date is missing")
    return Problem(row.line, "date", message, text, _("Write it like 2026-01-13."))


def _key(parts: tuple[str, ...]) -> str:
    """Name an event by its day and all that tells it from others, so that no other file names another one like it."""
    *what, day = parts
    key = " ".join([day, *dict.fromkeys(filter(None, what))])
    if len(key) <= MAX_KEY_LENGTH:
        return key
    digest = hashlib.sha256(key.encode()).hexdigest()[:DIGEST]
    return f"{key[: MAX_KEY_LENGTH - DIGEST - 1]} {digest}"


def _moment_of(text: str, day: date, tz: tzinfo) -> datetime:
    """Read the local start of an event; what is no date and time counts as the morning of its day."""
    try:
        start = datetime.fromisoformat(text)
    except ValueError:
        return datetime.combine(day, MORNING)
    return (start.astimezone(tz) if start.tzinfo else start).replace(tzinfo=None)


def _event_rows(
    parts: tuple[str, ...],
    members: Sequence[tuple[Record, date, time | None]],
    basis: Basis,
    found: Found,
    *,
    is_only: bool,
) -> list[tuple[int, dict[str, str]]]:
    """Write the entries of an event; return none and list all problems if anything is wrong."""
    (first, _cells), day, start = members[0]
    n_before = len(found.problems)
    of_event = _event_cells(
        parts, first, [record[1] for record, _d, _s in members], (day, start), basis, found
    )
    if not is_only and "name" not in of_event:
        of_event |= _numbered_name(parts, basis.layout)
    base = _moment_of(of_event.get("starts_at", ""), day, basis.tz)
    has_places = any(Meaning.PLACE in cells for (_row, cells), _day, _start in members)
    if _is_size_of_field([record[1] for record, _d, _s in members], basis.asked):
        for (_row, cells), _day, _start in members:
            cells.pop(Meaning.N_ENTRIES)
    written, rows = [], []
    for (row, cells), _day, _start in members:
        values = _entry_cells(row, cells, base, basis, found)
        name = cells.get(Meaning.PLAYER, "")
        written.append(Written(row.line, name, cells.get(Meaning.PLACE, ""), basis.score_of(cells)))
        rows.append((row.line, of_event | values | {"player": name}))
    places, of_places = finishing_places(written, basis.asked, has_places=has_places, asks_order=True)
    found.problems += of_places
    if len(found.problems) > n_before:
        return []
    for (line, values), place in zip(rows, places, strict=True):
        if place is None:
            found.unused.append(Unused(line, values["player"], "row"))
    placed = [(line, values, place) for (line, values), place in zip(rows, places, strict=True) if place]
    placed = _without_struck(placed, basis.asked, found)
    _leave_out_wrong_times(placed, basis.asked)
    return _with_earlier_entries(placed)


def _without_struck(
    placed: Sequence[tuple[int, dict[str, str], int]], asked: Asked, found: Found
) -> list[tuple[int, dict[str, str], int]]:
    """Leave out the rows of names that are said to be no players; the places below them move up."""
    struck = [item for item in placed if questions.is_struck(item[1]["player"], asked)]
    if not struck:
        return list(placed)
    found.unused += [Unused(line, values["player"], STRUCK) for line, values, _place in struck]
    gone = [place for _line, _values, place in struck]
    return [
        (line, values, place - sum(other < place for other in gone))
        for line, values, place in placed
        if not questions.is_struck(values["player"], asked)
    ]


def _leave_out_wrong_times(placed: Sequence[tuple[int, dict[str, str], int]], asked: Asked) -> None:
    """Remove the bust times of an event that contradict its places, if the answer says so."""
    timed = [(place, at, values) for _line, values, place in placed if (at := values.get("busted_at", ""))]
    timed.sort(key=lambda item: item[0])
    for (place, at, better), (worse, later, late) in pairwise(timed):
        if place < worse and len(at) == len(later) and later > at:
            if questions.times(late["player"], better["player"], asked):
                for _place, _at, values in timed:
                    del values["busted_at"]
            return


def _numbered_name(parts: tuple[str, ...], layout: Layout) -> dict[str, str]:
    """Name an event that is not the only one of its day by its number and the heading above that: "Game 3"."""
    column = next((column for column in layout.columns if column.meaning == Meaning.EVENT), None)
    if column is None or not parts[1].isdecimal():
        return {}
    return {"name": f"{column.heading.strip(' #.') or '#'} {parts[1]}"}


def _is_size_of_field(members: Sequence[Mapping[Meaning, str]], asked: Asked) -> bool:
    """Ask whether an entry count that equals the field size in every row counts the whole field."""
    n = str(len(members))
    if len(members) == 1 or any(cells.get(Meaning.N_ENTRIES) != n for cells in members):
        return False
    return questions.size_of_field(n, asked) == questions.FIELD


def _event_cells(
    parts: tuple[str, ...],
    first: Row,
    members: Sequence[Mapping[Meaning, str]],
    moment_of_event: tuple[date, time | None],
    basis: Basis,
    found: Found,
) -> dict[str, str]:
    """Write what belongs to the event itself, from the first row that says it."""
    (season, event, name, *_rest), (day, start) = parts, moment_of_event
    # A number alone is no name of an event.
    named = name or ("" if event.isdecimal() else event)
    cells = {"event": _key(parts), "date": day.isoformat(), "season": season, "name": named}
    for meaning in (Meaning.START, Meaning.END, Meaning.CLOSES):
        text = next((values[meaning] for values in members if values.get(meaning)), "")
        if text:
            began = cells.get("starts_at")
            base = _moment_of(began, day, basis.tz) if began else datetime.combine(day, time())
            cells[meaning.value] = _moment(text, base, first.line, meaning, basis, found)
    if start and "starts_at" not in cells:
        cells["starts_at"] = f"{day.isoformat()}T{start:%H:%M}"
    for meaning in OF_EVENT:
        if text := next((values[meaning] for values in members if values.get(meaning)), ""):
            cells[meaning.value] = text
    return {column: value for column, value in cells.items() if value}


def _entry_cells(
    row: Row, cells: Mapping[Meaning, str], starts_at: datetime, basis: Basis, found: Found
) -> dict[str, str]:
    """Convert the cells of one entry to columns of an event file; report invalid values with their line."""
    values: dict[str, str] = {}
    name = clean_name(cells.get(Meaning.PLAYER, ""))
    if problem := name_problem(name):
        found.problems.append(Problem(row.line, Meaning.PLAYER.value, problem, name))
    for meaning, text in cells.items():
        if not text:
            continue
        if meaning in CHECKS:
            values[meaning.value] = _checked(row.line, meaning, _plain(text, basis.mark), found)
        elif meaning in TIMES:
            values[meaning.value] = _moment(text, starts_at, row.line, meaning, basis, found)
        elif meaning == Meaning.SEAT:
            values[meaning.value] = WINDS.get(text.casefold()[:1], text)
    return values


def _checked(line: int, meaning: Meaning, text: str, found: Found) -> str:
    """Check a cell as an event file does, and list what is wrong with it."""
    try:
        CHECKS[meaning](text)
    except checks.BadCell as error:
        found.problems.append(Problem(line, meaning.value, str(error), text))
    return text


def _plain(text: str, mark: str) -> str:
    """Write a number without groups; what is none stays, so that the check of the cells names it."""
    value = number(text, decimal_mark=mark)
    if value is None:
        return text
    return f"{value.normalize():f}" if value != value.to_integral() else f"{int(value)}"


def _moment(text: str, base: datetime, line: int, meaning: Meaning, basis: Basis, found: Found) -> str:
    """Write a time: a time of day is the first one from the base on; a plain number is minutes, as in our own files."""
    at = clock(text) or _clock_of_number(text, meaning)
    if at is None:
        if meaning != Meaning.START and (number(text) is not None or _is_iso(text)):
            return text
        if _is_iso(text) and not text.isdecimal():
            return text
        day, at_day = basis.moment_of(text)
        if day and at_day:
            return datetime.combine(day, at_day).isoformat(timespec="minutes")
        message = _("“%(value)s” is no time like 21:40") % {"value": text}
        found.problems.append(Problem(line, meaning.value, message, text))
        return ""
    read = datetime.combine(base.date(), at[0]) + timedelta(days=at[1])
    if read < base:
        read += timedelta(days=1)
    return read.isoformat(timespec="minutes")


def _clock_of_number(text: str, meaning: Meaning) -> tuple[time, bool] | None:
    """Read a time of day as spreadsheets store it (0.8125), and a start like 1930."""
    value = number(text)
    if value is not None and 0 < value < 1:
        minutes = round(value * 24 * 60) % (24 * 60)
        return time(minutes // 60, minutes % 60), False
    if meaning == Meaning.START and text.isdecimal() and len(text) == 4:  # noqa: PLR2004  hours and minutes
        return clock(f"{text[:2]}:{text[2:]}")
    return None


def _is_iso(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _with_earlier_entries(
    placed: Sequence[tuple[int, dict[str, str], int]],
) -> list[tuple[int, dict[str, str]]]:
    """Add the earlier entries of players with several: they share the place below all others."""
    rows, earlier, bottom = [], [], len(placed) + 1
    for line, values, place in placed:
        entry = {column: value for column, value in values.items() if column not in COUNTS}
        count = int(values.get(Meaning.N_ENTRIES, "") or 1 + int(values.get(Meaning.REBUYS, "0")))
        if count > 1:
            entry["number"] = str(count)
            own = {
                column: value
                for column, value in entry.items()
                if column not in CHECKS and column not in TIMES
            }
            earlier += [(line, own | {"number": str(n), "place": str(bottom)}) for n in range(1, count)]
        rows.append((line, entry | {"place": str(place)}))
    return rows + earlier
