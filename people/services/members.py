"""Members of a club and their roles. A club never loses its last owner."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import AccessChange, Club, Membership, Player, Role
from league.services.errors import Refused
from league.services.quotas import require_room_for_club
from people.services.access_changes import record_access_change
from people.services.notices import notify

Kind = AccessChange.Kind


def lock_club(club: Club) -> Club:
    return Club.objects.select_for_update().get(pk=club.pk)


@transaction.atomic
def set_member(club: Club, *, user: User, role: Role, actor: User | None) -> Membership:
    """Give a person a role in a club, or change it."""
    lock_club(club)
    if role != Role.OWNER:
        _require_another_owner(club, user)
    else:
        _require_room(club, user)
    membership, is_new = Membership.objects.get_or_create(club=club, user=user, defaults={"role": role})
    before = None if is_new else {"role": membership.role}
    after = {"role": int(role)}
    if before != after:
        if not is_new:
            membership.role = role
            membership.save(update_fields=["role"])
        kind = Kind.MEMBER_ADDED if is_new else Kind.ROLE_CHANGED
        _record(club, kind, user, actor, before=before, after=after)
    return membership


@transaction.atomic
def remove_member(club: Club, *, user: User, actor: User | None) -> AccessChange | None:
    """Remove a member and take back the player claimed; do nothing if the member is gone already.

    Return what `restore_member` needs. A member who leaves is `actor` and `user`.
    """
    lock_club(club)
    _require_another_owner(club, user)
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None:
        return None
    player = Player.objects.filter(club=club, user=user).first()
    Player.objects.filter(club=club, user=user).update(user=None)
    membership.delete()
    before = {"role": membership.role} | ({"player": player.pk} if player else {})
    kind = Kind.MEMBER_LEFT if actor == user else Kind.MEMBER_REMOVED
    return _record(club, kind, user, actor, before=before)


@transaction.atomic
def restore_member(removal: AccessChange, *, actor: User) -> None:
    """Restore the role and the player of a removed member. Idempotent."""
    club = lock_club(removal.club)
    user = User.objects.filter(username=removal.person, is_active=True).first()
    if user is None:
        raise Refused(_("The account %(name)s does not exist any more.") % {"name": removal.person})
    if Membership.objects.filter(club=club, user=user).exists():
        return
    set_member(club, user=user, role=Role(removal.before["role"]), actor=actor)
    if player_id := removal.before.get("player"):
        Player.objects.filter(club=club, pk=player_id, user=None).update(user=user)


@transaction.atomic
def hand_over(club: Club, *, user: User, actor: User) -> None:
    """Transfer the ownership of a club to another member; the actor stays as an organizer."""
    lock_club(club)
    membership = Membership.objects.filter(club=club, user=user).first()
    if membership is None or user == actor:
        raise Refused(_("Choose another member of the club."))
    if not Membership.objects.filter(club=club, user=actor, role=Role.OWNER).exists():
        raise Refused(_("You are not an owner of this club any more."))
    _require_room(club, user)
    roles = {"role": membership.role}
    Membership.objects.filter(club=club, user=user).update(role=Role.OWNER)
    Membership.objects.filter(club=club, user=actor).update(role=Role.ORGANIZER)
    _record(club, Kind.HANDED_OVER, user, actor, before=roles, after={"role": int(Role.OWNER)})


@transaction.atomic
def give_club(club: Club, *, user: User, actor: User) -> None:
    """Make a person the only owner, member or not; the owners so far stay as organizers. Operators do this."""
    lock_club(club)
    others = club.memberships.filter(role=Role.OWNER).exclude(user=user).select_related("user")
    present = Membership.objects.filter(club=club, user=user).first()
    if present is None or present.role != Role.OWNER:
        Membership.objects.update_or_create(club=club, user=user, defaults={"role": Role.OWNER})
        before = {"role": present.role} if present else None
        _record(club, Kind.HANDED_OVER, user, actor, before=before, after={"role": int(Role.OWNER)})
    for membership in others:
        set_member(club, user=membership.user, role=Role.ORGANIZER, actor=actor)


def _record(
    club: Club,
    kind: AccessChange.Kind,
    user: User,
    actor: User | None,
    **sides: dict[str, Any] | None,
) -> AccessChange:
    """Record a change of rights, and notify the person unless it is the person's own change."""
    change = record_access_change(club, kind=kind, actor=actor, person=user, **sides)
    if actor != user:
        notify(user, change)
    return change


def _require_room(club: Club, user: User) -> None:
    """Raise QuotaUsed if a person who is no owner of the club yet may own no further one."""
    if not Membership.objects.filter(club=club, user=user, role=Role.OWNER).exists():
        User.objects.select_for_update().get(pk=user.pk)
        require_room_for_club(user)


def _require_another_owner(club: Club, user: User) -> None:
    owners = set(club.memberships.filter(role=Role.OWNER).values_list("user_id", flat=True))
    if owners == {user.pk}:
        raise Refused(_("A club needs an owner: make somebody else an owner first."))
