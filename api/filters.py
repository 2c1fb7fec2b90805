"""Filters and orders of lists, as the pages have them."""

from datetime import UTC
from typing import Any

import django_filters
from django import forms
from django.db.models import BigIntegerField, Exists, F, OuterRef, Q, QuerySet
from django_filters.fields import IsoDateTimeField
from django_filters.rest_framework import FilterSet

from league.models import Entry, Event, Player
from ratings.models import PlayerRating, ProfitRating
from reading.names.keys import name_key
from standings.filters import FAMILIES

# Orders of players by their ratings in a pool, and the columns of `players_of`.
OF_RATINGS = {"rate": "rate", "entries": "n_entries", "last_at": "last_at"}


class IdFilter(django_filters.NumberFilter):
    """An id, which has no decimals and no more digits than the database can take."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, min_value=0, max_value=BigIntegerField.MAX_BIGINT, **options)


class MomentField(IsoDateTimeField):
    """A moment, which can also be told by the clock of the site."""

    def clean(self, value: Any) -> Any:
        moment = super().clean(value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError as error:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid") from error


class MomentFilter(django_filters.IsoDateTimeFilter):
    """Compares with a moment."""

    field_class = MomentField


class FlagFilter(django_filters.TypedChoiceFilter):
    """Yes or no; anything else is refused."""

    def __init__(self, *args: Any, **options: Any) -> None:
        choices = (("true", "true"), ("false", "false"))
        super().__init__(*args, choices=choices, coerce=lambda text: text == "true", **options)


class Ordering(django_filters.OrderingFilter):
    """Orders rows; equal ones by their ids, so that pages have each row once."""

    def filter(self, qs: QuerySet[Any], value: Any) -> QuerySet[Any]:
        ordered: QuerySet[Any] = super().filter(qs, value)
        return ordered.order_by(*ordered.query.order_by, "pk") if value else ordered


class RatedOrdering(Ordering):
    """Orders players also by their ratings in a pool; those without one come last."""

    def get_ordering_value(self, param: str) -> Any:
        name = param.removeprefix("-")
        if name not in OF_RATINGS:
            return super().get_ordering_value(param)
        column = F(OF_RATINGS[name])
        return column.desc(nulls_last=True) if param != name else column.asc(nulls_last=True)


class EventFilter(FilterSet):
    """Events of some time, of a season, pool or game, or of a player."""

    since = MomentFilter("starts_at", "gte", help_text="Those that start then or later.")
    until = MomentFilter("starts_at", "lt", help_text="Those that start earlier.")
    season = IdFilter("season_id")
    pool = IdFilter("pool_id")
    game = IdFilter("game_id")
    player = IdFilter(method="of_player", help_text="Those with an entry of this player.")
    ordering = Ordering(
        fields=(("starts_at", "starts_at"), ("n_players", "players"), ("n_entries", "entries"))
    )

    class Meta:
        model = Event
        fields: list[str] = []

    def of_player(self, events: QuerySet[Event], _name: str, value: Any) -> QuerySet[Event]:
        """Select the events of a player."""
        return events.filter(Exists(Entry.objects.filter(event=OuterRef("pk"), player_id=value)))


class PlayerFilter(FilterSet):
    """Players by a part of the name, by the beginning of a badge, guests or members."""

    q = django_filters.CharFilter(method="by_name", max_length=60, help_text="A part of the name.")
    badge = django_filters.ChoiceFilter(
        method="by_badge", choices=FAMILIES, help_text="Whose badge begins so."
    )
    is_guest = FlagFilter("is_guest")
    ordering = RatedOrdering(
        fields=(
            ("key", "name"),
            ("joined_at", "joined_at"),
            *((column, name) for name, column in OF_RATINGS.items()),
        )
    )

    class Meta:
        model = Player
        fields: list[str] = []

    def by_name(self, players: QuerySet[Player], _name: str, value: str) -> QuerySet[Player]:
        """Select the players in whose name a text stands."""
        return players.filter(key__contains=name_key(value))

    def by_badge(self, players: QuerySet[Player], _name: str, value: str) -> QuerySet[Player]:
        """Select the players with a badge in any of the club's pools."""
        held = [
            Q(Exists(kind._default_manager.filter(player=OuterRef("pk"), badge__startswith=value)))
            for kind in (PlayerRating, ProfitRating)
        ]
        return players.filter(held[0] | held[1])
