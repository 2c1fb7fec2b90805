"""Serializers of games at tables: types and bounds; scores checks the rest."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import MomentField, NamedPart, Part, checked_title
from api.serializers.events import EventDetailSerializer
from entry.services.nights import MOST_TABLES
from league.forms.names import MAX_TITLE
from scores.rules import MOST_DECIMALS, MOST_POINTS

MOST_SEATS = 60
DIGITS = 12
MOST_CHIPS = 30_000  # what the database keeps


class SeatSerializer(NamedPart):
    """A seat of a table: with a score, or with a balance that was settled elsewhere."""

    score = serializers.IntegerField(
        required=False, allow_null=True, min_value=-MOST_POINTS, max_value=MOST_POINTS
    )
    balance = serializers.DecimalField(DIGITS, MOST_DECIMALS, required=False, allow_null=True)
    chips = serializers.IntegerField(
        required=False, allow_null=True, min_value=-MOST_CHIPS, max_value=MOST_CHIPS
    )
    penalty = serializers.DecimalField(DIGITS, MOST_DECIMALS, required=False, allow_null=True)


class TableSerializer(Part):
    """A table of a round; its seats are in the order of winds, the first East first."""

    round = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, default=1)
    table = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, default=1)
    sticks_left = serializers.IntegerField(min_value=0, max_value=MOST_POINTS, default=0)
    seats: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=SeatSerializer(), allow_empty=False, max_length=MOST_SEATS
    )


class NightSerializer(serializers.Serializer[Any]):
    """A night of a season and the ids of its games."""

    meet = serializers.IntegerField()
    name = serializers.CharField()
    events = serializers.ListField(child=serializers.IntegerField())


class SavedNightSerializer(serializers.Serializer[Any]):
    """A night that was entered, with the result of each game."""

    meet = serializers.IntegerField()
    events = EventDetailSerializer(many=True)


class NewNightSerializer(Part):
    """A night of games at tables, which are saved together or not at all."""

    game = serializers.IntegerField()
    starts_at = MomentField()
    name = serializers.CharField(max_length=MAX_TITLE)
    rules = serializers.DictField(required=False)
    new_players = serializers.BooleanField(default=False)
    another = serializers.BooleanField(default=False)
    tables: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=TableSerializer(), allow_empty=False, max_length=MOST_TABLES
    )

    def validate_name(self, text: str) -> str:
        return checked_title(text)


class ScoresSerializer(Part):
    """The corrected scores or balances of a game, which replace all."""

    version = serializers.IntegerField(min_value=1)
    rules = serializers.DictField(required=False)
    new_players = serializers.BooleanField(default=False)
    sticks_left = serializers.IntegerField(min_value=0, max_value=MOST_POINTS, default=0)
    seats: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=SeatSerializer(), allow_empty=False, max_length=MOST_SEATS
    )
