"""The stored rows that name a player by a foreign key, in all apps, without entries and computed rows."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from django.db import models
from django.db.models import QuerySet

from league.models import Entry, Player, Season
from league.services.changes import require_not_sealed

Link: TypeAlias = "models.ForeignKey[Any, Any]"


def links_to_players() -> Iterator[Link]:
    """List the foreign keys to players, but for entries, which move with their events, and computed rows."""
    for relation in Player._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel):
            model = relation.related_model
            if model is not Entry and not getattr(model, "is_computed", False):
                yield relation.field


def label_of(link: Link) -> str:
    return f"{link.model._meta.label_lower}.{link.name}"


def rows_of(link: Link, player: Player) -> QuerySet[Any]:
    return link.model._base_manager.filter(**{link.name: player})


def is_of_a_season(link: Link) -> bool:
    """Tell whether the rows belong to seasons and their seals: awards given by hand, totals brought forward."""
    return link.remote_field.on_delete is not models.CASCADE


def require_not_sealed_rows(link: Link, rows: QuerySet[Any]) -> None:
    """Raise Refused for a row of a sealed season."""
    for row in rows if is_of_a_season(link) else ():
        require_not_sealed(row.season)


def sealed_season_of(player: Player) -> Season | None:
    """Find a sealed season whose file names the player: by an entry, an award or totals brought forward."""
    named = [Season.objects.filter(events__entries__player=player)]
    named += [
        Season.objects.filter(pk__in=rows_of(link, player).values("season"))
        for link in links_to_players()
        if is_of_a_season(link)
    ]
    return next(filter(None, (seasons.filter(is_sealed=True).first() for seasons in named)), None)
