"""Changes of a pool, its calibration, and the adoption of calibrated parameters."""

from typing import Any

from rest_framework import serializers

from api.serializers.base import Part, PlayerRef
from league.models import Change
from ratings.services.calibration import CHOICES


class ChangeSerializer(serializers.ModelSerializer[Change]):
    """A change of a pool.

    `event` and `season` are null if it was about none, or about one that has been deleted since; the deletion itself
    names its event. `in_bin` is where what was deleted waits.
    """

    event = serializers.SerializerMethodField()

    class Meta:
        model = Change
        fields = ("version", "kind", "at", "event", "season", "in_bin")

    def get_event(self, change: Change) -> int | None:
        """Name the event by its id."""
        return change.event_id or change.before.get("event_id")


class AdoptionSerializer(Part):
    """The parameters to adopt as they were read, and the season that R is stretched at, if any."""

    origin = serializers.ChoiceField(choices=[choice.value for choice in CHOICES])
    f = serializers.FloatField()
    g = serializers.FloatField()
    revision = serializers.IntegerField(min_value=0)
    season = serializers.IntegerField(min_value=1, allow_null=True, default=None)


class EstimateSerializer(serializers.Serializer[Any]):
    """An estimated parameter with its interval, whose `high` is null if it has no end."""

    value = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField(allow_null=True)


class PairSerializer(serializers.Serializer[Any]):
    """The two parameters of R."""

    f = serializers.FloatField()
    g = serializers.FloatField()


class CandidatesSerializer(serializers.Serializer[Any]):
    """Values of each candidate that can be adopted; a candidate that the results do not allow is left out."""

    kind: type[serializers.Field[Any, Any, Any, Any]] = PairSerializer

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {choice.value: self.kind(required=False) for choice in CHOICES}


class RCandidatesSerializer(CandidatesSerializer):
    """R of a player under each candidate."""

    kind = serializers.FloatField


class CalibratedPlayerSerializer(serializers.Serializer[Any]):
    """A player's R now, null if there is none, and under each candidate."""

    player = PlayerRef()
    games = serializers.IntegerField(source="n_games")
    now = serializers.FloatField(allow_null=True)
    then = RCandidatesSerializer()


class CalibrationSerializer(serializers.Serializer[Any]):
    """The parameters of R by the results of a pool; an estimate is null if there are too few results."""

    pool = serializers.CharField()
    revision = serializers.IntegerField()
    in_use = PairSerializer()
    table_size = serializers.IntegerField()
    n_games = serializers.IntegerField()
    n_players = serializers.IntegerField()
    n_regulars = serializers.IntegerField()
    n_other_sizes = serializers.IntegerField()
    warnings = serializers.ListField(
        child=serializers.CharField(), help_text="Codes of docs/profit-rating.md."
    )
    left_out = serializers.ListField(child=serializers.IntegerField(), help_text="Games that do not count.")
    l = EstimateSerializer(allow_null=True)  # noqa: E741  its name in the formula
    k = EstimateSerializer(allow_null=True)
    m = EstimateSerializer(allow_null=True)
    f = EstimateSerializer(allow_null=True)
    g = EstimateSerializer(allow_null=True)
    candidates = CandidatesSerializer()
    players = CalibratedPlayerSerializer(many=True)


ESTIMATES = ("l", "k", "m", "f", "g")
COUNTS = ("table_size", "n_games", "n_players", "n_regulars", "n_other_sizes")
