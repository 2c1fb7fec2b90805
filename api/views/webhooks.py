"""Webhooks of a club, and the log of what they were told."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView
from api.serializers.base import checked
from api.serializers.webhooks import (
    ChangedHookSerializer,
    DecisionSerializer,
    DeliverySerializer,
    HookSerializer,
    NewHookSerializer,
    fields_of,
)
from league.models import Club
from league.rights import Act
from webhooks.models import Delivery, Hook
from webhooks.services.hooks import DECISIONS, change_hook, delete_hook, make_hook, switch_hook


class HooksView(ListView, ClubView):
    """Lists the webhooks of a club, and makes one."""

    reads = writes = Act.CHANGE_CLUB
    queryset = Hook.objects.none()
    serializer_class = HookSerializer

    def get_queryset(self) -> QuerySet[Hook]:
        return Hook.objects.filter(club=self.club)

    @extend_schema(request=NewHookSerializer, responses={201: HookSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Make a webhook, which is told what happens from now on. Sent twice, it makes one."""
        chosen = checked(NewHookSerializer, request.data)
        hook = make_hook(self.club, fields=fields_of(chosen), actor=self.actor)
        return Response(self.get_serializer(hook).data, status=status.HTTP_201_CREATED)


class HookView(ClubView):
    """A view at an address with <hook_id>."""

    reads = writes = Act.CHANGE_CLUB
    hook: Hook

    def found(self, hook_id: int) -> Club:  # type: ignore[override]
        self.hook = get_object_or_404(Hook.objects.select_related("club"), pk=hook_id)
        return self.hook.club


class HookDetailView(HookView):
    """Answers with a webhook, changes and deletes it."""

    serializer_class = HookSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a webhook."""
        return Response(self.get_serializer(self.hook).data)

    @extend_schema(request=ChangedHookSerializer, responses=HookSerializer)
    @transaction.atomic
    def put(self, request: Request, **_address: Any) -> Response:
        """Change a webhook, switch it on or off."""
        chosen = checked(ChangedHookSerializer, request.data)
        hook = change_hook(self.hook, fields=fields_of(chosen), version=chosen["version"], actor=self.actor)
        switch_hook(hook, is_on=chosen["is_on"], actor=self.actor)
        hook.refresh_from_db()
        return Response(self.get_serializer(hook).data)

    @extend_schema(responses={204: None})
    def delete(self, _request: Request, **_address: Any) -> Response:
        """Delete a webhook with its log."""
        delete_hook(self.hook, actor=self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeliveriesView(ListView, HookView):
    """Lists what a webhook was told, the newest first, and what was answered."""

    queryset = Delivery.objects.none()
    serializer_class = DeliverySerializer

    def get_queryset(self) -> QuerySet[Delivery]:
        return self.hook.deliveries.select_related("message")


class DeliveryView(HookView):
    """Decides what becomes of a message to a webhook."""

    def found(self, hook_id: int, delivery_id: int) -> Club:  # type: ignore[override]
        club = super().found(hook_id)
        self.delivery = get_object_or_404(self.hook.deliveries.select_related("message"), pk=delivery_id)
        return club

    @extend_schema(request=DecisionSerializer, responses=DeliverySerializer)
    def post(self, request: Request, **_address: Any) -> Response:
        """Send a message, send it again with the same id, or decide that it is not sent."""
        DECISIONS[checked(DecisionSerializer, request.data)["decision"]](self.delivery)
        self.delivery.refresh_from_db()
        return Response(DeliverySerializer(self.delivery).data)
