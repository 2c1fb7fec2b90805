"""Rows in the bin follow a merge of players: they come back to the player who stays, and after its end to their own."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from league.models import BinItem, Club, Entry
from league.services.kept_rows import KeptRows, KeptTable, player_rows

Ids = Mapping[
    str, Collection[int]
]  # by label of the model: ids of rows, but of entries those of their events


def events_in_bin(club: Club, player_id: int) -> dict[int, str]:
    """Map the events in the bin that a player played in to the names of their items."""
    found: dict[int, str] = {}
    for item in BinItem.objects.filter(club=club):
        entries = KeptRows.from_json(item.data).table(Entry)
        pairs = zip(entries.column("event_id"), entries.column("player_id"), strict=True)
        found |= {event_id: item.label for event_id, whose in pairs if whose == player_id}
    return found


def move_in_bin(club: Club, source: int, target: int, *, only: Ids | None = None) -> dict[str, list[int]]:
    """Make rows of one player those of another, all or `only` some, and return their ids."""
    moved: dict[str, list[int]] = defaultdict(list)
    for item in BinItem.objects.filter(club=club):
        kept = KeptRows.from_json(item.data)
        ids = {table.label: _move(table, source, target, only) for table in kept.tables}
        if any(ids.values()):
            _name(kept, source, target)
            item.data = kept.to_json()
            item.save(update_fields=["data"])
        for label, found in ids.items():
            moved[label] += found
    return moved


def _name(kept: KeptRows, source: int, target: int) -> None:
    """Keep the row of the other player with those that refer to it."""
    if kept.players:
        pk = kept.players.fields.index("id")
        others = [row for row in kept.players.rows if row[pk] not in {source, target}]
        kept.players.rows = [*others, *player_rows([target]).rows]


def _move(table: KeptTable, source: int, target: int, only: Ids | None) -> list[int]:
    if "player_id" not in table.fields:
        return []
    player, key = (table.fields.index(name) for name in ("player_id", _id_field(table)))
    rows = [row for row in table.rows if row[player] == source]
    if only is not None:
        rows = [row for row in rows if row[key] in only.get(table.label, ())]
    for row in rows:
        row[player] = target
    return [row[key] for row in rows]


def _id_field(table: KeptTable) -> str:
    return "event_id" if table.model is Entry else "id"
