"""A result between a text or a file and the database: what is saved, and the text a form opens with."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from decimal import Decimal
from itertools import groupby

from league.finishing_order.order import FinishingOrder, n_entries_of
from league.models import Entry, Event, name_key


@dataclass(frozen=True)
class EventDetails:
    starts_at: datetime
    name: str = ""
    ends_at: datetime | None = None
    closes_at: datetime | None = None
    table_size: int = 9
    final_table_size: int = 9


@dataclass(frozen=True)
class EntryInput:
    """One entry of a result.

    What is left out keeps what was stored, if anything; but of an entry `from_form`, none means that the time of
    the bust, the knock-outs or the cost were taken out, and the time is one of day. The balance is for profit ratings;
    it is not saved.
    """

    name: str
    place: int
    number: int = 1
    registered_at: datetime | None = None
    busted_at: datetime | None = None
    from_form: bool = False
    balance: float | None = None
    knockouts: int | None = None
    cost: Decimal | None = None


def registers_after_close(entry: EntryInput | Entry, details: EventDetails) -> bool:
    return bool(entry.registered_at and details.closes_at and entry.registered_at > details.closes_at)


def is_out_before_start(entry: EntryInput | Entry, details: EventDetails) -> bool:
    return bool(entry.busted_at and entry.busted_at < details.starts_at)


def re_entries_below(entries: Iterable[EntryInput]) -> Iterator[EntryInput]:
    """Entries that finish below the same player's entry before: who enters again has gone out before."""
    entries = list(entries)
    places = {(name_key(entry.name), entry.number): entry.place for entry in entries}
    for entry in entries:
        if places.get((name_key(entry.name), entry.number - 1), entry.place) < entry.place:
            yield entry


def entries_of(order: FinishingOrder) -> list[EntryInput]:
    """The entries of a finishing order.

    Earlier entries whose place nobody knows went out before everybody else's last one: they share the place
    below all others.
    """
    counts = n_entries_of(order.finishers)
    bottom = len(order.finishers) + 1
    numbered = {(name_key(it.name), it.number) for it in order.finishers}
    entries = []
    for it in order.finishers:
        number = counts[name_key(it.name)] if it.number is None else it.number
        typed = EntryInput(it.name, it.place, number, from_form=True)
        entries.append(replace(typed, busted_at=it.busted_at, knockouts=it.knockouts, cost=it.cost))
        if it.number is None:
            unknown = [n for n in range(1, number) if (name_key(it.name), n) not in numbered]
            entries += [EntryInput(it.name, bottom, n, from_form=True) for n in unknown]
    return entries


def corrected_details(
    event: Event, *, starts_at: datetime, ends_at: datetime | None, name: str
) -> EventDetails:
    """An event's details after its form, which shows start and end to the minute and no closing time.

    That goes along to another day; a start set after it leaves it unknown.
    """
    tz = event.season.club.tz
    if _wall_clock(event.starts_at, tz) == _wall_clock(starts_at, tz):
        starts_at = event.starts_at
    days = starts_at.astimezone(tz).date() - event.starts_at.astimezone(tz).date()

    def along(moment: datetime | None) -> datetime | None:
        moved = moment and (moment.astimezone(tz) + days).astimezone(UTC)
        return moved if moved and moved >= starts_at.astimezone(UTC) else None

    stored_end = along(event.ends_at)
    if stored_end and ends_at and _wall_clock(stored_end, tz) == _wall_clock(ends_at, tz):
        ends_at = stored_end
    return EventDetails(
        starts_at=starts_at.astimezone(UTC),
        name=name,
        ends_at=ends_at,
        closes_at=along(event.closes_at),
        table_size=event.table_size,
        final_table_size=event.final_table_size,
    )


def _wall_clock(moment: datetime, tz: tzinfo) -> datetime:
    """What a form shows of a moment: minutes, and no telling the two 02:30 of a night in autumn apart."""
    return moment.astimezone(tz).replace(second=0, microsecond=0, tzinfo=None, fold=0)


def text_of(event: Event) -> str:
    """The event's result as the form would have it typed."""
    entries = list(event.entries.select_related("player").order_by("place", "pk"))
    shared_bottom = _unknown_place(entries)
    shown = [entry for entry in entries if entry.is_last or entry.place != shared_bottom]
    hidden = {entry.player_id for entry in entries if not entry.is_last and entry.place == shared_bottom}
    lines = []
    for _place, tied in groupby(shown, key=lambda entry: entry.place):
        lines.append(" = ".join(_typed(entry, entry.player_id in hidden, event) for entry in tied))
    return "\n".join(lines)


def _unknown_place(entries: Sequence[Entry]) -> int | None:
    """The place below all others that earlier entries of unknown place share, if the event has any."""
    if not entries:
        return None
    place = entries[-1].place
    bottom = [entry for entry in entries if entry.place == place]
    # Where another earlier entry of the same player has a place of its own, "x3" could not tell the two apart.
    told = {entry.player_id for entry in entries if not entry.is_last and entry.place != place}
    if any(entry.is_last or _has_details(entry) or entry.player_id in told for entry in bottom):
        return None
    return place


def _has_details(entry: Entry) -> bool:
    return entry.busted_at is not None or entry.knockouts is not None or entry.cost is not None


def _typed(entry: Entry, has_hidden: bool, event: Event) -> str:
    text = entry.player.name
    if not entry.is_last:
        text += f" #{entry.number}"
    elif has_hidden:
        text += f" x{entry.number}"
    if entry.knockouts is not None:
        text += f" ko{entry.knockouts}"
    if entry.cost is not None:
        text += f" cost {entry.cost.normalize():f}"
    if entry.busted_at:
        text += f" @{_clock(entry.busted_at, event)}"
    return text


def _clock(moment: datetime, event: Event) -> str:
    return f"{moment.astimezone(event.season.club.tz):%H:%M}"
