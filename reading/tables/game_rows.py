"""Tables with a game in each row: the columns of a player repeat, with a number or a wind in their headings."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from reading.tables.columns import guess
from reading.tables.grids import Grid, Row
from reading.tables.layouts import HEADING, Column, Layout, Unused
from reading.tables.meanings import Meaning, heading_key, meaning_of_heading

WORD = re.compile(r"\d+|[^\W\d_]+")
WINDS = {
    "east": 1, "south": 2, "west": 3, "north": 4, "東": 1, "南": 2, "西": 3, "北": 4, "東家": 1, "南家": 2, "西家": 3,
    "北家": 4,
}  # fmt: skip
WHOSE = {"p", "player", "プレイヤー", "選手", "spieler"}  # before another word, whose column it is: p1_score
LEAST_PLAYERS = 2
MOST_PLAYERS = 20
OF_PLAYER = {
    Meaning.PLAYER,
    Meaning.PLACE,
    Meaning.SCORE,
    Meaning.BALANCE,
    Meaning.PENALTY,
    Meaning.CHIPS,
    Meaning.SEAT,
}
RESULTS = {Meaning.PLACE, Meaning.SCORE, Meaning.BALANCE}
TELLS_GAMES_APART = {Meaning.EVENT, Meaning.ROUND, Meaning.TABLE, Meaning.NAME}


@dataclass(frozen=True)
class GameRows:
    """A table of games: its layout, and the columns of each player by meaning."""

    layout: Layout
    players: tuple[Mapping[Meaning, int], ...]


def game_rows(grid: Grid) -> GameRows | None:
    """Recognise a table of games by headings that name several players; None for any other table."""
    header = next((row for row in grid.rows if len(_players(row)) >= LEAST_PLAYERS), None)
    if header is None:
        return None
    players = _players(header)
    meaning_of = {index: meaning for columns in players for meaning, index in columns.items()}
    chosen = dict.fromkeys(meaning_of, Meaning.UNUSED)
    layout = guess(grid, heading_line=header.line, chosen=chosen)
    columns = tuple(
        replace(column, meaning=meaning_of[column.index], reason=HEADING)
        if column.index in meaning_of
        else _of_game(column)
        for column in layout.columns
    )
    kept = [one for one in layout.unused if one.line]
    unread = [
        Unused(0, column.heading, "column")
        for column in columns
        if column.meaning in {Meaning.UNUSED, *OF_PLAYER}
        and column.index not in meaning_of
        and column.samples
    ]
    return GameRows(replace(layout, columns=columns, unused=(*unread, *kept)), players)


def _of_game(column: Column) -> Column:
    """Read a time of the whole game as its start."""
    return replace(column, meaning=Meaning.START) if column.meaning == Meaning.OUT_AT else column


def _players(row: Row) -> tuple[Mapping[Meaning, int], ...]:
    """Find the columns of each player in a row of headings; nothing unless all have a name and a result."""
    found: dict[int, dict[Meaning, int]] = defaultdict(dict)
    for index, cell in enumerate(row.cells):
        if (read := _of_player(cell)) and read[1] not in found[read[0]]:
            found[read[0]][read[1]] = index
    named = [columns for _number, columns in sorted(found.items()) if columns]
    numbers = sorted(number for number, columns in found.items() if columns)
    is_whole = numbers == list(range(1, len(named) + 1)) and len(named) <= MOST_PLAYERS
    has_results = all(Meaning.PLAYER in columns and RESULTS & set(columns) for columns in named)
    return tuple(named) if is_whole and has_results else ()


def _of_player(heading: str) -> tuple[int, Meaning] | None:
    """Read a heading like p1_name, score2, "East score" or 東: the number of the player and what the column holds."""
    words = WORD.findall(heading.casefold())
    numbers = [
        int(word) if word.isdecimal() else WINDS[word] for word in words if word.isdecimal() or word in WINDS
    ]
    rest = [word for word in words if not word.isdecimal() and word not in WINDS]
    if len(numbers) != 1:
        return None
    if len(rest) > 1 and rest[0] in WHOSE:
        rest = rest[1:]
    is_wind = not any(word.isdecimal() for word in words)
    meaning = Meaning.PLAYER if is_wind and not rest else meaning_of_heading(heading_key(" ".join(rest)))
    return (numbers[0], meaning) if meaning in OF_PLAYER else None


def entries_of_games(table: GameRows) -> list[tuple[Row, dict[Meaning, str]]]:
    """Make a record of each player of each game; games of a day that nothing else tells apart are counted as rounds."""
    layout = table.layout
    is_counted = not layout.meanings & TELLS_GAMES_APART
    n_of_day: dict[str, int] = defaultdict(int)
    records = []
    for row in layout.body:
        common = {meaning: text for meaning, text in layout.cells(row).items() if meaning not in OF_PLAYER}
        if is_counted:
            day = common.get(Meaning.DATE, "")[:10]
            n_of_day[day] += 1
            common[Meaning.ROUND] = str(n_of_day[day])
        for columns in table.players:
            cells = {meaning: _cell(row, index) for meaning, index in columns.items()}
            if any(cells.values()):
                records.append((row, common | cells))
    return records


def _cell(row: Row, index: int) -> str:
    return row.cells[index] if index < len(row.cells) else ""
