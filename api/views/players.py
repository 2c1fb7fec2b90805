"""The players of a club: their ratings now and after each event, and whom they met."""

from typing import Any

from django.db import transaction
from django.db.models import F, Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, PlayerView
from api.filters import OF_RATINGS, PlayerFilter
from api.serializers.base import NamedPlayer, checked
from api.serializers.players import (
    AliasSerializer,
    NewPlayerSerializer,
    OpponentSerializer,
    PlayerChangeSerializer,
    PlayerSerializer,
    RatedEventSerializer,
)
from forecasts.opponents import opponents_in
from league.models import Club, Player, PlayerAlias, Pool, PoolKind
from league.queries import typed_id
from league.rights import RIGHTS, Act
from league.services.changes import lock_pools
from league.services.players import add_player, remove_alias, update_player
from ratings.models import PlayerRating, ProfitRating, RatedEntry, RatedGame
from standings.players.history import rated_events
from standings.queries import has_results, players_of, rated_pools

POOL = OpenApiParameter("pool", int, description="A rating pool of the club; by default the first one.")


def with_ratings(players: QuerySet[Player]) -> QuerySet[Player]:
    """Read players with their club and their ratings in all pools of it."""
    games = ProfitRating.objects.annotate(rate=F("r"), n_entries=F("n_games"))
    return players.select_related("club").prefetch_related(
        Prefetch("ratings", PlayerRating.objects.order_by("pool"), "shown_tier"),
        Prefetch("profit_ratings", games.order_by("pool"), "shown_profit"),
    )


class OfPool(ListView, ClubView):
    """A list of the ratings in one of the pools of the club."""

    parameters = ("pool",)

    def pool(self) -> Pool | None:
        """Find the pool that is asked for, or the first one; None if nothing is rated."""
        pools = rated_pools(self.club)
        typed = self.request.query_params.get("pool")
        if typed is None:
            return pools[0] if pools else None
        chosen = next((pool for pool in pools if pool.pk == typed_id(typed)), None)
        if chosen is None:
            raise ValidationError({"pool": [_("The club has no such rating pool.")]})
        return chosen


class PlayersView(OfPool):
    """Lists the players of a club with their ratings, by name or by the ratings in a pool, and adds one."""

    writes = Act.EDIT_PLAYERS
    queryset = Player.objects.none()
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter

    def get_queryset(self) -> QuerySet[Player]:
        typed = self.request.query_params
        by_rating = typed.get("ordering", "").removeprefix("-") in OF_RATINGS
        pool = self.pool() if by_rating or "pool" in typed else None
        players = players_of(self.club, pool if by_rating else None).order_by("key", "pk")
        if by_rating and pool is None:
            raise ValidationError({"ordering": [_("The club rates nothing.")]})
        if self.role < RIGHTS[Act.EDIT_PLAYERS]:  # as on the page
            players = players.filter(has_results())
        return with_ratings(players)

    @extend_schema(parameters=[POOL])
    def get(self, request: Request, *args: Any, **address: Any) -> Response:
        """List the players of a club with their ratings, by name or by the ratings in a pool."""
        return super().get(request, *args, **address)

    @extend_schema(request=NewPlayerSerializer, responses={201: PlayerSerializer}, filters=False)
    def post(self, request: Request, **_address: Any) -> Response:
        """Add a player to the club."""
        name = checked(NewPlayerSerializer, request.data)["name"]
        player = add_player(self.club, name=name, actor=self.actor)
        shown = with_ratings(Player.objects.filter(pk=player.pk)).get()
        return Response(self.get_serializer(shown).data, status=status.HTTP_201_CREATED)


class PlayerDetailView(PlayerView):
    """Answers with a player, renames one, and makes a guest a member or a member a guest."""

    writes = Act.EDIT_PLAYERS
    serializer_class = PlayerSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a player with the ratings now."""
        player = with_ratings(Player.objects.filter(pk=self.player.pk)).get()
        return Response(self.get_serializer(player).data)

    @extend_schema(request=PlayerChangeSerializer, responses=PlayerSerializer)
    @transaction.atomic
    def patch(self, request: Request, **address: Any) -> Response:
        """Rename a player, or make a guest a member or a member a guest; the rest stays as it is now."""
        changed = checked(PlayerChangeSerializer, request.data)
        lock_pools(self.club)
        self.player.refresh_from_db()
        own: dict[str, Any] = {"name": self.player.name, "is_guest": self.player.is_guest}
        update_player(self.player, **own | changed, actor=self.actor)
        return self.get(request, **address)


class AliasesView(ListView, PlayerView):
    """Lists the other names of a player, by which results find the player, too."""

    reads = writes = Act.EDIT_PLAYERS
    queryset = PlayerAlias.objects.none()
    serializer_class = AliasSerializer

    def get_queryset(self) -> QuerySet[PlayerAlias]:
        return self.player.aliases.order_by("key", "pk")


class AliasView(PlayerView):
    """Forgets another name of a player."""

    reads = writes = Act.EDIT_PLAYERS

    @extend_schema(responses={204: None})
    def delete(self, _request: Request, alias_id: int, **_address: Any) -> Response:
        """Forget another name of a player."""
        remove_alias(self.player, alias_id=alias_id, actor=self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def found(self, player_id: int, alias_id: int) -> Club:  # type: ignore[override]
        club = super().found(player_id)
        get_object_or_404(PlayerAlias, player=self.player, pk=alias_id)
        return club


@extend_schema(parameters=[POOL])
class PlayerRatingsView(OfPool, PlayerView):
    """Lists what each event did to a player's rating, the oldest first."""

    queryset = RatedEntry.objects.none()
    serializer_class = RatedEventSerializer

    def get_queryset(self) -> Any:
        pool = self.pool()
        if pool is None:
            return []
        if pool.kind != PoolKind.PROFIT:
            return rated_events(self.player, pool)
        games = RatedGame.objects.filter(pool=pool, player=self.player, event__pool=pool)
        return games.order_by("starts_at", "event_id").annotate(
            field_place=F("place"), expected=F("expected_place"), rate_before=F("r_before"), rate=F("r_after")
        )


@extend_schema(parameters=[POOL])
class OpponentsView(OfPool, PlayerView):
    """Lists whom a player has met, most often first, and how often the player was ahead."""

    queryset = Player.objects.none()
    serializer_class = OpponentSerializer

    def get_queryset(self) -> Any:
        pool = self.pool()
        if pool is None:
            return []
        _seasons, met = opponents_in(self.player, pool, None)
        return [
            row._asdict() | {"opponent": NamedPlayer(row.player_id, row.name, self.club.slug)}
            for row in sorted(met, key=lambda row: (-row.n_events, row.name, row.player_id))
        ]
