"""Players: their ratings now, and the ratings that each event left them."""

from typing import Any

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import LinkField, Part, PlayerRef, WordField, checked_player_name
from league.models import Player, PlayerAlias


class RatingSerializer(serializers.Serializer[Any]):
    """A player's rating in a pool."""

    pool = serializers.IntegerField(source="pool_id")
    rate = serializers.FloatField()
    badge = serializers.CharField()
    is_provisional = serializers.BooleanField()
    entries = serializers.IntegerField(source="n_entries", help_text="Rated entries, or games.")
    last_at = serializers.DateTimeField(help_text="The start of the last rated event.")


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A player of a club, with the ratings now; a guest belongs to the club for the results alone."""

    url = LinkField()
    ratings = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("id", "name", "url", "is_guest", "joined_at", "ratings")

    @extend_schema_field(RatingSerializer(many=True))
    def get_ratings(self, player: Any) -> Any:
        return [self._rating.to_representation(each) for each in (*player.shown_tier, *player.shown_profit)]

    @cached_property
    def _rating(self) -> RatingSerializer:
        """Make one for all players of a list, which costs as much as writing a rating."""
        return RatingSerializer()


class RatedEventSerializer(serializers.Serializer[Any]):
    """An event in the history of a rating: all entries together, with the place of the last one."""

    event = serializers.IntegerField(source="event_id")
    starts_at = serializers.DateTimeField()
    place = serializers.IntegerField(source="field_place", help_text="Among the players of the event.")
    players = serializers.IntegerField(source="n_players")
    expected_place = serializers.FloatField(source="expected")
    rate_before = serializers.FloatField()
    rate = serializers.FloatField()
    badge = serializers.CharField()
    is_provisional = serializers.BooleanField()


class OpponentSerializer(serializers.Serializer[Any]):
    """How often two players met, how often the player was ahead (a tie is half), and what ratings promised of that."""

    opponent = PlayerRef()
    events = serializers.IntegerField(source="n_events")
    ahead = serializers.FloatField()
    expected = serializers.FloatField()


class NewPlayerSerializer(Part):
    """A player to add to a club."""

    name = WordField(max_length=200)

    def validate_name(self, text: str) -> str:
        return checked_player_name(text)


class PlayerChangeSerializer(NewPlayerSerializer):
    """Change a player; whatever is left out stays."""

    name = WordField(max_length=200, required=False)
    is_guest = serializers.BooleanField(required=False)


class AliasSerializer(serializers.ModelSerializer[PlayerAlias]):
    """Another name of a player."""

    class Meta:
        model = PlayerAlias
        fields = ("id", "name", "created_at")
