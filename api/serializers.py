"""Serializers that check types and bounds of requests; the engines check the rest."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.fields import empty

from lab.calculators.answers import ALL_SEATS, DECIDE_DEFAULTS, LIMP_DEFAULT, SPOT_OPTIONS, VPIP_DEFAULTS
from league.models import Season
from payouts.models import EventTerms, SeasonRules
from payouts.services.rules import RULE_FIELDS
from payouts.services.terms import TERM_FIELDS
from ratings.services.calibration import CHOICES
from standings.queries import ORDERS

MOST_PLACES = 10_000  # of a field or a seat table, which anybody may request
MOST_OF_ANSWER, MOST_ANSWERS = 400, 5_000  # about uploaded files


class Strict(serializers.Serializer[Any]):
    """A serializer that refuses unknown fields: a mistyped name must not pass for a setting left out."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if unknown := sorted(set(self.initial_data) - set(self.fields)):
            known = ", ".join(self.fields)
            text = _("There is no such field. There are: %(known)s.") % {"known": known}
            raise serializers.ValidationError({name: [text] for name in unknown})
        return attrs


def checked(kind: type[serializers.BaseSerializer[Any]], data: object) -> dict[str, Any]:
    """Validate data; raise ValidationError that names the wrong fields."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


class StructureQuery(Strict):
    """A points structure by the options of the commands; the engine checks their values."""

    structure = serializers.CharField()
    ties = serializers.CharField(default="better")
    alpha = serializers.CharField(required=False)
    votes = serializers.CharField(required=False)
    tail = serializers.CharField(required=False)


class SeatsQuery(StructureQuery):
    seats = serializers.IntegerField(min_value=0, max_value=MOST_PLACES)


class PointsQuery(StructureQuery):
    entries = serializers.IntegerField(min_value=1, max_value=MOST_PLACES)
    cap = serializers.IntegerField(required=False)
    total = serializers.CharField(required=False)
    per_entry = serializers.CharField(required=False)
    expression = serializers.CharField(required=False)
    buy_in = serializers.CharField(default="1")
    paid = serializers.IntegerField(default=1)


class OptionsQuery(Strict):
    """Options of a command, which reads their texts itself; those without a default are required."""

    needed: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    defaults: Mapping[str, str] = MappingProxyType({})

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            **{name: serializers.CharField() for name in self.needed},
            **{name: serializers.CharField(default=default) for name, default in self.defaults.items()},
            **{name: serializers.CharField(required=False) for name in self.optional},
        }


class VpipQuery(OptionsQuery):
    defaults = MappingProxyType({**VPIP_DEFAULTS, "seats": ALL_SEATS, "limp": LIMP_DEFAULT})
    optional = ("strategy", "ranges", "to")


class DecideQuery(OptionsQuery):
    needed = tuple(SPOT_OPTIONS)
    defaults = MappingProxyType({name: value for name, value in DECIDE_DEFAULTS.items() if value})
    optional = tuple(name for name, value in DECIDE_DEFAULTS.items() if not value)


class StandingsQuery(Strict):
    by = serializers.ChoiceField(choices=ORDERS, default=ORDERS[0])
    page = serializers.IntegerField(min_value=1, default=1)


class Replacement(Strict, serializers.ModelSerializer[Any]):
    """A serializer for PUT, which replaces the whole: every field without a default is required."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = field.default is empty
        return fields


class RulesSerializer(Replacement):
    structure = serializers.DictField()
    tie_breaks = serializers.ListField()
    settle_again = serializers.BooleanField(default=False, write_only=True)
    version = serializers.IntegerField(min_value=0, write_only=True)

    class Meta:
        model = SeasonRules
        fields = (*RULE_FIELDS, "settle_again", "version")

    def validate_structure(self, structure: dict[str, Any]) -> dict[str, Any]:
        if structure.get("name") is None:
            raise serializers.ValidationError(_("The structure needs a name."))
        return structure

    def validate_tie_breaks(self, names: list[Any]) -> list[Any]:
        for i, name in enumerate(names):
            if name in names[:i]:
                raise serializers.ValidationError(_("“%(name)s” is there twice.") % {"name": name})
        return names


class TermsSerializer(Replacement):
    version = serializers.IntegerField(min_value=0, write_only=True)

    class Meta:
        model = EventTerms
        fields = (*TERM_FIELDS, "version")
        extra_kwargs = {name: {"normalize_output": True} for name in ("multiplier", "total", "buy_in")}


class AdoptionSerializer(Strict):
    """The parameters to adopt as they were read, and the season that R is stretched at, if any."""

    origin = serializers.ChoiceField(choices=[choice.value for choice in CHOICES])
    f = serializers.FloatField()
    g = serializers.FloatField()
    revision = serializers.IntegerField(min_value=0)
    season = serializers.IntegerField(min_value=1, allow_null=True, default=None)


class SeasonSerializer(serializers.ModelSerializer[Season]):
    class Meta:
        model = Season
        fields = ("id", "slug", "name", "starts_on", "ends_on", "is_closed", "is_sealed")


class UploadAnswersSerializer(Strict):
    """Answers to the questions about uploaded files by their ids, and whether they are saved then."""

    answers = serializers.DictField(
        child=serializers.CharField(max_length=MOST_OF_ANSWER, allow_blank=True), default=dict
    )
    confirm = serializers.BooleanField(default=False)

    def validate_answers(self, answers: dict[str, str]) -> dict[str, str]:
        if len(answers) > MOST_ANSWERS or any(len(name) > MOST_OF_ANSWER for name in answers):
            raise serializers.ValidationError(_("These are no ids of questions."))
        return answers
