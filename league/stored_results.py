"""A stored result as the form of an event opens it, and its details as the form sends them back."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from itertools import groupby

from league.models import Entry, Event
from reading.finishing_order.lines import as_written
from reading.finishing_order.times import LATEST_ARRIVAL
from reading.results import EventDetails


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
