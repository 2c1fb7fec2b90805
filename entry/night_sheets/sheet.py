"""The sheet of a night as it is typed: rounds of tables of seats, as texts, and what its buttons change."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, field
from decimal import Decimal
from typing import Any

from entry.night_sheets.pasted import TextSeat, read_tables
from scores.errors import ScoreError
from scores.rules import plain

MOST_ROUNDS = 20
MOST_TABLES = 12  # of a round
MOST_SEATS = 60  # of a table: an evening of a game whose balances are typed
MORE_SEATS = 4
MOST_ALL_SEATS = 160  # of a sheet: a form has at most 1,000 fields
HUNDRED = 100
# How the numbers are typed: hundreds of points, points, or the balance in thousands.
UNITS = HUNDREDS, POINTS, BALANCE = ("hundreds", "points", "balance")
SEAT_PARTS = ("name", "score", "chips", "penalty")
TABLE_PARTS = ("sticks", "event", "version", "opened")
Place = tuple[int, int, int]  # round, table and seat, from 1


@dataclass
class SeatFields:
    """What is typed for a seat."""

    name: str = ""
    score: str = ""
    chips: str = ""
    penalty: str = ""


@dataclass
class TableFields:
    """What is typed for a table; `event` and `version` are those of the stored game, or empty.

    `opened` is the digest of what the stored game had when the sheet was opened.
    """

    seats: list[SeatFields]
    sticks: str = ""
    event: str = ""
    version: str = ""
    opened: str = ""

    @property
    def is_empty(self) -> bool:
        return not any(seat.score.strip() for seat in self.seats) and not self.event

    def digest(self, unit: str) -> str:
        return digest([unit, self.sticks, [seat for seat in map(astuple, self.seats) if any(seat)]])

    @property
    def has_extras(self) -> bool:
        return bool(self.sticks.strip()) or any(seat.chips or seat.penalty for seat in self.seats)


@dataclass
class Sheet:
    """Rounds of tables; every table has `n_seats`. `gone` are stored games that were taken away: id and version."""

    n_seats: int
    unit: str = HUNDREDS
    rounds: list[list[TableFields]] = field(default_factory=list)
    gone: dict[int, int] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """Number of tables in each round: "3 3"."""
        return " ".join(str(len(tables)) for tables in self.rounds)

    @property
    def gone_text(self) -> str:
        return " ".join(f"{event}:{version}" for event, version in self.gone.items())

    def has_room(self, n_tables: int = 1) -> bool:
        """Tell whether more tables fit on the sheet."""
        return (sum(map(len, self.rounds)) + n_tables) * self.n_seats <= MOST_ALL_SEATS

    @property
    def takes_table(self) -> bool:
        return self.has_room()

    @property
    def takes_round(self) -> bool:
        return len(self.rounds) < MOST_ROUNDS and self.has_room(len(self.rounds[-1]))

    def table(self, round_number: int, number: int) -> TableFields:
        return self.rounds[round_number - 1][number - 1]

    def widen(self, n_seats: int) -> None:
        """Give every table at least `n_seats`."""
        self.n_seats = max(self.n_seats, n_seats)
        for tables in self.rounds:
            for table in tables:
                table.seats += [SeatFields() for _ in range(self.n_seats - len(table.seats))]

    def drop_empty_rounds(self) -> None:
        """Take away rounds without tables; a sheet keeps at least one table."""
        self.rounds = [tables for tables in self.rounds if tables] or [[blank_table(self.n_seats)]]


def digest(values: Any) -> str:
    """Hash values into a short digest that detects later changes."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def blank_table(n_seats: int, names: Iterable[str] = ()) -> TableFields:
    names = list(names)[:n_seats]
    return TableFields(
        [SeatFields(name) for name in names] + [SeatFields() for _ in range(n_seats - len(names))]
    )


def blank_sheet(n_seats: int, unit: str) -> Sheet:
    return Sheet(n_seats, unit, [[blank_table(n_seats)]])


def sheet_of(data: Mapping[str, str], blank: Sheet, *, grows: bool) -> Sheet:
    """Read a posted sheet; a shape that cannot be is that of the blank one. `grows`: seats may be added to tables."""
    n_seats = _number(data.get("seats", ""), MOST_SEATS) if grows else None
    counts = data.get("shape", "").split()
    shape = [_number(count, MOST_TABLES) for count in counts[:MOST_ROUNDS]]
    if not shape or None in shape:
        return blank
    unit = data.get("unit", "")
    sheet = Sheet(n_seats or blank.n_seats, unit if unit in UNITS else blank.unit)
    gone = re.findall(r"\b(\d{1,18}):(\d{1,9})\b", data.get("gone", ""))
    sheet.gone = {int(event): int(version) for event, version in gone}
    for r, n_tables in enumerate(shape, start=1):
        sheet.rounds.append([_table(data, f"{r}-{t}", sheet.n_seats) for t in range(1, (n_tables or 0) + 1)])
    return sheet


