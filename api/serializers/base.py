"""Parts that all serializers of the API share: strict input, exact values, links to players."""

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from league.forms.names import MAX_TITLE
from league.models import Event, Player, Season
from payouts.engine.exact import exact_text
from payouts.forms.seasons import FIRST, LAST
from reading.names.rules import clean_name, name_problem, text_problem, title_problem

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)", re.ASCII)
EXACT = re.compile(r"-?\d+(\.\d+)?|-?\d+/\d+")


# What JSON has to be for a field, so that "no" is no yes, and 5 is no name.
TYPES: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], type], ...] = (
    (serializers.BooleanField, bool),
    (serializers.IntegerField, int),
    (serializers.CharField, str),
)


class Part(serializers.Serializer[Any]):
    """A part of a body that refuses unknown fields: a mistyped name must not pass for a setting left out.

    It refuses other types of JSON than the description says, too.
    """

    def to_internal_value(self, data: Any) -> Any:
        unknown = self._unknown(data) or self._mistyped(data)
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError(error.detail | unknown if unknown else error.detail) from error  # type: ignore[operator]
        if unknown:
            raise serializers.ValidationError(unknown)
        return values

    def _mistyped(self, data: Any) -> dict[str, list[str]]:
        """Find fields whose values are of another type; parameters of an address are all texts."""
        if not isinstance(data, Mapping) or isinstance(data, QueryDict):
            return {}
        return {
            name: [str(field.error_messages["invalid"])]
            for name, field in self.fields.items()
            if (value := data.get(name)) is not None
            and any(isinstance(field, kind) and type(value) is not right for kind, right in TYPES)
        }

    def _unknown(self, data: Any) -> dict[str, list[str]]:
        """Find the fields that there are none of."""
        names = [str(name) for name, field in self.fields.items() if not field.read_only]
        text = _("There is no such field. There are: %(known)s.") % {"known": ", ".join(names)}
        sent = set(data) if isinstance(data, Mapping) else set()
        return {name: [text] for name in sorted(sent - set(names))}


class Replacement(Part, serializers.ModelSerializer[Any]):
    """A serializer for PUT, which replaces the whole: every field without a default is required."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = field.default is empty and not field.read_only
        return fields


def checked_player_name(text: str) -> str:
    """Clean the name of a player; raise ValidationError if it cannot be one."""
    name = clean_name(text)
    if problem := name_problem(name):
        raise serializers.ValidationError(problem)
    return name


def checked_reason(text: str) -> None:
    """Check why somebody changes something; raise ValidationError for what no page can show."""
    if problem := text_problem(text):
        raise serializers.ValidationError(problem)


def checked_title(text: str) -> str:
    """Clean the name of a season, an event or a night; raise ValidationError if it cannot be one."""
    name = clean_name(text)
    if problem := title_problem(name, most=MAX_TITLE):
        raise serializers.ValidationError(problem)
    return name


class WordField(serializers.CharField):
    """A text, and no number in place of one."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class MomentField(serializers.DateTimeField):
    """A date with a time and an offset, so that it is one moment; in the centuries that results are of."""

    default_error_messages = {"no_moment": gettext_lazy("Write it like 2026-01-13T19:30:00+09:00.")}

    def to_internal_value(self, value: Any) -> datetime:
        if not (isinstance(value, str) and MOMENT.fullmatch(value)):
            self.fail("no_moment")
        moment = super().to_internal_value(value)
        if not FIRST.year < moment.year < LAST.year:
            self.fail("no_moment")
        return moment


class NamedPart(Part):
    """A part that names a player: by `player_id`, or by the name in `player`."""

    is_name_required = True

    player = WordField(max_length=200, required=False)
    player_id = serializers.IntegerField(required=False, min_value=1)

    def validate_player(self, text: str) -> str:
        return checked_player_name(text)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if self.is_name_required and not attrs.keys() & {"player", "player_id"}:
            raise serializers.ValidationError({"player": [self.fields["player"].error_messages["required"]]})
        return attrs


def checked(kind: type[serializers.BaseSerializer[Any]], data: object) -> dict[str, Any]:
    """Validate data; raise ValidationError that names the wrong fields."""
    serializer = kind(data=data)
    serializer.is_valid(raise_exception=True)
    values: dict[str, Any] = serializer.validated_data
    return values


@extend_schema_field({"type": "string", "pattern": f"^({EXACT.pattern})$", "examples": ["2.5", "8/3"]})
class ExactField(serializers.Field[Any, Any, Any, Any]):
    """A value that is never rounded: the digits of a finite decimal without zeros at its end, else a fraction."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Decimal | Fraction | int) -> str:
        return exact_text(Fraction(value))


@extend_schema_field(OpenApiTypes.URI)
class LinkField(serializers.Field[Any, Any, Any, Any]):
    """The address of the page of an object on the site."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, source="*", **options)

    def to_representation(self, value: Player | Season | Event) -> str:
        address: str = self.context["request"].build_absolute_uri(value.get_absolute_url())
        return address


class NamedPlayer(NamedTuple):
    """A player of whom no more was read than an answer names."""

    pk: int
    name: str
    club_slug: str

    def get_absolute_url(self) -> str:
        return reverse("standings:player", args=[self.club_slug, self.pk])


class PlayerRef(serializers.Serializer[Any]):
    """A player as answers name one: by the id, which stays, and by the name and the address of the page."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    url = LinkField()
