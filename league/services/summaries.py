"""What the history keeps of a result: in words for readers, and whole, so that any version can be brought back."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from league.models import Entry, Event, Season
from league.services.kept_results import keep_result
from league.services.kept_rows import KeptRows
from reading.results import EntryInput, EventDetails


def entered_summary(event: Event | EventDetails, entries: Sequence[EntryInput]) -> dict[str, Any]:
    """Summarize a new result; its version is whole in the first correction, which knows what was before it."""
    return _named(event) | {"entries": [_summary_row(entry, entry.name) for entry in entries]}


def stored_summary(event: Event) -> dict[str, Any]:
    entries = event.entries.select_related("player").order_by("place", "pk")
    rows = [_summary_row(entry, entry.player.name) for entry in entries]
    return _named(event) | {"pool": event.pool.name, "entries": rows}


def correctable(event: Event) -> dict[str, Any]:
    """Summarize a result before a correction, whole, so that it can be brought back."""
    return stored_summary(event) | {"whole": keep_result(event).to_json()}


def removed_rows(removed: KeptRows) -> dict[str, Any]:
    """Keep what went with the entries that a correction removed, such as their money."""
    return {"removed": removed.to_json()} if removed.tables else {}


def event_facts(season: Season, events: Sequence[Event]) -> dict[str, Any]:
    """Collect what the bin says about deleted events, the winners by id."""
    entries = [entry for event in events for entry in event.entries.all()]
    return {
        "season": season.name,
        "n_events": len(events),
        "n_entries": len(entries),
        "winners": [entry.player_id for entry in entries if entry.place == 1] if len(events) == 1 else [],
    }


def _named(event: Event | EventDetails) -> dict[str, Any]:
    return {"name": event.name, "starts_at": event.starts_at.isoformat()}


def _summary_row(entry: EntryInput | Entry, name: str) -> list[Any]:
    """List everything about an entry that a correction can change."""
    times = [moment and moment.isoformat() for moment in (entry.registered_at, entry.busted_at)]
    row = [entry.place, name, entry.number, *times, entry.knockouts, _digits(entry.cost)]
    scored = [_digits(entry.score), _digits(entry.balance), entry.chips, _digits(entry.penalty), entry.seat]
    return row if scored == [None] * len(scored) else row + scored


def _digits(value: Decimal | None) -> str | None:
    return None if value is None else f"{value.normalize():f}"
