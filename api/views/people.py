"""The people of a club: members and their roles, invitations, claims of players."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import ClubView, ListView, PlayerView
from api.serializers.base import checked
from api.serializers.people import (
    ClaimAnswerSerializer,
    ClaimSerializer,
    InvitationSerializer,
    MemberSerializer,
    NewInvitationSerializer,
    RoleSerializer,
)
from league.models import Claim, Club, Invitation, Membership, Player
from league.rights import Act
from people.services.claims import approve_claim, ask_for_player, decline_claim
from people.services.invitations import invite, revoke
from people.services.members import remove_member, set_member


def with_players(members: Sequence[Membership]) -> Sequence[Membership]:
    """Read which players the members of a club are."""
    own = Player.objects.select_related("club").filter(
        club__in={member.club_id for member in members}, user__in=[member.user_id for member in members]
    )
    players = {player.user_id: player for player in own}
    for member in members:
        member.player = players.get(member.user_id)  # type: ignore[attr-defined]
    return members


class MembersView(ListView, ClubView):
    """Lists the members of a club, owners first."""

    reads = Act.INVITE
    writes = Act.CHOOSE_ORGANIZERS
    queryset = Membership.objects.none()
    serializer_class = MemberSerializer

    def get_queryset(self) -> QuerySet[Membership]:
        return self.club.memberships.select_related("user").order_by("-role", "user__username")

    def paginate_queryset(self, queryset: Any) -> Any:
        return with_players(super().paginate_queryset(queryset) or [])


class MemberView(ClubView):
    """Changes the role of a member, and removes one."""

    reads = writes = Act.CHOOSE_ORGANIZERS
    member: Membership

    def found(self, club_slug: str, member_id: int) -> Club:  # type: ignore[override]
        club = super().found(club_slug)
        self.member = get_object_or_404(Membership.objects.select_related("user"), club=club, pk=member_id)
        return club

    @extend_schema(request=RoleSerializer, responses=MemberSerializer)
    def put(self, request: Request, **_address: Any) -> Response:
        """Give a member another role."""
        role = checked(RoleSerializer, request.data)["role"]
        set_member(self.club, user=self.member.user, role=role, actor=self.actor)
        [member] = with_players([Membership.objects.select_related("user").get(pk=self.member.pk)])
        return Response(MemberSerializer(member, context={"request": request}).data)

    @extend_schema(responses={204: None})
    def delete(self, _request: Request, **_address: Any) -> Response:
        """Remove a member from the club."""
        remove_member(self.club, user=self.member.user, actor=self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class InvitationsView(ListView, ClubView):
    """Lists the invitations that can still be used, and makes one."""

    reads = writes = Act.INVITE
    queryset = Invitation.objects.none()
    serializer_class = InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        return self.club.invitations.open().select_related("player__club")

    @extend_schema(request=NewInvitationSerializer, responses={201: InvitationSerializer})
    def post(self, request: Request, **_address: Any) -> Response:
        """Make an invitation."""
        data = checked(NewInvitationSerializer, request.data)
        player_id = data.pop("player_id", None)
        player = self.club.players.select_related("club").filter(pk=player_id).first()
        if player_id and player is None:
            raise ValidationError(
                {"player_id": [_("The club has no player with the id %(id)d.") % {"id": player_id}]}
            )
        invitation = invite(
            self.club,
            lasts=timedelta(hours=data.pop("hours")),
            player=player,
            actor=self.actor,
            actor_role=self.role,
            **data,
        )
        return Response(self.get_serializer(invitation).data, status=status.HTTP_201_CREATED)


class InvitationView(ClubView):
    """Revokes an invitation; whoever has used it stays."""

    reads = writes = Act.INVITE
    invitation: Invitation

    def found(self, club_slug: str, invitation_id: int) -> Club:  # type: ignore[override]
        club = super().found(club_slug)
        invitations = Invitation.objects.select_related("club", "player")
        self.invitation = get_object_or_404(invitations, club=club, pk=invitation_id)
        return club

    @extend_schema(responses={204: None})
    def delete(self, _request: Request, **_address: Any) -> Response:
        """Revoke an invitation; whoever has used it stays."""
        revoke(self.invitation, actor=self.actor)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ClaimsView(ListView, ClubView):
    """Lists the accounts that say which player they are, and wait for an answer."""

    reads = writes = Act.EDIT_PLAYERS
    queryset = Claim.objects.none()
    serializer_class = ClaimSerializer

    def get_queryset(self) -> QuerySet[Claim]:
        return (
            Claim.objects.filter(player__club=self.club).select_related("player__club", "user").order_by("pk")
        )


class PlayerClaimView(PlayerView):
    """Says that you are a player, which an organizer has to approve."""

    reads = writes = Act.USE_AS_MEMBER

    @extend_schema(request=None, responses={201: ClaimSerializer})
    def post(self, _request: Request, **_address: Any) -> Response:
        """Say that you are this player; an organizer approves it."""
        claim = ask_for_player(self.player, user=self.actor)
        return Response(
            ClaimSerializer(claim, context=self.get_serializer_context()).data, status=status.HTTP_201_CREATED
        )


class ClaimView(ClubView):
    """Approves or declines a claim."""

    reads = writes = Act.EDIT_PLAYERS
    claim: Claim

    def found(self, club_slug: str, claim_id: int) -> Club:  # type: ignore[override]
        club = super().found(club_slug)
        claims = Claim.objects.select_related("player__club", "user")
        self.claim = get_object_or_404(claims, player__club=club, pk=claim_id)
        return club

    @extend_schema(request=ClaimAnswerSerializer, responses={204: None})
    def post(self, request: Request, **_address: Any) -> Response:
        """Approve or decline a claim."""
        if checked(ClaimAnswerSerializer, request.data)["is_approved"]:
            approve_claim(self.claim, actor=self.actor)
        else:
            decline_claim(self.claim)
        return Response(status=status.HTTP_204_NO_CONTENT)
