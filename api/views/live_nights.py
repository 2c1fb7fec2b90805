"""Nights that are run live: what they say now, and actions recorded by a program."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView
from api.serializers.base import checked
from api.serializers.live import (
    ActionsSerializer,
    LiveNightSerializer,
    LiveNightStateSerializer,
    ReplySerializer,
)
from league.models import Club
from league.rights import Act
from live.engine.actions import OF_THE_SITE, BadActionError
from live.engine.summary import summary
from live.models import Night
from live.services.log import decide
from live.services.nights import now_ms
from live.services.passes import page_device
from live.services.storing import Decision
from live.stored_log import state_of


class LiveNightsView(ListView, ClubView):
    """Lists the nights of a club that are or were run live, the newest first."""

    reads = writes = Act.ENTER_RESULTS
    queryset = Night.objects.none()
    serializer_class = LiveNightSerializer

    def get_queryset(self) -> QuerySet[Night]:
        return Night.objects.filter(club=self.club).select_related("club", "season")


class LiveNightView(ClubView):
    """Answers with what a live night says now, and records actions."""

    queryset = Night.objects.none()
    reads = writes = Act.ENTER_RESULTS
    night: Night

    def found(self, night_id: int) -> Club:  # type: ignore[override]
        self.night = get_object_or_404(Night.objects.select_related("club", "season"), pk=night_id)
        return self.night.club

    @extend_schema(responses=LiveNightStateSerializer)
    def get(self, _request: Request, **_address: Any) -> Response:
        """Read what a live night says now."""
        self.night.state = summary(state_of(self.night))  # type: ignore[attr-defined]
        return Response(LiveNightStateSerializer(self.night).data)

    @extend_schema(request=ActionsSerializer, responses=ReplySerializer(many=True))
    @transaction.atomic
    def post(self, request: Request, **_address: Any) -> Response:
        """Record actions at the time of the request; an id that is known is recorded once."""
        actions = checked(ActionsSerializer, request.data)["actions"]
        night = Night.objects.select_for_update().get(pk=self.night.pk)
        if not night.is_open:
            return Response({"detail": _("This night is over.")}, status=status.HTTP_409_CONFLICT)
        device = page_device(night, self.actor)
        replies = []
        for i, action in enumerate(actions):
            if action["kind"] in OF_THE_SITE:
                text = _("The site alone records this.")
                raise ValidationError({"actions": {str(i): {"kind": [text]}}})
            try:
                replies.append(decide(device, Decision(**action), now_ms=now_ms()))
            except BadActionError as error:
                raise ValidationError({"actions": {str(i): [str(error)]}}) from error
            except RecursionError as error:
                text = _("This is nested too deeply.")
                raise ValidationError({"actions": {str(i): {"body": [text]}}}) from error
        return Response(ReplySerializer(replies, many=True).data)
