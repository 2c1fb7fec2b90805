"""Rows of any models as JSON: read before they are deleted, and inserted again, identical, with their ids."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models, router
from django.db.models.deletion import CASCADE, Collector

from league.database.bulk import as_one_parameter, field_of, insert_columns
from league.models import Player
from league.services.kept_formats import FORMAT, upgraded

ENTRIES = "league.entry"
Target = tuple[type[models.Model], int]


@dataclass
class KeptTable:
    """Rows of one model; values as JSON has them."""

    label: str
    fields: list[str]
    rows: list[list[Any]]

    @property
    def model(self) -> type[models.Model]:
        return apps.get_model(self.label)

    def column(self, name: str) -> list[Any]:
        """Read a column in the types of its field."""
        to_python, index = field_of(self.model, name).to_python, self.fields.index(name)
        return [None if row[index] is None else to_python(row[index]) for row in self.rows]

    def by_column(self) -> list[dict[str, Any]]:
        """Read the rows by name of the column, in the types of its fields."""
        columns = [self.column(name) for name in self.fields]
        return [dict(zip(self.fields, values, strict=True)) for values in zip(*columns, strict=True)]

    def replace(self, name: str, values: Mapping[Any, Any]) -> None:
        """Replace some values of a column by others."""
        index = self.fields.index(name)
        for row in self.rows:
            row[index] = values.get(row[index], row[index])


@dataclass
class KeptLinks:
    """Foreign keys of rows that stay, which a deletion empties: pairs of id and value."""

    label: str
    field: str
    pairs: list[list[int]]


@dataclass
class KeptRows:
    """Rows that were deleted together; `root` is the model of the last that was deleted by itself."""

    root: str = ""
    tables: list[KeptTable] = field(default_factory=list)
    links: list[KeptLinks] = field(default_factory=list)
    players: KeptTable | None = None  # those whom the rows refer to

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "KeptRows":
        """Read rows of any format."""
        data = upgraded(data)
        return cls(
            data["root"],
            [KeptTable(**table) for table in data["tables"]],
            [KeptLinks(**links) for links in data["links"]],
            KeptTable(**data["players"]) if data["players"] else None,
        )

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **asdict(self)}

    def table(self, model: type[models.Model]) -> KeptTable:
        """The rows of a model; without any, an empty table."""
        found = (table for table in self.tables if table.model is model)
        return next(found, KeptTable(model._meta.label_lower, _columns(model), []))

    def ids(self, model: type[models.Model]) -> list[int]:
        return self.table(model).column("id")

    def of_event(self, event_id: int | None) -> "KeptRows":
        """Name the event of rows of a format that did not."""
        for table in self.tables:
            if table.label == ENTRIES:
                table.replace("event_id", {None: event_id})
        return self

    def tables_of_players(self) -> list[KeptTable]:
        """List the tables whose rows refer to a player."""
        return [table for table in self.tables if "player_id" in table.fields]

    def player_ids(self) -> set[int]:
        """Collect the players whom the rows refer to."""
        tables = self.tables_of_players()
        return {pk for table in tables for pk in table.column("player_id") if pk is not None}


def delete_and_keep(*groups: Iterable[models.Model]) -> KeptRows:
    """Delete groups of objects, one after the other, with all that depends on them, and keep the rows.

    Rows of models with `is_computed` are deleted but not kept, because the recomputation makes them again, and so are
    those of models with `is_draft`, which last for days alone.
    Raise ProtectedError or RestrictedError as `delete` does.
    """
    kept = KeptRows()
    for group in groups:
        objects = list(group)
        if not objects:
            continue
        kept.root = objects[0]._meta.label_lower
        collector = Collector(using=router.db_for_write(type(objects[0])))
        collector.collect(objects)
        _keep(collector, kept)
        collector.delete()
    kept.players = player_rows(kept.player_ids())
    return kept


def _keep(collector: Collector, kept: KeptRows) -> None:
    ids: dict[type[models.Model], set[int]] = defaultdict(set)
    for model, objects in collector.data.items():
        ids[model] |= {item.pk for item in objects}
    for queryset in collector.fast_deletes:
        ids[queryset.model] |= set(queryset.values_list("pk", flat=True))
    for model, pks in ids.items():
        if pks and not (getattr(model, "is_computed", False) or getattr(model, "is_draft", False)):
            names = _columns(model)
            rows = model._base_manager.filter(pk__in=as_one_parameter(pks)).order_by("pk")
            kept.tables.append(rows_of(rows, names))
    for (emptied, _value), groups in collector.field_updates.items():
        pairs = [pair for group in groups for pair in _pairs(emptied, group)]
        kept.links.append(KeptLinks(emptied.model._meta.label_lower, emptied.attname, pairs))


def _columns(model: type[models.Model]) -> list[str]:
    return [each.attname for each in model._meta.concrete_fields]


def _pairs(emptied: "models.Field[Any, Any]", group: Any) -> Iterator[list[int]]:
    rows = emptied.model._base_manager.filter(pk__in=[item.pk for item in group])
    for pair in rows.order_by("pk").values_list("pk", emptied.attname):
        yield list(pair)


def rows_of(rows: "models.QuerySet[Any]", names: Sequence[str]) -> KeptTable:
    """Read columns of rows."""
    values = [list(map(plain_value, row)) for row in rows.values_list(*names)]
    return KeptTable(rows.model._meta.label_lower, list(names), values)


def plain_value(value: Any) -> Any:
    """Convert a value for JSON without loss."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | UUID) else value


