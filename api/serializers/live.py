"""Nights that are run live, and actions that programs record."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import Part
from live.models import LONGEST_ID, Night

MOST_AT_ONCE = 100


class LiveNightSerializer(serializers.ModelSerializer[Night]):
    """A night that is or was run live."""

    name = serializers.CharField(source="__str__", read_only=True)

    class Meta:
        model = Night
        fields: tuple[str, ...] = ("id", "name", "stage", "starts_at", "season", "event", "head")


class LiveNightStateSerializer(LiveNightSerializer):
    """A night with what its log says now: who is in, places, questions (docs/live-log.md)."""

    state = serializers.DictField()

    class Meta(LiveNightSerializer.Meta):
        fields = (*LiveNightSerializer.Meta.fields, "state")


class ActionSerializer(Part):
    """An action of a night, as its log has it (docs/live-log.md)."""

    id = serializers.CharField(max_length=LONGEST_ID)
    kind = serializers.CharField(max_length=12)
    body = serializers.DictField(default=dict)


class ActionsSerializer(Part):
    """Actions to record in this order."""

    actions = serializers.ListField(child=ActionSerializer(), allow_empty=False, max_length=MOST_AT_ONCE)


class ReplySerializer(serializers.Serializer[Any]):
    """The reply to an action: its number in the log, if it is there."""

    id = serializers.CharField()
    status = serializers.CharField()
    seq = serializers.IntegerField(allow_null=True)
