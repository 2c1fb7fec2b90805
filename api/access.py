"""Views of the API that admit a user by the roles of the pages (`league.access`)."""

from contextlib import ExitStack
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from api.models import ApiKey
from league.access import admitted
from league.database.snapshots import snapshot_of_request
from league.models import Club, Event, Season
from league.rights import Act


class KeyMayWrite(BasePermission):
    """A key to read refuses whatever could write."""

    message = _("This key may only read.")

    def has_permission(self, request: Request, _view: APIView) -> bool:
        is_reading = isinstance(request.auth, ApiKey) and request.auth.scope == ApiKey.Scope.READ
        return request.method in SAFE_METHODS or not is_reading


class ApiView(APIView):
    """A view whose reads all come from one snapshot of the database."""

    permission_classes = (KeyMayWrite,)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with ExitStack() as self.moment:
            return super().dispatch(request, *args, **kwargs)

    def check_throttles(self, request: Request) -> None:
        """Stop at the first limit that refuses the request, because the later ones may count it in the database.

        Then enter the snapshot, in which nothing can be counted.
        """
        for throttle in self.get_throttles():
            if not throttle.allow_request(request, self):
                self.throttled(request, throttle.wait())  # type: ignore[arg-type]  # None if it does not know
        self.moment.enter_context(snapshot_of_request(request))

    @property
    def default_response_headers(self) -> dict[str, str]:
        return super().default_response_headers | {"Cache-Control": "private, no-store"}


class UnknownAddressView(ApiView):
    """A 404 in JSON for every address that does not exist."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound


class ClubView(ApiView):
    """A view of a club: what reading and what writing is an act of, as on the pages."""

    reads = Act.READ
    writes = Act.CHANGE_RULES

    def admit(self, request: Request, club: Club) -> None:
        act = self.reads if request.method in SAFE_METHODS else self.writes
        try:
            admitted(club, request.user, act)
        except PermissionDenied:
            if request.user.is_authenticated:
                raise
            raise NotAuthenticated from None

    @property
    def actor(self) -> User:
        """The user who writes; `admit` lets nobody write without an account."""
        assert self.request.user.is_authenticated
        return self.request.user


class SeasonView(ClubView):
    """A view at an address with <season_id>."""

    season: Season

    def initial(self, request: Request, *args: Any, season_id: int, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        seasons = Season.objects.select_related("club", "rules", "summary")
        self.season = get_object_or_404(seasons, pk=season_id)
        self.admit(request, self.season.club)


class EventView(ClubView):
    """A view at an address with <event_id>."""

    event: Event

    def initial(self, request: Request, *args: Any, event_id: int, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        events = Event.objects.select_related("season__club", "terms")
        self.event = get_object_or_404(events, pk=event_id)
        self.admit(request, self.event.season.club)
