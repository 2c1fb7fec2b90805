"""Find the headings of a table and guess what its columns mean, from headings, values and position."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reading.names.keys import name_key
from reading.names.no_names import is_no_name, is_total
from reading.names.rules import name_problem
from reading.tables.grids import Grid, Row
from reading.tables.layouts import (
    CHOSEN,
    EMPTY,
    HEADING,
    HEADINGS,
    NOTHING,
    REMEMBERED,
    REPEATED,
    TITLE,
    TOTALS,
    VALUES,
    Column,
    Layout,
    Unused,
)
from reading.tables.meanings import (
    WEAK_HEADINGS,
    Meaning,
    heading_key,
    is_of_bounties,
    meaning_of_heading,
    parts_of_names,
)
from reading.tables.moments import clock, dates, lacks_year, moment
from reading.tables.values import CURRENCY, number, place

MOST_ABOVE = 12  # lines above the headings: titles
N_SAMPLES = 4
MOST_FEW = 10  # knock-outs of one player at a small table
LEAST_NAMED = 2  # columns that a row of headings names, if it has so many
MOST = 0.8  # share of the cells of a column that decides about it


def guess(
    grid: Grid,
    *,
    known: Collection[str] = (),
    remembered: Mapping[str, Meaning] | None = None,
    chosen: Mapping[int, Meaning] | None = None,
    heading_line: int | None = None,
) -> Layout:
    """Guess the layout of a table.

    Parameters
    ----------
    known : collection of str
        Name keys of the club's players: a column that holds them is that of the players.
    remembered : mapping of heading keys to meanings
        What the club has chosen for such headings before.
    chosen : mapping of column indices to meanings
        What a person has chosen now; it overrules everything.
    heading_line : int, optional
        The line of the headings if a person has said which it is; 0 says that there are none.
    """
    heading = _heading_row(grid, known, heading_line)
    body, unused = _body(grid, heading)
    columns = _columns(grid, heading, body, known, remembered or {}, chosen or {})
    columns = _without_strays(columns, body, has_heading=heading is not None)
    body, totals = _without_totals(body, columns, known)
    width = len(columns)
    beyond = [
        Unused(row.line, " ".join(filter(None, row.cells[width:])), "cell")
        for row in body
        if any(row.cells[width:])
    ]
    return Layout(
        heading.line if heading else None,
        tuple(columns),
        tuple(body),
        (*unused_columns(columns), *unused, *totals, *beyond),
    )


def unused_columns(columns: Sequence[Column]) -> list[Unused]:
    """List columns that are not read. Points of a list with places or scores are not: the season gives its own."""
    meanings = {column.meaning for column in columns}
    left_out = {Meaning.UNUSED}
    if meanings & {Meaning.PLACE, Meaning.SCORE, Meaning.BALANCE}:
        left_out.add(Meaning.POINTS)
    return [
        Unused(0, column.heading or ", ".join(column.samples), "column")
        for column in columns
        if column.meaning in left_out and column.samples
    ]


def _without_strays(columns: list[Column], body: Sequence[Row], *, has_heading: bool) -> list[Column]:
    """Take away columns at the end without a heading that have cells in less than half of the rows."""
    n = len(columns)
    while has_heading and n and not columns[n - 1].heading and columns[n - 1].reason != CHOSEN:
        at = columns[n - 1].index
        n_filled = sum(at < len(row.cells) and bool(row.cells[at]) for row in body)
        if n_filled * 2 >= max(1, len(body)):
            break
        n -= 1
    return columns[:n]


def _heading_row(grid: Grid, known: Collection[str], given: int | None) -> Row | None:
    """Find the first row of headings; None if a row with a known player comes first."""
    if given is not None:
        return next((row for row in grid.rows if row.line == given), None)
    for row in [row for row in grid.rows if not row.is_empty][:MOST_ABOVE]:
        named = [cell for cell in row.cells if cell and meaning_of_heading(cell)]
        filled = [cell for cell in row.cells if cell]
        players = [cell for cell in filled if name_key(cell) in known and not meaning_of_heading(cell)]
        if players:
            return None
        meanings = {meaning_of_heading(cell) for cell in named}
        is_short = len(filled) <= LEAST_NAMED and meanings <= {Meaning.PLAYER, Meaning.PLACE}
        enough = len(named) >= LEAST_NAMED or (named and is_short)
        if enough and meanings & {Meaning.PLAYER, Meaning.PLACE, Meaning.SCORE, Meaning.DATE}:
            return row
    return _unknown_headings(grid)


def _unknown_headings(grid: Grid) -> Row | None:
    """Take the first row for headings if its cells are words above columns of figures or dates."""
    rows = [row for row in grid.rows if not row.is_empty]
    if len(rows) < 3 or not all(map(_is_word, rows[0].cells)):  # noqa: PLR2004  of one row below nothing follows
        return None
    first, *below = rows
    for index in range(len(first.cells)):
        cells = [row.cells[index] for row in below if index < len(row.cells)]
        if _share(cells, _is_figure) >= MOST:
            return first
    return None


def _is_word(cell: str) -> bool:
    return any(char.isalpha() for char in cell) and not _is_figure(cell)


def _is_figure(cell: str) -> bool:
    read = place(cell)
    return (
        bool(read and read.number) or number(cell) is not None or bool(dates(cell)) or clock(cell) is not None
    )


def _body(grid: Grid, heading: Row | None) -> tuple[list[Row], list[Unused]]:
    """Separate rows of entries from titles, empty rows and headings that are repeated."""
    body, unused = [], []
    last = max((row.line for row in grid.rows if not row.is_empty), default=0)
    for row in grid.rows:
        if row.is_empty:
            unused += [Unused(row.line, "", EMPTY)] if row.line < last else []
            continue
        if heading and row.line == heading.line:
            unused.append(Unused(row.line, row.text, HEADINGS))
        elif heading and row.line < heading.line:
            unused.append(Unused(row.line, row.text, TITLE))
        elif heading and row.cells == heading.cells:
            unused.append(Unused(row.line, row.text, REPEATED))
        else:
            body.append(row)
    return body, unused


def _columns(
    grid: Grid,
    heading: Row | None,
    body: Sequence[Row],
    known: Collection[str],
    remembered: Mapping[str, Meaning],
    chosen: Mapping[int, Meaning],
) -> list[Column]:
    columns = []
    for index in range(grid.width):
        title = heading.cells[index] if heading and index < len(heading.cells) else ""
        cells = [row.cells[index] for row in body if index < len(row.cells) and row.cells[index]]
        samples = tuple(dict.fromkeys(cells))[:N_SAMPLES]
        columns.append(Column(index, title, Meaning.UNUSED, True, NOTHING, samples))
    for index, meaning in chosen.items():
        if index < len(columns):
            columns[index] = replace(columns[index], meaning=meaning, reason=CHOSEN)
    taken = set(chosen.values())
    _by_heading(columns, remembered, taken)
    _by_values(columns, body, known, taken)
    return columns


def _by_heading(columns: list[Column], remembered: Mapping[str, Meaning], taken: set[Meaning]) -> None:
    """Take what headings say; "#" and the like are places only if no other column is."""
    for i, column in sorted(enumerate(columns), key=lambda item: _weakness(item[1])):
        if column.reason != NOTHING or not column.heading:
            continue
        past = remembered.get(heading_key(column.heading))
        meaning = past or _meaning_that_fits(column)
        if meaning == Meaning.KNOCKOUTS and meaning in taken and is_of_bounties(column.heading):
            meaning = Meaning.BOUNTIES
        if meaning is not None and (meaning not in taken or meaning == Meaning.UNUSED):
            taken.add(meaning)
            is_sure = bool(past) or meaning not in {Meaning.POINTS, Meaning.COST}
            columns[i] = replace(
                column, meaning=meaning, is_sure=is_sure, reason=REMEMBERED if past else HEADING
            )

    for i, meaning in parts_of_names([(column.heading, column.meaning) for column in columns]).items():
        if columns[i].reason == NOTHING and meaning not in taken:
            taken.add(meaning)
            columns[i] = replace(columns[i], meaning=meaning, reason=HEADING)


def _weakness(column: Column) -> int:
    """Rank how easily another column takes over a heading's meaning; 0 is the strongest."""
    if heading_key(column.heading) in WEAK_HEADINGS:
        return 2
    return 1 if is_of_bounties(column.heading) else 0


