"""What the site reads of a sheet: places and balances of each table, and what is wrong with it."""

import re
from dataclasses import dataclass, field
from decimal import Decimal

from entry.night_sheets.sentences import words
from entry.night_sheets.sheet import BALANCE, HUNDRED, HUNDREDS, SeatFields, Sheet, TableFields
from entry.score_messages import message_of
from league.formats import MINUS
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from reading.names.rules import clean_name, name_problem
from scores.errors import ScoreError
from scores.rules import ScoreRules, decimal_of, plain, whole_number
from scores.sums import UNIT, Slip, likely_slips
from scores.tables import (
    Result,
    Seat,
    provisional,
    right_written_sum,
    settle,
    settle_balances,
    written_sum,
)

MINUSES = str.maketrans("−▲△", "---")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")
EMPTY, BEGUN, WRONG, BAD, GOOD = "empty", "begun", "wrong", "bad", "good"


@dataclass(frozen=True)
class Fix:
    """An answer to the question of a wrong sum; `button` is the value of its button (sheet.act)."""

    kind: str
    row: int  # 0: all
    name: str
    text: str  # the number as it is counted: 32,100 or −12.5
    button: str


@dataclass
class ReadTable:
    """A table as it is read. `problem` is about the seat in row `problem_row`, or about the table (0)."""

    round: int
    number: int
    fields: TableFields
    state: str = EMPTY
    seats: list[Seat] = field(default_factory=list)
    rows: list[int] = field(
        default_factory=list
    )  # of each seat: where balances are typed, empty rows are left out
    sticks_left: int = 0
    results: list[Result] | None = None
    got: Decimal = Decimal(0)
    right: Decimal = Decimal(0)
    n_left: int = 0
    problem: str = ""
    problem_row: int = 0
    fixes: list[Fix] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        return f"h{self.round}-{self.number}"

    @property
    def is_ready(self) -> bool:
        return self.state == GOOD


class Unread(Exception):
    """A field that cannot be read: its message, and its row."""

    def __init__(self, message: str, row: int = 0) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class ReadSheet:
    rounds: list[list[ReadTable]]

    @property
    def tables(self) -> list[ReadTable]:
        return [table for tables in self.rounds for table in tables]

    @property
    def used(self) -> list[ReadTable]:
        return [table for table in self.tables if table.state != EMPTY]

    @property
    def first_open(self) -> ReadTable | None:
        """The first table that is not ready; the first of all if nothing is typed yet."""
        waiting = [table for table in self.used if not table.is_ready]
        return next(iter(waiting or ([] if self.used else self.tables)), None)

    @property
    def is_ready(self) -> bool:
        return bool(self.used) and all(table.is_ready for table in self.used)

    @property
    def names(self) -> list[str]:
        return [seat.name for table in self.used for seat in table.seats if seat.name]

    @property
    def n_players(self) -> int:
        return len({name_key(name) for name in self.names})


def read_sheet(sheet: Sheet, rules: ScoreRules, *, is_scored: bool) -> ReadSheet:
    """Read all tables. `is_scored`: tables of a fixed size whose scores the rules turn into balances."""
    rounds = [
        [_read_table(r, t, table, sheet, rules, is_scored) for t, table in enumerate(tables, start=1)]
        for r, tables in enumerate(sheet.rounds, start=1)
    ]
    for tables in rounds:
        _find_players_at_two_tables(tables)
    return ReadSheet(rounds)


def number_of(text: str, unit: str) -> Decimal | int:
    """Read a typed number as points, or thousands for a balance; raise ScoreError."""
    number = text.translate(MINUSES).replace(" ", "")
    number = number.replace(",", "") if _THOUSANDS.fullmatch(number) else number.replace(",", ".")
    if not _NUMBER.fullmatch(number):
        raise ScoreError("score", "not_a_number", got=text)
    if unit == BALANCE:
        return decimal_of("score", number)
    return whole_number("score", number) * (HUNDRED if unit == HUNDREDS else 1)


def _read_table(
    round_number: int, number: int, fields: TableFields, sheet: Sheet, rules: ScoreRules, is_scored: bool
) -> ReadTable:
    table = ReadTable(round_number, number, fields)
    if fields.is_empty:
        table.right = Decimal(0 if sheet.unit == BALANCE else rules.total)
        return table
    try:
        for row, seat in enumerate(fields.seats, start=1):
            if is_scored or seat.name or seat.score:
                table.seats.append(_seat(seat, row, sheet.unit))
                table.rows.append(row)
        table.sticks_left = _number(fields.sticks, 0, _("Sticks left")) if is_scored else 0
        _settle(table, sheet.unit, rules, is_scored)
    except Unread as error:
        table.state, table.problem, table.problem_row = BAD, str(error), error.row
    return table


