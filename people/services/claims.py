"""Connect an account with the player it is: asked by the member, answered by an organizer."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from league.models import AccessChange, Claim, Membership, Player
from league.services.errors import Refused
from people.services.access_changes import record_access_change
from people.services.members import lock_club
from people.services.notices import notify

Kind = AccessChange.Kind


@transaction.atomic
def ask_for_player(player: Player, *, user: User) -> Claim:
    """Claim a player for an account, to be approved later. Idempotent."""
    lock_club(player.club)
    _require_claimable(player, user)
    claim, _is_new = Claim.objects.get_or_create(player=player, user=user)
    return claim


@transaction.atomic
def approve_claim(claim: Claim, *, actor: User) -> None:
    """Link the player of a claim to its account, and delete all claims of the player. Idempotent."""
    club = lock_club(claim.player.club)
    current = Claim.objects.select_related("player__club", "user").filter(pk=claim.pk).first()
    if current is None:
        return
    if not Membership.objects.filter(club=club, user=current.user).exists():
        raise Refused(_("%(name)s is no member any more.") % {"name": current.user.username})
    claim_player(current.player, user=current.user, actor=actor)
    Claim.objects.filter(player=current.player).delete()


@transaction.atomic
def decline_claim(claim: Claim) -> None:
    """Delete a claim. Idempotent."""
    lock_club(claim.player.club)
    Claim.objects.filter(pk=claim.pk).delete()


@transaction.atomic
def claim_player(player: Player, *, user: User, actor: User) -> None:
    """Link a player to an account. Idempotent."""
    lock_club(player.club)
    player = _current(player)
    if player.user_id == user.pk:
        return
    _require_claimable(player, user)
    Player.objects.filter(pk=player.pk).update(user=user)
    _record(player, Kind.PLAYER_CLAIMED, user, actor)


@transaction.atomic
def take_back_claim(player: Player, *, actor: User) -> None:
    """Unlink a player from its account. Idempotent."""
    lock_club(player.club)
    current = Player.objects.select_related("club", "user").filter(pk=player.pk).first()
    if current and current.user:
        Player.objects.filter(pk=current.pk).update(user=None)
        _record(current, Kind.CLAIM_TAKEN_BACK, current.user, actor)


def _current(player: Player) -> Player:
    current = Player.objects.select_related("club", "user").filter(pk=player.pk).first()
    if current is None:
        raise Refused(_("%(name)s is no player of this club any more.") % {"name": player})
    return current


def _require_claimable(player: Player, user: User) -> None:
    current = _current(player)
    if current.user_id and current.user_id != user.pk:
        raise Refused(_("%(name)s is claimed already.") % {"name": current})
    own = Player.objects.filter(club_id=current.club_id, user=user).exclude(pk=current.pk).first()
    if own:
        raise Refused(_("This account is %(name)s already. Take that back first.") % {"name": own})


def _record(player: Player, kind: AccessChange.Kind, user: User, actor: User) -> None:
    side = {"player": player.pk, "name": player.name}
    sides = {"after": side} if kind == Kind.PLAYER_CLAIMED else {"before": side}
    change = record_access_change(player.club, kind=kind, actor=actor, person=user, **sides)
    if actor != user:
        notify(user, change)
