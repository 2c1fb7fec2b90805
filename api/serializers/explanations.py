"""Why a rate has changed: the rates before and after each entry, and the steps between them."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import PlayerRef


class StepSerializer(serializers.Serializer[Any]):
    """A step from the rate before to the rate after, in points of the rate; steps add up to the change."""

    name = serializers.CharField()
    change = serializers.FloatField()


class ExplainedEntrySerializer(serializers.Serializer[Any]):
    """An entry with the steps of its rate."""

    number = serializers.IntegerField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    steps = StepSerializer(many=True)


class ExplanationSerializer(serializers.Serializer[Any]):
    """Why a player's rate has changed at an event; `entries` is empty where none is computed."""

    event = serializers.IntegerField(source="event.pk")
    player = PlayerRef()
    entries = ExplainedEntrySerializer(many=True)
