"""Views of the API that admit a user by the roles of the pages (`league.access`)."""

import hashlib
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any, cast

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.cache import get_conditional_response, set_response_etag
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotAuthenticated, NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.idempotency import Replayed, begin_write, end_write, stored_answer
from api.models import ApiKey, SentWrite
from api.pagination import Pages
from league.access import admitted
from league.database.snapshots import snapshot_of_request
from league.models import Club, Event, Player, Pool, Role, Season
from league.rights import Act
from league.services.health import CANNOT_SAVE
from league.vocabulary import in_words_of
from standings.queries import public_page_version


class KeyMayWrite(BasePermission):
    """A key to read refuses whatever could write."""

    message = gettext_lazy("This key may only read.")

    def has_permission(self, request: Request, _view: APIView) -> bool:
        is_reading = isinstance(request.auth, ApiKey) and request.auth.scope == ApiKey.Scope.READ
        return request.method in SAFE_METHODS or not is_reading


class ApiView(GenericAPIView[Any]):
    """A view whose reads all come from one snapshot of the database."""

    permission_classes = (KeyMayWrite,)
    pagination_class: type[Pages] | None = None
    parameters: tuple[str, ...] = ()  # of a list beside those of pages and of the filters

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer 304 to whoever has this answer already, by its ETag."""
        with ExitStack() as self.moment:
            answer = cast("HttpResponse", super().dispatch(request, *args, **kwargs))
        if request.method not in {"GET", "HEAD"} or answer.status_code != HTTPStatus.OK:
            return answer
        if isinstance(answer, Response):
            answer.render()
        if "ETag" not in answer.headers:
            set_response_etag(answer)
        if "If-None-Match" not in request.headers or "If-Match" in request.headers:
            return answer
        return cast(
            "HttpResponse", get_conditional_response(request, answer.headers["ETag"], response=answer)
        )

    def check_throttles(self, request: Request) -> None:
        """Stop at the first limit that refuses the request, because the later ones may count it in the database.

        Then enter the snapshot, in which nothing can be counted.
        """
        for throttle in self.get_throttles():
            if not throttle.allow_request(request, self):
                self.throttled(request, throttle.wait())  # type: ignore[arg-type]  # None if it does not know
        self.moment.enter_context(snapshot_of_request(request))

    @property
    def known_parameters(self) -> list[str]:
        return list(self.parameters)

    def require_known_parameters(self) -> None:
        """Raise ValidationError for parameters that the address does not have."""
        if unknown := sorted(set(self.request.query_params) - set(self.known_parameters)):
            known = ", ".join(self.known_parameters)
            text = _("There is no such field. There are: %(known)s.") % {"known": known or "–"}
            raise ValidationError({name: [text] for name in unknown})

    @property
    def default_response_headers(self) -> dict[str, str]:
        return super().default_response_headers | {"Cache-Control": "private, no-store"}


@extend_schema(exclude=True)
class UnknownAddressView(ApiView):
    """A 404 in JSON for every address that does not exist."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound


class ListView(ListModelMixin, ApiView):
    """A list in pages, which refuses parameters that it does not know: a mistyped filter must not pass for none."""

    pagination_class = Pages

    def get(self, request: Request, *args: Any, **address: Any) -> Response:
        self.require_known_parameters()
        return self.list(request, *args, **address)

    @property
    def known_parameters(self) -> list[str]:
        if self.request.method not in SAFE_METHODS:
            return super().known_parameters
        filters = getattr(self, "filterset_class", None)
        return [*Pages.parameters, *self.parameters, *(filters.base_filters if filters else ())]


