"""The seasons of a club; rules, standings, table, odds and awards of a season."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, SeasonView
from api.errors import engine_errors_named
from api.pagination import Pages
from api.serializers.base import NamedPlayer, checked
from api.serializers.seasons import (
    AwardSerializer,
    NewAwardSerializer,
    NewSeasonSerializer,
    OddsSerializer,
    RulesSerializer,
    SeasonChangeSerializer,
    SeasonSerializer,
    SeasonTableRowSerializer,
    StandingSerializer,
)
from forecasts.queries import SeasonOdds, season_odds
from league.models import Season
from league.queries import typed_id
from league.services.changes import lock_pools
from league.services.seasons import close_season, reopen_season, update_season
from payouts.models import ClubMoney, SeasonRules
from payouts.queries import net_by_player, rules_of, rules_version
from payouts.services.rules import RULE_FIELDS, open_season_with_rules, set_rules
from standings.awards.services import add_award
from standings.awards.winners import WonAward, season_awards
from standings.filters import FAMILIES, LEAST, StandingFilter
from standings.models import Award, Standing
from standings.pages.forms.seasons import AwardForm
from standings.points.breakdowns import MOST_COLUMNS, points_by_event
from standings.queries import ORDERS, LeaderRow, leader_page, orders_of, seasons_of

BADGES, LEAST_EVENTS = [letter for letter, _label in FAMILIES], [str(least) for least, _label in LEAST]
OF_STANDINGS = [
    OpenApiParameter("by", enum=ORDERS, default=ORDERS[0]),
    OpenApiParameter("q", description="A part of the name."),
    OpenApiParameter("badge", enum=BADGES, description="Players whose badge begins so."),
    OpenApiParameter("least", enum=LEAST_EVENTS, description="Players with so many events or more."),
]


class SeasonsView(ListView, ClubView):
    """Lists the seasons of a club, the newest first, and begins one."""

    queryset = Season.objects.none()
    serializer_class = SeasonSerializer

    def get_queryset(self) -> QuerySet[Season]:
        return seasons_of(self.club)

    @extend_schema(request=NewSeasonSerializer, responses={201: SeasonSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Begin a season."""
        data = checked(NewSeasonSerializer, request.data)
        other = self._taken_from(data.pop("taken_from", None))
        with engine_errors_named():
            rules = data.pop("rules", None)
            if rules is None:
                rules = {name: getattr(rules_of(other), name) for name in RULE_FIELDS} if other else {}
            season = open_season_with_rules(
                self.club, **data, rules=rules, taken_from=other, actor=self.actor
            )
        return Response(self.get_serializer(season).data, status=status.HTTP_201_CREATED)

    def _taken_from(self, pk: int | None) -> Season | None:
        if pk is None:
            return None
        other = self.club.seasons.select_related("pool", "rules").filter(pk=pk).first()
        if other is None:
            raise ValidationError({"taken_from": [_("The club has no such season.")]})
        return other


class SeasonDetailView(SeasonView):
    """Answers with a season, changes its name and days, and closes or reopens it."""

    is_of_version = True
    serializer_class = SeasonSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a season."""
        return Response(self.get_serializer(self.season).data)

    @extend_schema(request=SeasonChangeSerializer, responses=SeasonSerializer)
    @transaction.atomic
    def patch(self, request: Request, **_address: Any) -> Response:
        """Change the name or the days of a season, close or reopen it; the rest stays as it is now."""
        data = checked(SeasonChangeSerializer, request.data)
        lock_pools(self.club)
        self.season.refresh_from_db()
        season, is_closed = self.season, data.pop("is_closed", None)
        if data:
            own = {name: getattr(season, name) for name in ("name", "starts_on", "ends_on")} | data
            if own["ends_on"] and own["ends_on"] < own["starts_on"]:
                raise ValidationError({"ends_on": [_("The last day is before the first day.")]})
            season = update_season(season, **own, actor=self.actor)
        if is_closed is not None:
            season = (close_season if is_closed else reopen_season)(season, actor=self.actor)
        return Response(self.get_serializer(season).data)


class RulesView(SeasonView):
    """Answers with the rules of a season, and replaces them."""

    is_of_version = True
    serializer_class = RulesSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read the rules of a season."""
        return self._answer(rules_of(self.season))

    def put(self, request: Request, **_address: Any) -> Response:
        """Replace the rules of a season."""
        rules = checked(RulesSerializer, request.data)
        options = {name: rules.pop(name) for name in ("settle_again", "version")}
        with engine_errors_named():
            stored = set_rules(self.season, rules=rules, **options, actor=self.actor)
        return self._answer(stored)

    def _answer(self, rules: SeasonRules) -> Response:
        rules.version = rules_version(self.season)  # type: ignore[attr-defined]
        return Response(RulesSerializer(rules).data)


