"""Games at tables: a night is entered, and the result of one game is read and corrected."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView, SeasonView
from api.names import name_players
from api.night_serializers import NightSerializer, ResultSerializer
from api.serializers import checked
from entry.night_sheets.stored import is_sheet_event, rules_of_event, rules_of_game
from entry.score_messages import message_of
from entry.services.nights import Night, NightTable, correct_table, enter_night
from league.downloads import exact_cell
from league.models import EntryForm, Event, Game
from league.queries import nights_of
from league.rights import Act
from league.services.errors import BadDay, BadResult
from scores.errors import ScoreError
from scores.rules import ScoreRules
from scores.tables import Seat

ENTRY_FIELDS = ("place", "number", "score", "balance", "chips", "penalty", "seat")


class NightsView(SeasonView):
    writes = Act.ENTER_RESULTS

    def get(self, _request: Request, **_address: Any) -> Response:
        nights = nights_of(self.season)
        return Response(
            [{"meet": pk, "name": name, "events": events} for (pk, name), events in nights.items()]
        )

    def post(self, request: Request, **_address: Any) -> Response:
        data = checked(NightSerializer, request.data)
        games = self.season.club.games.exclude(entry_form=EntryForm.ORDER)
        game = games.filter(pk=data["game"]).first()
        if game is None:
            raise ValidationError({"game": [_("The club has no such game with scores or balances.")]})
        seats = [seat for table in data["tables"] for seat in table["seats"]]
        aliases = name_players(self.season.club, seats, field="tables", new_players=data["new_players"])
        rules = _rules(data, rules_of_game(game))
        night = Night(self.season, game, rules, data["starts_at"], data["name"])
        tables = [_table(table, game) for table in data["tables"]]
        with bad_results_named("tables"):
            meet = enter_night(
                night,
                tables,
                actor=self.actor,
                form_token=data["token"],
                aliases=aliases,
                is_another=data["another"],
            )
        events = [_result(event) for event in meet.events.in_rating_order().select_related("game")]
        return Response({"meet": meet.pk, "events": events}, status=status.HTTP_201_CREATED)


class ResultView(EventView):
    writes = Act.ENTER_RESULTS

    def get(self, _request: Request, **_address: Any) -> Response:
        return Response(_result(self.event))

    def put(self, request: Request, **_address: Any) -> Response:
        if not is_sheet_event(self.event):
            raise ValidationError({"seats": [_("This event has a finishing order, not scores or balances.")]})
        data = checked(ResultSerializer, request.data)
        event = self.event
        aliases = name_players(
            event.season.club, data["seats"], field="seats", new_players=data["new_players"]
        )
        rules = _rules(data, rules_of_event(event))
        night = Night(event.season, event.game, rules, event.starts_at, event.name)
        table = _table({"round": event.round or 1, "table": event.table or 1, **data}, event.game)
        with bad_results_named("seats"):
            corrected = correct_table(event, night, table, actor=self.actor, aliases=aliases)
            return Response(_result(corrected))


@contextmanager
def bad_results_named(field: str) -> Iterator[None]:
    """Convert an invalid result into a 400 that names the field; `field` is the tables or seats."""
    try:
        yield
    except BadResult as error:
        raise ValidationError({field: [str(error)]}) from error
    except BadDay as error:
        raise ValidationError({"starts_at": [str(error)]}) from error


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


def _result(event: Event) -> dict[str, Any]:
    """Serialize the result of an event: numbers as they are, decimals as exact texts."""
    entries: Sequence[Any] = event.entries.order_by("place", "pk").values("player__name", *ENTRY_FIELDS)
    return {
        "event": event.pk,
        "name": event.name,
        "starts_at": event.starts_at.isoformat(),
        "game": event.game_id,
        "round": event.round,
        "table": event.table,
        "scoring": event.scoring,
        "version": event.version,
        "entries": [
            {"player": row["player__name"], **{name: exact_cell(row[name]) for name in ENTRY_FIELDS}}
            for row in entries
        ],
    }
