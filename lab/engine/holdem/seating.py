"""Compiled: the tables of a tournament, kept of equal size and broken when one fewer suffices.

`tables` has a row for each table: its seats with the player at each or `EMPTY`, then the seat of the button.
"""

from typing import Final

from lab.engine.holdem.hand import MOST_SEATS
from lab.engine.holdem.kernels import Ints, Whole
from ratings.engine.compiled import inner

EMPTY: Final = -1
# Column of the button, after those of the seats; a table that is broken has no button.
BUTTON_AT: Final = MOST_SEATS
BROKEN: Final = -1
TABLE_COLUMNS: Final = MOST_SEATS + 1


@inner
def seat_players(tables: Ints, order: Ints) -> None:
    """Seat players, in a drawn order, at tables of equal size; the button begins at the first seat."""
    for table in range(len(tables)):
        for seat in range(MOST_SEATS):
            tables[table, seat] = EMPTY
        tables[table, BUTTON_AT] = 0
    for at in range(len(order)):
        tables[at % len(tables), at // len(tables)] = order[at]


@inner
def count_players(tables: Ints, table: Whole) -> Whole:
    """Count the players at a table."""
    n = 0
    for seat in range(MOST_SEATS):
        n += tables[table, seat] != EMPTY
    return n


@inner
def move_button(tables: Ints, table: Whole) -> None:
    """Move the button to the next player."""
    seat = tables[table, BUTTON_AT]
    while True:
        seat = (seat + 1) % MOST_SEATS
        if tables[table, seat] != EMPTY:
            tables[table, BUTTON_AT] = seat
            return


@inner
def balance(tables: Ints, sizes: Ints, n_seats: Whole) -> None:
    """Break tables while the others have room, the smallest first; then level the sizes to within one player."""
    n_players, n_open = 0, 0
    for table in range(len(tables)):
        sizes[table] = count_players(tables, table)
        n_players += sizes[table]
        n_open += tables[table, BUTTON_AT] != BROKEN
    while (n_open - 1) * n_seats >= n_players and n_open > 1:
        broken = _smallest(tables, sizes)
        tables[broken, BUTTON_AT] = BROKEN
        for seat in range(MOST_SEATS):
            if tables[broken, seat] != EMPTY:
                _move(tables, sizes, broken, seat, _smallest(tables, sizes))
        n_open -= 1
    _level(tables, sizes)


@inner
def _level(tables: Ints, sizes: Ints) -> None:
    while True:
        largest, smallest = 0, _smallest(tables, sizes)
        for table in range(len(tables)):
            if sizes[table] > sizes[largest]:
                largest = table
        if sizes[largest] - sizes[smallest] < 2:
            return
        _move(tables, sizes, largest, _next_big_blind(tables, largest), smallest)


@inner
def _smallest(tables: Ints, sizes: Ints) -> Whole:
    """Find the first of the smallest tables that are not broken."""
    smallest = EMPTY
    for table in range(len(tables)):
        if tables[table, BUTTON_AT] != BROKEN and (smallest == EMPTY or sizes[table] < sizes[smallest]):
            smallest = table
    return smallest


@inner
def _next_big_blind(tables: Ints, table: Whole) -> Whole:
    """Find the player who would post the next big blind: the third after the button's seat."""
    seat, n_passed = tables[table, BUTTON_AT], 0
    while n_passed < 3:
        seat = (seat + 1) % MOST_SEATS
        n_passed += tables[table, seat] != EMPTY
    return seat


@inner
def _move(tables: Ints, sizes: Ints, table: Whole, seat: Whole, to: Whole) -> None:
    """Move a player to the first empty seat of another table."""
    free = 0
    while tables[to, free] != EMPTY:
        free += 1
    tables[to, free] = tables[table, seat]
    tables[table, seat] = EMPTY
    sizes[table] -= 1
    sizes[to] += 1
