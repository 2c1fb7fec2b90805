"""Clubs with their games, and rating pools."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.base import LinkField
from league.models import Club, Game, Pool, Role
from ratings.queries import settings_in_force, values_of
from standings.queries import pool_work_state


class GameSerializer(serializers.ModelSerializer[Game]):
    """A game that a club plays; `entry_form` is how its results are entered, `pool` rates it."""

    class Meta:
        model = Game
        fields = ("id", "name", "kind", "entry_form", "pool", "table_size", "is_shut")


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club, and the role in which you may act in it: without a required second factor that of a member."""

    url = LinkField()
    time_zone = serializers.CharField(help_text="By its name in the database of time zones.")
    is_closed = serializers.SerializerMethodField()
    role = serializers.SerializerMethodField()

    class Meta:
        model = Club
        fields: tuple[str, ...] = (
            "slug", "name", "url", "time_zone", "language", "is_public", "is_closed", "role",
        )  # fmt: skip

    def get_is_closed(self, club: Club) -> bool:
        return club.closed_at is not None

    @extend_schema_field(serializers.ChoiceField(choices=[role.name.lower() for role in Role]))
    def get_role(self, club: Any) -> str:
        return Role(club.own_role).name.lower()


class ClubDetailSerializer(ClubSerializer):
    """A club with its games."""

    games = GameSerializer(many=True)

    class Meta(ClubSerializer.Meta):
        fields = (*ClubSerializer.Meta.fields, "games")


class PoolSerializer(serializers.ModelSerializer[Pool]):
    """Players and events that are rated together. While `is_behind`, ratings are those of earlier results."""

    is_behind = serializers.SerializerMethodField()
    rated_at = serializers.SerializerMethodField()

    class Meta:
        model = Pool
        fields: tuple[str, ...] = ("id", "name", "kind", "is_shut", "data_version", "is_behind", "rated_at")

    def get_is_behind(self, pool: Pool) -> bool:
        return pool_work_state(pool).is_behind

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_rated_at(self, pool: Pool) -> str | None:
        moment = pool_work_state(pool).rated_at
        shown: str | None = serializers.DateTimeField().to_representation(moment) if moment else None
        return shown


class PoolDetailSerializer(PoolSerializer):
    """A pool with the values of its settings in force, by the names in docs/how-ratings-work.md."""

    settings = serializers.SerializerMethodField()

    class Meta(PoolSerializer.Meta):
        fields = (*PoolSerializer.Meta.fields, "settings")

    def get_settings(self, pool: Pool) -> dict[str, Any]:
        return values_of(pool.kind, settings_in_force(pool.pk))


class HistoryLineSerializer(serializers.Serializer[Any]):
    """A line of the history, as the page says it in the reader's language; `by` is named to members alone."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    title = serializers.CharField()
    about = serializers.CharField()
    descriptions = serializers.ListField(child=serializers.CharField())
    by = serializers.CharField()
    reason = serializers.CharField()
    event = serializers.IntegerField(allow_null=True)
    season = serializers.IntegerField(allow_null=True)
