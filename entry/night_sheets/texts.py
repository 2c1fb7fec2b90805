"""What the page says of a table and of the whole sheet; static/js/night.js writes the same while it is typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from entry.night_sheets.reading import (
    BAD,
    BEGUN,
    EMPTY,
    WRONG,
    Fix,
    ReadSheet,
    ReadTable,
    counted,
)
from entry.night_sheets.sentences import ordinals, winds
from entry.night_sheets.sheet import SeatFields
from league.formats import MINUS, signed
from scores.rules import ScoreRules, plain
from scores.sums import MISSING, UNIT

FigureText = tuple[str, str]  # what a button says, and its value


@dataclass
class LineText:
    """A seat: its letter, what is typed, its place and balance; `why` and `button` if one slip of it mends the sum."""

    row: int
    wind: str
    fields: SeatFields
    place: str = ""
    balance: str = ""
    why: str = ""
    button: FigureText | None = None
    is_suspect: bool = False


@dataclass
class TableText:
    """A table: its seats, its sum, and the question a wrong sum asks."""

    table: ReadTable
    lines: list[LineText]
    sum_label: str = ""
    sum_note: str = ""
    sum_figure: str = ""
    mark: str = ""
    question: str = ""
    why_asked: str = ""
    choices: list[FigureText] = field(default_factory=list)


def table_text(table: ReadTable, unit: str, words: Mapping[str, str], *, is_scored: bool) -> TableText:
    text = TableText(table, _lines(table, is_scored=is_scored))
    if table.state == EMPTY:
        text.sum_label = words["sum"]
        text.sum_note = (
            words["to_come"].format(left=counted(table.right, unit)) if is_scored and table.right else ""
        )
        text.mark = words["empty"]
        return text
    if table.state == BAD:
        return text
    if table.state == BEGUN:
        _say_begun(text, unit, words)
    elif table.state == WRONG:
        _say_wrong(text, unit, words)
    else:
        text.sum_label, text.sum_figure, text.mark = words["sum"], f"{counted(table.got, unit)} ✓", "✓"
    return text


def _lines(table: ReadTable, *, is_scored: bool) -> list[LineText]:
    letters = winds(len(table.fields.seats)) if is_scored else []
    letters += [""] * (len(table.fields.seats) - len(letters))
    lines = [
        LineText(row, letter, fields)
        for row, (letter, fields) in enumerate(zip(letters, table.fields.seats, strict=True), start=1)
    ]
    if table.problem_row:
        lines[table.problem_row - 1].is_suspect = True
    if table.results and table.state != BAD:
        names = ordinals()
        for row, result in zip(table.rows, table.results, strict=True):
            lines[row - 1].place = names[result.place - 1]
            lines[row - 1].balance = signed(result.balance, 1)
    return lines


def _say_begun(text: TableText, unit: str, words: Mapping[str, str]) -> None:
    table = text.table
    left = counted(table.right - table.got, unit)
    text.sum_label, text.sum_figure = words["sum_so_far"], counted(table.got, unit)
    text.mark = text.sum_figure
    offered = [fix for fix in table.fixes if fix.kind == MISSING]
    name = offered[0].name if offered else ""
    text.sum_note = words["left_for" if name else "to_come"].format(left=left, name=name)
    text.choices = [_choice(fix) for fix in offered]


def _say_wrong(text: TableText, unit: str, words: Mapping[str, str]) -> None:
    table = text.table
    difference = table.got - table.right
    n = counted(abs(difference), unit).removeprefix("+")
    text.sum_label = words["of"].format(got=counted(table.got, unit), right=counted(table.right, unit))
    text.sum_note = words["missing" if difference < 0 else "too_much"].format(n=n)
    text.sum_figure = text.mark = (
        signed(difference, 1) if unit == "balance" else _signed_points(n, difference < 0)
    )
    if not table.fixes:
        return
    if table.fixes[0].kind == UNIT:
        way = table.fixes[0].button.rpartition(":")[2]
        value = table.fields.seats[0].score
        text.question = words[f"unit_{way}"].format(text=value)
        text.choices = [(words[f"read_{way}"], table.fixes[0].button)]
    elif len(table.fixes) == 1:
        fix = table.fixes[0]
        line = text.lines[fix.row - 1]
        line.is_suspect = True
        line.why = f"{words[fix.kind].format(text=fix.text)} {words['only_one']}"
        line.button = (words["make"].format(text=fix.text), fix.button)
    else:
        text.question = words["which_missing" if difference < 0 else "which_too_much"].format(n=n)
        text.why_asked = words["each_one"]
        text.choices = [_choice(fix) for fix in table.fixes]


def _signed_points(n: str, is_loss: bool) -> str:
    return f"{MINUS}{n}" if is_loss else f"+{n}"


def _choice(fix: Fix) -> FigureText:
    return f"{fix.name} {fix.text}".strip(), fix.button


def rules_text(rules: ScoreRules, words: Mapping[str, str]) -> str:
    """Write points, uma and oka of rules in one line: uma 30 / 10 / −10 / −30."""
    uma = " / ".join(f"{plain(value):f}" for value in rules.uma).replace("-", MINUS)
    text = words["terms"].format(start=f"{rules.start:,}", back=f"{rules.back:,}", uma=uma)
    return f"{text} · {words['oka']} {plain(rules.oka):f}" if rules.oka else text


@dataclass(frozen=True)
class SheetText:
    """The bar below the sheet: counts, open tasks and the main button, which leads to `target` or publishes."""

    count: str
    todo: str
    act: str
    target: str


def sheet_text(read: ReadSheet, words: Mapping[str, str], n_asked: int) -> SheetText:
    """Write the bar below the sheet; `n_asked` is the number of names with an open question."""
    n_tables = len(read.used)
    key = ("none", "one")[n_tables] if n_tables < 2 else "many"  # noqa: PLR2004  none, one, many
    count = words[f"count_{key}"].format(players=read.n_players, tables=n_tables)
    table = read.first_open
    if table is None and n_asked:
        return SheetText(count, words["todo_names"].format(n=n_asked), words["do_names"], "asks")
    if table is None:
        return SheetText(count, words["todo_all"], words[f"publish_{key}"].format(tables=n_tables), "")
    if table.state == EMPTY:
        return SheetText(count, "", words["do_empty"], f"{table.anchor}-1")
    where = table.number if len(read.rounds) == 1 else f"{table.round}-{table.number}"
    todo, act = (words[f"{part}_{table.state}"].format(where=where) for part in ("todo", "do"))
    return SheetText(count, todo, act, f"{table.anchor}-{table.problem_row or _first_row(table)}")


def _first_row(table: ReadTable) -> int:
    """The row to look at first: one that is asked about, or one without a number."""
    if table.state == WRONG and table.fixes and table.fixes[0].row:
        return table.fixes[0].row
    empty = [row for row, seat in enumerate(table.fields.seats, start=1) if not seat.score]
    return empty[0] if empty else 1
