"""Planned events, and who says to come."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import serializers

from api.serializers.base import MomentField, Part, checked_title
from league.forms.names import MAX_TITLE
from league.models import PlannedEvent, Rsvp
from noticeboard.forms import FURTHEST, MOST_AT_ONCE
from reading.names.rules import text_problem


class ComingSerializer(serializers.Serializer[Any]):
    """How many members come, perhaps come, and do not; `own` is your answer, empty without one."""

    yes = serializers.IntegerField(source="n_yes")
    maybe = serializers.IntegerField(source="n_maybe")
    no = serializers.IntegerField(source="n_no")
    own = serializers.CharField()


class PlannedEventSerializer(serializers.ModelSerializer[PlannedEvent]):
    """A planned event, without who comes."""

    class Meta:
        model = PlannedEvent
        fields: tuple[str, ...] = ("id", "season", "starts_at", "name", "place", "note", "is_last", "version")


class PlannedEventDetailSerializer(PlannedEventSerializer):
    """A planned event with who comes; `names` are those who do, for members of the club, and else null."""

    coming = ComingSerializer()
    names = serializers.ListField(child=serializers.CharField(), allow_null=True)

    class Meta(PlannedEventSerializer.Meta):
        fields = (*PlannedEventSerializer.Meta.fields, "coming", "names")


class PlanSerializer(Part):
    """When and where an event will be."""

    starts_at = MomentField()
    name = serializers.CharField(max_length=MAX_TITLE, allow_blank=True, default="")
    place = serializers.CharField(max_length=120, allow_blank=True, default="")
    note = serializers.CharField(max_length=500, allow_blank=True, default="")
    is_last = serializers.BooleanField(default=False, help_text="Whether the season ends with it.")

    def validate_starts_at(self, moment: Any) -> Any:
        if moment > timezone.now() + FURTHEST:
            raise serializers.ValidationError(_("Plan at most three years ahead."))
        return moment

    def validate_name(self, text: str) -> str:
        return checked_title(text) if text else ""

    def validate_place(self, text: str) -> str:
        return _checked(text)

    def validate_note(self, text: str) -> str:
        return _checked(text)


def _checked(text: str) -> str:
    if problem := text_problem(text):
        raise serializers.ValidationError(problem)
    return text


class ChangedPlanSerializer(PlanSerializer):
    """A changed plan, which replaces the whole."""

    version = serializers.IntegerField(min_value=1)


class NewPlansSerializer(Part):
    """Events to plan, all or none."""

    events: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=PlanSerializer(), allow_empty=False, max_length=MOST_AT_ONCE
    )


class PlansSerializer(serializers.Serializer[Any]):
    """Events that were planned."""

    events = PlannedEventSerializer(many=True)


class AnswerSerializer(Part):
    """Whether you come."""

    answer = serializers.ChoiceField(choices=Rsvp.Answer.values)