@extend_schema(parameters=OF_STANDINGS)
class StandingsView(ListView, SeasonView):
    """Lists the standings of a season, filtered and ordered like the page."""

    is_of_version = True
    queryset = Standing.objects.none()
    serializer_class = StandingSerializer
    parameters = ("by", *StandingFilter.base_filters)

    def get(self, request: Request, **_address: Any) -> Response:
        """List the standings of a season, filtered and ordered like the page."""
        pages = Pages()
        number = pages.number(request)
        page = leader_page(
            self.season,
            by=self._order(),
            page=number,
            chosen=self._chosen(),
            per_page=pages.get_page_size(request),
        )
        if page.number != number:
            raise NotFound
        return pages.answer(request, self._rows(page.rows), count=page.n_rows)

    def _order(self) -> str:
        by, orders = self.request.query_params.get("by", ORDERS[0]), orders_of(self.season)
        if by not in orders:
            text = _("There is no such order. There are: %(known)s.") % {"known": ", ".join(orders)}
            raise ValidationError({"by": [text]})
        return by

    def _chosen(self) -> QuerySet[Standing] | None:
        """Select the rows that the filters let through; None without filters."""
        typed = {name: self.request.query_params.get(name, "") for name in StandingFilter.base_filters}
        if not any(typed.values()):
            return None
        filters = StandingFilter(typed, queryset=Standing.objects.filter(season=self.season))
        if not filters.is_valid():
            raise ValidationError(filters.errors)
        chosen: QuerySet[Standing] = filters.qs
        return chosen

    def _rows(self, rows: Sequence[LeaderRow]) -> Any:
        net = self._net_money([row.player_id for row in rows])
        shown = [
            row._asdict()
            | {
                "player": NamedPlayer(row.player_id, row.name, self.club.slug),
                "net_money": net[row.player_id].net if row.player_id in net else None,
            }
            for row in rows
        ]
        return self.get_serializer(shown, many=True).data

    def _net_money(self, players: Sequence[int]) -> Any:
        """Read what players won and lost, if the club shows it."""
        if not ClubMoney.objects.filter(club=self.club, shows_net=True).exists():
            return {}
        return net_by_player(self.season, players)


class AwardsView(ListView, SeasonView):
    """Lists the awards of a season with those who have them, or would have them if it ended now."""

    is_of_version = True
    queryset = Award.objects.none()
    serializer_class = AwardSerializer

    def get_queryset(self) -> Any:
        return [self._award(won) for won in season_awards(self.season)]

    @extend_schema(request=NewAwardSerializer, responses={201: AwardSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Add an award below the others of a season."""
        data = checked(NewAwardSerializer, request.data)
        if (player_id := data.pop("player_id")) is not None:
            named = self.club.players.filter(pk=player_id).values_list("name", flat=True).first()
            if named is None:
                raise ValidationError({"player_id": [_("The club has no such player.")]})
            data["player"] = named
        form = AwardForm(data, season=self.season)
        if not form.is_valid():
            raise ValidationError({name: list(map(str, problems)) for name, problems in form.errors.items()})
        award = add_award(self.season, **form.cleaned_data, actor=self.actor)
        won = next(won for won in season_awards(self.season) if won.award.pk == award.pk)
        return Response(self.get_serializer(self._award(won)).data, status=status.HTTP_201_CREATED)

    def _award(self, won: WonAward) -> dict[str, Any]:
        places = [
            {
                "place": place.place,
                "players": [NamedPlayer(each.player_id, each.name, self.club.slug) for each in place.winners],
                "value": place.value,
            }
            for place in won.places
        ]
        return {"id": won.award.pk, "title": str(won.award), "kind": won.award.kind, "places": places}


class SeasonTableView(ListView, SeasonView):
    """Lists the players of a season with their points at each event, the most recent events first."""

    is_of_version = True
    queryset = Standing.objects.none()
    serializer_class = SeasonTableRowSerializer
    parameters = ("part",)

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "part", {"type": "integer", "minimum": 1, "default": 1},
                description=f"Which {MOST_COLUMNS} events: 1 is the newest. After the last part there are none.",
            )
        ]
    )  # fmt: skip
    def get(self, request: Request, **_address: Any) -> Response:
        """List the players of a season by points, with their points at each event of a part."""
        pages = Pages()
        number, part = pages.number(request), typed_id(request.query_params.get("part", "1"))
        if not part:
            raise ValidationError({"part": [_("This is no number of a part.")]})
        page = leader_page(self.season, by="points", page=number, per_page=pages.get_page_size(request))
        if page.number != number:
            raise NotFound
        cells = points_by_event(self.season, [row.player_id for row in page.rows], part=part)
        rows = [
            {
                "rank": row.rank,
                "player": NamedPlayer(row.player_id, row.name, self.club.slug),
                "points": row.points,
                "points_with_attendance": row.total,
                "events": cells[row.player_id],
            }
            for row in page.rows
        ]
        return pages.answer(request, self.get_serializer(rows, many=True).data, count=page.n_rows)


class OddsView(SeasonView):
    """Answers who may win a season."""

    serializer_class = OddsSerializer

    def get(self, request: Request, **_address: Any) -> Response:
        """Read who may win a season, by simulating what is left of it; without players if nothing is known."""
        odds = season_odds(self.season, timezone.now())
        nothing = SeasonOdds([], None, False, False, 1.0, [], [], timezone.localdate())
        return Response(OddsSerializer(odds or nothing, context={"request": request}).data)
