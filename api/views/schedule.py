"""Planned events of a season: to read, plan, change and cancel, and to say whether you come."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, SeasonView
from api.errors import bad_results_named
from api.schema import VERSION
from api.serializers.base import checked
from api.serializers.events import DeletionSerializer
from api.serializers.schedule import (
    AnswerSerializer,
    ChangedPlanSerializer,
    NewPlansSerializer,
    PlannedEventDetailSerializer,
    PlannedEventSerializer,
    PlansSerializer,
)
from league.models import Club, PlannedEvent, Rsvp
from league.rights import Act, may
from league.schedule import coming_to
from league.services.schedule import (
    EventPlan,
    cancel_planned_event,
    change_planned_event,
    plan_events,
    say_coming,
)


class PlannedEventsView(ListView, SeasonView):
    """Lists the planned events of a season in their order, and plans some."""

    writes = Act.PLAN_EVENTS
    queryset = PlannedEvent.objects.none()
    serializer_class = PlannedEventSerializer

    def get_queryset(self) -> QuerySet[PlannedEvent]:
        return self.season.planned_events.order_by("starts_at", "pk")

    @extend_schema(request=NewPlansSerializer, responses={201: PlansSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Plan events, all or none."""
        plans = [EventPlan(**plan) for plan in checked(NewPlansSerializer, request.data)["events"]]
        with bad_results_named("events", of_day="events"):
            planned = plan_events(self.season, plans=plans, actor=self.actor)
        return Response(PlansSerializer({"events": planned}).data, status=status.HTTP_201_CREATED)


class PlannedEventView(ClubView):
    """A view at an address with <planned_id>."""

    planned: PlannedEvent

    def found(self, planned_id: int) -> Club:  # type: ignore[override]
        events = PlannedEvent.objects.select_related("season__club", "season__pool")
        self.planned = get_object_or_404(events, pk=planned_id)
        return self.planned.season.club

    def shown(self) -> Response:
        """Answer with the planned event as it is now."""
        event: Any = PlannedEvent.objects.select_related("season__club").get(pk=self.planned.pk)
        event.coming = coming_to(event, self.request.user)
        may_see = may(self.role, Act.SAY_COMING)
        event.names = event.coming.names if may_see else None
        return Response(PlannedEventDetailSerializer(event).data)


class PlannedEventDetailView(PlannedEventView):
    """Answers with a planned event and who comes, changes it, and cancels it."""

    writes = Act.PLAN_EVENTS
    parameters = ("version",)

    @extend_schema(responses=PlannedEventDetailSerializer)
    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a planned event and who comes."""
        return self.shown()

    @extend_schema(request=ChangedPlanSerializer, responses=PlannedEventDetailSerializer)
    def put(self, request: Request, **_address: Any) -> Response:
        """Change a planned event."""
        data = checked(ChangedPlanSerializer, request.data)
        version = data.pop("version")
        with bad_results_named("starts_at"):
            change_planned_event(self.planned, plan=EventPlan(**data), version=version, actor=self.actor)
        return self.shown()

    @extend_schema(
        parameters=[VERSION],
        responses={204: None},
    )
    def delete(self, request: Request, **_address: Any) -> Response:
        """Cancel a planned event."""
        version = checked(DeletionSerializer, request.query_params)["version"]
        cancel_planned_event(self.planned.season, self.planned.pk, version=version, actor=self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AnswerView(PlannedEventView):
    """Says whether you come to a planned event; the last answer counts."""

    reads = writes = Act.SAY_COMING

    @extend_schema(request=AnswerSerializer, responses=PlannedEventDetailSerializer)
    def put(self, request: Request, **_address: Any) -> Response:
        """Say whether you come; the last answer counts."""
        answer = Rsvp.Answer(checked(AnswerSerializer, request.data)["answer"])
        say_coming(self.planned, user=self.actor, answer=answer)
        return self.shown()
