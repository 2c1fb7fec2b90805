"""Queries whose SQL is generated once: for pages and recomputations, generating it takes longer than running it."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

T = TypeVar("T", bound=Model)

# Stand-ins for values of a query. None can be such a value: slugs have no angle brackets, ids are positive, and no club
# makes so many changes. Django leaves out what it knows to hold, as that a version is above a negative number.
CLUB_SLUG, SEASON_SLUG = "<club>", "<season>"
CLUB_ID, SEASON_ID, EVENT_ID, USER_ID, POOL_ID = -1, -2, -3, -4, -5
VERSION = 2**31 - 2
MOMENT = datetime(1, 1, 1, tzinfo=UTC)


class Prepared:
    """A queryset of tuples (`values_list`) with stand-ins for the values that differ from reading to reading."""

    def __init__(self, queryset: QuerySet[Any, Any]) -> None:
        self.compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.parameters = self.compiler.as_sql()
        self.converters = self.compiler.get_converters(
            [column for column, _sql, _alias in self.compiler.select]
        )

    def rows(self, given: Mapping[Any, Any]) -> list[Any]:
        """Read the rows with the given values in place of their stand-ins. Raise LookupError if one is missing."""
        values = {_sent(stand_in): _sent(value) for stand_in, value in given.items()}
        if unknown := values.keys() - set(self.parameters):
            raise LookupError(f"the query has no {unknown}: {self.sql}")
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [values.get(each, each) for each in self.parameters])
            found = cursor.fetchall()
        return list(self.compiler.apply_converters(found, self.converters)) if self.converters else found


def _sent(value: Any) -> Any:
    """Convert a value to what the database is sent: SQLite knows no moments."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


class PreparedObjects(Prepared, Generic[T]):
    """A queryset of objects, with those that `select_related` names; what annotates them is left out."""

    def __init__(self, queryset: QuerySet[T]) -> None:
        super().__init__(queryset)
        own = self.compiler.klass_info
        self.model, columns = own["model"], own["select_fields"]
        self.columns = slice(columns[0], columns[-1] + 1)
        self.names = [column.target.attname for column, *_rest in self.compiler.select[self.columns]]
        self.related = get_related_populators(own, self.compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]  # stubs of Django 6

    def objects(self, given: Mapping[Any, Any]) -> Iterator[T]:
        """Read the objects with the given values in place of their stand-ins."""
        for row in self.rows(given):
            found = self.model.from_db(DEFAULT_DB_ALIAS, self.names, row[self.columns])
            for related in self.related:
                related.populate(row, found)
            yield found
