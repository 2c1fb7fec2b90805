"""Kept rows follow the merges of players.

Rows that were kept before a merge name the merged player: when they come back, they belong to who stays, and the merge
notes them. Rows that were kept since name who stays: when the merge is undone, what is the merged player's is given
back. A result in which both played waits until then.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from league.database.bulk import as_one_parameter
from league.models import BinItem, Change, Entry, Import, ImportedEvent, PlayerMerge
from league.services.errors import Refused
from league.services.kept_rows import KeptRows, KeptTable, player_rows

# By label of the model: the ids of rows, but of entries those of their events.
Ids = Mapping[str, Collection[int]]


def follow_merges(kept: KeptRows, where: object) -> None:
    """Reassign kept rows of merged players to the kept players, and note the rows in the merges.

    Raise Refused if both have an entry of one event.
    """
    of_players = PlayerMerge.objects.filter(merged_id__in=as_one_parameter(kept.player_ids()))
    for merge in of_players.select_related("kept"):
        for table in kept.tables_of_players():
            moved = _move(table, merge.merged_id, merge.kept_id)
            if merge.merged_id in table.column("player_id"):
                raise _both_played(merge, where)
            _note(merge, table, moved)
        _name(kept, merge.kept_id)
        merge.save(update_fields=["data"])


def _note(merge: PlayerMerge, table: KeptTable, ids: list[int]) -> None:
    is_entries = table.model is Entry
    noted = (
        merge.data["events"] if is_entries else merge.data["links"].setdefault(f"{table.label}.player", [])
    )
    noted += [pk for pk in ids if pk not in noted]


def _both_played(merge: PlayerMerge, where: object) -> Refused:
    return Refused(
        _("Both %(merged)s and %(kept)s played in %(where)s. Undo the merge of the two first.")
        % {"merged": merge.name, "kept": merge.kept, "where": where}
    )


def return_kept(merge: PlayerMerge, only: Ids) -> None:
    """Reassign these rows, kept since the merge, back to the merged player."""
    for row, name, data in _kept_since(merge):
        kept = KeptRows.from_json(data).of_event(getattr(row, "event_id", None))
        if _return(kept, merge, only) | _return_in_imports(kept, merge, only):
            value = getattr(row, name)
            value = {**value, "whole": kept.to_json()} if isinstance(row, Change) else kept.to_json()
            setattr(row, name, value)
            row.save(update_fields=[name])


def _kept_since(merge: PlayerMerge) -> Iterator[tuple[Model, str, dict[str, Any]]]:
    """List the rows with a column of kept rows, the name of the column, and what is kept."""
    for item in BinItem.objects.filter(club=merge.club, deleted_at__gte=merge.merged_at):
        yield item, "data", item.data
    changes = Change.objects.filter(pool__club=merge.club, at__gte=merge.merged_at, before__has_key="whole")
    for change in changes:
        yield change, "before", change.before["whole"]
    imported = ImportedEvent.objects.filter(record__club=merge.club, record__at__gte=merge.merged_at)
    for event in imported:
        if event.before:
            yield event, "before", event.before


def _return(kept: KeptRows, merge: PlayerMerge, only: Ids) -> bool:
    moved = [
        _move(table, merge.kept_id, merge.merged_id, only.get(table.label, ()))
        for table in kept.tables_of_players()
    ]
    if any(moved):
        _name(kept, merge.merged_id)
    return any(moved)


def _return_in_imports(kept: KeptRows, merge: PlayerMerge, only: Ids) -> bool:
    """Reassign rows that binned imports keep back to the merged player; True if any changed."""
    table = kept.table(ImportedEvent)
    imports = Import.objects.filter(pk__in=table.column("record_id"), at__gte=merge.merged_at)
    since = set(imports.values_list("pk", flat=True))
    before, record, is_changed = table.fields.index("before"), table.fields.index("record_id"), False
    for row in table.rows:
        if row[before] and row[record] in since:
            inner = KeptRows.from_json(row[before])
            if _return(inner, merge, only):
                row[before], is_changed = inner.to_json(), True
    return is_changed


def _move(table: KeptTable, source: int, target: int, only: Collection[int] | None = None) -> list[int]:
    """Make rows of one player those of another, but for events in which both have entries; return their ids."""
    player, key = (table.fields.index(name) for name in ("player_id", _id_column(table)))
    taken = {row[key] for row in table.rows if row[player] == target} if table.model is Entry else set()
    rows = [
        row
        for row in table.rows
        if row[player] == source and row[key] not in taken and (only is None or row[key] in only)
    ]
    for row in rows:
        row[player] = target
    return sorted({row[key] for row in rows})


def _id_column(table: KeptTable) -> str:
    return "event_id" if table.model is Entry else "id"


def _name(kept: KeptRows, player_id: int) -> None:
    """Add the row of this player to the kept rows; drop the rows of players that nothing references."""
    if kept.players:
        pk, used = kept.players.fields.index("id"), kept.player_ids()
        others = [row for row in kept.players.rows if row[pk] in used - {player_id}]
        kept.players.rows = [*others, *player_rows([player_id]).rows]
