"""Seats of a night: a draw that anybody can check, and proposals that keep tables even.

A draw is a number from a seed whose SHA-256 is shown before anybody comes; see `drawn`. Who comes draws one of the free
seats at the tables with the fewest players, so tables are never more than one apart, whenever somebody comes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

Seat = tuple[int, int]  # table and seat, both from 1
Taken = Mapping[Seat, str]  # who sits where: the id of the entry
APART = 2  # players by which sizes differ before somebody moves
FINAL_TABLE = 1
_ALL = 2**256


def committed(seed: str) -> str:
    """Hash a seed, as it is shown before the first draw."""
    return hashlib.sha256(seed.encode()).hexdigest()


def drawn(seed: str, i: int, n: int) -> int:
    """Draw a number from 0 to n - 1, each as likely as the others.

    Parameters
    ----------
    seed : str
    i : int
        Which draw of the seed it is.
    n : int
        How many there are to choose from, at least 1.

    Notes
    -----
    SHA-256 of "seed:i:k" as a whole number, modulo n; k counts from 0 and rises while the number is in the last, unfull
    block of n, so that none is more likely.
    """
    k = 0
    while True:
        number = int.from_bytes(hashlib.sha256(f"{seed}:{i}:{k}".encode()).digest())
        if number < _ALL - _ALL % n:
            return number % n
        k += 1


class Draw(NamedTuple):
    """A seat that was drawn: the number of the draw, the seats it chose from in their order, and which it was."""

    i: int
    free: list[Seat]
    seat: Seat


def draw_seat(seed: str, i: int, free: Iterable[Seat]) -> Draw:
    seats = sorted(free)
    return Draw(i, seats, seats[drawn(seed, i, len(seats))])


@dataclass(frozen=True)
class Room:
    """The tables of a night as they are.

    `taken` says who sits where, `size` how many seats a table has, `open_tables` at which tables people may sit down
    although nobody does, `fixed` who has a seat of their own and never moves, `big_blinds` the seat of the big blind at
    tables where it was said.
    """

    taken: Taken
    size: int
    final_size: int
    open_tables: frozenset[int] = frozenset({1})
    fixed: Mapping[str, Seat] = field(default_factory=dict)
    big_blinds: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def tables(self) -> dict[int, dict[int, str]]:
        """Map the tables where somebody sits to their seats."""
        found: dict[int, dict[int, str]] = {}
        for (table, seat), entry in sorted(self.taken.items()):
            found.setdefault(table, {})[seat] = entry
        return found

    def free(self, taken: Taken, tables: Iterable[int]) -> list[Seat]:
        """List the seats of tables that nobody has or keeps; those between the blinds only if there is no other."""
        kept = {*self.fixed.values(), *taken}
        found: list[Seat] = []
        for table in tables:
            seats = [(table, seat) for seat in range(1, self.size + 1) if (table, seat) not in kept]
            found += [seat for seat in seats if not self._is_dead(*seat)] or seats
        return found

    def free_at_fewest(self, taken: Taken, tables: Iterable[int]) -> list[Seat]:
        """List the free seats of those tables that have the fewest players."""
        free = self.free(taken, tables)
        sizes = sizes_of(taken)
        fewest = min((sizes.get(table, 0) for table, _seat in free), default=0)
        return [seat for seat in free if sizes.get(seat[0], 0) == fewest]

    def for_the_next(self) -> list[Seat]:
        """List the seats that the next one who comes may draw; a further table opens when all are full."""
        tables = {*self.open_tables, *self.tables}
        return self.free_at_fewest(self.taken, tables) or self.free({}, [max(tables, default=0) + 1])

    def _is_dead(self, table: int, seat: int) -> bool:
        """Tell whether a seat lies between the small blind and the big one: who sat down there would wait."""
        big = self.big_blinds.get(table)
        seats = sorted(self.tables.get(table, {}))
        if big not in seats or len(seats) <= 2:  # noqa: PLR2004  of two the button is the small blind
            return False
        small = seats[seats.index(big) - 1]
        return 0 < (seat - small) % self.size < (big - small) % self.size


def sizes_of(taken: Taken) -> dict[int, int]:
    """Count the players at each table."""
    sizes: dict[int, int] = {}
    for table, _seat in taken:
        sizes[table] = sizes.get(table, 0) + 1
    return sizes


@dataclass(frozen=True)
class Proposal:
    """Moves that are proposed together, and why.

    `kind` is final (all sit down anew at one table), break (`table` breaks, since one fewer holds everybody) or balance
    (`table` has too few). `draws` are those that decided, `asks` the tables whose big blind would say it better.
    """

    kind: str
    table: int
    moves: list[tuple[str, int, int]]
    draws: list[Draw]
    asks: tuple[int, ...] = ()


def propose(room: Room, seed: str, i: int, *, is_filling: bool = False) -> Proposal | None:
    """Propose the moves that a room needs now; None if it needs none. `i` is the number of the next draw.

    While a room is filling, players are still to come: then tables are kept even, and none breaks.
    """
    tables = room.tables
    n = len(room.taken)
    if len(tables) < 2:  # noqa: PLR2004  one table is even
        return None
    if not is_filling and n <= room.final_size:
        return _final(room, seed, i)
    if not is_filling and n <= (len(tables) - 1) * room.size and (broken := _to_break(room)):
        return _broken(room, broken, seed, i)
    sizes = [len(seats) for seats in tables.values()]
    return _balanced(room, seed, i) if max(sizes) - min(sizes) >= APART else None


def _final(room: Room, seed: str, i: int) -> Proposal:
    """Draw the final table; who has a seat of their own keeps its number there, if nobody else does."""
    size = max(room.size, room.final_size)
    taken: dict[Seat, str] = {}
    for entry in room.taken.values():
        if entry in room.fixed and (own := (FINAL_TABLE, room.fixed[entry][1])) not in taken:
            taken[own] = entry
    draws: list[Draw] = []
    for entry in room.taken.values():
        if entry not in taken.values():
            free = [(FINAL_TABLE, seat) for seat in range(1, size + 1) if (FINAL_TABLE, seat) not in taken]
            draws.append(draw_seat(seed, i + len(draws), free))
            taken[draws[-1].seat] = entry
    return Proposal("final", FINAL_TABLE, _moves(taken), draws)


def _to_break(room: Room) -> int | None:
    """Choose the table that breaks: the last one where nobody has a seat of their own."""
    return max(
        (table for table, seats in room.tables.items() if not room.fixed.keys() & set(seats.values())),
        default=None,
    )


def _broken(room: Room, broken: int, seed: str, i: int) -> Proposal | None:
    others = [table for table in room.tables if table != broken]
    taken = {seat: entry for seat, entry in room.taken.items() if seat[0] != broken}
    draws: list[Draw] = []
    moved: dict[Seat, str] = {}
    for entry in room.tables[broken].values():
        free = room.free_at_fewest(taken, others)
        if not free:  # the seats that are left are kept for somebody
            return None
        draws.append(draw_seat(seed, i + len(draws), free))
        taken[draws[-1].seat] = moved[draws[-1].seat] = entry
    return Proposal("break", broken, _moves(moved), draws)


def _balanced(room: Room, seed: str, i: int) -> Proposal | None:
    """Move one after the other from the largest table to the shortest until sizes are less than two apart."""
    taken = dict(room.taken)
    draws: list[Draw] = []
    moved: dict[str, Seat] = {}
    tables: list[int] = []  # where somebody leaves or comes, the first shortest one second
    while True:
        sizes = sizes_of(taken)
        large, short = max(sizes, key=lambda t: (sizes[t], -t)), min(sizes, key=lambda t: (sizes[t], t))
        now = replace(room, taken=taken, open_tables=frozenset())
        movers = [seat for seat in in_order(now, large) if taken[seat] not in {*moved, *room.fixed}]
        free = worst_seats(now, short)
        if sizes[large] - sizes[short] < APART or not movers or not free:
            break
        tables += [large, short]
        start = _first_or_drawn(movers, large, room, seed, i, draws)
        end = _first_or_drawn(free, short, room, seed, i, draws)
        entry = taken.pop(start)
        taken[end], moved[entry] = entry, end
    if not moved:
        return None
    asks = tuple(sorted({*tables} - room.big_blinds.keys()))
    return Proposal("balance", tables[1], [(entry, *seat) for entry, seat in moved.items()], draws, asks)


def _first_or_drawn(
    seats: Sequence[Seat], table: int, room: Room, seed: str, i: int, draws: list[Draw]
) -> Seat:
    """Take the first of seats in the order of the big blind; where nobody said who that is, draw one."""
    if table in room.big_blinds:
        return seats[0]
    draws.append(draw_seat(seed, i + len(draws), seats))
    return draws[-1].seat


def in_order(room: Room, table: int) -> list[Seat]:
    """List the seats of a table by who pays the big blind next; from seat 1 if nobody said who pays it now."""
    seats = sorted(room.tables.get(table, {}))
    big = room.big_blinds.get(table, 0)
    return [(table, seat) for seat in sorted(seats, key=lambda seat: (seat <= big, seat))]


def worst_seats(room: Room, table: int) -> list[Seat]:
    """List the free seats of a table, those first where the big blind comes soonest; never between the blinds."""
    big = room.big_blinds.get(table, 0)
    free = room.free(room.taken, [table])
    return sorted(free, key=lambda seat: (seat[1] <= big, seat[1]))


def _moves(seats: Mapping[Seat, str]) -> list[tuple[str, int, int]]:
    return [(entry, table, seat) for (table, seat), entry in seats.items()]


def is_right(seed: str, sha256: str, draws: Sequence[Draw]) -> bool:
    """Check a draw: the seed is the one that was shown, and every seat is the one it draws."""
    return committed(seed) == sha256 and all(
        sorted(free) == free and free[drawn(seed, i, len(free))] == seat for i, free, seat in draws
    )
