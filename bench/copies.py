"""Copies a club many times inside PostgreSQL: each table by one statement, with ids moved by a stride for each copy.

What JSON says of ids stays that of the first club, so that pages are measured of the first club, among tables as full
as those of a real site.
"""

from django.apps import apps
from django.db import connection
from django.db.models import Field, ForeignKey, Model, UUIDField

# From the club on; each model after those that it refers to.
MODELS = (
    "league.Club", "league.Membership", "league.Pool", "league.Game", "league.Player", "league.Season", "league.Event",
    "league.Entry", "league.Change", "league.AccessChange", "payouts.SeasonRules", "payouts.EventRules",
    "payouts.EntryPoints", "ratings.RatingSettings", "ratings.PlayerRating", "ratings.RatedEntry",
    "standings.Recomputation", "standings.Standing", "standings.EventColumns", "standings.NextEvent",
    "standings.SeasonSummary", "forecasts.PoolQuality", "forecasts.TitleOdds", "forecasts.SeasonSkill",
    "directory.Listing", "directory.ListingKey",
)  # fmt: skip
Strides = dict[type[Model], int]


class Copies:
    """Copies of the first club of an otherwise empty site, up to `most` of them.

    The first club may change once there is one copy: further copies are made of that one, and new rows get ids beyond
    those of all copies.
    """

    def __init__(self, slug: str, most: int) -> None:
        self.slug = slug
        models = [apps.get_model(name) for name in MODELS]
        self.strides: Strides = {model: _last_id(model) for model in models}
        with connection.cursor() as cursor:
            for model, stride in self.strides.items():
                table = model._meta.db_table
                cursor.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {(most + 2) * (stride + 1)})"
                )
        self._insert(0, 1, 1)

    def extend(self, first: int, last: int) -> None:
        """Make the copies with these numbers, of which 1 is made already."""
        self._insert(1, first, last)

    def _insert(self, source: int, first: int, last: int) -> None:
        values = {"first": first, "last": last, "source": source, "slug": self.slug}
        with connection.cursor() as cursor:
            for model in self.strides:
                cursor.execute(self._statement(model), values)
            cursor.execute("ANALYZE")

    def _statement(self, model: type[Model]) -> str:
        """Write the INSERT of the copies of a model's rows."""
        fields, stride = model._meta.concrete_fields, self.strides[model]
        columns = ", ".join(f'"{field.column}"' for field in fields)
        values = ", ".join(self._value(field) for field in fields)
        return (
            f"INSERT INTO {model._meta.db_table} ({columns}) SELECT {values} FROM {model._meta.db_table} AS t, "
            f"generate_series(%(first)s::bigint, %(last)s) AS copy "
            f"WHERE t.id > %(source)s * {stride} AND t.id <= (%(source)s + 1) * {stride}"
        )

    def _value(self, field: "Field[object, object]") -> str:
        column = f't."{field.column}"'
        of = field.model if field.primary_key else field.related_model
        if field.primary_key or (isinstance(field, ForeignKey) and of in self.strides):
            return f"{column} + (copy - %(source)s) * {self.strides[of]}"  # type: ignore[index]
        if isinstance(field, UUIDField):
            return f"CASE WHEN {column} IS NULL THEN NULL ELSE gen_random_uuid() END"
        if field.unique and not isinstance(field, ForeignKey):
            return "%(slug)s || '-' || copy"
        return column


def _last_id(model: type[Model]) -> int:
    last = model._base_manager.order_by("-pk").values_list("pk", flat=True).first()
    return int(last or 0)
