"""Why the rate of a player has changed at an event."""

from collections.abc import Callable, Iterable
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView
from api.serializers.explanations import ExplanationSerializer
from league.models import Club, Entry, Event, Player, PoolKind
from standings.explanations.games import explained_game
from standings.explanations.steps import Step, explained_event


class ExplanationView(EventView):
    """Answers why the rate of a player has changed at an event."""

    serializer_class = ExplanationSerializer
    player: Player

    def found(self, event_id: int, player_id: int) -> Club:  # type: ignore[override]
        club = super().found(event_id)
        self.player = get_object_or_404(Player.objects.select_related("club"), club=club, pk=player_id)
        return club

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read why the rate of a player has changed at an event, step by step."""
        entries = EXPLAINED_BY[PoolKind(self.event.pool.kind)](self.event, self.player)
        if entries is None:
            raise Http404
        return Response(
            self.get_serializer({"event": self.event, "player": self.player, "entries": entries}).data
        )


def _by_tier(event: Event, player: Player) -> list[dict[str, Any]] | None:
    found = explained_event(event, player)
    if found is None:
        return None
    return [_explained(each.entry.number, each.rate_from, each.rate_to, each.steps) for each in found.entries]


def _by_r(event: Event, player: Player) -> list[dict[str, Any]] | None:
    found = explained_game(event, player)
    if found is None:
        return None
    return [_explained(found.entry.number, found.r_from, found.r_to, found.steps)] if found.rated else []


def _by_points_alone(event: Event, player: Player) -> list[dict[str, Any]] | None:
    return [] if Entry.objects.filter(event=event, player=player).exists() else None


EXPLAINED_BY: dict[PoolKind, Callable[[Event, Player], list[dict[str, Any]] | None]] = {
    PoolKind.TIER: _by_tier,
    PoolKind.PROFIT: _by_r,
    PoolKind.NONE: _by_points_alone,
}


def _explained(number: int, before: int, after: int, steps: Iterable[Step]) -> dict[str, Any]:
    """Write an entry whose rates and steps are in tenths."""
    shown = [{"name": step.name, "change": step.tenths / 10} for step in steps]
    return {"number": number, "before": before / 10, "after": after / 10, "steps": shown}
