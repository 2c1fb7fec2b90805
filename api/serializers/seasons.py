"""Seasons: their days, rules, standings and awards."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import ExactField, LinkField, Part, PlayerRef, Replacement, checked_title
from league.forms.names import MAX_TITLE
from league.models import Season
from payouts.forms.seasons import IN_RANGE
from payouts.models import SeasonRules
from payouts.services.rules import RULE_FIELDS
from standings.models import AwardKind
from standings.pages.forms.seasons import MAX_EVENTS

MOST_POSITIONS = 10
VALUE = "An exact text, a rate or a count; null if somebody chose the winner."


class SeasonSerializer(serializers.ModelSerializer[Season]):
    """A season. A closed one takes no results, a sealed one no change at all."""

    club = serializers.CharField(source="club.slug", read_only=True)
    url = LinkField()

    class Meta:
        model = Season
        fields = (
            "id", "club", "slug", "name", "url", "pool", "starts_on", "ends_on", "is_closed", "is_sealed",
        )  # fmt: skip


class RulesFields(Part, serializers.ModelSerializer[Any]):
    """The rules of a season."""

    structure = serializers.DictField()
    tie_breaks = serializers.ListField(child=serializers.CharField())

    def validate_structure(self, structure: dict[str, Any]) -> dict[str, Any]:
        if structure.get("name") is None:
            raise serializers.ValidationError(_("The structure needs a name."))
        return structure

    def validate_tie_breaks(self, names: list[Any]) -> list[Any]:
        for i, name in enumerate(names):
            if name in names[:i]:
                raise serializers.ValidationError(_("“%(name)s” is there twice.") % {"name": name})
        return names


class RulesSerializer(Replacement, RulesFields):
    """All rules of a season, with the version that the next change has to name."""

    settle_again = serializers.BooleanField(
        default=False, write_only=True, help_text="Finished events get the points of the new rules, too."
    )
    version = serializers.IntegerField(min_value=0)

    class Meta:
        model = SeasonRules
        fields = (*RULE_FIELDS, "settle_again", "version")


class NewRulesSerializer(RulesFields):
    """Some of the rules of a season; the others are the usual ones."""

    class Meta:
        model = SeasonRules
        fields = RULE_FIELDS

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class NewSeasonSerializer(Part):
    """A season to begin. Rules that are left out are the usual ones, or those of the season `taken_from`."""

    name = serializers.CharField(max_length=MAX_TITLE)
    starts_on = serializers.DateField(validators=IN_RANGE)
    ends_on = serializers.DateField(required=False, allow_null=True, default=None, validators=IN_RANGE)
    rules = NewRulesSerializer(required=False)
    taken_from = serializers.IntegerField(
        required=False, min_value=1, help_text="The season of the club to take rules, pool and awards from."
    )

    def validate_name(self, text: str) -> str:
        return checked_title(text)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["ends_on"] and attrs["ends_on"] < attrs["starts_on"]:
            raise serializers.ValidationError({"ends_on": [_("The last day is before the first day.")]})
        return attrs


class SeasonChangeSerializer(Part):
    """Change a season; whatever is left out stays."""

    name = serializers.CharField(max_length=MAX_TITLE, required=False)
    starts_on = serializers.DateField(required=False, validators=IN_RANGE)
    ends_on = serializers.DateField(required=False, allow_null=True, validators=IN_RANGE)
    is_closed = serializers.BooleanField(required=False, help_text="A closed season takes no results.")

    def validate_name(self, text: str) -> str:
        return checked_title(text)


class StandingSerializer(serializers.Serializer[Any]):
    """A player's line of a leaderboard; the rank is that of the order that was asked for."""

    rank = serializers.IntegerField(allow_null=True)
    player = PlayerRef()
    points = ExactField()
    points_with_attendance = ExactField(source="total")
    events = serializers.IntegerField(source="n_events")
    entries = serializers.IntegerField(source="n_entries")
    wins = serializers.IntegerField(source="n_wins")
    profit_per_tourney = ExactField(source="profit")
    rate = serializers.FloatField(allow_null=True)
    badge = serializers.CharField()
    last_change = serializers.FloatField(allow_null=True)
    moved = serializers.IntegerField(
        allow_null=True, help_text="By how many ranks the last event moved the player up; negative: down."
    )
    is_provisional = serializers.BooleanField()
    is_guest = serializers.BooleanField()
    is_inactive = serializers.BooleanField()
    events_brought_forward = serializers.IntegerField(source="n_brought")
    net_money = ExactField(
        allow_null=True, help_text="Null unless the club shows what players have won and lost."
    )


