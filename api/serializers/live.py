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


class LiveClockSerializer(serializers.Serializer[Any]):
    """The clock when it was last touched; `level` counts from 0, breaks included."""

    is_running = serializers.BooleanField()
    level = serializers.IntegerField()
    left_ms = serializers.IntegerField(allow_null=True)
    ran_ms = serializers.IntegerField()
    at_ms = serializers.IntegerField()


class LiveEntrySerializer(serializers.Serializer[Any]):
    """A buy-in; its id is that of the action that entered it. Sums are in the smallest unit of money."""

    id = serializers.CharField()
    name = serializers.CharField()
    number = serializers.IntegerField()
    player = serializers.IntegerField(allow_null=True)
    at_ms = serializers.IntegerField()
    stack = serializers.IntegerField(allow_null=True)
    cost = serializers.IntegerField()
    paid = serializers.IntegerField()
    n_rebuys = serializers.IntegerField()
    n_addons = serializers.IntegerField()
    n_stacks = serializers.IntegerField(help_text="Rebuys and add-ons of as many chips as a starting stack.")
    more_chips = serializers.IntegerField(help_text="Chips of those that said how many.")
    cashed = serializers.IntegerField(allow_null=True, help_text="What a cash table gave back.")
    by = serializers.CharField(allow_null=True, help_text="Who put it out.")
    has_seen = serializers.BooleanField()


class LiveExitSerializer(serializers.Serializer[Any]):
    """Entries that went out together, and the devices on which it was recorded."""

    entries = serializers.ListField(child=serializers.CharField())
    at_ms = serializers.IntegerField()
    devices = serializers.ListField(child=serializers.CharField())


class LiveQuestionSerializer(serializers.Serializer[Any]):
    """A question that the log does not answer by itself, and the choices of the organizer."""

    id = serializers.CharField()
    kind = serializers.CharField()
    actions = serializers.ListField(child=serializers.CharField())
    entries = serializers.ListField(child=serializers.CharField())
    choices = serializers.ListField(child=serializers.CharField())


class LiveAskSerializer(serializers.Serializer[Any]):
    """A player who asks to be checked in, and the entry that came of it."""

    id = serializers.CharField()
    name = serializers.CharField()
    entry = serializers.CharField(allow_null=True)


class LiveHeldSerializer(serializers.Serializer[Any]):
    """An action that is not part of the log, and why."""

    id = serializers.CharField()
    why = serializers.CharField()


def counts(**options: Any) -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField(), **options)


class LiveStateSerializer(serializers.Serializer[Any]):
    """The state of a night by its log; what `setup`, `levels`, `deal` and `bonuses` hold is in docs/live-log.md."""

    places = counts(help_text="By name, of those who are out and of the last one left.")
    seats = serializers.DictField(
        child=serializers.ListField(child=serializers.IntegerField()), help_text="Table and seat, by name."
    )
    clock = LiveClockSerializer(allow_null=True)
    started_at_ms = serializers.IntegerField(allow_null=True)
    stage = serializers.CharField(allow_null=True)
    setup = serializers.DictField()
    levels = serializers.ListField(child=serializers.DictField())
    deal = serializers.DictField(allow_null=True)
    seed = serializers.DictField()
    big_blinds = serializers.DictField(
        child=serializers.ListField(), help_text="By table: the entry, and when it was said."
    )
    stacks = counts(help_text="Counted last, by entry.")
    envelopes = counts(help_text="Opened ones, by who was put out.")
    bonuses = serializers.ListField(child=serializers.DictField())
    asks = LiveAskSerializer(many=True)
    entries = LiveEntrySerializer(many=True)
    exits = LiveExitSerializer(many=True)
    questions = LiveQuestionSerializer(many=True)
    held = LiveHeldSerializer(many=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the names of those who are in: `in` is no name in Python."""
        return {"in": serializers.ListField(child=serializers.CharField()), **super().get_fields()}


class LiveNightStateSerializer(LiveNightSerializer):
    """A night with what its log says now: who is in, places, questions."""

    state = LiveStateSerializer()

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
