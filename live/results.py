"""Turn the state of a night into a result: places of all entries, times, knock-outs and costs."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal

from live.engine.prizes import decimals_of
from live.engine.state import Entry, Night
from reading.names.keys import name_key
from reading.results import EntryInput, EventDetails

LEAST_PLAYERS = 2
NameOf = Callable[[Entry], str]


@dataclass(frozen=True)
class Outcome:
    """A result that a night says; `input_of` leads from the entries of its log to those of the result."""

    details: EventDetails
    entries: tuple[EntryInput, ...]
    input_of: Mapping[str, EntryInput]


class Unfinished(Exception):
    """A night in which several players are still in, or nobody has come."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(", ".join(names))
        self.names = list(names)


class Unbalanced(Exception):
    """A cash table that has given back more or less than was put in, by `difference` in the smallest unit of money."""

    def __init__(self, state: Night, difference: int) -> None:
        super().__init__(difference)
        self.amount = _amount(state, abs(difference))
        self.is_too_much = difference > 0


class InTwice(Exception):
    """Two entries of one person at the same time, by what names mean."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def outcome_of(state: Night, *, name_of: NameOf, starts_at: datetime, name: str = "") -> Outcome:
    """Make a result of a night that is over.

    Parameters
    ----------
    state : Night
        Of the engine, projected from the whole log.
    name_of : callable
        Whom an entry means, by the name of the player.
    starts_at : datetime
        When the night was to start; a clock that was started says it better.

    Raises
    ------
    Unfinished
        If not exactly one player, or a deal for all, is left.
    InTwice
        If names of two entries mean one person who was in twice at once.
    """
    places = entry_places(state)
    ends = _exit_times(state)
    start_ms = state.started_at_ms if state.started_at_ms is not None else _ms(starts_at)
    start_ms = min([start_ms, *ends.values()])
    start_ms -= start_ms % 60_000  # as pages show it
    numbers = _numbers(state, name_of, ends)
    hunted = Counter(entry.by for entry in state.entries.values() if entry.by)
    entries = tuple(
        _entry(state, entry, name_of(entry), numbers[entry.id], places[entry.id], start_ms, ends)
        for entry in state.entries.values()
    )
    if hunted:
        counts = [hunted[entry.id] for entry in state.entries.values()]
        entries = tuple(replace(row, knockouts=n) for row, n in zip(entries, counts, strict=True))
    last = max(ends.values(), default=None)
    details = EventDetails(_moment(start_ms), name=name, ends_at=None if last is None else _moment(last))
    return Outcome(details, entries, dict(zip(state.entries, entries, strict=True)))


def cash_outcome_of(state: Night, *, name_of: NameOf, starts_at: datetime, name: str = "") -> Outcome:
    """Make a result of a cash table that has closed: a balance for each player, of all buy-ins together.

    Raises
    ------
    Unfinished
        If somebody has not cashed out, or fewer than two have played.
    Unbalanced
        If what was given back is not what was put in, fees apart.
    """
    by_person: dict[str, list[Entry]] = defaultdict(list)
    for entry in state.entries.values():
        by_person[name_key(name_of(entry))].append(entry)
    still_in = [entry.name for entry in state.entries.values() if entry.cashed is None]
    if still_in or len(by_person) < LEAST_PLAYERS:
        raise Unfinished(still_in)
    fee = state.setup.get("fee") or 0
    balances = [sum((each.cashed or 0) - each.cost for each in entries) for entries in by_person.values()]
    if difference := sum(balances) + fee * len(state.entries):
        raise Unbalanced(state, difference)
    entries = [
        EntryInput(
            name_of(own[0]),
            1 + sum(other > balance for other in balances),
            from_form=True,
            balance=_amount(state, balance),
        )
        for own, balance in zip(by_person.values(), balances, strict=True)
    ]
    first = min([_ms(starts_at), *(entry.at_ms for entry in state.entries.values())])
    last = max((each.at_ms for each in state.exits), default=first)
    details = EventDetails(_moment(first - first % 60_000), name=name, ends_at=_moment(last))
    inputs = {each.id: row for own, row in zip(by_person.values(), entries, strict=True) for each in own}
    return Outcome(details, tuple(entries), inputs)


def entry_places(state: Night) -> dict[str, int]:
    """Place all entries of a night that is over: who went out last is ahead, and ties share the better place."""
    still_in = state.still_in
    if len(still_in) > 1 or not state.entries:
        raise Unfinished([entry.name for entry in still_in])
    places = {entry.id: 1 for entry in still_in}
    ahead = len(still_in)
    for each in reversed(state.exits):
        places |= dict.fromkeys(each.entries, 1 + ahead)
        ahead += len(each.entries)
    return places


def _exit_times(state: Night) -> dict[str, int]:
    """Find when entries went out, ms; where the order was edited, nobody is out later than those who were ahead."""
    times: dict[str, int] = {}
    latest: int | None = None
    for each in reversed(state.exits):
        latest = each.at_ms if latest is None else min(latest, each.at_ms)
        times |= dict.fromkeys(each.entries, latest)
    return times


def _numbers(state: Night, name_of: NameOf, ends: Mapping[str, int]) -> dict[str, int]:
    """Number the entries of each person in the order in which they came."""
    by_person: dict[str, list[Entry]] = defaultdict(list)
    for entry in state.entries.values():
        by_person[name_key(name_of(entry))].append(entry)
    numbers = {}
    for entries in by_person.values():
        entries.sort(key=lambda entry: (entry.at_ms, entry.number))
        for number, entry in enumerate(entries, start=1):
            numbers[entry.id] = number
        if any(entry.id not in ends for entry in entries[:-1]):
            raise InTwice(name_of(entries[0]))
    return numbers


def _entry(
    state: Night,
    entry: Entry,
    name: str,
    number: int,
    place: int,
    start_ms: int,
    ends: Mapping[str, int],
) -> EntryInput:
    end = ends.get(entry.id)
    came = entry.at_ms if end is None else min(entry.at_ms, end)
    return EntryInput(
        name,
        place,
        number,
        registered_at=_moment(came) if came > start_ms else None,
        busted_at=None if end is None else _moment(end),
        from_form=True,
        has_exact_times=True,
        cost=_amount(state, entry.cost) if _has_costs(state) else None,
    )


def _has_costs(state: Night) -> bool:
    return any(entry.cost for entry in state.entries.values())


def _amount(state: Night, smallest_units: int) -> Decimal:
    return Decimal(smallest_units).scaleb(-decimals_of(state.setup))


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
