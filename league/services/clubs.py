from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import BEGINNING, Change, Club, Membership, Pool, Role
from league.services.changes import lock_pools, record_change
from league.services.errors import Refused


@transaction.atomic
def open_club(owner: User, *, name: str, slug: str, time_zone: str, is_public: bool) -> Club:
    try:
        with transaction.atomic():
            club = Club.objects.create(name=name, slug=slug, time_zone=time_zone, is_public=is_public)
    except IntegrityError as error:  # another request took the address after the form was checked
        raise Refused(_("The address “%(slug)s” is taken.") % {"slug": slug}) from error
    Membership.objects.create(club=club, user=owner, role=Role.OWNER)
    Pool.objects.create(club=club, name="TIER")
    return club


@transaction.atomic
def update_club(club: Club, *, name: str, time_zone: str, is_public: bool, actor: User) -> Club:
    pools = lock_pools(club)
    club = Club.objects.get(pk=club.pk)
    before = {"name": club.name, "time_zone": club.time_zone, "is_public": club.is_public}
    after = {"name": name, "time_zone": time_zone, "is_public": is_public}
    Club.objects.filter(pk=club.pk).update(**after)
    if before != after:
        # A season begins at local midnight, and rating changes at a season's start depend on that moment.
        rated_from = BEGINNING if before["time_zone"] != time_zone else None
        for pool in pools:
            record_change(
                pool,
                kind=Change.Kind.CLUB_CHANGED,
                actor=actor,
                rated_from=rated_from,
                before=before,
                after=after,
            )
    club.refresh_from_db()
    return club


@transaction.atomic
def set_member(club: Club, *, user: User, role: Role) -> Membership:
    """Give a person a role in a club, or change it. A club keeps at least one owner."""
    Club.objects.select_for_update().get(pk=club.pk)
    if role != Role.OWNER:
        _require_another_owner(club, user)
    membership, _created = Membership.objects.update_or_create(club=club, user=user, defaults={"role": role})
    return membership


@transaction.atomic
def remove_member(club: Club, *, user: User) -> None:
    Club.objects.select_for_update().get(pk=club.pk)
    _require_another_owner(club, user)
    Membership.objects.filter(club=club, user=user).delete()


def _require_another_owner(club: Club, user: User) -> None:
    owners = set(club.memberships.filter(role=Role.OWNER).values_list("user_id", flat=True))
    if owners == {user.pk}:
        raise Refused(_("A club needs an owner: make somebody else an owner first."))
