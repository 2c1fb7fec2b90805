"""Bring an earlier version of a result back, from what its corrections keep."""

from dataclasses import fields
from typing import Any

from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.translation import gettext as _

from league.database.bulk import insert_columns
from league.models import Change, Entry, Event, Player
from league.services.changes import lock_all, record_result_change
from league.services.errors import Refused, Stale
from league.services.kept_rows import KeptRows, KeptTable, delete_and_keep, insert_again, players_again
from league.services.merges_in_versions import players_now
from league.services.plans import (
    PlannedResult,
    require_day_of_meet,
    require_day_of_season,
    require_open,
    require_usable,
    with_entries,
)
from league.services.summaries import (
    ENTRY_COLUMNS,
    correctable,
    removed_rows,
    stored_summary,
    whole_version,
)
from reading.results import EntryInput, EventDetails


@transaction.atomic
def bring_version_back(change: Change, *, actor: User | None) -> Change | None:
    """Make the result of an event what it was before a correction; None if it is that already."""
    whole = change.before.get("whole")
    if change.event is None or whole is None:
        raise Refused(_("This version cannot be brought back: the history does not keep all of it."))
    details = _details(whole)
    pools = lock_all({change.event.season.pool_id, change.event.pool_id, details.pool_id or 0})
    current = with_entries(Event.objects.filter(pk=change.event.pk)).first()
    if current is None:
        raise Stale
    require_open(current.season)
    target = KeptTable(Entry._meta.label_lower, list(ENTRY_COLUMNS), whole["entries"])
    players, merged = KeptTable(**whole["players"]), players_now(current, target.column("player_id"))
    target.replace("player_id", merged)
    players.rows = [row for row in players.rows if row[players.fields.index("id")] not in merged]
    if _without_players(whole_version(current)) == _without_players(whole):
        return None
    require_day_of_season(current.season, details.starts_at)
    require_day_of_meet(current, details.starts_at)
    target.replace("player_id", players_again(players))
    pool = pools[details.pool_id or current.pool_id]
    require_usable(PlannedResult(current.season, details, _entries(target), pool, current))
    before, rated_from, rated_in = correctable(current), current.starts_at, {current.pool_id, pool.pk}
    removed = _write(current, target)
    values = {field.name: getattr(details, field.name) for field in fields(EventDetails)}
    Event.objects.filter(pk=current.pk).update(**values, version=current.version + 1)
    current.refresh_from_db()
    return record_result_change(
        pools,
        current.season,
        rated_in=rated_in,
        kind=Change.Kind.RESULT_CORRECTED,
        actor=actor,
        event=current,
        rated_from=min(rated_from, current.starts_at),
        before=before | removed_rows(removed),
        after=stored_summary(current) | {"is_brought_back": True},
    )


def _without_players(whole: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in whole.items() if name != "players"}


def _details(whole: dict[str, Any]) -> EventDetails:
    return EventDetails(**{name: _value(Event, name, value) for name, value in whole["event"].items()})


def _value(model: type[models.Model], name: str, value: Any) -> Any:
    field = next(each for each in model._meta.concrete_fields if each.attname == name)
    return None if value is None else field.to_python(value)


def _entries(target: KeptTable) -> tuple[EntryInput, ...]:
    """Read the entries as a plan has them."""
    names = dict(Player.objects.filter(pk__in=target.column("player_id")).values_list("pk", "name"))
    kept = {field.name for field in fields(EntryInput)}
    return tuple(
        EntryInput(name=names[row["player_id"]], **{name: row[name] for name in kept & row.keys()})
        for row in _rows(target)
    )


def _rows(target: KeptTable) -> list[dict[str, Any]]:
    columns = {name: target.column(name) for name in target.fields}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _write(event: Event, target: KeptTable) -> KeptRows:
    """Make the entries those of the version, with their ids; return the rows of those that went."""
    stored = {entry.pk: entry for entry in event.entries.all()}
    wanted = {row["id"]: row for row in _rows(target)}
    removed = delete_and_keep([entry for pk, entry in stored.items() if pk not in wanted])
    for pk in wanted.keys() & stored.keys():
        # A player who was merged since keeps the entries.
        values = {name: value for name, value in wanted[pk].items() if name not in {"id", "player_id"}}
        if any(getattr(stored[pk], name) != value for name, value in values.items()):
            Entry.objects.filter(pk=pk).update(**values)
    new = [row for pk, row in wanted.items() if pk not in stored]
    columns = {name: [row[name] for row in new] for name in ENTRY_COLUMNS}
    insert_columns(Entry, columns | {"event_id": [event.pk] * len(new)})
    _restore_dependents(event, {row["id"] for row in new})
    return removed


def _restore_dependents(event: Event, entry_ids: set[int]) -> None:
    """Restore the rows deleted together with these entries, e.g. their prize money."""
    changes = event.changes.filter(before__has_key="removed").order_by("-pk")
    for change in changes if entry_ids else ():
        kept = KeptRows.from_json(change.before["removed"])
        back = entry_ids & set(kept.ids(Entry))
        for table in kept.tables:
            is_back = [pk in back for pk in table.column("entry_id")] if "entry_id" in table.fields else []
            table.rows = [row for row, is_wanted in zip(table.rows, is_back, strict=False) if is_wanted]
        insert_again(kept)
        entry_ids -= back
