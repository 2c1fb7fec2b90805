"""Insert many rows: COPY on PostgreSQL, executemany elsewhere; a tenth of the time of bulk_create."""

import json
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db import connection, models
from django.db.models.expressions import RawSQL

# Values of these fields go to the database unchanged.
PLAIN = (
    models.FloatField,
    models.IntegerField,
    models.BooleanField,
    models.CharField,
    models.TextField,
    models.ForeignKey,
    models.BinaryField,
)
# PostgreSQL's driver takes these as they are, too: Django's conversion of each would only return it.
PLAIN_ON_POSTGRESQL = (*PLAIN, models.DecimalField, models.DateTimeField)


def as_one_parameter(ids: Iterable[int]) -> RawSQL:
    """Pass keys to a query as one parameter: `filter(pk__in=as_one_parameter(ids))`.

    As a parameter each, a hundred thousand keys take seconds to be written into the query.
    """
    keys = list(ids)
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::bigint[])", (keys,))
    return RawSQL("SELECT value FROM json_each(%s)", (json.dumps(keys),))


def insert_columns(model: type[models.Model], columns: Mapping[str, Sequence[Any]]) -> None:
    """Insert rows given by column (attname); a column left out takes the database's default.

    Runs in the caller's transaction, without model validation or signals: for computed rows only.
    """
    fields = [field_of(model, name) for name in columns]
    rows = zip(*map(_prepare, fields, columns.values()), strict=True)
    quote = connection.ops.quote_name
    target = f"{quote(model._meta.db_table)} ({', '.join(quote(str(field.column)) for field in fields)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Binary numbers take a fifteenth of our time that decimal digits take, and half of the server's.
            sql = f"COPY {target} FROM STDIN (FORMAT BINARY)"
            with connection.wrap_database_errors, cursor.copy(sql) as copy:
                copy.set_types([_type(field) for field in fields])
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(fields))
            cursor.executemany(f"INSERT INTO {target} VALUES ({marks})", list(rows))  # noqa: S608  table and columns come from the model


def insert_rows(model: type[models.Model], rows: Sequence[object]) -> None:
    """Insert objects with the attributes of the model, except for its primary key."""
    names = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
    insert_columns(model, {name: list(map(attrgetter(name), rows)) for name in names})


def _type(field: "models.Field[Any, Any]") -> str:
    """Name of the column's type, without its length."""
    return str(field.db_type(connection)).partition("(")[0]


def field_of(model: type[models.Model], attname: str) -> "models.Field[Any, Any]":
    for field in model._meta.concrete_fields:
        if field.attname == attname:
            return field
    raise FieldDoesNotExist(attname)


def _prepare(field: "models.Field[Any, Any]", values: Sequence[Any]) -> Sequence[Any]:
    if isinstance(field, PLAIN_ON_POSTGRESQL if connection.vendor == "postgresql" else PLAIN):
        return values
    # The times of an event repeat in each of its rows, and the rules of a season in each of its events.
    prepared: dict[int, Any] = {}
    values = list(values)  # keeps every value alive, so that no two have the same id
    for value in values:
        if id(value) not in prepared:
            prepared[id(value)] = field.get_db_prep_save(value, connection)
    return [prepared[id(value)] for value in values]