class AwardPlaceSerializer(serializers.Serializer[Any]):
    """A place of an award: tied players share it, and `value` is what it was won with."""

    place = serializers.IntegerField()
    players = PlayerRef(many=True)
    value = serializers.SerializerMethodField()

    @extend_schema_field({"type": ["string", "number", "null"], "description": VALUE})
    def get_value(self, place: Any) -> str | float | None:
        value = place["value"]
        return (
            value
            if value is None or isinstance(value, int | float)
            else ExactField().to_representation(value)
        )


class AwardSerializer(serializers.Serializer[Any]):
    """An award with those who have it, or would have it if the season ended now."""

    id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.CharField()
    places = AwardPlaceSerializer(many=True)


class NewAwardSerializer(Part):
    """An award to add: one that is computed, or with a `title` and the name of a `player` one that you choose."""

    kind = serializers.ChoiceField(choices=AwardKind.choices)
    title = serializers.CharField(
        max_length=MAX_TITLE, allow_blank=True, default="", help_text="Empty for the usual one."
    )
    min_events = serializers.IntegerField(
        min_value=1, max_value=MAX_EVENTS, default=1, help_text="For `best_profit` and `most_improved`."
    )
    player = serializers.CharField(
        max_length=200, allow_blank=True, default="", help_text="The name, only for an award that you choose."
    )
    player_id = serializers.IntegerField(allow_null=True, default=None, help_text="Or the id.")


class EventPointsSerializer(serializers.Serializer[Any]):
    """A player's points at an event of a season table."""

    event = serializers.IntegerField(source="event_id")
    points = ExactField(source="cell.points")
    is_won = serializers.BooleanField(source="cell.won")
    not_counted = serializers.CharField(
        source="cell.dropped", help_text="Why they do not count; empty if they do."
    )


class SeasonTableRowSerializer(serializers.Serializer[Any]):
    """A player of a season table; events without the player are left out."""

    rank = serializers.IntegerField(allow_null=True)
    player = PlayerRef()
    points = ExactField()
    points_with_attendance = ExactField()
    events = EventPointsSerializer(many=True)


class ContenderSerializer(serializers.Serializer[Any]):
    """The chances of a player in a season, each from 0 to 1; `positions` has those of the first places."""

    player = PlayerRef()
    title = serializers.FloatField()
    title_if_equal = serializers.FloatField(source="equal", help_text="If all players were equally strong.")
    positions = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.FloatField(), max_length=MOST_POSITIONS))
    def get_positions(self, contender: Any) -> list[float]:
        return contender.positions[:MOST_POSITIONS]  # type: ignore[no-any-return]


class OddsSerializer(serializers.Serializer[Any]):
    """The odds of a season. `events_left` is null if nothing says how many nights are left."""

    as_of = serializers.DateField()
    has_ended = serializers.BooleanField()
    is_waiting = serializers.BooleanField(
        help_text="The chances are being computed: there are no players yet."
    )
    events_left = serializers.SerializerMethodField()
    players = ContenderSerializer(many=True, source="contenders")

    @extend_schema_field({"type": ["integer", "null"]})
    def get_events_left(self, odds: Any) -> int | None:
        return odds.left and odds.left.n  # type: ignore[no-any-return]
