"""Doubt what a heading says where the values below it disagree: what is clear is corrected, the rest asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from reading.finishing_order.lines import MAX_ENTRIES_OF_ONE
from reading.tables import asked as questions
from reading.tables.asked import Asked
from reading.tables.columns import unused_columns
from reading.tables.grids import Row
from reading.tables.layouts import HEADING, VALUES, Column, Layout
from reading.tables.meanings import Meaning, heading_key, is_of_bounties
from reading.tables.values import number

PLURALS = {"buyins", "entries", "rebuys"}  # headings of counts
DAYS = (Meaning.DATE, Meaning.EVENT, Meaning.NAME, Meaning.ROUND, Meaning.TABLE)
BESIDE_BUY_IN = {Meaning.REBUYS, Meaning.CHIP_REBUYS, Meaning.ADD_ONS, Meaning.FEE}
LEAST_ROWS = 2  # of an event whose times can say anything


def corrected(layout: Layout, prefix: str, asked: Asked) -> Layout:
    """Correct the meanings that a heading or a guess gave; what a person chose stays. `prefix` is that of the sheet."""
    columns = tuple(_corrected(layout, column, prefix, asked) for column in layout.columns)
    if columns == layout.columns:
        return layout
    beside = [unused for unused in layout.unused if unused.kind != "column"]
    return replace(layout, columns=columns, unused=(*unused_columns(columns), *beside))


def _corrected(layout: Layout, column: Column, prefix: str, asked: Asked) -> Column:
    if column.reason not in {HEADING, VALUES}:
        return column
    if column.meaning == Meaning.OUT_AT and _is_start(layout, column):
        free = Meaning.START not in layout.meanings
        return replace(column, meaning=Meaning.START if free else Meaning.UNUSED, reason=VALUES)
    if column.meaning == Meaning.COST and _could_be_counts(layout, column):
        return replace(column, meaning=questions.counts_or_costs(prefix, column.heading, asked), is_sure=True)
    if column.meaning in {Meaning.GAME, Meaning.REBUYS}:
        return _of_counts(layout, column, prefix, asked)
    return _of_money(layout, column)


def _of_money(layout: Layout, column: Column) -> Column:
    """Correct a column of costs or knock-outs that holds one price or amounts won."""
    if column.meaning == Meaning.COST and _is_price(layout, column):
        return replace(column, meaning=Meaning.BUY_IN)
    if column.meaning == Meaning.KNOCKOUTS and _are_amounts(layout, column):
        return replace(column, meaning=Meaning.BOUNTIES, reason=VALUES)
    return column


def _is_price(layout: Layout, column: Column) -> bool:
    """Tell whether a column "Buy-in" holds one price for all, beside columns of additional costs."""
    texts = {row.cells[column.index] for row in layout.body if column.index < len(row.cells)} - {""}
    is_named = heading_key(column.heading).startswith("buyin")
    return is_named and len(texts) == 1 and bool(layout.meanings & BESIDE_BUY_IN)


def _are_amounts(layout: Layout, column: Column) -> bool:
    """Tell whether a column of bounties has what was won with them, not how many: more than there were players."""
    if not is_of_bounties(column.heading):
        return False
    read = [number(row.cells[column.index]) for row in layout.body if column.index < len(row.cells)]
    values = [value for value in read if value is not None]
    is_whole = all(value == value.to_integral() for value in values)
    return not is_whole or sum(values) > len(layout.body)


def _of_counts(layout: Layout, column: Column, prefix: str, asked: Asked) -> Column:
    """Correct a column of games or rebuys whose numbers count something else."""
    if column.meaning == Meaning.GAME:
        counts = Meaning.EVENT not in layout.meanings and _are_numbers(layout, column)
        return replace(column, meaning=Meaning.EVENT) if counts else column
    if Meaning.N_ENTRIES in layout.meanings:
        return replace(column, meaning=Meaning.CHIP_REBUYS)
    if heading_key(column.heading).startswith("rebuy"):
        return replace(column, meaning=questions.rebuys(prefix, column.heading, asked))
    return column


def _are_numbers(layout: Layout, column: Column) -> bool:
    """Tell whether a column "Game" counts games instead of naming them."""
    cells = [row.cells[column.index] for row in layout.body if column.index < len(row.cells)]
    return any(cells) and all(cell.isdecimal() for cell in cells if cell)


def _is_start(layout: Layout, column: Column) -> bool:
    """Tell whether all rows of each event have one time, so that it is the start and not a bust."""
    events = list(_events(layout))
    cells = [[row.cells[column.index] for row in rows if column.index < len(row.cells)] for rows in events]
    filled = [(list(filter(None, texts)), rows) for texts, rows in zip(cells, events, strict=True)]
    several = [(texts, rows) for texts, rows in filled if len(rows) >= LEAST_ROWS and texts]
    return bool(several) and all(len(texts) == len(rows) and len(set(texts)) == 1 for texts, rows in several)


def _events(layout: Layout) -> Iterator[Sequence[Row]]:
    """Group the rows by what tells one event from another."""
    events: dict[tuple[str, ...], list[Row]] = {}
    for row in layout.body:
        events.setdefault(tuple(layout.cell(row, meaning) for meaning in DAYS), []).append(row)
    yield from events.values()


def _could_be_counts(layout: Layout, column: Column) -> bool:
    """Tell whether amounts are so small and whole that they could count entries."""
    texts = [row.cells[column.index] for row in layout.body if column.index < len(row.cells)]
    filled = list(filter(None, texts))
    read = [number(text) for text in filled]
    if not read or not all(text.isdecimal() for text in filled):
        return False
    counts = [value or Decimal(0) for value in read]
    least = 1 if heading_key(column.heading) in PLURALS else max(counts)
    return min(counts) >= 1 and max(counts) <= MAX_ENTRIES_OF_ONE and (min(counts) == 1 or least == 1)
