"""Earlier versions of results follow the merges of players: an entry that comes back belongs to who has the others."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q

from league.database.bulk import as_one_parameter
from league.models import Change, Event, PlayerMerge
from league.services.kept_rows import player_rows
from league.services.merges_in_bin import both_played, rows_about
from league.services.summaries import ENTRY_COLUMNS


def players_now(event: Event, player_ids: Collection[int]) -> dict[int, int]:
    """Map the players of an earlier version who have been merged to those who stay; the merges take the event up.

    Raise Refused if the version has both.
    """
    merges = PlayerMerge.objects.filter(merged_id__in=as_one_parameter(player_ids)).select_related("kept")
    players: dict[int, int] = {}
    for merge in merges:
        if merge.kept_id in {*player_ids, *players.values()}:
            raise both_played(merge, event)
        players[merge.merged_id] = merge.kept_id
        if event.pk not in merge.data["events"]:
            merge.data["events"].append(event.pk)
            merge.save(update_fields=["data"])
    return players


def return_in_versions(merge: PlayerMerge, event_ids: Collection[int]) -> None:
    """Give the merged player the entries that the history keeps of these events since the merge."""
    kept, merged = merge.kept_id, merge.merged_id
    in_bin = rows_about(merge.club, Change, event_ids)
    changes = Change.objects.filter(
        Q(event__in=as_one_parameter(event_ids)) | Q(pk__in=as_one_parameter(in_bin)),
        at__gte=merge.merged_at,
        before__has_key="whole",
    )
    for change in changes:
        if _give(change.before["whole"], kept, merged):
            change.save(update_fields=["before"])


def _give(whole: dict[str, Any], kept: int, merged: int) -> bool:
    players = whole["players"]
    pk, player = players["fields"].index("id"), ENTRY_COLUMNS.index("player_id")
    if all(row[player] != kept for row in whole["entries"]):
        return False
    for row in whole["entries"]:
        row[player] = merged if row[player] == kept else row[player]
    others = [row for row in players["rows"] if row[pk] != kept]
    players["rows"] = [*others, *player_rows([merged]).rows]
    return True
