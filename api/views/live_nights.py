"""Nights that are run live: what they say now, and actions recorded by a program."""

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView
from api.serializers import checked
from league.models import Club
from league.rights import Act
from live.engine.actions import BadActionError
from live.engine.summary import summary
from live.models import LONGEST_ID, Night
from live.services.log import decide
from live.services.nights import now_ms
from live.services.passes import page_device
from live.services.storing import Decision
from live.stored_log import state_of

MOST_AT_ONCE = 100


class ActionSerializer(serializers.Serializer[Any]):
    id = serializers.CharField(max_length=LONGEST_ID)
    kind = serializers.CharField(max_length=12)
    body = serializers.DictField(default=dict)


class ActionsSerializer(serializers.Serializer[Any]):
    actions = serializers.ListField(child=ActionSerializer(), allow_empty=False, max_length=MOST_AT_ONCE)


class LiveNightsView(ClubView):
    reads = writes = Act.ENTER_RESULTS
    club: Club

    def initial(self, request: Request, *args: Any, club_slug: str, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.club = get_object_or_404(Club, slug=club_slug)
        self.admit(request, self.club)

    def get(self, _request: Request, **_address: Any) -> Response:
        nights = Night.objects.filter(club=self.club).select_related("club", "season")
        return Response([_line(night) for night in nights])


class LiveNightView(ClubView):
    reads = writes = Act.ENTER_RESULTS
    night: Night

    def initial(self, request: Request, *args: Any, night_id: int, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.night = get_object_or_404(Night.objects.select_related("club", "season"), pk=night_id)
        self.admit(request, self.night.club)

    def get(self, _request: Request, **_address: Any) -> Response:
        return Response(_line(self.night) | {"state": summary(state_of(self.night))})

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
            try:
                replies.append(decide(device, Decision(**action), now_ms=now_ms()))
            except BadActionError as error:
                raise ValidationError({"actions": {str(i): [str(error)]}}) from error
        return Response([{"id": each.id, "status": each.status, "seq": each.seq} for each in replies])


def _line(night: Night) -> dict[str, Any]:
    return {
        "id": night.pk,
        "name": str(night),
        "stage": night.stage,
        "starts_at": night.starts_at.isoformat(),
        "season": night.season_id,
        "event": night.event_id,
        "head": night.head,
    }
