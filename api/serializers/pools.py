"""Changes of a pool, and the adoption of calibrated parameters."""

from rest_framework import serializers

from api.serializers.base import Part
from league.models import Change
from ratings.services.calibration import CHOICES


class ChangeSerializer(serializers.ModelSerializer[Change]):
    """A change of a pool.

    `event` and `season` are null if it was about none, or about one that has been deleted since. After a deletion list
    the events again; `in_bin` is where what was deleted waits.
    """

    class Meta:
        model = Change
        fields = ("version", "kind", "at", "event", "season", "in_bin")


class AdoptionSerializer(Part):
    """The parameters to adopt as they were read, and the season that R is stretched at, if any."""

    origin = serializers.ChoiceField(choices=[choice.value for choice in CHOICES])
    f = serializers.FloatField()
    g = serializers.FloatField()
    revision = serializers.IntegerField(min_value=0)
    season = serializers.IntegerField(min_value=1, allow_null=True, default=None)
