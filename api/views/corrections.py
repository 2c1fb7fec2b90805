"""Corrections of a result: what one would change, those that were made, and versions before them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import EventView, ListView
from api.results import shown_event
from api.serializers.base import NamedPlayer
from api.serializers.corrections import CorrectionPreviewSerializer, CorrectionSerializer
from api.serializers.events import CorrectedEventSerializer, EventDetailSerializer
from api.views.clubs import history_rows
from api.views.events import correct
from league.models import Change, Club
from league.rights import Act
from league.services.versions import restore_version
from standings.recomputation.previews import preview


class PreviewView(EventView):
    """Answers what a correction would change; nothing is saved."""

    takes_key = False
    reads = writes = Act.ENTER_RESULTS

    @extend_schema(request=CorrectedEventSerializer, responses=CorrectionPreviewSerializer)
    def post(self, request: Request, **_address: Any) -> Response:
        """Preview a correction: send what a PUT of the event would be. Nothing is saved."""
        found = preview(self.event.season, lambda: correct(self.event, request.data, actor=self.actor))
        movers = [
            vars(mover) | {"player": NamedPlayer(mover.player_id, mover.name, self.club.slug)}
            for mover in found.movers
        ]
        awards = [
            {"season": move.season, "title": move.title}
            | {side: _winners(winners) for side, winners in move.winners._asdict().items()}
            for move in found.awards
        ]
        shown = vars(found) | {"movers": movers, "awards": awards}
        return Response(CorrectionPreviewSerializer(shown, context={"request": request}).data)


class CorrectionsView(ListView, EventView):
    """Lists the corrections of an event, the newest first."""

    queryset = Change.objects.none()
    serializer_class = CorrectionSerializer

    def get_queryset(self) -> QuerySet[Change]:
        return corrections_of(self)

    def paginate_queryset(self, queryset: Any) -> Any:
        changes = super().paginate_queryset(queryset) or []
        rows = history_rows(self.club, self.role, changes)
        return [
            row | {"id": change.pk, "keeps_version": "whole" in change.before}
            for change, row in zip(changes, rows, strict=True)
        ]


class CorrectionView(EventView):
    """Brings back the version of a result that was there before a correction."""

    reads = writes = Act.ENTER_RESULTS
    correction: Change

    def found(self, event_id: int, correction_id: int) -> Club:  # type: ignore[override]
        club = super().found(event_id)
        self.correction = get_object_or_404(corrections_of(self), pk=correction_id)
        return club

    @extend_schema(request=None, responses=EventDetailSerializer)
    def post(self, request: Request, **_address: Any) -> Response:
        """Bring back the version of the result before this correction, as a correction."""
        restore_version(self.correction, actor=self.actor)
        self.event.refresh_from_db()
        return Response(shown_event(self.event, request))


def corrections_of(view: EventView) -> QuerySet[Change]:
    made = view.event.changes.filter(kind=Change.Kind.RESULT_CORRECTED)
    return made.select_related("event__season__club", "season", "actor").order_by("-pk")


def _winners(places: Iterable[tuple[int, list[str]]]) -> list[dict[str, Any]]:
    return [{"place": place, "names": names} for place, names in places]
