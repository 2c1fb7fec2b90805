"""Runs of the season laboratory, and the report of one."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import LinkField
from lab.models import LabRun
from lab.models.run import RunState


class RunSerializer(serializers.ModelSerializer[LabRun]):
    """A run: how many seasons of how many are simulated. `season` is the one whose players were taken."""

    state = serializers.ChoiceField(choices=RunState.choices, read_only=True)
    url = LinkField()

    class Meta:
        model = LabRun
        fields = (
            "id",
            "season",
            "state",
            "n_done",
            "n_seasons",
            "seed",
            "created_at",
            "finished_at",
            "expires_at",
            "url",
        )


class VariantSerializer(serializers.Serializer[Any]):
    """The figures of a variant of the rules: how often the best player won, and so on; shares from 0 to 1."""

    structure = serializers.CharField()
    attendance_points = serializers.IntegerField()
    best_n = serializers.IntegerField(allow_null=True)
    drop_worst = serializers.IntegerField()
    seasons = serializers.IntegerField()
    best_wins = serializers.FloatField()
    best_wins_low = serializers.FloatField(help_text="The 95 % interval of `best_wins`.")
    best_wins_high = serializers.FloatField()
    best_three_win = serializers.FloatField()
    best_in_first_three = serializers.FloatField()
    best_mean_place = serializers.FloatField(allow_null=True)
    points_of_first = serializers.FloatField()
    points_of_last = serializers.FloatField()
    weakest_wins = serializers.FloatField()


class RunDetailSerializer(RunSerializer):
    """A run with its report, which is null until it is done."""

    report = VariantSerializer(many=True, allow_null=True)

    class Meta:
        model = LabRun
        fields = (*RunSerializer.Meta.fields, "report")