def _meaning_that_fits(column: Column) -> Meaning | None:
    """Find the meaning of a heading; "Time" above values that are not times of day is unused."""
    meaning = meaning_of_heading(column.heading)
    is_own = meaning is not None and heading_key(column.heading) == meaning.value.replace("_", "")
    if meaning in {Meaning.IN_AT, Meaning.OUT_AT} and not is_own and column.samples:
        return meaning if any(map(_has_clock, column.samples)) else Meaning.UNUSED
    return meaning


def _has_clock(cell: str) -> bool:
    return clock(cell) is not None or moment(cell).at is not None


def _by_values(
    columns: list[Column], body: Sequence[Row], known: Collection[str], taken: set[Meaning]
) -> None:
    """Guess the meaning of undecided columns from most of their cells: players, then dates and places."""
    cells = {
        column.index: [row.cells[column.index] for row in body if column.index < len(row.cells)]
        for column in columns
    }

    def give(meaning: Meaning, index: int | None, *, is_sure: bool = True) -> None:
        if index is not None and meaning not in taken:
            taken.add(meaning)
            columns[index] = replace(columns[index], meaning=meaning, reason=VALUES, is_sure=is_sure)

    def is_free(index: int) -> bool:
        return columns[index].reason == NOTHING

    free = [index for index in cells if is_free(index) and any(cells[index])]
    give(Meaning.PLAYER, _column_of_names(free, cells, known))
    give(Meaning.DATE, next((i for i in free if is_free(i) and _share(cells[i], _is_date) >= MOST), None))
    places = [i for i in free if is_free(i) and _share(cells[i], _is_place) >= MOST]
    give(Meaning.PLACE, next((i for i in places if _looks_like_places(cells[i])), None))
    for i in free:
        if _share(cells[i], _is_money) > 0:  # a prize orders nobody
            continue
        if is_free(i) and not columns[i].heading and _share(cells[i], _is_score) >= MOST:
            give(_meaning_of_numbers([cell for cell in cells[i] if cell]), i, is_sure=False)
        elif is_free(i) and not columns[i].heading and _share(cells[i], _is_clock) >= MOST:
            give(Meaning.OUT_AT, i, is_sure=False)