class ClubView(ApiView):
    """A view at an address with <club_slug>: what reading, writing and deleting is an act of, as on the pages.

    Times are answered by the club's clock, and messages have its words.
    """

    reads = Act.READ
    writes = Act.CHANGE_RULES
    deletes: Act | None = None  # where it is another act than writing
    club: Club
    role: Role  # of whoever asks, lowered without a second factor that is required

    takes_key = True  # an Idempotency-Key
    sent: SentWrite | None = None  # a write with such a key

    def dispatch(self, request: HttpRequest, *args: Any, **address: Any) -> HttpResponseBase:
        """Answer as to other writes if a write with a key cannot be stored with its answer, or not be committed."""
        try:
            return super().dispatch(request, *args, **address)
        except CANNOT_SAVE as error:
            self.sent = None
            return cast("Response", self.finalize_response(self.request, self.handle_exception(error)))

    def initial(self, request: Request, *args: Any, **address: Any) -> None:
        super().initial(request, *args, **address)
        self.club = self.found(**address)
        self.admit(request)
        self.require_known_parameters()
        if request.user.is_authenticated and self.takes_key:
            self.sent = begin_write(request, request.user, self.moment)

    def handle_exception(self, exc: Exception) -> Response:
        return stored_answer(exc.stored) if isinstance(exc, Replayed) else super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **address: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **address)
        if self.sent is not None:
            end_write(self.sent, answer)
        return answer

    def found(self, club_slug: str) -> Club:
        """Find what the address names, and the club that it is of."""
        return get_object_or_404(Club, slug=club_slug)

    def admit(self, request: Request) -> None:
        """Check the role of whoever asks, and take over the clock and the words of the club."""
        try:
            self.role = admitted(self.club, request.user, self.act).role
        except PermissionDenied:
            if request.user.is_authenticated:
                raise
            raise NotAuthenticated from None
        self.moment.enter_context(timezone.override(self.club.tz))
        self.moment.enter_context(in_words_of(self.club))

    @property
    def act(self) -> Act:
        """Name what the request is an act of."""
        if self.request.method in SAFE_METHODS:
            return self.reads
        return self.deletes or self.writes if self.request.method == "DELETE" else self.writes

    @property
    def actor(self) -> User:
        """The user who writes; `admit` lets nobody write without an account."""
        assert self.request.user.is_authenticated
        return self.request.user


class Unchanged(Exception):
    """Whoever asks has the answer already."""


class SeasonView(ClubView):
    """A view at an address with <season_id>.

    Where all readers of a public club are answered the same, `is_of_version` lets the version of the data tell whether
    anything has changed, before the answer is made. The day is a part of it, so after an upgrade all is sent again at
    midnight.
    """

    season: Season
    is_of_version = False
    etag = ""

    def found(self, season_id: int) -> Club:  # type: ignore[override]
        seasons = Season.objects.select_related("club", "rules", "summary", "pool__recomputation")
        self.season = get_object_or_404(seasons, pk=season_id)
        return self.season.club

    def admit(self, request: Request) -> None:
        super().admit(request)
        if not self.is_of_version or request.method not in SAFE_METHODS:
            return
        version = public_page_version(self.club.slug, self.season.slug)
        if version is None:
            return
        self.etag = _etag(request.build_absolute_uri(), get_language(), *version)
        # Compression makes an ETag weak on its way.
        known = {each.removeprefix("W/") for each in parse_etags(request.headers.get("If-None-Match", ""))}
        if self.etag in known and "If-Match" not in request.headers:
            raise Unchanged

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Unchanged):
            return Response(status=HTTPStatus.NOT_MODIFIED)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **address: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **address)
        if self.etag and answer.status_code in {HTTPStatus.OK, HTTPStatus.NOT_MODIFIED}:
            answer.headers["ETag"] = self.etag
        return answer


def _etag(*parts: object) -> str:
    return quote_etag(hashlib.sha256(repr(parts).encode()).hexdigest()[:32])


class EventView(ClubView):
    """A view at an address with <event_id>."""

    event: Event

    def found(self, event_id: int) -> Club:  # type: ignore[override]
        events = Event.objects.select_related("season__club", "season__pool", "pool", "terms", "meet")
        self.event = get_object_or_404(events, pk=event_id)
        return self.event.season.club


class PlayerView(ClubView):
    """A view at an address with <player_id>."""

    player: Player

    def found(self, player_id: int) -> Club:  # type: ignore[override]
        self.player = get_object_or_404(Player.objects.select_related("club"), pk=player_id)
        return self.player.club


class PoolView(ClubView):
    """A view at an address with <pool_id>."""

    pool: Pool

    def found(self, pool_id: int) -> Club:  # type: ignore[override]
        self.pool = get_object_or_404(Pool.objects.select_related("club", "recomputation"), pk=pool_id)
        return self.pool.club
