"""The seasons of a club; the rules and the standings of a season."""

from collections.abc import Sequence
from typing import Any

from django.shortcuts import get_object_or_404
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, SeasonView
from api.errors import engine_errors_named
from api.serializers import RulesSerializer, SeasonSerializer, StandingsQuery, checked
from league.downloads import exact_cell
from league.models import Club
from payouts.engine.exact import exact_text
from payouts.models import ClubMoney, SeasonRules
from payouts.queries import net_by_player, rules_of, rules_version
from payouts.services.rules import set_rules
from standings.exports.tables import STANDINGS_COLUMNS, standings_cells
from standings.queries import LeaderRow, leader_page, seasons_of


class SeasonsView(ClubView):
    club: Club

    def initial(self, request: Request, *args: Any, club_slug: str, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.club = get_object_or_404(Club, slug=club_slug)
        self.admit(request, self.club)

    def get(self, _request: Request, **_address: Any) -> Response:
        return Response(SeasonSerializer(seasons_of(self.club), many=True).data)


class RulesView(SeasonView):
    def get(self, _request: Request, **_address: Any) -> Response:
        return self._answer(rules_of(self.season))

    def put(self, request: Request, **_address: Any) -> Response:
        rules = checked(RulesSerializer, request.data)
        options = {name: rules.pop(name) for name in ("settle_again", "version")}
        with engine_errors_named():
            stored = set_rules(self.season, rules=rules, **options, actor=self.actor)
        return self._answer(stored)

    def _answer(self, rules: SeasonRules) -> Response:
        return Response({**RulesSerializer(rules).data, "version": rules_version(self.season)})


class StandingsView(SeasonView):
    def get(self, request: Request, **_address: Any) -> Response:
        query = checked(StandingsQuery, request.query_params)
        page = leader_page(self.season, **query)
        if page.number != query["page"]:
            raise NotFound
        rows = [_standing(row) for row in page.rows]
        self._add_net_money(page.rows, rows)
        return Response({"count": page.n_rows, "page": page.number, "pages": page.n_pages, "rows": rows})

    def _add_net_money(self, players: Sequence[LeaderRow], rows: Sequence[dict[str, Any]]) -> None:
        """Add what players won and lost, if the club shows it."""
        if not ClubMoney.objects.filter(club=self.season.club_id, shows_net=True).exists():
            return
        net = net_by_player(self.season, [player.player_id for player in players])
        for player, row in zip(players, rows, strict=True):
            row["net_money"] = exact_text(net[player.player_id].net) if player.player_id in net else None


def _standing(row: LeaderRow) -> dict[str, str | int | None]:
    return dict(zip(STANDINGS_COLUMNS, map(exact_cell, standings_cells(row)), strict=True))
