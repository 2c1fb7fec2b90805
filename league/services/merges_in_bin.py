"""Rows in the bin follow a merge of players: they come back to the player who stays, and after its end to their own.

An event in the bin in which both played stays as it is, and waits there until the merge is undone.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Model
from django.utils.translation import gettext as _

from league.database.bulk import as_one_parameter
from league.models import BinItem, Club, Entry, PlayerMerge
from league.services.errors import Refused
from league.services.kept_rows import KeptRows, KeptTable, player_rows

Ids = Mapping[
    str, Collection[int]
]  # by label of the model: ids of rows, but of entries those of their events


def move_in_bin(club: Club, source: int, target: int, *, only: Ids | None = None) -> dict[str, list[int]]:
    """Make rows of one player those of another, all or `only` some, and return their ids."""
    moved: dict[str, list[int]] = defaultdict(list)
    for item in BinItem.objects.filter(club=club):
        kept = KeptRows.from_json(item.data)
        ids = {table.label: _move(table, source, target, only) for table in kept.tables}
        if any(ids.values()):
            _name(kept, target)
            item.data = kept.to_json()
            item.save(update_fields=["data"])
        for label, found in ids.items():
            moved[label] += found
    return moved


def _name(kept: KeptRows, target: int) -> None:
    """Keep the row of the other player with those that refer to it."""
    if kept.players:
        pk, used = kept.players.fields.index("id"), kept.player_ids()
        others = [row for row in kept.players.rows if row[pk] in used - {target}]
        kept.players.rows = [*others, *player_rows([target]).rows]


def _move(table: KeptTable, source: int, target: int, only: Ids | None) -> list[int]:
    if "player_id" not in table.fields:
        return []
    player, key = (table.fields.index(name) for name in ("player_id", _id_field(table)))
    rows = [row for row in table.rows if row[player] == source]
    if only is not None:
        rows = [row for row in rows if row[key] in only.get(table.label, ())]
    if table.model is Entry:
        taken = {row[key] for row in table.rows if row[player] == target}
        rows = [row for row in rows if row[key] not in taken]
    for row in rows:
        row[player] = target
    return [row[key] for row in rows]


def rows_about(club: Club, model: type[Model], event_ids: Collection[int]) -> list[int]:
    """Find the stored rows of a model that were about these events, which are in the bin."""
    wanted = set(event_ids)
    return [
        pk
        for item in BinItem.objects.filter(club=club)
        for links in KeptRows.from_json(item.data).links
        if (links.label, links.field) == (model._meta.label_lower, "event_id")
        for pk, event_id in links.pairs
        if event_id in wanted
    ]


def require_not_merged(item: BinItem, kept: KeptRows) -> None:
    """Raise Refused if two players of these rows are one by now: both played in an event."""
    merge = PlayerMerge.objects.filter(
        club=item.club_id, merged_id__in=as_one_parameter(kept.player_ids())
    ).first()
    if merge:
        raise both_played(merge, item)


def both_played(merge: PlayerMerge, where: object) -> Refused:
    return Refused(
        _("Both %(merged)s and %(kept)s played in %(where)s. Undo the merge of the two first.")
        % {"merged": merge.name, "kept": merge.kept, "where": where}
    )


def _id_field(table: KeptTable) -> str:
    return "event_id" if table.model is Entry else "id"
