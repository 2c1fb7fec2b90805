"""Results between text or file and database: values to save, and the text a form opens with."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import Any

from league.models import Entry, Event, name_key
from league.reading.amounts import Amounts
from league.reading.finishing_order.lines import as_written
from league.reading.finishing_order.order import FinishingOrder, n_entries_of
from league.reading.finishing_order.times import LATEST_ARRIVAL


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
    the bust, knock-outs, cost and what belongs to a score), and times were typed as times of day. Score, balance and
    penalty are in the units of league.models.Entry.
    """

    name: str
    place: int
    number: int = 1
    registered_at: datetime | None = None
    busted_at: datetime | None = None
    from_form: bool = False
    balance: Decimal | None = None
    knockouts: int | None = None
    cost: Decimal | None = None
    score: Decimal | None = None
    chips: int | None = None
    penalty: Decimal | None = None
    seat: int | None = None
    amounts: Amounts | None = None  # no part of the result


def registers_after_close(entry: EntryInput | Entry, details: EventDetails) -> bool:
    return bool(entry.registered_at and details.closes_at and entry.registered_at > details.closes_at)


def is_out_before_start(entry: EntryInput | Entry, details: EventDetails) -> bool:
    return bool(entry.busted_at and entry.busted_at < details.starts_at)


def re_entries_below(entries: Iterable[EntryInput]) -> Iterator[EntryInput]:
    """Find entries with a worse place than the player's previous entry, which is impossible: it was out first."""
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
    numbered = {(name_key(finisher.name), finisher.number) for finisher in order.finishers}
    entries = []
    for finisher in order.finishers:
        name, key = finisher.name, name_key(finisher.name)
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
    """Find last entries that went out later than somebody with a better place, with that one; ties have no order."""
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


def corrected_details(
    event: Event, *, starts_at: datetime, ends_at: datetime | None, name: str
) -> EventDetails:
    """Put together an event's details from its form, which shows times to the minute.

    The closing time moves with the event to another day; it becomes unknown if the new start is later.
    """
    tz = event.season.club.tz
    if _wall_clock(event.starts_at, tz) == _wall_clock(starts_at, tz):
        starts_at = event.starts_at
    days = starts_at.astimezone(tz).date() - event.starts_at.astimezone(tz).date()

    def move(moment: datetime | None) -> datetime | None:
        moved = moment and (moment.astimezone(tz) + days).astimezone(UTC)
        return moved if moved and moved >= starts_at.astimezone(UTC) else None

    stored_end = move(event.ends_at)
    if stored_end and ends_at and _wall_clock(stored_end, tz) == _wall_clock(ends_at, tz):
        ends_at = stored_end
    return EventDetails(
        starts_at=starts_at.astimezone(UTC),
        name=name,
        ends_at=ends_at,
        closes_at=move(event.closes_at),
    )


def with_closing_time(details: EventDetails, event: Event, typed: datetime | None) -> EventDetails:
    """Put the closing time that was typed into an event's corrected details.

    A stored one that shows the same time stays, with its seconds; one that the form does not show stays, too.
    """
    tz, kept = event.season.club.tz, details.closes_at
    if typed is None:
        return details if shown_closing_time(event) is None else replace(details, closes_at=None)
    is_same = kept is not None and _wall_clock(kept, tz) == _wall_clock(typed, tz)
    return details if is_same else replace(details, closes_at=typed)


def shown_closing_time(event: Event) -> datetime | None:
    """Find when registration closes, if that is a time which the form shows: on the same night."""
    closes_at = event.closes_at
    is_shown = closes_at and event.starts_at <= closes_at <= event.starts_at + LATEST_ARRIVAL
    return closes_at if is_shown else None


def _wall_clock(moment: datetime, tz: tzinfo) -> datetime:
    """The local time as a form shows it: to the minute, the same for both 02:30 when the clock is set back."""
    return moment.astimezone(tz).replace(second=0, microsecond=0, tzinfo=None, fold=0)


def text_of(event: Event, *, with_scores: bool = False) -> str:
    """Write the event's result as text for the form, which keeps stored scores and balances and does not show them."""
    entries = list(event.entries.select_related("player").order_by("place", "pk"))
    shared_bottom = _unknown_place(entries)
    written = [entry for entry in entries if entry.is_last or entry.place != shared_bottom]
    with_omitted = {
        entry.player_id for entry in entries if not entry.is_last and entry.place == shared_bottom
    }
    lines = []
    for _place, tied in groupby(written, key=lambda entry: entry.place):
        lines.append(
            " = ".join(
                _entry_text(entry, event, has_omitted=entry.player_id in with_omitted)
                + (_score_text(entry) if with_scores else "")
                for entry in tied
            )
        )
    return "\n".join(lines)


def _unknown_place(entries: Sequence[Entry]) -> int | None:
    """Find the last place, if only earlier entries without a known place share it."""
    if not entries:
        return None
    place = entries[-1].place
    bottom = [entry for entry in entries if entry.place == place]
    # If another earlier entry of the player has its own place, "x3" would not say which entry has it.
    numbered = {entry.player_id for entry in entries if not entry.is_last and entry.place != place}
    if any(entry.is_last or _has_details(entry) or entry.player_id in numbered for entry in bottom):
        return None
    return place


def _has_details(entry: Entry) -> bool:
    return any(
        value is not None for value in (entry.registered_at, entry.busted_at, entry.knockouts, entry.cost)
    )


def _entry_text(entry: Entry, event: Event, *, has_omitted: bool) -> str:
    text = as_written(entry.player.name)
    if not entry.is_last:
        text += f" #{entry.number}"
    elif has_omitted:
        text += f" x{entry.number}"
    if entry.knockouts is not None:
        text += f" ko{entry.knockouts}"
    if entry.cost is not None:
        text += f" cost {entry.cost.normalize():f}"
    if arrival := late_arrival(entry, event):
        text += f" in {_clock(arrival, event)}"
    if entry.busted_at:
        text += f" @{_clock(entry.busted_at, event)}"
    return text


def _score_text(entry: Entry) -> str:
    values = {"score": entry.score, "balance": entry.balance}
    return "".join(f" {mark} {value.normalize():f}" for mark, value in values.items() if value is not None)


def late_arrival(entry: Entry, event: Event) -> datetime | None:
    """Find the registration of an entry, if it is one that the form shows: after the start, on the same night."""
    tz, moment = event.season.club.tz, entry.registered_at
    if moment is None or moment > event.starts_at + LATEST_ARRIVAL:
        return None
    is_late = moment > event.starts_at and _wall_clock(moment, tz) != _wall_clock(event.starts_at, tz)
    return moment if is_late else None


def _clock(moment: datetime, event: Event) -> str:
    return f"{moment.astimezone(event.season.club.tz):%H:%M}"
