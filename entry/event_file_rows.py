"""Write the results of a season as an event file (docs/event-files.md), which reads back to the same rows."""

import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from decimal import Decimal

from django.db.models import Prefetch

from league.models import Entry, Event, Season

# The players in the query of the entries: SQLite takes no query that names a thousand players.
ENTRIES = Prefetch("entries", Entry.objects.select_related("player"))
Cell = str | int | Decimal | None
COLUMNS = (
    "event", "name", "season", "date", "starts_at", "ends_at", "closes_at", "table_size", "final_table_size", "game",
    "round", "table", "house", "place", "player", "number", "registered_at", "busted_at", "score", "balance", "chips",
    "penalty", "seat", "knockouts", "cost",
)  # fmt: skip


def identifier(event: Event, club_slug: str) -> str:
    """Name an event in a file: by the identifier it was imported with, else by club and id."""
    return event.key or f"{club_slug}-{event.pk}"


def stored_id(key: str, club_slug: str) -> int | None:
    """Read the id of an event from an identifier that `identifier` made of it."""
    found = re.fullmatch(re.escape(club_slug) + r"-([1-9][0-9]{0,17})", key)
    return int(found[1]) if found else None


def result_rows(season: Season) -> Iterator[tuple[Cell, ...]]:
    """Write a row for each entry of a season, in the order of `COLUMNS`."""
    tz, slug = season.club.tz, season.club.slug
    events = season.events.in_rating_order().select_related("game").prefetch_related(ENTRIES)
    for event in events:
        of_event = _event_cells(event, season, tz)
        for entry in event.entries.all():
            yield (identifier(event, slug), *of_event, *_entry_cells(entry, tz))


def _event_cells(event: Event, season: Season, tz: tzinfo) -> tuple[Cell, ...]:
    start = _time(event.starts_at, tz)
    has_scores = any(entry.score is not None for entry in event.entries.all())
    # The rules of a game with scores say what the house keeps.
    house = None if has_scores else (event.scoring or {}).get("house")
    return (
        event.name, season.slug, start, start, _time(event.ends_at, tz), _time(event.closes_at, tz),
        event.table_size, event.final_table_size, event.game.name if event.game else None, event.round, event.table,
        house and Decimal(house),
    )  # fmt: skip


def _entry_cells(entry: Entry, tz: tzinfo) -> tuple[Cell, ...]:
    return (
        entry.place, entry.player.name, entry.number, _time(entry.registered_at, tz), _time(entry.busted_at, tz),
        entry.score, entry.balance, entry.chips, entry.penalty, entry.seat, entry.knockouts, entry.cost,
    )  # fmt: skip


def _time(moment: datetime | None, tz: tzinfo) -> str | None:
    return moment.astimezone(tz).isoformat() if moment else None
