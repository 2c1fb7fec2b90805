"""An event with its result, points and ratings, as answers show it."""

from typing import Any, cast

from rest_framework.request import Request

from api.serializers.events import EventDetailSerializer
from league.models import Event
from standings.event_story.entries import rated_rows, waits_for_rates


def shown_event(event: Event, request: Request, *, sees_costs: bool = True) -> Any:
    """Write an event with its result, points and ratings; what somebody paid is for those who enter results."""
    shown = cast("Any", event)
    shown.is_waiting = waits_for_rates(event)
    rates = {} if shown.is_waiting else {(row.player_id, row.number): row for row in rated_rows(event)}
    entries: Any = event.entries.select_related("player__club", "points").order_by("place", "pk")
    shown.shown_entries = list(entries)
    for entry in shown.shown_entries:
        points = None if shown.is_waiting else getattr(entry, "points", None)
        entry.shown_points = points and points.points
        entry.shown_cost = entry.cost if sees_costs else None
        entry.shown_rating = rates.get((entry.player_id, entry.number))
    return EventDetailSerializer(event, context={"request": request}).data
