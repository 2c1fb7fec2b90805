"""Results as kept rows: a version of an event with its entries, and the way back to it."""

from dataclasses import fields
from typing import Any

from league.database.bulk import as_one_parameter, insert_columns
from league.models import Entry, Event, Player
from league.services.kept_rows import KeptRows, KeptTable, delete_and_keep, insert_again, player_rows, rows_of
from reading.results import EntryInput, EventDetails

DETAILS = tuple(field.name for field in fields(EventDetails))
EVENT_COLUMNS = ("id", "meet_id", *DETAILS)
ENTRY_COLUMNS = tuple(field.attname for field in Entry._meta.concrete_fields)


def keep_result(event: Event) -> KeptRows:
    """Read every value of a result that a correction can change."""
    events = rows_of(Event.objects.filter(pk=event.pk), EVENT_COLUMNS)
    entries = rows_of(event.entries.order_by("pk"), ENTRY_COLUMNS)
    return KeptRows(tables=[events, entries], players=player_rows(entries.column("player_id")))


def details_of(kept: KeptRows) -> EventDetails:
    """Read the details of a kept event."""
    events = kept.table(Event)
    return EventDetails(**{name: events.column(name)[0] for name in DETAILS})


def entries_of(kept: KeptRows) -> tuple[EntryInput, ...]:
    """Read the kept entries as a plan has them, under the names that their players have now."""
    table = kept.table(Entry)
    players = Player.objects.filter(pk__in=as_one_parameter(table.column("player_id")))
    names = dict(players.values_list("pk", "name"))
    known = {field.name for field in fields(EntryInput)} & set(table.fields)
    return tuple(
        EntryInput(name=names[row["player_id"]], **{name: row[name] for name in known})
        for row in table.by_column()
    )


def is_same_result(one: KeptRows, other: KeptRows) -> bool:
    """Tell whether two versions of an event are equal, but for names."""
    return details_of(one) == details_of(other) and _comparable(one) == _comparable(other)


def _comparable(kept: KeptRows) -> list[dict[str, Any]]:
    rows = kept.table(Entry).by_column()
    return [{name: value for name, value in row.items() if name != "event_id"} for row in rows]


def write_result(event: Event, kept: KeptRows) -> KeptRows:
    """Overwrite an event and its entries with a kept result, ids included; return the removed entries' rows."""
    removed = _write_entries(event, kept.table(Entry))
    details = {name: getattr(details_of(kept), name) for name in DETAILS}
    Event.objects.filter(pk=event.pk).update(**details, version=event.version + 1)
    event.refresh_from_db()
    return removed


def _write_entries(event: Event, table: KeptTable) -> KeptRows:
    stored = {entry.pk: entry for entry in event.entries.all()}
    wanted = {row["id"]: row | {"event_id": event.pk} for row in table.by_column()}
    removed = delete_and_keep([entry for pk, entry in stored.items() if pk not in wanted])
    for pk in wanted.keys() & stored.keys():
        # A player who was merged since keeps the entries.
        values = {name: value for name, value in wanted[pk].items() if name not in {"id", "player_id"}}
        if any(getattr(stored[pk], name) != value for name, value in values.items()):
            Entry.objects.filter(pk=pk).update(**values)
    new = [row for pk, row in wanted.items() if pk not in stored]
    insert_columns(Entry, {name: [row[name] for row in new] for name in ENTRY_COLUMNS})
    _restore_dependents(event, {row["id"] for row in new})
    return removed


def _restore_dependents(event: Event, entry_ids: set[int]) -> None:
    """Restore the rows deleted together with these entries, e.g. their prize money."""
    wanted = set(entry_ids)
    for change in event.changes.filter(before__has_key="removed").order_by("-pk") if wanted else ():
        kept = KeptRows.from_json(change.before["removed"])
        back = wanted & set(kept.ids(Entry))
        dependents = [table for table in kept.tables if "entry_id" in table.fields]
        for table in dependents:
            pks = table.column("entry_id")
            table.rows = [row for row, pk in zip(table.rows, pks, strict=True) if pk in back]
        insert_again(KeptRows(tables=dependents))
        wanted -= back
