"""Invite people to a club by a link, and accept such an invitation."""

import uuid
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league import formats
from league.models import Acceptance, AccessChange, Club, Invitation, Membership, Player, Role, Use
from league.rights import invitable
from league.services.errors import Refused
from league.services.quotas import count_use
from people.services.access_changes import record_access_change
from people.services.claims import claim_player
from people.services.mails import absolute, in_language_of, mail
from people.services.members import lock_club, set_member

JOINING = "joining"  # holds the token of an invitation in the session of somebody who is about to sign in


@transaction.atomic
def invite(
    club: Club,
    *,
    role: Role,
    lasts: timedelta,
    most_uses: int,
    actor: User,
    actor_role: Role,
    email: str = "",
    player: Player | None = None,
    form_token: uuid.UUID | None = None,
) -> Invitation:
    """Create an invitation and mail it if it has an address. Idempotent for a form token.

    With a player it is for one person, who becomes a member and claims that player.
    """
    lock_club(club)
    if form_token and (made := Invitation.objects.filter(club=club, form_token=form_token).first()):
        return made
    if role not in invitable(actor_role):
        raise Refused(_("Only owners may invite somebody in this role."))
    if player and player.user_id:
        raise Refused(_("%(name)s is claimed already.") % {"name": player})
    invitation = Invitation.objects.create(
        club=club,
        role=role,
        player=player,
        email=email,
        made_by=actor,
        ends_at=timezone.now() + lasts,
        most_uses=1 if player else most_uses,
        form_token=form_token,
    )
    _record(invitation, AccessChange.Kind.INVITATION_MADE, actor)
    if email:
        count_use(actor, Use.MAILS)
        mail_invitation(invitation)
    return invitation


def mail_invitation(invitation: Invitation) -> None:
    """Send the link of an invitation to its address, in the language of the club."""
    with in_language_of(invitation.club):
        _mail(invitation)


def _mail(invitation: Invitation) -> None:
    club = invitation.club
    text = _("%(by)s invites you to %(club)s. Your role would be: %(role)s. This link is good until %(end)s:")
    values = {
        "by": invitation.made_by.username if invitation.made_by else _("The site"),
        "club": club.name,
        "role": invitation.get_role_display(),
        "end": formats.moment(invitation.ends_at, club.tz),
    }
    subject = _("Invitation to %(club)s") % {"club": club}
    mail(club, invitation.email, subject, f"{text % values}\n\n{absolute(invitation.get_absolute_url())}")


@transaction.atomic
def revoke(invitation: Invitation, *, actor: User) -> None:
    """Revoke an invitation; members who have accepted it remain. Idempotent."""
    lock_club(invitation.club)
    if Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now()):
        _record(invitation, AccessChange.Kind.INVITATION_REVOKED, actor)


@transaction.atomic
def accept(invitation: Invitation, *, user: User) -> None:
    """Accept an invitation: raise the user's role to its role, and link the user to its player.

    Accepting twice changes nothing more.
    """
    club = lock_club(invitation.club)
    current = Invitation.objects.select_related("player").get(pk=invitation.pk)
    if Acceptance.objects.filter(invitation=current, user=user).exists():
        return
    if not current.is_open:
        raise Refused(_("This invitation has ended. Ask for a new one."))
    role = Role(current.role)
    present = Membership.objects.filter(club=club, user=user).values_list("role", flat=True).first()
    if present is None or present < role:
        set_member(club, user=user, role=role, actor=user)
    if current.player:
        claim_player(current.player, user=user, actor=user)
    Acceptance.objects.create(invitation=current, user=user)
    Invitation.objects.filter(pk=current.pk).update(n_uses=current.n_uses + 1)


def _record(invitation: Invitation, kind: AccessChange.Kind, actor: User) -> None:
    side = {"role": invitation.role, "ends_at": invitation.ends_at.isoformat()}
    if invitation.player:
        side["name"] = invitation.player.name
    is_made = kind == AccessChange.Kind.INVITATION_MADE
    record_access_change(
        invitation.club,
        kind=kind,
        actor=actor,
        before=None if is_made else side,
        after=side if is_made else None,
    )
