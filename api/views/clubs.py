"""Clubs: those that a program may know of, one of them, its history and its bin."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView
from api.serializers.base import checked
from api.serializers.clubs import ClubDetailSerializer, ClubSerializer, HistoryLineSerializer
from api.serializers.events import BinItemSerializer, RestoringSerializer
from directory.models import Listing
from league.models import BinItem, Change, Club, Membership, Role, shown_account
from league.queries import WholeHistory, changes_of, has_two_factor, needs_two_factor, renames_of
from league.rights import Act, may
from league.services.bin import restore
from league.services.errors import Refused
from standings.awards.services import restore_award
from standings.pages.history.access_history import history_lines
from standings.pages.history.changes import ChangeLine


class ClubsView(ListView):
    """Lists your clubs, and those that are listed in the directory of the site."""

    queryset = Club.objects.none()
    serializer_class = ClubSerializer

    def get_queryset(self) -> QuerySet[Club]:
        user = self.request.user
        listed = Q(Exists(Listing.objects.shown().filter(club=OuterRef("pk"))))
        own = Membership.objects.filter(club=OuterRef("pk"), user_id=user.pk or 0).values("role")
        clubs = Club.objects.annotate(stored_role=Subquery(own)).order_by("name", "pk")
        mine = Q() if self.sees_nothing else Q(stored_role__isnull=False)
        return clubs.filter(mine | listed, deleted_at=None)

    @cached_property
    def has_factor(self) -> bool:
        """Tell whether whoever asks has a second factor."""
        return has_two_factor(self.request.user)

    @property
    def sees_nothing(self) -> bool:
        """Tell whether the site lets whoever asks see public clubs alone."""
        return settings.SECOND_FACTOR == "everybody" and not self.has_factor

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset) or []
        for club in page:
            club.own_role = self._role_in(club)
        return page

    def _role_in(self, club: Any) -> Role:
        """Find the role in a club of the list, lowered as by admission."""
        stored = Role(club.stored_role or Role.PUBLIC)
        if self.sees_nothing:
            return Role.PUBLIC
        is_lowered = (
            stored > Role.MEMBER and needs_two_factor(self.request.user, club) and not self.has_factor
        )
        return Role.MEMBER if is_lowered else stored


class ClubDetailView(ClubView):
    """Answers with a club, its games, and your role in it."""

    serializer_class = ClubDetailSerializer

    def get(self, _request: Request, **_address: Any) -> Response:
        """Read a club."""
        self.club.own_role = self.role  # type: ignore[attr-defined]
        return Response(self.get_serializer(self.club).data)


class HistoryView(ListView, ClubView):
    """Lists what was changed in a club, the newest first; changes of rights for its owners alone."""

    queryset = Change.objects.none()
    serializer_class = HistoryLineSerializer

    def get_queryset(self) -> Any:
        return WholeHistory(self.club) if may(self.role, Act.CHANGE_CLUB) else changes_of(self.club)

    def paginate_queryset(self, queryset: Any) -> Any:
        return history_rows(self.club, self.role, super().paginate_queryset(queryset) or [])


def history_rows(club: Club, role: Role, changes: Sequence[Any]) -> list[dict[str, Any]]:
    """Write lines of the history as somebody of a role may read them."""
    names = may(role, Act.USE_AS_MEMBER)
    return [_line(line, shows_names=names) for line in history_lines(changes, renames_of(club))]


def _line(line: ChangeLine, *, shows_names: bool) -> dict[str, Any]:
    """Write a line of the history; accounts are named to members alone."""
    change: Any = line.change
    return {
        "at": change.at,
        "kind": change.kind,
        "title": line.kind,
        "about": line.subject,
        "descriptions": line.descriptions,
        "by": shown_account(change.actor.username) if shows_names and change.actor else "",
        "reason": getattr(change, "reason", ""),
        "event": getattr(change, "event_id", None),
        "season": getattr(change, "season_id", None),
    }


class BinView(ListView, ClubView):
    """Lists what was deleted in a club, the last first. It can be brought back for 30 days."""

    reads = Act.DELETE_RESULTS
    queryset = BinItem.objects.none()
    serializer_class = BinItemSerializer

    def get_queryset(self) -> QuerySet[BinItem]:
        return BinItem.objects.filter(club=self.club).defer("data")


class BinRestoreView(ClubView):
    """Brings something back from the bin."""

    reads = writes = Act.DELETE_RESULTS
    item: BinItem

    def found(self, club_slug: str, item_id: int) -> Club:  # type: ignore[override]
        club = super().found(club_slug)
        self.item = get_object_or_404(BinItem.objects.defer("data"), club=club, pk=item_id)
        return club

    @extend_schema(request=RestoringSerializer, responses=BinItemSerializer)
    def post(self, request: Request, **_address: Any) -> Response:
        """Bring back what an item of the bin holds."""
        options = checked(RestoringSerializer, request.data)
        bring_back = restore_award if self.item.kind == BinItem.Kind.AWARD else restore
        if bring_back(self.club, self.item.pk, actor=self.actor, **options) is None:
            raise Refused(_("This is not in the bin any more: it is back, or its 30 days are over."))
        return Response(BinItemSerializer(self.item).data)
