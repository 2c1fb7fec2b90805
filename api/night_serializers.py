"""Serializers of games at tables: types and bounds; scores checks the rest."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers import Strict
from entry.services.nights import MOST_TABLES
from reading.names.rules import clean_name, name_problem, title_problem
from scores.rules import MOST_DECIMALS, MOST_POINTS

MOST_SEATS = 60
DIGITS = 12


class Part(serializers.Serializer[Any]):
    """A part of a body that refuses unknown fields."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict) and (unknown := sorted(set(data) - set(self.fields))):
            known = ", ".join(self.fields)
            text = _("There is no such field. There are: %(known)s.") % {"known": known}
            raise serializers.ValidationError({name: [text] for name in unknown})
        return super().to_internal_value(data)


class SeatSerializer(Part):
    player = serializers.CharField(max_length=200, required=False)
    player_id = serializers.IntegerField(required=False, min_value=1)
    score = serializers.IntegerField(
        required=False, allow_null=True, min_value=-MOST_POINTS, max_value=MOST_POINTS
    )
    balance = serializers.DecimalField(DIGITS, MOST_DECIMALS, required=False, allow_null=True)
    chips = serializers.IntegerField(required=False, allow_null=True)
    penalty = serializers.DecimalField(DIGITS, MOST_DECIMALS, required=False, allow_null=True)

    def validate_player(self, text: str) -> str:
        name = clean_name(text)
        if problem := name_problem(name):
            raise serializers.ValidationError(problem)
        return name

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.keys() & {"player", "player_id"}:
            raise serializers.ValidationError({"player": [self.fields["player"].error_messages["required"]]})
        return attrs


class TableSerializer(Part):
    round = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, default=1)
    table = serializers.IntegerField(min_value=1, max_value=MOST_TABLES, default=1)
    sticks_left = serializers.IntegerField(min_value=0, default=0)
    seats: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=SeatSerializer(), allow_empty=False, max_length=MOST_SEATS
    )


class NightSerializer(Strict):
    game = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    name = serializers.CharField(max_length=80)
    token = serializers.UUIDField()
    rules = serializers.DictField(required=False)
    new_players = serializers.BooleanField(default=False)
    another = serializers.BooleanField(default=False)
    tables: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=TableSerializer(), allow_empty=False, max_length=MOST_TABLES
    )

    def validate_name(self, text: str) -> str:
        name = clean_name(text)
        if problem := title_problem(name, most=80):
            raise serializers.ValidationError(problem)
        return name


class ResultSerializer(Strict):
    version = serializers.IntegerField(min_value=1)
    rules = serializers.DictField(required=False)
    new_players = serializers.BooleanField(default=False)
    sticks_left = serializers.IntegerField(min_value=0, default=0)
    seats: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=SeatSerializer(), allow_empty=False, max_length=MOST_SEATS
    )
