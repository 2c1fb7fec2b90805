"""Filters and orders of lists, as the pages have them."""

from typing import Any

import django_filters
from django import forms
from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django_filters.rest_framework import FilterSet

from league.models import Entry, Event, Player
from ratings.models import PlayerRating, ProfitRating
from reading.names.keys import name_key


class IdFilter(django_filters.NumberFilter):
    """An id, which has no decimals and no more digits than the database can take."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, min_value=0, max_value=BigIntegerField.MAX_BIGINT, **options)


class EventFilter(FilterSet):
    """Events of some time, of a season, pool or game, or of a player."""

    since = django_filters.IsoDateTimeFilter("starts_at", "gte", help_text="Those that start then or later.")
    until = django_filters.IsoDateTimeFilter("starts_at", "lt", help_text="Those that start earlier.")
    season = IdFilter("season_id")
    pool = IdFilter("pool_id")
    game = IdFilter("game_id")
    player = IdFilter(method="of_player", help_text="Those with an entry of this player.")
    ordering = django_filters.OrderingFilter(
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
        method="by_badge", choices=[(letter, letter) for letter in "SABC"], help_text="Whose badge begins so."
    )
    is_guest = django_filters.BooleanFilter("is_guest")
    ordering = django_filters.OrderingFilter(fields=(("key", "name"), ("joined_at", "joined_at")))

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