def _seat(fields: SeatFields, row: int, unit: str) -> Seat:
    name = clean_name(fields.name)
    if name and (problem := name_problem(name)):
        raise Unread(problem, row)
    try:
        value = number_of(fields.score, unit) if fields.score else None
    except ScoreError as error:
        raise Unread(f"{name}: {message_of(error)}".removeprefix(": "), row) from error
    return Seat(
        name,
        score=None if unit == BALANCE or value is None else int(value),
        points=Decimal(value) if unit == BALANCE and value is not None else None,
        chips=_number(fields.chips, row, _("Chips")) if fields.chips else None,
        penalty=_thousands(fields.penalty, row, _("Penalty")),
    )


def _number(text: str, row: int, label: str) -> int:
    try:
        return whole_number("", text.translate(MINUSES)) if text else 0
    except ScoreError as error:
        raise Unread(f"{label}: {message_of(error)}", row) from error


def _thousands(text: str, row: int, label: str) -> Decimal:
    try:
        return decimal_of("", text.translate(MINUSES).replace(",", ".")) if text else Decimal(0)
    except ScoreError as error:
        raise Unread(f"{label}: {message_of(error)}", row) from error


def _settle(table: ReadTable, unit: str, rules: ScoreRules, is_scored: bool) -> None:
    """Compute what can be computed, and say what is missing or wrong."""
    seats = table.seats
    table.n_left = sum(seat.score is None and seat.points is None for seat in seats)
    table.got = written_sum(seats)
    table.right = plain(right_written_sum(rules, seats, sticks_left=table.sticks_left))
    values = [_in_unit(seat, unit) for seat in seats]
    table.fixes = [_fix(table, slip, unit) for slip in likely_slips(values, int(table.right * _scale(unit)))]
    if table.n_left:
        table.state = BEGUN
        return
    try:
        if is_scored:
            table.results = settle(rules, seats, sticks_left=table.sticks_left)
        else:
            table.results = settle_balances(rules, seats)
        table.state = GOOD
    except ScoreError as error:
        # In another unit, numbers can also be too large.
        is_unit = bool(table.fixes) and table.fixes[0].kind == UNIT
        table.state = WRONG if is_unit or error.code == "wrong_sum" else BAD
        table.problem = message_of(error)
        table.problem_row = _row_of(error, table) if table.state == BAD else 0
        if table.state == WRONG and (len(seats) == rules.n_players or not is_scored):
            table.results = provisional(rules, seats, sticks_left=table.sticks_left)


def _row_of(error: ScoreError, table: ReadTable) -> int:
    """Find the row of the seat that an error names; 0 if it names none."""
    for number, (row, seat) in enumerate(zip(table.rows, table.seats, strict=True), start=1):
        if error.values.get("seat") == number or error.values.get("name") == seat.name:
            return row
    return 0


def _scale(unit: str) -> Decimal:
    """Return the factor from points or a balance to the whole number that is typed in a unit."""
    return {HUNDREDS: Decimal(1) / HUNDRED, BALANCE: Decimal(10)}.get(unit, Decimal(1))


def _in_unit(seat: Seat, unit: str) -> int | None:
    value = seat.points if unit == BALANCE else seat.score
    return None if value is None else int(value * _scale(unit))


def _fix(table: ReadTable, slip: Slip, unit: str) -> Fix:
    where = f"{table.round}-{table.number}"
    if slip.kind == UNIT or slip.seat is None:
        return Fix(UNIT, 0, "", "", f"scale:{where}:{'up' if abs(table.got) < abs(table.right) else 'down'}")
    row, value = table.rows[slip.seat], plain(slip.right / _scale(unit))
    typed = f"{value / HUNDRED if unit == HUNDREDS else value:f}"
    return Fix(
        slip.kind, row, table.seats[slip.seat].name, counted(value, unit), f"set:{where}-{row}:{typed}"
    )


def counted(value: Decimal, unit: str) -> str:
    """Write a number as it is counted: 45,300, or +12.5 for a balance."""
    text = (
        f"{value:+,.1f}"
        if unit == BALANCE and value
        else f"{value:,.1f}"
        if unit == BALANCE
        else f"{int(value):,}"
    )
    return text.replace("-", MINUS)


def _find_players_at_two_tables(tables: list[ReadTable]) -> None:
    """Mark tables whose player sits at an earlier table of the round too, or in another seat."""
    seen: dict[str, ReadTable] = {}
    for table in tables:
        for row, seat in zip(table.rows, table.seats, strict=True):
            if not seat.name:
                continue
            key = name_key(seat.name)
            if key in seen and table.state != BAD:
                table.state, table.problem_row, table.fixes = BAD, row, []
                table.problem = _twice(seat.name, seen[key], table)
            seen[key] = table


def _twice(name: str, one: ReadTable, two: ReadTable) -> str:
    text = words()["twice_here" if one is two else "twice"]
    return text.format(name=name, one=one.number, two=two.number, round=two.round)