def _number(text: str, most: int) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,2}", text) and 1 <= int(text) <= most else None


def _table(data: Mapping[str, str], prefix: str, n_seats: int) -> TableFields:
    seats = [
        SeatFields(**{part: _clean(data.get(f"{prefix}-{s}-{part}", "")) for part in SEAT_PARTS})
        for s in range(1, n_seats + 1)
    ]
    return TableFields(seats, **{part: _clean(data.get(f"{prefix}-{part}", "")) for part in TABLE_PARTS})


def _clean(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()[:80]


def act(sheet: Sheet, button: str) -> None:
    """Apply the action of a button to the sheet; ignore it if its table no longer exists."""
    kind, _colon, rest = button.partition(":")
    where, _colon, value = rest.partition(":")
    if change := _ACTS.get(kind):
        with suppress(IndexError, ValueError):
            change(sheet, [int(number) for number in re.findall(r"\d{1,2}", where)], _clean(value))


def _add_round(sheet: Sheet, _numbers: list[int], _value: str) -> None:
    """Add a round with the same players in the same seats."""
    if sheet.takes_round:
        sheet.rounds.append(
            [blank_table(sheet.n_seats, (seat.name for seat in table.seats)) for table in sheet.rounds[-1]]
        )


def _add_table(sheet: Sheet, numbers: list[int], _value: str) -> None:
    tables = sheet.rounds[numbers[0] - 1]
    if sheet.takes_table and len(tables) < MOST_TABLES:
        tables.append(blank_table(sheet.n_seats))


def _drop_table(sheet: Sheet, numbers: list[int], _value: str) -> None:
    """Remove a table from the sheet, and note its stored game as gone."""
    r, t = numbers
    table = sheet.rounds[r - 1].pop(t - 1)
    if table.event.isdecimal() and table.version.isdecimal():
        sheet.gone[int(table.event)] = int(table.version)
    sheet.drop_empty_rounds()


def _add_seats(sheet: Sheet, _numbers: list[int], _value: str) -> None:
    sheet.widen(min(sheet.n_seats + MORE_SEATS, MOST_SEATS))


def _set_score(sheet: Sheet, numbers: list[int], value: str) -> None:
    r, t, s = numbers
    sheet.table(r, t).seats[s - 1].score = value


def _scale(sheet: Sheet, numbers: list[int], value: str) -> None:
    """Read all numbers of a table in the other unit: hundreds that were typed as points, or points as hundreds."""
    r, t = numbers
    for seat in sheet.table(r, t).seats:
        seat.score = seat.score.replace(",", "")
        seat.score = f"{seat.score}00" if value == "up" else re.sub("00$", "", seat.score)


_ACTS: Mapping[str, Callable[[Sheet, list[int], str], None]] = {
    "round": _add_round,
    "table": _add_table,
    "drop": _drop_table,
    "seats": _add_seats,
    "set": _set_score,
    "scale": _scale,
}


def paste(sheet: Sheet, text: str, total: int | None) -> None:
    """Put pasted tables into the last round of the sheet, in place of its tables without scores.

    Raise ScoreError if they do not fit.
    `total` is the sum of scores of a table, which tells points from hundreds; None where balances are typed. Without a
    sum that fits, numbers are taken as points.
    """
    pasted = read_tables(text)
    if not pasted:
        return
    if total is None:
        sheet.widen(max(map(len, pasted)))
    for table in pasted:
        if len(table) > sheet.n_seats:
            raise ScoreError("text", "wrong_table", n=sheet.n_seats, got=len(table))
    last = sheet.rounds[-1]
    kept = [table for table in last if not table.is_empty]
    n_tables = len(kept) + len(pasted)
    if not sheet.has_room(n_tables - len(last)) or n_tables > MOST_TABLES:
        raise ScoreError("text", "too_many_tables", got=len(pasted))
    unit = _unit_of(pasted, total)
    if all(table.is_empty for tables in sheet.rounds for table in tables):
        sheet.unit, sheet.rounds = unit, [[]]  # earlier rounds without scores too
    elif (sheet.unit == BALANCE) != (unit == BALANCE):
        raise ScoreError("text", "mixed_tables")
    scale = Decimal(HUNDRED if unit == HUNDREDS else 1) / (HUNDRED if sheet.unit == HUNDREDS else 1)
    sheet.rounds[-1] = kept + [_pasted_table(table, sheet.n_seats, scale) for table in pasted]


def _unit_of(pasted: list[list[TextSeat]], total: int | None) -> str:
    if total is None or any(seat.is_points for table in pasted for seat in table):
        return BALANCE
    is_hundreds = [sum(seat.number for seat in table) * HUNDRED == total for table in pasted]
    return HUNDREDS if all(is_hundreds) else POINTS


def _pasted_table(seats: list[TextSeat], n_seats: int, scale: Decimal) -> TableFields:
    filled = [SeatFields(seat.name, f"{plain(seat.number * scale):f}") for seat in seats]
    return TableFields(filled + [SeatFields() for _ in range(n_seats - len(filled))])
