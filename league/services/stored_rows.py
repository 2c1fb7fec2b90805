"""Rows of an event as they are stored, exact, to put them back when an import is undone."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db import models
from django.db.models import Q

from league.database.bulk import as_one_parameter
from league.models import BinItem, Entry, Event, Import, ImportedEvent, Player, PlayerMerge
from league.services.kept_rows import KeptRows
from league.services.merges_in_bin import rows_about
from league.services.merges_in_versions import players_now
from league.services.plans import CORRECTABLE_FIELDS

Row = dict[str, Any]
# Of an event: what a correction does not change, or must not set back.
KEPT_FIELDS = {"id", "version", "meet_id", "season_id", "form_token"}


def packed(item: models.Model) -> Row:
    """Convert a row for JSON without loss."""
    values = ((field, field.value_from_object(item)) for field in item._meta.concrete_fields)
    return {field.attname: None if value is None else field.value_to_string(item) for field, value in values}


def unpacked(model: type[models.Model], row: Row) -> dict[str, Any]:
    """Read the values of a row in the types of their fields."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    return {name: fields[name].to_python(value) for name, value in row.items()}


def rows_of_event(event: Event) -> dict[str, Any]:
    """Pack an event read `with_entries`, its entries with all that is stored about them, and its guests."""
    entries = list(event.entries.all())
    guests = {entry.player_id: entry.player for entry in entries if entry.player.is_guest}
    return {
        "event": packed(event),
        "entries": [packed(entry) for entry in entries],
        "of_entries": {
            relation.related_model._meta.label_lower: list(map(packed, _rows(relation, entries)))
            for relation in stored_relations(Entry)
        },
        "guests": [packed(guest) for guest in guests.values()],
    }


def stored_relations(model: type[models.Model]) -> list[Any]:
    """List the relations to a model from rows that no recomputation makes."""
    return [
        relation
        for relation in model._meta.related_objects
        if not getattr(relation.related_model, "is_computed", False)
    ]


def _rows(relation: Any, items: Iterable[models.Model]) -> Iterable[models.Model]:
    rows = relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": list(items)})
    return rows.order_by("pk")  # type: ignore[no-any-return]


def restore_rows(event: Event, kept: dict[str, Any]) -> None:
    """Make an event and its entries equal to packed rows, but for its version, which rises."""
    wanted = {row["id"]: row for row in (unpacked(Entry, row) for row in kept["entries"])}
    merged = players_now(event, {row["player_id"] for row in wanted.values()})
    guests = [row for row in kept["guests"] if int(row["id"]) not in merged]
    players = merged | _restore_guests(event, guests)
    for row in wanted.values():
        row["player_id"] = players.get(row["player_id"], row["player_id"])
    Entry.objects.filter(event=event).exclude(pk__in=wanted).delete()
    stored = {entry.pk: entry for entry in Entry.objects.filter(event=event)}
    for pk, entry in stored.items():
        for name in CORRECTABLE_FIELDS:
            setattr(entry, name, wanted[pk][name])
    Entry.objects.bulk_update(stored.values(), CORRECTABLE_FIELDS, batch_size=500)
    lost = wanted.keys() - stored.keys()
    _insert(Entry, [wanted[pk] for pk in sorted(lost)])
    for relation in stored_relations(Entry):
        model = relation.related_model
        rows = [unpacked(model, row) for row in kept["of_entries"].get(model._meta.label_lower, ())]
        _insert(model, [row for row in rows if row[relation.field.attname] in lost])
    values = {
        name: value for name, value in unpacked(Event, kept["event"]).items() if name not in KEPT_FIELDS
    }
    Event.objects.filter(pk=event.pk).update(**values, version=event.version + 1)


def _restore_guests(event: Event, rows: Iterable[Row]) -> dict[int, int]:
    """Insert guests that are gone; return the ids of players who have taken their names since, by theirs."""
    wanted = {row["id"]: row for row in (unpacked(Player, row) for row in rows)}
    there = Player.objects.filter(pk__in=wanted).values_list("pk", flat=True)
    gone = {pk: row for pk, row in wanted.items() if pk not in set(there)}
    taken = Player.objects.filter(club=event.season.club_id, key__in=[row["key"] for row in gone.values()])
    by_key = dict(taken.values_list("key", "pk"))
    _insert(Player, [row for row in gone.values() if row["key"] not in by_key])
    return {pk: by_key[row["key"]] for pk, row in gone.items() if row["key"] in by_key}


def return_in_imports(merge: PlayerMerge, event_ids: Collection[int]) -> None:
    """Give the merged player the entries that imports keep of these events since the merge."""
    merged = Player.objects.get(pk=merge.merged_id)
    in_bin = rows_about(merge.club, ImportedEvent, event_ids)
    imported = ImportedEvent.objects.filter(
        Q(event__in=as_one_parameter(event_ids)) | Q(pk__in=as_one_parameter(in_bin)),
        record__at__gte=merge.merged_at,
    )
    for row in imported:
        if row.before:
            _give(row.before, str(merge.kept_id), merged)
            row.save(update_fields=["before"])
    _return_in_bin(merge, merged, event_ids)


def _return_in_bin(merge: PlayerMerge, merged: Player, event_ids: Collection[int]) -> None:
    """Do the same to what imports keep in the bin, where it goes with its season."""
    since = set(Import.objects.filter(club=merge.club, at__gte=merge.merged_at).values_list("pk", flat=True))
    for item in BinItem.objects.filter(club=merge.club):
        kept = KeptRows.from_json(item.data)
        table = kept.table(ImportedEvent)
        for row in (dict(zip(table.fields, values, strict=True)) for values in table.rows):
            before = row["before"]
            if before and int(before["event"]["id"]) in event_ids and row["record_id"] in since:
                _give(before, str(merge.kept_id), merged)
        if table.rows:
            item.data = kept.to_json()
            item.save(update_fields=["data"])


def _give(before: dict[str, Any], kept: str, merged: Player) -> None:
    entries = [row for row in before["entries"] if row["player_id"] == kept]
    for row in entries:
        row["player_id"] = str(merged.pk)
    if entries:
        before["guests"] = [row for row in before["guests"] if row["id"] != kept]
        before["guests"] += [packed(merged)] if merged.is_guest else []


def _insert(model: type[models.Model], rows: Iterable[Row]) -> None:
    """Insert rows with their ids; raw, so that no field is set anew."""
    for row in rows:
        model(**row).save_base(raw=True, force_insert=True)
