"""Games at tables: a night is entered, and the result of one game is read and corrected."""

import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView, ListView, SeasonView
from api.errors import bad_results_named
from api.names import name_players
from api.results import shown_event
from api.serializers.base import checked
from api.serializers.events import EventDetailSerializer
from api.serializers.nights import NewNightSerializer, NightSerializer, SavedNightSerializer, ScoresSerializer
from entry.night_sheets.stored import is_sheet_event, rules_of_event, rules_of_game
from entry.score_messages import message_of
from entry.services.nights import Night, NightTable, correct_table, enter_night
from league.models import EntryForm, Game, Meet
from league.queries import nights_of
from league.rights import Act
from scores.errors import ScoreError
from scores.rules import ScoreRules
from scores.tables import Seat


class NightsView(ListView, SeasonView):
    """Lists the nights of a season with the games of each, and enters a night of games at tables."""

    writes = Act.ENTER_RESULTS
    serializer_class = NightSerializer
    queryset = Meet.objects.none()

    def get_queryset(self) -> Any:
        nights = nights_of(self.season)
        return [{"meet": pk, "name": name, "events": events} for (pk, name), events in nights.items()]

    @extend_schema(request=NewNightSerializer, responses={201: SavedNightSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Enter a night of games at tables, all or none."""
        data = checked(NewNightSerializer, request.data)
        games = self.club.games.exclude(entry_form=EntryForm.ORDER)
        game = games.filter(pk=data["game"]).first()
        if game is None:
            raise ValidationError({"game": [_("The club has no such game with scores or balances.")]})
        seats = [seat for table in data["tables"] for seat in table["seats"]]
        aliases = name_players(self.club, seats, field="tables", new_players=data["new_players"])
        rules = _rules(data, rules_of_game(game))
        night = Night(self.season, game, rules, data["starts_at"], data["name"])
        tables = [_table(table, game) for table in data["tables"]]
        with bad_results_named("tables"):
            meet = enter_night(
                night,
                tables,
                actor=self.actor,
                form_token=uuid.uuid4(),  # a request that is sent again is known by its key
                aliases=aliases,
                is_another=data["another"],
            )
        games_of_night = meet.events.in_rating_order().select_related("season__club", "pool")
        events = [shown_event(event, request) for event in games_of_night]
        return Response({"meet": meet.pk, "events": events}, status=status.HTTP_201_CREATED)


class ScoresView(EventView):
    """Corrects a game with scores or balances."""

    reads = writes = Act.ENTER_RESULTS

    @extend_schema(request=ScoresSerializer, responses=EventDetailSerializer)
    def put(self, request: Request, **_address: Any) -> Response:
        """Replace the scores or balances of a game."""
        if not is_sheet_event(self.event):
            raise ValidationError({"seats": [_("This event has a finishing order, not scores or balances.")]})
        data = checked(ScoresSerializer, request.data)
        event = self.event
        aliases = name_players(self.club, data["seats"], field="seats", new_players=data["new_players"])
        rules = _rules(data, rules_of_event(event))
        night = Night(event.season, event.game, rules, event.starts_at, event.name)
        table = _table({"round": event.round or 1, "table": event.table or 1, **data}, event.game)
        with bad_results_named("seats"):
            corrected = correct_table(event, night, table, actor=self.actor, aliases=aliases)
        return Response(shown_event(corrected, request))


def _rules(data: Mapping[str, Any], default: ScoreRules) -> ScoreRules:
    try:
        return ScoreRules.from_dict(data["rules"]) if "rules" in data else default
    except ScoreError as error:
        raise ValidationError({"rules": [f"{error.field}: {message_of(error)}"]}) from error


def _table(data: Mapping[str, Any], game: Game | None) -> NightTable:
    is_scored = game is not None and game.entry_form == EntryForm.SCORES
    version = data.get("version", 0)
    seats = tuple(_seat(seat, is_scored=is_scored) for seat in data["seats"])
    return NightTable(data["round"], data["table"], seats, data["sticks_left"], version=version)


def _seat(data: Mapping[str, Any], *, is_scored: bool) -> Seat:
    """Build a seat with a score, or with a balance that was settled elsewhere."""
    score = data.get("score") if is_scored else None
    return Seat(
        data["player"],
        score,
        points=data.get("balance") if score is None else None,
        chips=data.get("chips"),
        penalty=data.get("penalty") or Decimal(0),
    )