def missing_targets(kept: KeptRows) -> set[Target]:
    """Find the rows that the kept ones refer to and that are neither stored nor kept with them."""
    wanted: dict[type[models.Model], set[int]] = defaultdict(set)
    for table, key in _foreign_keys(kept):
        wanted[key.related_model] |= set(table.column(key.attname)) - {None}
    missing: set[Target] = set()
    for model, pks in wanted.items():
        stored = set(model._base_manager.filter(pk__in=as_one_parameter(pks)).values_list("pk", flat=True))
        missing |= {(model, pk) for pk in pks - stored - set(kept.ids(model))}
    return missing


def _foreign_keys(kept: KeptRows) -> Iterator[tuple[KeptTable, Any]]:
    for table in kept.tables:
        for each in table.model._meta.concrete_fields:
            if isinstance(each, models.ForeignKey):
                yield table, each


def forget_targets(kept: KeptRows, gone: set[Target]) -> bool:
    """Cascade the deletion of missing targets to the kept rows, or set null; False if neither is allowed."""
    for table, key in _foreign_keys(kept):
        pks = {pk for model, pk in gone if model is key.related_model}
        is_gone = [value in pks for value in table.column(key.attname)]
        if not any(is_gone):
            continue
        if key.null:
            table.replace(key.attname, dict.fromkeys(pks))
        elif key.remote_field.on_delete is CASCADE and table.label != kept.root:
            table.rows = [row for row, is_lost in zip(table.rows, is_gone, strict=True) if not is_lost]
        else:
            return False
    return True


def insert_again(kept: KeptRows) -> None:
    """Insert the rows with their ids, and set the links to them again, in the caller's transaction."""
    for table in kept.tables:
        insert_columns(table.model, {name: table.column(name) for name in table.fields})
    for links in kept.links:
        _link_again(links)


def _link_again(links: KeptLinks) -> None:
    by_value: dict[int, list[int]] = defaultdict(list)
    for pk, value in links.pairs:
        by_value[value].append(pk)
    model = apps.get_model(links.label)
    for value, pks in by_value.items():
        empty = model._base_manager.filter(**{"pk__in": as_one_parameter(pks), links.field: None})
        empty.update(**{links.field: value})


def linked_ids(kept: KeptRows, model: type[models.Model]) -> Sequence[int]:
    """List the ids of stored rows of a model that lost a link."""
    return [pk for links in kept.links if apps.get_model(links.label) is model for pk, _value in links.pairs]


def player_rows(player_ids: Iterable[int]) -> KeptTable:
    """Read the rows of players: a guest whose last result goes is removed, and comes back with it."""
    players = Player.objects.filter(pk__in=as_one_parameter(set(player_ids))).order_by("pk")
    return rows_of(players, _columns(Player))


def restore_players(kept: KeptRows) -> None:
    """Insert the players of kept rows who are gone, because they had no other result.

    Rows of a player whose name somebody else has taken since become those of the other.
    """
    if kept.players:
        others = _insert_players(kept.players)
        for table in kept.tables_of_players():
            table.replace("player_id", others)


def _insert_players(table: KeptTable) -> dict[int, int]:
    """Insert the missing players of a table; map those whose name is taken to the player that has it."""
    stored = set(
        Player.objects.filter(pk__in=as_one_parameter(table.column("id"))).values_list("pk", flat=True)
    )
    columns = (table.column(name) for name in ("id", "club_id", "key"))
    gone = [row for row in zip(*columns, strict=True) if row[0] not in stored]
    others: dict[int, int] = {}
    for pk, club_id, key in gone:
        if other := Player.objects.filter(club=club_id, key=key).first():
            others[pk] = other.pk
    new = [
        row for row in table.rows if row[table.fields.index("id")] in {pk for pk, *_ in gone} - others.keys()
    ]
    insert_again(KeptRows(tables=[KeptTable(table.label, table.fields, new)]))
    return others
