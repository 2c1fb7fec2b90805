"""Corrections of a result: those that were made, and what one would change."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import ExactField, PlayerRef
from api.serializers.clubs import HistoryLineSerializer


class CorrectionSerializer(HistoryLineSerializer):
    """A correction of a result. The version before it can be brought back if `keeps_version`."""

    id = serializers.IntegerField()
    keeps_version = serializers.BooleanField()


class NumbersSerializer(serializers.Serializer[Any]):
    """A number before the correction and after it; null for none."""

    before = serializers.FloatField(allow_null=True)
    after = serializers.FloatField(allow_null=True)


class ExactsSerializer(serializers.Serializer[Any]):
    """An exact value before the correction and after it; null for none."""

    before = ExactField(allow_null=True)
    after = ExactField(allow_null=True)


class TextsSerializer(serializers.Serializer[Any]):
    """A text before the correction and after it."""

    before = serializers.CharField(allow_null=True)
    after = serializers.CharField(allow_null=True)


class MoverSerializer(serializers.Serializer[Any]):
    """A player whom the correction moves: rate, badge, total and rank in the season."""

    player = PlayerRef()
    rate = NumbersSerializer()
    badge = TextsSerializer()
    total = ExactsSerializer()
    rank = NumbersSerializer()


class WinnersSerializer(serializers.Serializer[Any]):
    """The players at a place of an award, by name."""

    place = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())


class AwardMoveSerializer(serializers.Serializer[Any]):
    """An award that others would have."""

    season = serializers.CharField()
    title = serializers.CharField()
    before = WinnersSerializer(many=True)
    after = WinnersSerializer(many=True)


class CorrectionPreviewSerializer(serializers.Serializer[Any]):
    """The effects of a correction. Of many later entries only those until `rated_until` are rated."""

    movers = MoverSerializer(many=True)
    awards = AwardMoveSerializer(many=True)
    later_entries = serializers.IntegerField(source="n_later")
    rated_until = serializers.DateTimeField(allow_null=True)
