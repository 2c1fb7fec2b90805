"""The rows that a rerating replaces, alike for TIER and R."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, ClassVar, TypeAlias

from django.db.models import Model

from league.database.bulk import as_one_parameter, insert_columns
from league.models import BEGINNING
from ratings.models import RatingSettings
from ratings.queries import Era
from ratings.services.eras import put_in_force

BATCH = 2_000
END = datetime.max.replace(tzinfo=UTC)  # after any event
Columns: TypeAlias = dict[str, list[Any]]
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class RatedRows:
    """Rows that replace those of the pool from `since` on, by column."""

    rated_model: ClassVar[type[Model]]
    rating_model: ClassVar[type[Model]]

    pool_id: int
    since: datetime
    revisions: list[RatingSettings]
    present: Era  # that of the pool's last event
    rated: Columns  # of `rated_model`, in the order of rating
    ratings: Columns  # of `rating_model`
    unrated_player_ids: list[int]

    @property
    def rates(self) -> Columns:
        """Columns of ratings.queries.RATES."""
        return self.rated


def write_rates(rows: RatedRows) -> None:
    """Replace the pool's rows, inside the caller's transaction."""
    rated, ratings = rows.rated_model._default_manager, rows.rating_model._default_manager
    rated.filter(pool=rows.pool_id, starts_at__gte=rows.since).delete()
    insert_columns(rows.rated_model, rows.rated)
    replaced = ratings.filter(pool=rows.pool_id)
    if rows.since > BEGINNING:
        replaced = replaced.filter(
            player__in=as_one_parameter([*rows.ratings["player_id"], *rows.unrated_player_ids])
        )
    replaced.delete()
    insert_columns(rows.rating_model, rows.ratings)
    put_in_force(rows.revisions, rows.present)


def players_to_write(
    kind: type[RatedRows], pool_id: int, since: datetime, revisions: Sequence[RatingSettings], present: Era
) -> set[int]:
    """Find players whose rating can change without an entry: it was deleted, or other settings are in force."""
    rated = kind.rated_model._default_manager.filter(pool=pool_id, starts_at__gte=since)
    players = set(rated.order_by().values_list("player_id", flat=True).distinct())
    in_force = next((revision for revision in revisions if revision.is_in_force), None)
    if in_force != present.settings:
        ratings = kind.rating_model._default_manager.filter(pool=pool_id)
        players |= set(ratings.values_list("player_id", flat=True))
    return players


def joined(parts: list[Columns]) -> Columns:
    """Put the columns of consecutive parts together."""
    if len(parts) == 1:
        return parts[0]
    return {name: list(chain.from_iterable(part[name] for part in parts)) for name in parts[0]}
