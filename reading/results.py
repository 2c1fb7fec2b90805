"""Results between text or file and database: values to save, and what is impossible about them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol

from reading.amounts import Amounts
from reading.finishing_order.order import FinishingOrder, n_entries_of
from reading.names.keys import name_key


@dataclass(frozen=True)
class EventDetails:
    """Everything about an event but its entries. None in the last seven keeps what is stored.

    A new event without a pool is rated by that of its season; without seats it has the tables of its game.
    """

    starts_at: datetime
    name: str = ""
    ends_at: datetime | None = None
    closes_at: datetime | None = None
    table_size: int | None = None
    final_table_size: int | None = None
    pool_id: int | None = None
    game_id: int | None = None
    round: int | None = None
    table: int | None = None
    scoring: dict[str, Any] | None = None


@dataclass(frozen=True)
class EntryInput:
    """One entry of a result.

    None keeps the stored value; but in an entry `from_form`, None removes what the form shows (late arrival, time of
    the bust, knock-outs, cost and what belongs to a score), and times were typed as times of day, unless it
    `has_exact_times`. Score, balance and
    penalty are in the units of league.models.Entry.
    """

    name: str
    place: int
    number: int = 1
    registered_at: datetime | None = None
    busted_at: datetime | None = None
    from_form: bool = False
    has_exact_times: bool = False  # also from a form, to the second
    balance: Decimal | None = None
    knockouts: int | None = None
    cost: Decimal | None = None
    score: Decimal | None = None
    chips: int | None = None
    penalty: Decimal | None = None
    seat: int | None = None
    amounts: Amounts | None = None  # no part of the result


class Timed(Protocol):
    """An entry with its times, stored or not."""

    @property
    def registered_at(self) -> datetime | None: ...
    @property
    def busted_at(self) -> datetime | None: ...


def registers_after_close(entry: Timed, details: EventDetails) -> bool:
    return bool(entry.registered_at and details.closes_at and entry.registered_at > details.closes_at)


def is_out_before_start(entry: Timed, details: EventDetails) -> bool:
    return bool(entry.busted_at and entry.busted_at < details.starts_at)


def re_entries_below(entries: Iterable[EntryInput]) -> Iterator[EntryInput]:
    """Yield entries placed below the player's previous entry, which is impossible."""
    entries = list(entries)
    places = {(name_key(entry.name), entry.number): entry.place for entry in entries}
    for entry in entries:
        if places.get((name_key(entry.name), entry.number - 1), entry.place) < entry.place:
            yield entry


def entries_of(order: FinishingOrder) -> list[EntryInput]:
    """Make entries of a finishing order.

    Earlier entries without a known place share the place below all others, as if out before every last entry.
    """
    counts = n_entries_of(order.finishers)
    bottom = len(order.finishers) + 1
    numbered = {(finisher.key, finisher.number) for finisher in order.finishers}
    entries = []
    for finisher in order.finishers:
        name, key = finisher.name, finisher.key
        number = counts[key] if finisher.number is None else finisher.number
        entry = EntryInput(name, finisher.place, number, from_form=True)
        entries.append(
            replace(
                entry,
                registered_at=finisher.registered_at,
                busted_at=finisher.busted_at,
                knockouts=finisher.knockouts,
                cost=finisher.cost,
                score=finisher.score,
                balance=finisher.balance,
                amounts=finisher.amounts,
            )
        )
        if finisher.number is None:
            unplaced = [n for n in range(1, number) if (key, n) not in numbered]
            entries += [EntryInput(name, bottom, n, from_form=True) for n in unplaced]
    return entries


def out_after_better(entries: Iterable[EntryInput]) -> Iterator[tuple[EntryInput, EntryInput]]:
    """Yield last entries that busted after a better-placed one, in pairs; ties have no order."""
    last: dict[str, EntryInput] = {}
    for entry in entries:
        key = name_key(entry.name)
        if key not in last or entry.number > last[key].number:
            last[key] = entry
    timed = [(entry.place, entry.busted_at, entry) for entry in last.values() if entry.busted_at]
    earliest: tuple[datetime, EntryInput] | None = None
    for _place, tied in groupby(sorted(timed, key=itemgetter(0)), key=itemgetter(0)):
        busts = [(moment, entry) for _place, moment, entry in tied]
        if earliest:
            yield from ((entry, earliest[1]) for moment, entry in busts if moment > earliest[0])
        earliest = min([*busts, *([earliest] if earliest else [])], key=itemgetter(0))