def _meaning_of_numbers(cells: Sequence[str]) -> Meaning:
    """Guess what numbers without a heading are: balances have signs, knock-outs are few, anything else is a score."""
    numbers = [read for cell in cells if (read := number(cell)) is not None]
    if any(read < 0 for read in numbers) or any(cell.startswith("+") for cell in cells):
        return Meaning.BALANCE
    are_few = all(read == int(read) and read <= max(MOST_FEW, 2 * len(cells)) for read in numbers)
    return Meaning.KNOCKOUTS if are_few else Meaning.SCORE


def _is_clock(cell: str) -> bool:
    return clock(cell) is not None


def can_be_names(cells: Sequence[str]) -> bool:
    """Tell whether most cells of a column look like names."""
    return _share(cells, _is_name) >= MOST


def _column_of_names(
    free: Sequence[int], cells: Mapping[int, Sequence[str]], known: Collection[str]
) -> int | None:
    """Choose the column with most known players, else the first that can be names."""
    hits = {i: sum(name_key(cell) in known for cell in cells[i] if cell) for i in free}
    best = max(free, key=lambda i: hits[i], default=None)
    if best is not None and hits[best]:
        return best
    return next((i for i in free if can_be_names(cells[i])), None)


def _share(cells: Sequence[str], test: object) -> float:
    filled = [cell for cell in cells if cell]
    return sum(map(test, filled)) / len(filled) if filled else 0.0  # type: ignore[call-overload]


def _is_date(cell: str) -> bool:
    is_score = cell.isdecimal() and len(cell) != len("20260113")  # a plain number, unless a heading says date
    return (bool(dates(cell)) or (lacks_year(cell) and "/" not in cell)) and not is_score


def _is_money(cell: str) -> bool:
    return any(sign in cell for sign in CURRENCY)


def _is_place(cell: str) -> bool:
    return place(cell) is not None


def _is_score(cell: str) -> bool:
    return number(cell) is not None


def _is_name(cell: str) -> bool:
    return (
        any(char.isalpha() for char in cell)
        and not name_problem(cell)
        and place(cell) is None
        and number(cell) is None
        and clock(cell) is None
        and not dates(cell)
    )


def _looks_like_places(cells: Sequence[str]) -> bool:
    """Tell whether the numbers begin with 1 and are not larger than the number of rows."""
    numbers = [read.number for cell in cells if (read := place(cell)) and read.number]
    return bool(numbers) and min(numbers) == 1 and max(numbers) <= max(len(cells), 2)


def _without_totals(
    body: list[Row], columns: Sequence[Column], known: Collection[str]
) -> tuple[list[Row], list[Unused]]:
    """Leave out rows of totals and titles: those without a player, or named Total and without a place."""
    player = next((c.index for c in columns if c.meaning == Meaning.PLAYER), None)
    place_at = next((c.index for c in columns if c.meaning == Meaning.PLACE), None)
    if player is None:
        return body, []
    kept, left_out = [], []
    for row in body:
        name = row.cells[player] if player < len(row.cells) else ""
        at = row.cells[place_at] if place_at is not None and place_at < len(row.cells) else ""
        read = place(at)
        has_place = place_at is not None and read is not None and read.number is not None
        is_new = name_key(name) not in known
        is_sum = is_new and (is_total(name) or (not has_place and any(map(is_no_name, row.cells))))
        is_title = not name and sum(map(bool, row.cells)) == 1 and not has_place
        if is_sum or is_title:
            left_out.append(Unused(row.line, row.text, TOTALS if is_sum else TITLE))
        else:
            kept.append(row)
    return kept, left_out
