"""Queries whose SQL is generated once: for the pages read most, generating it takes longer than running it."""

from collections.abc import Mapping
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model, QuerySet


class Prepared:
    """A queryset of tuples (`values_list`) with stand-ins for the values that differ from reading to reading."""

    def __init__(self, queryset: QuerySet[Model, tuple[Any, ...]]) -> None:
        self.compiler = queryset.query.get_compiler(DEFAULT_DB_ALIAS)
        self.sql, self.parameters = self.compiler.as_sql()
        self.converters = self.compiler.get_converters(
            [column for column, _sql, _alias in self.compiler.select]
        )

    def rows(self, given: Mapping[Any, Any]) -> list[Any]:
        """Read the rows with the given values in place of their stand-ins."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, [given.get(each, each) for each in self.parameters])
            found = cursor.fetchall()
        return list(self.compiler.apply_converters(found, self.converters)) if self.converters else found
